//! No bytes make the reader panic, and what it accepts is within bounds.

use fanfold_settings::{Environment, Layer, LayerKind, Settings, Stack};
use proptest::prelude::*;

/// Pieces of settings files, right and wrong.
const PIECES: [&str; 24] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "// c\n",
    "\"limits\"",
    "\"steps\"",
    "\"tools\"",
    "\"x\"",
    "\"compaction\"",
    "\"auto\"",
    "\"permissions\"",
    "\"deny\"",
    "\"models\"",
    "\"a/b\"",
    "0",
    "-1",
    "1e400",
    "null",
    "true",
    "\u{feff}é",
];

fn check(bytes: &[u8]) {
    match Layer::file(bytes, LayerKind::Workspace, "s.json") {
        Ok(layer) => {
            let mut stack = Stack::default();
            let (narrowed, _) = layer.clone().narrowed(&stack, "s.json");
            stack.lay(narrowed);
            // What narrows needs nothing from others, so it always gives settings.
            let settings = stack.settings().expect("a narrowed layer");
            assert!(settings.max_parallel_tools <= Settings::default().max_parallel_tools);
            stack.lay(layer);
            stack.settings().ok();
        }
        Err(error) => assert!(!error.problems.is_empty() && !error.to_string().is_empty()),
    }
}

proptest! {
    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check(&bytes);
    }

    #[test]
    fn any_pieces(pieces in proptest::collection::vec(0..PIECES.len(), 0..40)) {
        let text: String = pieces.into_iter().map(|at| PIECES[at]).collect();
        check(text.as_bytes());
    }

    #[test]
    fn any_number_under_any_limit(number in any::<i64>(), key in 0..3_usize) {
        let key = ["steps", "record_bytes", "tree_tokens"][key];
        check(format!("{{\"limits\": {{\"{key}\": {number}}}}}").as_bytes());
    }

    #[test]
    fn any_variable(name in "FANFOLD_[A-Z_]{0,30}", value in ".{0,40}") {
        Environment::read([(name, value)]).ok();
    }
}
