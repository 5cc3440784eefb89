//! One batch: groups, claims, barriers, slots.
//!
//! Not here: what changes while it runs (`changes.rs`), jobs and other batches (`across.rs`).

use crate::driver::check;

#[test]
fn groups_order_and_independent_calls_do_not_wait() {
    let drawn = check(
        "
        batch
          c1 fs 30
          c2 ind 20
          c3 fs 10
          c4 document 20
          c5 fs+document 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |===  |
    c2   |==   |
    c3   |...= |  0: c1 (group fs)
    c4   |==   |
    c5   |....=|  0: c4 (group document)  20: c3 (group fs)
    ");
}

#[test]
fn exclusive_is_a_barrier_both_ways() {
    let drawn = check(
        "
        batch
          c1 ind 30
          c2 fs 10
          c3 excl 20
          c4 ind 10
          c5 excl 10
          c6 fs 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |===     |
    c2   |=       |
    c3   |...==   |  0: c2 (exclusive)  10: c1 (exclusive)
    c4   |.....=  |  0: c3 (exclusive)
    c5   |......= |  0: c4 (exclusive)
    c6   |.......=|  0: c5 (exclusive)
    ");
}

#[test]
fn a_read_of_an_edited_file_waits_and_others_do_not() {
    let drawn = check(
        "
        batch
          c1 fs w:/w/a 30
          c2 ind r:/w/a 10
          c3 ind r:/w/b 10
          c4 ind r:/w/a 20
          c5 fs w:/w/a 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |===   |
    c2   |...=  |  0: c1 (claim path:/w/a)
    c3   |=     |
    c4   |...== |  0: c1 (claim path:/w/a)
    c5   |.....=|  0: c1 (group fs)  30: c4 (claim path:/w/a)
    ");
}

/// A subtree counts as its root; a name that only begins alike does not meet it.
#[test]
fn claims_above_and_below_meet() {
    let drawn = check(
        "
        batch
          c1 ind w:/w/src 20
          c2 ind r:/w/src/a/b 10
          c3 ind r:/w 10
          c4 ind r:/w/srcs 10
          c5 ind w:/w/src/a 10
          c6 ind w:/ 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |==   |
    c2   |..=  |  0: c1 (claim path:/w/src/a/b)
    c3   |..=  |  0: c1 (claim path:/w)
    c4   |=    |
    c5   |...= |  0: c3 (claim path:/w/src/a)
    c6   |....=|  0: c5 (claim path:/)
    ");
}

#[test]
fn named_resources_meet_by_name_only() {
    let drawn = check(
        "
        batch
          c1 ind w:browser 20
          c2 ind w:browser 10
          c3 ind r:browser 10
          c4 ind w:terminal:1 10
          c5 ind w:/browser 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |==  |
    c2   |..= |  0: c1 (claim browser)
    c3   |...=|  0: c2 (claim browser)
    c4   |=   |
    c5   |=   |
    ");
}

#[test]
fn ready_calls_start_in_list_order_as_slots_come_free() {
    let drawn = check(
        "
        slots 2
        batch
          c1 ind 30
          c2 ind 10
          c3 fs 20
          c4 fs 10
          c5 ind 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |=== |
    c2   |=   |
    c3   |.== |  0: no free slot
    c4   |...=|  0: c3 (group fs)
    c5   |...=|  0: no free slot
    ");
}

/// Even while the first call is held.
#[test]
fn one_slot_runs_a_batch_strictly_in_list_order() {
    let drawn = check(
        "
        slots 1
        batch
          c1 ind 10 approval
          c2 ind 20
          c3 excl 10
          c4 ind 10
        20 release c1 approval
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |..=    |  0: approval
    c2   |...==  |  0: c1 (exclusive)
    c3   |.....= |  0: c2 (exclusive)
    c4   |......=|  0: c3 (exclusive)
    ");
}

#[test]
fn claims_off_leaves_the_groups_alone() {
    let drawn = check(
        "
        claims off
        batch
          c1 ind w:/w/a 30
          c2 ind r:/w/a 10
          c3 fs w:/w/b 20
          c4 fs w:/w/c 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |===|
    c2   |=  |
    c3   |== |
    c4   |..=|  0: c3 (group fs)
    ");
}
