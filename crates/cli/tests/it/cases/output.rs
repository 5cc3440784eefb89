//! Output on its way to the model: whole characters and plain text.
//!
//! Not here: how much of it is kept (`records.rs`).

use serde_json::json;

use crate::{Run, call};

// https://github.com/anomalyco/opencode/issues/15385
#[test]
fn a_character_that_comes_in_two_pieces_is_one() {
    let run = Run::new();
    // The record shows that the first piece was read before the second one is written.
    let command = "printf 'cleanup \\342'; until [ -s records/c1/stdout ]; do :; done; \
                   printf err >&2; printf '\\200\\224 end\\n'; printf '\\342\\200'";
    let calls = json!([call("Shell", json!({"command": command}))]);
    let (results, _) = run.calls(&calls, &["--records", "records"]);
    let expected = "Exit code: 0\ncleanup — end\n\u{fffd}\nstderr:\nerr";
    assert_eq!(results[0]["result"], expected);
}

// https://github.com/kirodotdev/Kiro/issues/4833
#[test]
fn titles_and_links_of_a_terminal_hide_neither_the_text_nor_the_exit_code() {
    let run = Run::new();
    let command = r"printf '\033]0;a title of words\007ok\n\033]8;;http://x\033\\link\033]8;;\033\\\n'; exit 3";
    let (results, report) = run.calls(&json!([call("Shell", json!({"command": command}))]), &[]);
    assert_eq!(results[0]["result"], "Exit code: 3\nok\nlink\n");
    assert_eq!(report["calls"][0]["reason"], "exit_code");
}
