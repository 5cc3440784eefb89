//! Stops, timeouts, and calls that nobody waits for any more.

use std::time::Duration;

use fanfold_tools::StopCause;
use fanfold_transcript::{Ending, Interruption};
use serde_json::json;

use crate::bench::{Bench, bounded, printed};

const NEVER: Duration = Duration::from_secs(3600);

#[tokio::test]
async fn a_stopped_call_keeps_its_output() {
    let table = [
        (StopCause::Stop, Ending::Interrupted(Interruption::Stopped), "stopped while running"),
        (StopCause::Cancel, Ending::Cancelled, "cancelled while running"),
        (StopCause::Deadline, Ending::TimedOut, "ended at its deadline"),
    ];
    for (cause, ending, note) in table {
        let bench = Bench::with_grace(NEVER);
        let started = bench.command("sleep 1000 & echo $! > pid; echo started; wait; echo more");
        let (outcome, ()) = tokio::join!(bounded(started.running), async {
            printed(&started.sink, "started").await;
            started.stop.stop(cause);
        });
        assert_eq!((outcome.ending, outcome.exit_code), (ending, Some(143)));
        let first = "Exit code: 143 (killed by signal 15)";
        assert_eq!(outcome.text(), format!("{first}\nstarted\n({note})\n"));
        bench.pid("pid").ends().await;
    }
}

#[tokio::test]
async fn a_stopped_command_can_say_its_last_words() {
    let bench = Bench::with_grace(NEVER);
    let started =
        bench.command("trap 'echo bye; exit 3' TERM; echo started; while :; do sleep 1000; done");
    let (outcome, ()) = tokio::join!(bounded(started.running), async {
        printed(&started.sink, "started").await;
        started.stop.stop(StopCause::Stop);
    });
    assert_eq!(outcome.ending, Ending::Interrupted(Interruption::Stopped));
    // Bash also tells on stderr of the sleep that was ended.
    assert!(outcome.text().starts_with("Exit code: 3\nstarted\nbye\n"), "{}", outcome.text());
}

#[tokio::test]
async fn the_grace_ends_and_so_does_a_command_that_ignores_the_request() {
    let bench = Bench::new();
    let started = bench.command("trap '' TERM; echo started; while :; do sleep 1000; done");
    let (outcome, ()) = tokio::join!(bounded(started.running), async {
        printed(&started.sink, "started").await;
        started.stop.stop(StopCause::Stop);
    });
    assert_eq!(outcome.exit_code, Some(137));
    assert_eq!(outcome.ending, Ending::Interrupted(Interruption::Stopped));
}

#[tokio::test]
async fn a_kill_ends_the_grace_at_once() {
    let bench = Bench::with_grace(NEVER);
    let started = bench.command("trap '' TERM; echo started; while :; do sleep 1000; done");
    let (outcome, ()) = tokio::join!(bounded(started.running), async {
        printed(&started.sink, "started").await;
        started.stop.stop(StopCause::Cancel);
        started.stop.kill(StopCause::Stop);
    });
    assert_eq!((outcome.ending, outcome.exit_code), (Ending::Cancelled, Some(137)));
}

#[tokio::test]
async fn a_stop_before_the_start_stops_it() {
    let bench = Bench::new();
    let started = bench.command("sleep 1000");
    started.stop.stop(StopCause::Stop);
    let outcome = bounded(started.running).await;
    assert_eq!(outcome.ending, Ending::Interrupted(Interruption::Stopped));
}

#[tokio::test]
async fn a_timeout_says_after_how_long() {
    let bench = Bench::new();
    let arguments = json!({"command": "echo before; sleep 1000", "timeout_ms": 1_500});
    let outcome = bounded(bench.start(&arguments).running).await;
    assert_eq!((outcome.ending, outcome.exit_code), (Ending::TimedOut, Some(143)));
    let text = outcome.text();
    assert!(text.ends_with("\nbefore\n(timed out after 1.5 s and was ended)\n"), "{text}");
}

// https://github.com/macanderson/stella/pull/582
#[tokio::test]
async fn a_dropped_call_leaves_nothing_running() {
    let bench = Bench::with_grace(NEVER);
    let daemon =
        "setsid bash -c 'echo $$ > daemon; echo > ready; exec sleep 1000' > /dev/null 2>&1 &";
    let command = format!(
        "mkfifo ready; trap '' TERM; echo $$ > leader; {daemon} read -r line < ready; echo started; sleep 1000"
    );
    let started = bench.command(&command);
    let running = tokio::spawn(started.running);
    printed(&started.sink, "started").await;
    running.abort();
    bench.pid("leader").ends().await;
    bench.pid("daemon").ends().await;
}
