//! Tests of lengths, moments and stops; time is paused, so none of them takes any.

use std::time::UNIX_EPOCH;

use serde_json::{Value, json};

use super::*;
use crate::place::scene::Scene;
use crate::stop::{StopCause, StopHandle};
use crate::tool::{Tool as _, Typed};

fn prepared(arguments: &Value) -> Result<WaitArguments, String> {
    serde_json::from_value(arguments.clone()).map_err(|error| error.to_string())
}

fn call() -> (StopHandle, Run) {
    let (handle, stop) = StopHandle::new();
    (handle, Scene::new().run_with(stop))
}

#[test]
fn lengths_add_up_and_moments_count_from_now() {
    let now = UNIX_EPOCH + Duration::from_secs(1_796_061_900);
    let table = [
        (json!({"seconds": 0.25}), Ok(250)),
        (json!({"seconds": 0}), Ok(0)),
        (json!({"seconds": 1, "minutes": 0.5, "hours": null}), Ok(31_000)),
        (json!({"hours": 24}), Ok(86_400_000)),
        (json!({"until": "2026-11-30T18:05:01.5Z"}), Ok(1_500)),
        (json!({"until": "2026-11-30T19:05:01+01:00", "seconds": null}), Ok(1_000)),
        (json!({"until": "2020-01-01T00:00:00Z"}), Ok(0)),
        (json!({}), Err("give seconds, minutes, hours or until")),
        (json!({"until": null, "seconds": null}), Err("give seconds, minutes, hours or until")),
        (json!({"until": "2027-01-01T00:00:00Z", "hours": 1}), Err("give either a length")),
        (json!({"until": "tomorrow"}), Err(r#"`until`: "tomorrow" is no RFC 3339 time"#)),
        (json!({"until": "2027-01-01T00:00:00Z"}), Err("at most 24 hours")),
        (json!({"seconds": -1, "minutes": 1}), Err("`seconds`: expected 0 or more, not -1")),
        (json!({"hours": 24.001}), Err("at most 24 hours")),
        (json!({"seconds": 1e300}), Err("at most 24 hours")),
    ];
    for (arguments, expected) in table {
        let duration = prepared(&arguments).unwrap().duration(now);
        match (duration, expected) {
            (Ok(duration), Ok(ms)) => {
                assert_eq!(duration, Duration::from_millis(ms), "{arguments}");
            }
            (Err(problem), Err(part)) => assert!(problem.contains(part), "{arguments}: {problem}"),
            (duration, expected) => panic!("{arguments}: {duration:?}, expected {expected:?}"),
        }
    }
    let nan = WaitArguments { seconds: Some(f64::NAN), minutes: None, hours: None, until: None };
    assert!(nan.duration(now).unwrap_err().contains("expected 0 or more, not NaN"));
}

#[test]
fn moments_are_read_strictly() {
    let table = [
        ("1970-01-01T00:00:00Z", Some(0.0)),
        ("1969-12-31T23:59:59.25Z", Some(-0.75)),
        ("2026-11-30t18:05:00z", Some(1_796_061_900.0)),
        ("2026-11-30T18:05:00+00:00", Some(1_796_061_900.0)),
        ("2026-12-01T03:35:00+09:30", Some(1_796_061_900.0)),
        ("2026-11-30T10:05:00-08:00", Some(1_796_061_900.0)),
        ("2024-02-29T00:00:00Z", Some(1_709_164_800.0)),
        ("2000-03-01T00:00:00Z", Some(951_868_800.0)),
        ("2016-12-31T23:59:60Z", Some(1_483_228_800.0)),
        ("2026-02-29T00:00:00Z", None),
        ("1900-02-29T00:00:00Z", None),
        ("2026-13-01T00:00:00Z", None),
        ("2026-11-31T00:00:00Z", None),
        ("2026-00-10T00:00:00Z", None),
        ("2026-11-30T24:00:00Z", None),
        ("2026-11-30T18:60:00Z", None),
        ("2026-11-30T18:05:00", None),
        ("2026-11-30 18:05:00Z", None),
        ("2026-11-30T18:05:00.Z", None),
        ("2026-11-30T18:05:00Z ", None),
        ("2026-11-30T18:05Z", None),
        ("2026-11-30T18:05:00+1:00", None),
        ("2026-11-30T18:05:00+01:00Z", None),
        ("+026-11-30T18:05:00Z", None),
        ("2026-11-3äT18:05:00Z", None),
        ("", None),
    ];
    for (text, expected) in table {
        let seconds = moment::parse(text).map(|moment| match moment.duration_since(UNIX_EPOCH) {
            Ok(after) => after.as_secs_f64(),
            Err(before) => -before.duration().as_secs_f64(),
        });
        assert_eq!(seconds, expected, "{text:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn it_says_how_long_it_waited() {
    let table = [
        (json!({"seconds": 0.3}), "waited 0.3 s"),
        (json!({"seconds": 0}), "waited 0 s"),
        (json!({"minutes": 1.5}), "waited 90 s"),
        (json!({"hours": 24}), "waited 86400 s"),
    ];
    for (arguments, expected) in table {
        let ((_handle, run), begun) = (call(), Instant::now());
        let arguments = prepared(&arguments).unwrap();
        let duration = arguments.duration(UNIX_EPOCH).unwrap();
        assert_eq!(Wait.run(arguments, run).await, Outcome::ok_text(expected));
        assert!(begun.elapsed() >= duration);
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_ends_it_at_once() {
    for cause in [StopCause::Stop, StopCause::Deadline, StopCause::Cancel] {
        let (handle, run) = call();
        let waiting = tokio::spawn(Wait.run(prepared(&json!({"seconds": 5})).unwrap(), run));
        tokio::task::yield_now().await;
        tokio::time::advance(Duration::from_millis(100)).await;
        handle.stop(cause);
        let expected = Outcome::of_text(cause.ending(), "stopped after 0.1 s of 5 s");
        assert_eq!(waiting.await.unwrap(), expected);
    }
}

#[tokio::test(start_paused = true)]
async fn bad_lengths_are_declined() {
    let (_handle, run) = call();
    let outcome = Wait.run(prepared(&json!({"seconds": -1})).unwrap(), run).await;
    let text = "wait: `seconds`: expected 0 or more, not -1";
    assert_eq!(outcome, Outcome::declined(Decline::BadArguments, text));
}

#[test]
fn unknown_and_mistyped_arguments_are_refused() {
    let wait = Typed::new(Wait);
    for (arguments, part) in [
        (json!({"second": 1}), "`second` is unknown; did you mean `seconds`?"),
        (json!({"seconds": "1"}), "`seconds`"),
    ] {
        let Value::Object(arguments) = arguments else { unreachable!("the table holds objects") };
        let problem = wait.prepare(&arguments).err().unwrap().to_string();
        assert!(problem.contains(part), "{problem}");
    }
}
