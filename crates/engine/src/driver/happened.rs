//! Waiting for the next thing to happen, and handing it to the agent.
//!
//! Not here: what follows from it (`effects.rs`).

use std::collections::BTreeMap;

use fanfold_agent::{AgentEvent as Event, Answer, Question};
use fanfold_model::Heard;
use fanfold_store::Progress as Written;
use fanfold_transcript::{Assistant, CallId, Content, Outcome, Process, Usage};
use fanfold_wire::{Fault, FaultKind, Progress};
use tokio::sync::mpsc;

use super::{Driver, JournalLost, Order, PEEK_MS, Sight, Wanted};
use crate::keep;

/// What can happen to a driver.
pub(super) enum Happened {
    /// The journal got further, or was lost.
    Written,
    /// The journal's writer is gone without a word.
    WriterGone,
    /// Somebody asks for something; `None` when nobody can any more.
    Ordered(Option<Order>),
    /// A call ended.
    Ended(CallId, Outcome),
    /// A call started a process.
    Process(Process),
    /// A chore is done.
    Done(Event),
    /// Something of the reply was heard; `None` when it ended without a word.
    Heard(Option<Heard>),
    /// Running calls may have written something.
    Peek,
    /// Time passed.
    Tick,
}

impl Driver<'_> {
    pub(super) async fn wait(&mut self, orders: &mut mpsc::Receiver<Order>) -> Happened {
        let peek = self.calls.any_runs().then_some(self.peek_at);
        let is_behind = !self.wanted.is_empty() && self.lost.is_none();
        let Self { written, calls, processes, chores, hearing, desk, agent, .. } = self;
        tokio::select! {
            biased;
            order = orders.recv(), if !self.alone => Happened::Ordered(order),
            changed = written.changed(), if is_behind => match changed {
                Ok(()) => Happened::Written,
                Err(_) => Happened::WriterGone,
            },
            Some(process) = processes.recv() => Happened::Process(process),
            Some((call, outcome)) = calls.next_ended() => Happened::Ended(call, outcome),
            Some(Ok(event)) = chores.join_next() => Happened::Done(event),
            heard = hear(hearing.as_mut()) => Happened::Heard(heard),
            () = desk.clock.until(agent.deadline()) => Happened::Tick,
            () = desk.clock.until(peek) => Happened::Peek,
        }
    }

    pub(super) fn take(&mut self, happened: Happened) {
        match happened {
            Happened::Written => self.note_written(),
            Happened::WriterGone => self.lose("its writer is gone".to_owned()),
            Happened::Ordered(None) => self.left_alone(),
            Happened::Ordered(Some(order)) => self.obey(order),
            Happened::Ended(call, outcome) => {
                self.tell(Event::Ended { call, outcome });
                while let Some((call, outcome)) = self.calls.try_next_ended() {
                    self.tell(Event::Ended { call, outcome });
                }
            }
            Happened::Process(process) => self.tell(Event::Process(process)),
            Happened::Done(event) => self.tell(event),
            Happened::Heard(heard) => self.hear(heard),
            Happened::Peek => self.peek(),
            Happened::Tick => self.tell(Event::Tick),
        }
    }

    /// Tells what running calls have written.
    pub(super) fn peek(&mut self) {
        self.peek_at = self.desk.clock.now().plus(PEEK_MS);
        for call in self.calls.running() {
            self.peek_at(call);
        }
    }

    /// Tells what one call has written.
    pub(super) fn peek_at(&mut self, call: CallId) {
        for (stream, lines) in self.calls.new_lines(call) {
            self.see(Sight::Output(call, stream, &lines));
        }
    }

    pub(super) fn tell(&mut self, event: Event) {
        self.agent.handle(self.desk.clock.now(), event);
    }

    /// Looks how far the journal has come.
    pub(super) fn note_written(&mut self) {
        let failure = match &*self.written.borrow() {
            Written::Failed { error, .. } => Some(error.to_string()),
            Written::Written { .. } => None,
        };
        failure.into_iter().for_each(|why| self.lose(why));
    }

    /// A journal that can be written no longer ends everything.
    fn lose(&mut self, why: String) {
        self.lost = Some(JournalLost(why));
        self.closing = true;
        self.tell(Event::Kill);
    }

    fn obey(&mut self, order: Order) {
        match order {
            Order::Say(content) => {
                let content = self.kept(content);
                self.tell(Event::Said(content));
            }
            Order::Continue => self.tell(Event::Continue),
            Order::Answer(call, answer) => self.answered(call, answer),
            Order::Stop => self.tell(Event::Stop),
            Order::Kill => self.tell(Event::Kill),
            Order::Use(seat) => {
                self.tell(Event::Model(seat.in_use.clone()));
                // In its place: a request that is wanted already is for the model of that time.
                self.wanted.push_back((self.noted, Wanted::Sit(seat)));
            }
            Order::Close => self.closing = true,
        }
    }

    /// Nobody can say anything any more.
    fn left_alone(&mut self) {
        (self.closing, self.alone) = (true, true);
        for call in std::mem::take(&mut self.asking) {
            self.tell(Event::Answered { call, answer: Answer::Nobody });
        }
    }

    fn answered(&mut self, call: CallId, answer: Answer) {
        if self.asking.remove(&call) {
            self.tell(Event::Answered { call, answer });
        }
    }

    /// Asks somebody, if there is anybody.
    pub(super) fn ask_user(&mut self, call: CallId, question: &Question) {
        if self.alone {
            return self.tell(Event::Answered { call, answer: Answer::Nobody });
        }
        self.asking.insert(call);
        self.see(Sight::Asking(call, question));
    }

    /// Content with its pictures and documents put where they are kept.
    pub(super) fn kept(&self, content: Vec<Content>) -> Vec<Content> {
        content.into_iter().map(|content| keep::content(self.desk.media, content)).collect()
    }

    fn hear(&mut self, heard: Option<Heard>) {
        match heard {
            Some(Heard::RequestId(id)) => {
                if let Some(hearing) = &mut self.hearing {
                    hearing.request_id = Some(id);
                }
            }
            Some(Heard::Progress(progress)) => self.progress(progress),
            Some(Heard::Call { call, blocks }) => {
                self.see(Sight::Call(&call));
                let fit = self.calls.asked(&call);
                if let Some(hearing) = &mut self.hearing {
                    hearing.ready.insert(call.id);
                }
                self.tell(Event::Ready { call, fit, blocks });
            }
            Some(Heard::Replied(reply)) => self.replied(*reply),
            Some(Heard::Failed { fault, begun }) => {
                self.pay(begun.as_deref());
                self.failed(fault);
            }
            None => self.failed(Fault {
                kind: FaultKind::Broken,
                said: "the reply ended without a word".into(),
                retry_after_ms: None,
            }),
        }
    }

    fn progress(&mut self, progress: Progress) {
        match progress {
            Progress::Text(piece) => {
                self.see(Sight::Text(&piece));
                self.tell(Event::Text(piece));
            }
            Progress::Thinking(piece) => self.see(Sight::Thinking(&piece)),
            Progress::CallOpened(call) => self.tell(Event::Opened(call)),
            Progress::CallReady(_) => {}
            Progress::Restarted => {
                if let Some(hearing) = &mut self.hearing {
                    hearing.ready.clear();
                }
                self.tell(Event::Restarted);
            }
        }
    }

    fn replied(&mut self, reply: Assistant) {
        let Some(hearing) = self.hearing.take() else { return };
        let reply = hearing.understood(reply);
        let spent = hearing.spent(&reply);
        let mut fits = BTreeMap::new();
        for call in reply.calls().filter(|call| !hearing.ready.contains(&call.id)) {
            self.see(Sight::Call(call));
            fits.insert(call.id, self.calls.asked(call));
        }
        self.tell(Event::Replied { reply: Box::new(reply), fits, spent });
    }

    /// A reply that broke has cost what the provider said so far.
    fn pay(&mut self, begun: Option<&Assistant>) {
        let Some(hearing) = &self.hearing else { return };
        if let Some(begun) = begun.filter(|begun| begun.usage != Usage::default()) {
            let spent = hearing.spent(begun);
            self.tell(Event::Spent(spent));
        }
    }

    fn failed(&mut self, fault: Fault) {
        self.hearing = None;
        self.tell(Event::Failed(fault));
    }

    pub(super) fn see(&mut self, sight: Sight<'_>) {
        (self.watch)(self.desk.clock.now(), sight);
    }
}

async fn hear(hearing: Option<&mut crate::seat::Hearing>) -> Option<Heard> {
    match hearing {
        Some(hearing) => hearing.next().await,
        None => std::future::pending().await,
    }
}
