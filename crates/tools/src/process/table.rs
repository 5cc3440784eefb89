//! The processes of the system, as `/proc` shows them.
//!
//! Not here: which of them belong to a call (`scope.rs`). Where there is no `/proc`, the table is
//! empty, and a call's process group is all that is known of it.

use std::time::Duration;

use nix::unistd::Pid;

use super::mark::Mark;

/// One process at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) id: Identity,
    pub(super) parent: Pid,
    pub(super) group: Pid,
    /// Has ended, or is just ending, and can do nothing more; or is a thread of the kernel.
    pub(super) dead: bool,
}

/// A process told apart from an earlier or later one of the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Identity {
    /// When it started, in clock ticks since boot.
    pub(super) start: u64,
    pub(super) pid: Pid,
}

impl Identity {
    /// Whether the process of this number is still this one.
    pub(super) fn is_current(self) -> bool {
        look(self.pid).is_some_and(|seen| seen.id == self)
    }
}

/// All processes, in the order of their numbers as far as the system gives it.
pub(super) fn scan() -> Vec<Seen> {
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    let pids = entries.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    pids.filter_map(|pid| look(Pid::from_raw(pid))).collect()
}

/// The process of this number.
pub(super) fn look(pid: Pid) -> Option<Seen> {
    use std::io::Read as _;
    // The fields read lie well within these bytes: the name before them has at most 64.
    let mut buffer = [0; 512];
    let mut file = std::fs::File::open(format!("/proc/{pid}/stat")).ok()?;
    let length = file.read(&mut buffer).ok()?;
    parse(pid, &String::from_utf8_lossy(&buffer[..length]))
}

/// Reads `PID (NAME) STATE PARENT GROUP …`; the name may hold anything, also `)`.
fn parse(pid: Pid, stat: &str) -> Option<Seen> {
    let (_, fields) = stat.rsplit_once(')')?;
    let mut fields = fields.split_ascii_whitespace();
    let state = fields.next()?;
    let parent = Pid::from_raw(fields.next()?.parse().ok()?);
    let group = Pid::from_raw(fields.next()?.parse().ok()?);
    // Fields 20, 22 and 23, counted from 1 with the number and the name.
    let threads = fields.nth(14)?;
    let start = fields.nth(1)?.parse().ok()?;
    let memory = fields.next()?;
    // On its way out a process closes its files before it is a zombie, but gives up its memory first.
    // One whose first thread alone has ended looks the same and lives.
    let ending = state == "Z" || memory == "0";
    let dead = ending && matches!(threads, "0" | "1");
    Some(Seen { id: Identity { start, pid }, parent, group, dead })
}

/// The mark in the environment with which a process was started; `None` also when it is not ours to read.
pub(super) fn mark_of(pid: Pid) -> Option<String> {
    let environment = environment(pid)?;
    let value = environment.split(|&byte| byte == 0).find_map(|variable| {
        variable.strip_prefix(Mark::VARIABLE.as_bytes())?.strip_prefix(b"=")
    })?;
    Some(String::from_utf8_lossy(value).into_owned())
}

/// A process that is just becoming another program has no environment for a moment.
fn environment(pid: Pid) -> Option<Vec<u8>> {
    const LOOKS: usize = 4;
    for _ in 0..LOOKS {
        let environment = std::fs::read(format!("/proc/{pid}/environ")).ok()?;
        if !environment.is_empty() {
            return Some(environment);
        }
        std::thread::sleep(Duration::from_micros(500));
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_the_table() {
        let table = [
            ("sh", "S", 1, 9, false),
            ("a b", "R", 1, 9, false),
            (") R 1 1 (", "S", 1, 9, false),
            (")))", "S", 1, 9, false),
            ("zombie", "Z", 1, 0, true),
            ("exiting", "R", 1, 0, true),
            ("first thread gone", "Z", 2, 0, false),
        ];
        for (name, state, threads, memory, dead) in table {
            let stat = format!(
                "9 ({name}) {state} 7 5 5 0 -1 41 1 0 0 0 0 0 0 0 20 0 {threads} 0 4242 {memory} 1"
            );
            let id = Identity { start: 4242, pid: Pid::from_raw(9) };
            let (parent, group) = (Pid::from_raw(7), Pid::from_raw(5));
            let expected = Seen { id, parent, group, dead };
            assert_eq!(parse(Pid::from_raw(9), &stat), Some(expected), "{stat}");
        }
        assert_eq!(parse(Pid::from_raw(9), "9 (sh) S 7"), None);
        assert_eq!(parse(Pid::from_raw(9), ""), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_is_seen() {
        let me = scan().into_iter().find(|seen| seen.id.pid == Pid::this()).unwrap();
        assert_eq!(me.parent, Pid::parent());
        assert!(me.id.is_current() && !me.dead);
    }
}
