//! What a command leaves behind is ended, and does not hang the call.

use fanfold_tools::{Mark, Sweep};

use crate::bench::{Bench, GRACE, Process, handle};

/// Runs a command that leaves one process behind, whose number it writes to `pid`.
async fn leaves_one(command: &str) {
    let bench = Bench::new();
    let outcome = bench.run(&format!("mkfifo ready; {command}")).await;
    let text = outcome.text();
    assert_eq!(text, "Exit code: 0\nhi\n(1 process left behind was ended)\n", "{command}");
    bench.pid("pid").ends().await;
}

#[tokio::test]
async fn a_grandchild_that_holds_the_output() {
    leaves_one("sleep 1000 & echo $! > pid; echo hi").await;
}

#[tokio::test]
async fn a_grandchild_that_closed_its_output() {
    leaves_one("sleep 1000 > /dev/null 2>&1 & echo $! > pid; echo hi").await;
}

#[tokio::test]
async fn a_process_that_left_the_group() {
    let daemon = "setsid bash -c 'echo $$ > ready; exec sleep 1000' > /dev/null 2>&1 &";
    leaves_one(&format!("{daemon} cat ready > pid; echo hi")).await;
}

#[tokio::test]
async fn a_process_that_has_just_left_the_group() {
    leaves_one("setsid sleep 1000 > /dev/null 2>&1 & echo $! > pid; echo hi").await;
}

#[tokio::test]
async fn a_daemon_whose_parents_are_gone() {
    let daemon = "(setsid bash -c '(sleep 1000 & echo $! > ready) &' > /dev/null 2>&1 &)";
    leaves_one(&format!("{daemon}; cat ready > pid; echo hi")).await;
}

#[tokio::test]
async fn a_process_that_ignores_the_request_is_killed() {
    let stubborn = "trap '' TERM; echo $BASHPID > ready; read -r line < never";
    let fifos = "mkfifo never";
    leaves_one(&format!("{fifos}; ({stubborn}) > /dev/null 2>&1 & cat ready > pid; echo hi")).await;
}

#[tokio::test]
async fn several_are_counted() {
    let outcome = Bench::new().run("for i in 1 2 3; do sleep 1000 & done").await;
    assert_eq!(outcome.text(), "Exit code: 0\n(3 processes left behind were ended)\n");
}

#[tokio::test]
async fn a_sweep_ends_what_carries_the_mark_of_its_session() {
    let bench = Bench::new();
    let sleeper = |mark: &Mark| {
        let mut sleep = std::process::Command::new("sleep");
        sleep.arg("1000").env(Mark::VARIABLE, mark.as_str()).spawn().unwrap()
    };
    let mut ours = sleeper(&Mark::new(&handle("20261130-171859-swep", 1)));
    let mut other = sleeper(&Mark::new(&handle("20261130-171859-swex", 1)));
    // One that a call could not be found responsible for: no group, no parent, no mark.
    let orphan = "(env -i setsid bash -c 'echo $$ > ready; exec sleep 1000' > /dev/null 2>&1 &)";
    let outcome = bench.run(&format!("mkfifo ready; {orphan}; cat ready > pid")).await;
    assert_eq!(outcome.text(), "Exit code: 0");

    assert_eq!(Sweep::end_marked("20261130-171859-swep", GRACE).await, 2);
    bench.pid("pid").ends().await;
    assert!(!ours.wait().unwrap().success());
    assert!(!Process(i32::try_from(other.id()).unwrap()).is_gone());
    other.kill().unwrap();
    other.wait().unwrap();
    assert_eq!(Sweep::end_marked("20261130-171859-swep", GRACE).await, 0);
}
