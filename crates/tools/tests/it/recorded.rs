//! Processes are told of when they start, and what a record is still true of is ended after a crash.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};

use fanfold_tools::{Children, Mark, Sweep, WatchProcesses};
use fanfold_transcript::{CallId, Process as Recorded};
use nix::sys::signal::{self, Signal};
use nix::unistd::Pid;

use crate::bench::{Bench, GRACE, Process, bounded, handle};

/// Keeps what it is told.
#[derive(Debug, Default)]
struct Book(Mutex<Vec<Recorded>>);

impl WatchProcesses for Book {
    fn started(&self, process: Recorded) {
        self.0.lock().unwrap().push(process);
    }
}

#[tokio::test]
async fn a_start_is_told_with_what_tells_the_process_from_others() {
    let book = Arc::new(Book::default());
    let mut bench = Bench::new();
    bench.children = Children { withheld: Arc::default(), watch: Some(book.clone()) };
    let text = bench.run("cat /proc/$$/stat").await.text();
    let stat = text.strip_prefix("Exit code: 0\n").unwrap();
    let process = *book.0.lock().unwrap().first().unwrap();
    assert_eq!(book.0.lock().unwrap().len(), 1);
    assert_eq!(process, of_stat(stat));
    assert_eq!(process.group, process.pid);
    assert_eq!(Sweep::end_recorded(&[process], GRACE).await, 0, "it has ended");
}

/// What a record of this process says.
fn of_stat(stat: &str) -> Recorded {
    let (pid, _) = stat.split_once(' ').unwrap();
    let fields: Vec<&str> = stat.rsplit_once(") ").unwrap().1.split(' ').collect();
    // Fields 5 and 22, counted from 1 with the number and the name.
    let (group, start_ticks) = (fields[2].parse().unwrap(), fields[19].parse().unwrap());
    Recorded { call: CallId::new(1), pid: pid.parse().unwrap(), group, start_ticks }
}

/// A shell line that leads a group, as if an earlier Fanfold had started it.
///
/// It is the job of a shell in between: what this process itself started without owning it would look
/// adopted to the sweeps of other tests until its mark can be read.
struct Job {
    shell: Child,
    leader: u32,
    /// The process that the line has left in the background.
    member: u32,
}

impl Job {
    /// The line prints the number of its member; both become `sleep`.
    async fn start(line: &str) -> Self {
        let mut shell = Command::new("bash");
        let line = format!("echo $$; {line}; exec sleep 1000");
        shell.args(["-c", "set -m; bash -c \"$0\" & wait", &line]).stdout(Stdio::piped());
        let mark = Mark::new(&handle("20261130-171859-reco", 1));
        let mut shell = shell.env(Mark::VARIABLE, mark.as_str()).spawn().unwrap();
        let mut lines = BufReader::new(shell.stdout.take().unwrap()).lines();
        let [leader, member] = [(); 2].map(|()| lines.next().unwrap().unwrap().parse().unwrap());
        let sleeping = async {
            while [leader, member].map(name) != ["sleep\n"; 2] {
                tokio::task::yield_now().await;
            }
        };
        bounded(sleeping).await;
        Self { shell, leader, member }
    }

    fn are_gone(&self) -> [bool; 2] {
        [self.leader, self.member].map(|pid| process(pid).is_gone())
    }

    /// Waits until both are gone, as they are after a sweep but for the last bit of an exit.
    async fn has_ended(mut self) {
        process(self.leader).ends().await;
        process(self.member).ends().await;
        self.shell.wait().unwrap();
    }

    async fn end(self) {
        kill(self.leader);
        kill(self.member);
        self.has_ended().await;
    }
}

fn name(pid: u32) -> String {
    std::fs::read_to_string(format!("/proc/{pid}/comm")).unwrap_or_default()
}

fn recorded(pid: u32) -> Recorded {
    of_stat(&std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap())
}

fn process(pid: u32) -> Process {
    Process(pid.cast_signed())
}

fn kill(pid: u32) {
    signal::kill(Pid::from_raw(pid.cast_signed()), Signal::SIGKILL).ok();
}

#[tokio::test]
async fn a_recorded_leader_is_ended_with_its_group_and_descendants() {
    // One that has left the group and ignores the request outlives what it was known by.
    let stubborn = "(trap '' TERM; exec setsid sleep 1000) & echo $!";
    for background in ["sleep 1000 & echo $!", stubborn] {
        let job = Job::start(background).await;
        let record = recorded(job.leader);
        assert_eq!(Sweep::end_recorded(&[record, record], GRACE).await, 2, "{background}");
        job.has_ended().await;
    }
}

#[tokio::test]
async fn a_group_whose_leader_is_gone_is_ended() {
    fanfold_tools::become_subreaper().unwrap();
    let job = Job::start("sleep 1000 & echo $!").await;
    let record = recorded(job.leader);
    kill(job.leader);
    bounded(process(job.leader).ends()).await;
    // The member that is left would be older than a leader of such a start.
    let later = Recorded { start_ticks: recorded(job.member).start_ticks + 1, ..record };
    assert_eq!(Sweep::end_recorded(&[later], GRACE).await, 0);
    assert_eq!(job.are_gone(), [true, false]);
    assert_eq!(Sweep::end_recorded(&[record], GRACE).await, 1);
    job.has_ended().await;
}

#[tokio::test]
async fn a_number_that_was_used_again_is_left_alone() {
    let stranger = Job::start("sleep 1000 & echo $!").await;
    let record = recorded(stranger.leader);
    let own = nix::unistd::getpgrp().as_raw().cast_unsigned();
    let none = [
        Recorded { start_ticks: record.start_ticks - 1, ..record },
        Recorded { start_ticks: record.start_ticks + 1, ..record },
        Recorded { start_ticks: 0, ..record },
        Recorded { group: record.group + 1, ..record },
        // One of the group, which does not lead it.
        recorded(stranger.member),
        // Numbers that mean more than one group to the system.
        Recorded { pid: 0, group: 0, ..record },
        Recorded { pid: 1, group: 1, ..recorded(1) },
        Recorded { pid: u32::MAX, group: u32::MAX, ..record },
        // This process, and the group it was started into.
        recorded(std::process::id()),
        Recorded { pid: own, group: own, ..record },
    ];
    for record in none {
        assert_eq!(Sweep::end_recorded(&[record], GRACE).await, 0, "{record:?}");
    }
    assert_eq!(Sweep::end_recorded(&[], GRACE).await, 0);
    assert_eq!(stranger.are_gone(), [false, false]);
    stranger.end().await;
}
