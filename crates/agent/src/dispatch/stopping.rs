//! What a stop does: tell, kill, give up. It only ever goes forward.
//!
//! Not here: what happens to calls otherwise (`dispatch.rs`).

use fanfold_transcript::{CallId, Ending, Interruption, Millis, Outcome, Skip};

use super::{Dispatch, Effect, Live, Stage};

impl Dispatch {
    pub(super) fn stop(&mut self, now: Millis) {
        if self.stage == Stage::Running {
            self.stage = Stage::Stopping { kill_at: now.plus(self.grace.stop_ms) };
            self.tell_running(Effect::Stop);
        }
    }

    pub(super) fn kill(&mut self, now: Millis) {
        if matches!(self.stage, Stage::Running | Stage::Stopping { .. }) {
            self.stage = Stage::Killing { abandon_at: now.plus(self.grace.kill_ms) };
            self.tell_running(Effect::Kill);
        }
    }

    /// Goes on to the next stage of a stop whose time has come.
    pub(super) fn escalate(&mut self, now: Millis) {
        match self.stage {
            Stage::Stopping { kill_at } if now >= kill_at => self.kill(now),
            Stage::Killing { abandon_at } if now >= abandon_at => self.abandon(now),
            Stage::Running | Stage::Stopping { .. } | Stage::Killing { .. } | Stage::Abandoned => {}
        }
    }

    pub(super) fn abandon(&mut self, now: Millis) {
        self.stage = Stage::Abandoned;
        self.tell_running(Effect::Abandon);
        let text = "stopped; it did not end in time and was given up: it may still have an effect";
        let running: Vec<CallId> = self.running().collect();
        for call in running {
            let ending = Ending::Interrupted(Interruption::Stopped);
            self.leave(now, call, Outcome::of_text(ending, text));
        }
    }

    pub(super) fn skip_waiting(&mut self, now: Millis) {
        // What is still streaming is withdrawn with its reply, or asked for and then skipped.
        let is_waiting = |live: &Live| live.started.is_none() && !live.streaming;
        let waiting = |(&call, live): (&CallId, &Live)| is_waiting(live).then_some(call);
        let waiting: Vec<CallId> = self.calls.iter().filter_map(waiting).collect();
        for call in waiting {
            self.skip(now, call);
        }
    }

    pub(super) fn skip(&mut self, now: Millis, call: CallId) {
        let ending = Ending::Skipped(Skip::Stopped);
        self.leave(now, call, Outcome::of_text(ending, "not run: stopped."));
    }

    pub(super) fn tell_running(&mut self, effect: fn(CallId) -> Effect) {
        let running: Vec<CallId> = self.running().collect();
        self.effects.extend(running.into_iter().map(effect));
    }

    pub(super) fn running(&self) -> impl Iterator<Item = CallId> {
        self.calls.iter().filter(|(_, live)| live.started.is_some()).map(|(&call, _)| call)
    }
}
