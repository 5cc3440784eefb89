//! Jobs, envelopes and several batches: only writes of the same thing wait, in the order of the queue.
//!
//! Not here: one batch alone (`batches.rs`).

use crate::driver::check;

#[test]
fn between_batches_only_two_writes_wait() {
    let drawn = check(
        "
        batch
          c1 fs w:/w/a 30
          c2 ind r:/w/b 30
        batch
          c3 fs w:/w/b 10
          c4 ind r:/w/a 10
          c5 ind w:/w/a 10
        batch
          c6 excl 20
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |=== |
    c2   |=== |
    c3   |=   |
    c4   |=   |
    c5   |...=|  0: c4 (claim path:/w/a)  10: c1 (claim path:/w/a)
    c6   |==  |
    ");
}

/// A later call that meets nobody passes; one that meets a queued call does not.
#[test]
fn the_claim_queue_is_served_by_arrival() {
    let drawn = check(
        "
        batch
          c1 ind w:/w/a 20
        batch
          c2 ind w:/w 20
        batch
          c3 ind w:/w/b 10
          c4 ind w:/d 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |==   |
    c2   |..== |  0: c1 (claim path:/w)
    c3   |....=|  0: c2 (claim path:/w/b)
    c4   |=    |
    ");
}

/// `c3` must wait for `c2`, so `c4` may write the file first.
#[test]
fn whoever_waits_in_its_batch_is_not_in_the_queue() {
    let drawn = check(
        "
        batch
          c1 ind w:/w/a 10
          c2 fs 40
          c3 fs w:/w/a 10
        batch
          c4 ind w:/w/a 20
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |=    |
    c2   |==== |
    c3   |....=|  0: c2 (group fs)
    c4   |.==  |  0: c1 (claim path:/w/a)
    ");
}

#[test]
fn slots_are_shared_by_all_batches() {
    let drawn = check(
        "
        slots 2
        batch
          c1 ind 30
          c2 ind 10
        batch
          c3 ind 10
          c4 ind 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |===|
    c2   |=  |
    c3   |.= |  0: no free slot
    c4   |..=|  0: no free slot
    ");
}

/// The read of `c4` waits for the write of `c1`, which stands before `parallel`; `c6` comes after it.
#[test]
fn jobs_ignore_groups_and_wait_for_the_claims_of_siblings_before() {
    let drawn = check(
        "
        batch
          c1 fs w:/w/a 30
          c2 parallel 0
            c3 excl 10
            c4 ind r:/w/a 10
            c5 fs w:/w/b 20
            c7 ind w:/w/b 10
          c6 ind r:/w/b 20
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |=== |
    c2   |    |
    c3   |=   |
    c4   |...=|  0: c1 (claim path:/w/a)
    c5   |==  |
    c6   |==  |
    c7   |..= |  0: c5 (claim path:/w/b)
    ");
}

#[test]
fn a_batch_does_not_wait_for_jobs_but_for_their_writes() {
    let drawn = check(
        "
        batch
          c1 parallel 0
            c5 excl w:/w/a 40
          c2 fs r:/w/a 10
          c3 excl 10
          c4 ind w:/w/a 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |     |
    c2   |=    |
    c3   |.=   |  0: c2 (exclusive)
    c4   |....=|  0: c3 (exclusive)  20: c5 (claim path:/w/a)
    c5   |==== |
    ");
}

#[test]
fn a_coordinator_holds_no_slot() {
    let drawn = check(
        "
        slots 1
        batch
          c1 envelope fs
            c1-1 fs 10
            c1-2 fs 20
          c2 ind 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |=== |
    c1-1 |=   |
    c1-2 | == |
    c2   |...=|  0: c1 (exclusive)
    ");
}

/// `c2` waits for the whole envelope; other batches do not, for it holds no claim itself.
#[test]
fn an_envelope_orders_its_batch_and_holds_no_claim() {
    let drawn = check(
        "
        batch
          c1 envelope fs w:/w/a w:/w/b
            c1-1 fs w:/w/a 20
            c1-2 fs w:/w/b 30
          c2 ind r:/w/b 10
        batch
          c3 ind w:/w/b 10
          c4 ind w:/w/a 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |====== |
    c1-1 |.==    |  0: c4 (claim path:/w/a)
    c1-2 |   === |
    c2   |......=|  0: c1 (claim path:/w/b)
    c3   |=      |
    c4   |=      |
    ");
}
