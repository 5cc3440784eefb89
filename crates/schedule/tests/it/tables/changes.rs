//! What changes while calls wait: streaming, holds, pauses, stops, footprints.
//!
//! Not here: footprints that stay as they are (`batches.rs`).

use fanfold_schedule::{Claim, Footprint, Lane, Limits, Resource, Role, Wait};
use fanfold_transcript::CallId;

use crate::driver::check;
use crate::watched::Watched;

#[test]
fn a_call_whose_arguments_stream_is_exclusive() {
    let drawn = check(
        "
        batch
          c1 ind 30
          c2 fs 20 streams
          c3 ind 10
          c4 fs 10
        20 complete c2
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |===  |
    c2   |..== |  0: its arguments are still streaming
    c3   |..=  |  0: c2 (exclusive)
    c4   |....=|  0: c2 (exclusive)  20: c2 (group fs)
    ");
}

#[test]
fn a_streaming_call_completes_as_coordinator() {
    let drawn = check(
        "
        slots 1
        batch
          c1 envelope 0 streams
            c1-1 ind 10
          c2 ind 10
        10 complete c1
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |.= |  0: its arguments are still streaming
    c1-1 | = |
    c2   |..=|  0: c1 (exclusive)
    ");
}

#[test]
fn a_held_call_keeps_its_place_in_the_batch_and_none_in_the_queue() {
    let drawn = check(
        "
        batch
          c1 fs w:/w/a 10 approval
          c2 ind r:/w/a 10
          c3 ind r:/w/b 10
        batch
          c4 ind w:/w/a 20
        10 release c1 approval
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |..= |  0: approval  10: c4 (claim path:/w/a)
    c2   |...=|  0: c1 (claim path:/w/a)
    c3   |=   |
    c4   |==  |
    ");
}

#[test]
fn two_holds_are_both_lifted() {
    let drawn = check(
        "
        batch
          c1 ind 10 approval
          c2 ind 10 place
        0 hold c1 place
        10 release c1 approval
        20 release c1 place
        20 release c2 place
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |..=|  0: approval  10: no agent place
    c2   |..=|  0: no agent place
    ");
}

#[test]
fn a_pause_starts_nothing_and_stops_nothing() {
    let drawn = check(
        "
        slots 1
        batch
          c1 ind 30
          c2 ind 10
        10 pause
        50 resume
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |===   |
    c2   |.....=|  0: c1 (exclusive)  30: paused
    ");
}

#[test]
fn a_stopped_call_lets_those_behind_it_go() {
    let drawn = check(
        "
        batch
          c1 ind 40
          c2 excl 10
          c3 ind 20
        10 stop c2
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |====|
    c2   |.   |  0: c1 (exclusive)
    c3   |.== |  0: c2 (exclusive)
    ");
}

/// `c2` is about to start and finds that it touches what `c1` writes.
#[test]
fn a_changed_footprint_meets_earlier_calls() {
    let drawn = check(
        "
        batch
          c1 ind w:/w/a 30
          c2 ind r:/w/b 10 => ind r:/w/a
          c3 ind r:/w/b 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |=== |
    c2   |...=|  0: requeued  0: c1 (claim path:/w/a)
    c3   |=   |
    ");
}

#[test]
fn a_changed_footprint_waits_for_later_siblings_that_run() {
    let drawn = check(
        "
        batch
          c1 ind r:/w/a 10 approval => fs w:/w/b
          c2 ind r:/w/b 30
          c3 ind r:/w/a 40
        10 release c1 approval
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |...=|  0: approval  10: requeued  10: c2 (claim path:/w/b)
    c2   |=== |
    c3   |====|
    ");
}

/// `c2` was ready and goes back behind `c1`, which itself is now behind `c5` in the queue.
#[test]
fn a_changed_footprint_keeps_later_siblings_back() {
    let drawn = check(
        "
        slots 2
        batch
          c1 ind 10 => ind w:/w/b
          c2 ind r:/w/b 20
          c3 ind r:/w/c 20
          c4 ind w:/w/b 10
        batch
          c5 ind w:/w/b 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |.=   |  0: requeued  0: c5 (claim path:/w/b)
    c2   |..== |  0: c1 (claim path:/w/b)
    c3   |==   |
    c4   |....=|  0: c2 (claim path:/w/b)
    c5   |=    |
    ");
}

/// Whatever the order of the changes, list order decides between those that do not run.
#[test]
fn two_neighbours_change_at_once() {
    let drawn = check(
        "
        batch
          c1 ind 10 => fs w:/w/a
          c2 ind 20 => fs w:/w/a
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |=  |  0: requeued
    c2   |.==|  0: requeued  0: c1 (group fs)
    ");
}

#[test]
fn a_job_changes_its_footprint() {
    let drawn = check(
        "
        batch
          c1 ind w:/w/a 30
          c2 parallel 0
            c3 ind 10 => ind r:/w/a
            c4 ind w:/w/b 20
            c5 ind 10 => ind w:/w/b
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |=== |
    c2   |    |
    c3   |...=|  0: requeued  0: c1 (claim path:/w/a)
    c4   |==  |
    c5   |..= |  0: requeued  0: c4 (claim path:/w/b)
    ");
}

/// Both touch `/w/a` too, but one only reads it: that does not wait between batches.
#[test]
fn the_reason_names_what_both_write() {
    let drawn = check(
        "
        batch
          c1 ind w:/w/a w:/w/b 20
        batch
          c2 ind r:/w/a w:/w/b 10
        ",
    );
    insta::assert_snapshot!(drawn, @r"
    c1   |== |
    c2   |..=|  0: c1 (claim path:/w/b)
    ");
}

/// Both were taken from the schedule before either footprint was computed again.
#[test]
fn two_that_were_taken_together_may_both_change() {
    let mut watched = Watched::new(Limits::default());
    let batch = watched.open_batch();
    let [first, second] = [1, 2].map(CallId::new);
    watched.submit(first, Lane::Batch(batch), Role::Leaf, Footprint::independent());
    watched.submit(second, Lane::Batch(batch), Role::Leaf, writing("/w/a"));
    assert_eq!([watched.next_ready(), watched.next_ready()], [Some(first), Some(second)]);

    watched.requeue(first, writing("/w/a"));
    assert_eq!(watched.why_waiting(first).and_then(|why| why.call()), Some(second));
    watched.requeue(second, writing("/w/a").with(Claim::write(path("/w/b"))));
    assert_eq!(watched.next_ready(), Some(first), "{:?}", watched.why_waiting(first));
    watched.finish(first);
    assert_eq!(watched.next_ready(), Some(second));
}

/// A change that does not concern a queued sibling costs it nothing.
#[test]
fn a_changed_footprint_leaves_others_in_their_place_of_the_queue() {
    let mut watched = Watched::new(Limits { slots: 2, claims: true });
    let (batch, other) = (watched.open_batch(), watched.open_batch());
    let [changing, running, waiting, behind] = [1, 2, 3, 4].map(CallId::new);
    watched.submit(changing, Lane::Batch(batch), Role::Leaf, Footprint::independent());
    watched.submit(running, Lane::Batch(batch), Role::Leaf, Footprint::independent());
    watched.submit(waiting, Lane::Batch(batch), Role::Leaf, writing("/w/a"));
    watched.submit(behind, Lane::Batch(other), Role::Leaf, writing("/w/a"));
    assert_eq!([watched.next_ready(), watched.next_ready()], [Some(changing), Some(running)]);

    watched.requeue(changing, writing("/w/b"));
    let why = watched.why_waiting(behind);
    assert_eq!(why, Some(Wait::Claim { holder: waiting, resource: path("/w/a") }));
}

fn path(path: &str) -> Resource {
    Resource::Path(path.into())
}

fn writing(name: &str) -> Footprint {
    Footprint::independent().with(Claim::write(path(name)))
}
