//! wait: lets time pass, or a moment come.
//!
//! Not here: waiting for jobs (the `parallel` tool) and for processes (`shell.rs`).

mod moment;
#[cfg(test)]
mod tests;

use std::time::{Duration, SystemTime};

use fanfold_schedule::Footprint;
use fanfold_transcript::{Decline, Outcome};
use schemars::JsonSchema;
use serde::Deserialize;
use tokio::time::Instant;

use crate::place::Place;
use crate::quote::shortened;
use crate::tool::{Effect, Kind, Run, TypedTool};

/// The longest wait.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

/// Waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wait;

/// What wait is given.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(unnameable_types, reason = "its name is `<Wait as TypedTool>::Arguments`")]
pub struct WaitArguments {
    /// Seconds to wait; fractions are allowed. Added to minutes and hours.
    seconds: Option<f64>,
    /// Minutes to wait.
    minutes: Option<f64>,
    /// Hours to wait.
    hours: Option<f64>,
    /// The moment to wait for instead, in RFC 3339: 2026-11-30T18:05:00Z or with an offset.
    until: Option<String>,
}

impl WaitArguments {
    /// How long to wait, seen from `now`; a moment that has passed is no wait at all.
    fn duration(&self, now: SystemTime) -> Result<Duration, String> {
        let parts = [
            ("seconds", self.seconds, 1.0),
            ("minutes", self.minutes, 60.0),
            ("hours", self.hours, 3600.0),
        ];
        let given: Vec<_> = parts
            .into_iter()
            .filter_map(|(name, value, unit)| Some((name, value?, unit)))
            .collect();
        let duration = match (&self.until, given.as_slice()) {
            (None, []) => return Err("give seconds, minutes, hours or until".to_owned()),
            (Some(_), [_, ..]) => {
                return Err("give either a length or `until`, not both".to_owned());
            }
            (Some(until), []) => {
                let moment = moment::parse(until).ok_or_else(|| {
                    let until = shortened(until);
                    format!("`until`: {until:?} is no RFC 3339 time such as 2026-11-30T18:05:00Z")
                })?;
                moment.duration_since(now).unwrap_or_default()
            }
            (None, given) => {
                if let Some((name, value, _)) =
                    given.iter().find(|(_, value, _)| value.is_nan() || *value < 0.0)
                {
                    return Err(format!("`{name}`: expected 0 or more, not {value}"));
                }
                let seconds: f64 = given.iter().map(|(_, value, unit)| value * unit).sum();
                Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
            }
        };
        if duration > LONGEST {
            return Err("at most 24 hours can be waited for".to_owned());
        }
        Ok(duration)
    }
}

impl TypedTool for Wait {
    type Arguments = WaitArguments;
    const NAME: &'static str = "wait";
    const DESCRIPTION: &'static str = "Waits for a length of time or until a moment, at most 24 \
        hours. Other calls of the same reply run meanwhile.";
    const KIND: Kind = Kind::Progress;
    const EFFECT: Effect = Effect::ReadsOnly;

    fn footprint(&self, _: &WaitArguments, _: &Place) -> Footprint {
        Footprint::independent()
    }

    fn run(
        &self,
        arguments: WaitArguments,
        run: Run,
    ) -> impl Future<Output = Outcome> + Send + 'static {
        wait(arguments, run)
    }
}

async fn wait(arguments: WaitArguments, run: Run) -> Outcome {
    let duration = match arguments.duration(SystemTime::now()) {
        Ok(duration) => duration,
        Err(problem) => {
            return Outcome::declined(Decline::BadArguments, format!("wait: {problem}"));
        }
    };
    let begun = Instant::now();
    tokio::select! {
        biased;
        cause = run.stop.stopped() => {
            let (waited, all) = (seconds(begun.elapsed()), seconds(duration));
            Outcome::of_text(cause.ending(), format!("stopped after {waited} of {all}"))
        }
        () = tokio::time::sleep(duration) => Outcome::ok_text(format!("waited {}", seconds(duration))),
    }
}

/// A length of time in seconds, to the millisecond.
fn seconds(duration: Duration) -> String {
    let rounded = format!("{:.3}", duration.as_secs_f64());
    let short = rounded.trim_end_matches('0').trim_end_matches('.');
    format!("{short} s")
}
