//! The desk between a terminal and an agent, without either.

use std::sync::{Arc, Mutex};

use rustyline::ExternalPrinter;

use super::*;

/// Keeps what is printed.
#[derive(Clone, Debug, Default)]
struct Paper(Arc<Mutex<String>>);

impl ExternalPrinter for Paper {
    fn print(&mut self, text: String) -> rustyline::Result<()> {
        self.0.lock().unwrap().push_str(&text);
        Ok(())
    }
}

fn desk() -> (Desk, mpsc::Receiver<Order>, Paper) {
    let paper = Paper::default();
    let (orders, taken) = mpsc::channel(ORDERS_MAX);
    (Desk::new(Above::new(Some(Box::new(paper.clone()))), orders), taken, paper)
}

fn names(taken: &mut mpsc::Receiver<Order>) -> Vec<String> {
    let mut names = Vec::new();
    while let Ok(order) = taken.try_recv() {
        let name = format!("{order:?}");
        names.push(name.split(['(', ' ']).next().unwrap_or_default().to_owned());
    }
    names
}

fn asks(desk: &mut Desk, number: u32) {
    let (call, why) = (CallId::new(number), "no rule allows it".into());
    let change = CallChange::Asked { tool: "Shell".into(), arguments: format!("line {number}") };
    for what in [What::Call { call, change }, What::Approval { call, why }] {
        desk.see(Event { v: 1, seq: 1, t_ms: 0, agent: "a0".into(), what });
    }
}

/// The calls about which something was asked since the last time, by what is printed.
fn asked(paper: &Paper) -> String {
    let shown = std::mem::take(&mut *paper.0.lock().unwrap());
    let asked = shown.lines().filter_map(|line| line.strip_prefix("allow ")?.split_once('?'));
    asked.map(|(call, _)| call).collect::<Vec<_>>().join(" ")
}

#[test]
fn one_question_is_asked_at_a_time() {
    let (mut desk, mut taken, paper) = desk();
    for number in 1..=4 {
        asks(&mut desk, number);
    }
    assert_eq!(asked(&paper), "c1");
    for (line, next) in [("y", "c2"), ("n c3", ""), ("n c9", ""), ("n", "c4")] {
        desk.line(line);
        assert_eq!(asked(&paper), next, "after {line}");
    }
    assert_eq!(names(&mut taken), ["Answer"; 3]);
    desk.interrupt().unwrap();
    desk.line("/stop");
    asks(&mut desk, 5);
    assert_eq!(asked(&paper), "c5", "the stopped ones ask no longer");
}

#[test]
fn a_second_interrupt_kills_whatever_was_said_in_between() {
    let (mut desk, mut taken, _) = desk();
    desk.is_working = true;
    desk.interrupt().unwrap();
    desk.line("hurry");
    desk.interrupt().unwrap();
    assert_eq!(names(&mut taken), ["Stop", "Say", "Kill"]);
}
