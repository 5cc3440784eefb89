//! Harm done to a journal: every cut, every lost line, records glued together, and bytes at random.

use fanfold_transcript::Status;
use proptest::prelude::{ProptestConfig, any, prop, proptest};

use super::*;

/// Reads and folds; neither may panic, and what comes of it is checked.
fn survive(bytes: &[u8]) -> Option<Journaled> {
    let journaled = Journaled::parse(bytes).ok()?;
    let torn = journaled.torn.unwrap_or_default();
    assert_eq!(journaled.good_bytes + torn, u64::try_from(bytes.len()).unwrap());
    let end = journaled.end();
    assert!(journaled.lines.iter().all(|line| line.seq <= end.seq));
    let (conversation, _) = fold(journaled.lines.clone(), ROOT);
    if conversation.open_calls().is_empty() {
        conversation.view().unwrap();
    }
    Some(journaled)
}

#[test]
fn cut_anywhere_it_gives_a_prefix_that_follows() {
    let (all, bytes) = (facts(), written(&facts()));
    for cut in 0..=bytes.len() {
        let journaled = survive(&bytes[..cut]).unwrap();
        let whole = bytes[..cut].iter().filter(|&&byte| byte == b'\n').count();
        assert_eq!(facts_of(&journaled), all[..whole], "{cut}");
        assert_eq!(journaled.torn.is_some(), cut > 0 && bytes[cut - 1] != b'\n');
        assert_eq!(journaled.end().seq, u64::try_from(whole).unwrap());
        let expected = match whole {
            0 => vec!["line 1: the journal is empty"],
            _ => vec![],
        };
        assert_eq!(problems(&journaled), expected);
        assert_eq!(fold(journaled.lines, ROOT).1, []);
    }
}

#[test]
fn an_end_that_is_no_json_was_never_written() {
    let lines = lines_of(&written(&facts()));
    for end in ["\0\0\0", "\0\0\0\n", "\"started\",\"call\":\"c9\"}\n", "\n", "\u{fffd}\n"] {
        let journaled = survive(&[&lines.concat(), end.as_bytes()].concat()).unwrap();
        assert_eq!((journaled.torn, journaled.end().seq), (Some(end.len() as u64), 12), "{end:?}");
        assert_eq!(problems(&journaled), [""; 0]);
    }
}

#[test]
fn a_lost_line_is_named_and_the_rest_is_kept() {
    let (all, lines) = (facts(), lines_of(&written(&facts())));
    for (at, harm) in (0..lines.len() - 1)
        .flat_map(|at| ["not JSON\n", "\n", "\0\0\n", "{\"v\":1}\n", "\u{85}\n"].map(|x| (at, x)))
    {
        let mut lines = lines.clone();
        lines[at] = harm.as_bytes().to_vec();
        let journaled = survive(&lines.concat()).unwrap();
        let mut expected = all.clone();
        expected.remove(at);
        assert_eq!(facts_of(&journaled), expected);
        let damaged = format!("line {}: it cannot be read and is left out: ", at + 1);
        let problems = problems(&journaled);
        assert!(problems.iter().any(|problem| problem.starts_with(&damaged)), "{problems:?}");
        assert_eq!(problems.len(), if at == 0 { 2 } else { 1 }, "{problems:?}");
    }
}

#[test]
fn after_a_loss_an_entry_continues_what_there_is() {
    let mut lines = lines_of(&written(&facts()));
    // The reply with both calls is lost; the answer after it is not.
    lines[7] = b"\xff\n".to_vec();
    let journaled = Journaled::parse(&lines.concat()).unwrap();
    let (conversation, problems) = fold(journaled.lines, ROOT);
    let problem = "line 10: it does not follow from what is before it and is left out: no call c2";
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [problem]);
    assert_eq!(conversation.view().unwrap().entries().len(), 2);
}

#[test]
fn a_lost_outcome_does_not_bar_the_way() {
    let mut lines = lines_of(&written(&facts()));
    lines[9] = b"\xff\n".to_vec();
    let journaled = Journaled::parse(&lines.concat()).unwrap();
    let (conversation, problems) = fold(journaled.lines, ROOT);
    let problem = "line 11: the outcome of call c2 before it is lost; the model is told so";
    assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [problem]);
    assert_eq!(conversation.view().unwrap().entries().len(), 3);
    let lost = conversation.transcript().call(CallId::new(2)).unwrap().outcome().unwrap();
    assert_eq!(lost.status(), Status::Interrupted);
}

#[test]
fn a_lost_outcome_does_not_bar_the_way_while_the_next_reply_streams() {
    let mut all = facts();
    all.truncate(9);
    let part =
        |blocks| Fact::Part { step: StepId(2), source: Source::new(Wire::Anthropic), blocks };
    let call = Block::call(Call::new(CallId::new(3), "Ls", Arguments::none()));
    let asked = Fact::Request { step: StepId(2), attempt: 1, model: "script/x".into() };
    for goes_on in [vec![asked], vec![part(vec![call])]] {
        let bytes = written(&[&all[..], &goes_on].concat());
        let (conversation, problems) = fold(Journaled::parse(&bytes).unwrap().lines, ROOT);
        let problem = "line 10: the outcome of call c2 before it is lost; the model is told so";
        assert_eq!(problems.iter().map(ToString::to_string).collect::<Vec<_>>(), [problem]);
        assert!(conversation.view().is_ok());
    }
}

#[test]
fn a_line_that_was_lost_last_leaves_a_gap() {
    let mut lines = lines_of(&written(&facts()[..6]));
    lines[5] = b"{\"v\":1}\n".to_vec();
    let journaled = Journaled::parse(&lines.concat()).unwrap();
    assert_eq!((journaled.torn, journaled.end().seq), (None, 6));
}

#[test]
fn records_on_one_line_are_kept_and_told() {
    let all = facts();
    let mut lines = lines_of(&written(&all));
    lines[3].pop();
    let journaled = survive(&lines.concat()).unwrap();
    assert_eq!(facts_of(&journaled), all);
    assert_eq!(problems(&journaled), ["line 4: several records on one line; 2 of them kept"]);
    assert_eq!(fold(journaled.lines, ROOT).1, []);

    // At the end too: both were written whole.
    let last = lines.len() - 1;
    let glued = [&lines[..last].concat(), lines[last].trim_ascii_end(), &lines[last]].concat();
    let journaled = survive(&glued).unwrap();
    assert_eq!((journaled.torn, journaled.lines.len()), (None, all.len() + 1));

    // One that stops in the middle of another: what is left of it is no line.
    lines[3].truncate(20);
    let journaled = survive(&lines.concat()).unwrap();
    assert_eq!(journaled.lines.len(), all.len() - 2);
    let problem = "line 4: it cannot be read and is left out: ";
    assert!(problems(&journaled)[0].starts_with(problem));
}

#[test]
fn lines_of_two_writers_are_kept_and_told() {
    let mut lines = lines_of(&written(&facts()));
    lines.insert(3, lines[1].clone());
    let journaled = survive(&lines.concat()).unwrap();
    assert_eq!(problems(&journaled), ["line 4: sequence number 2 comes after 3; kept"]);
    assert_eq!(journaled.end().seq, 12);
}

#[test]
fn a_journal_says_how_its_session_began() {
    let lines = lines_of(&written(&facts()));
    let journaled = survive(&lines[1..].concat()).unwrap();
    let problem = "line 1: it does not say how the session began; the rest is kept";
    assert_eq!(problems(&journaled), [problem]);
    let (conversation, problems) = fold(journaled.lines, ROOT);
    assert_eq!((conversation.session(), problems), (None, vec![]));
}

#[test]
fn facts_of_another_agent_are_not_taken_in() {
    let journaled = Journaled::parse(&written(&facts())).unwrap();
    let (conversation, problems) = fold(journaled.lines, AgentId(1));
    assert_eq!((conversation, problems), (Default::default(), vec![]));
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        survive(&bytes);
    }

    #[test]
    fn no_edits_make_it_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), 0..3_u8, any::<u8>()), 1..12)
    ) {
        let mut bytes = written(&facts());
        for (at, edit, byte) in edits {
            // Bytes that mean something in JSON come more often than by chance.
            let byte = *b"{}[]\",:\\\n019e".get(usize::from(byte)).unwrap_or(&byte);
            let at = at.index(bytes.len());
            match edit {
                0 => bytes[at] = byte,
                1 => bytes.insert(at, byte),
                _ => drop(bytes.remove(at)),
            }
        }
        survive(&bytes);
    }

    #[test]
    fn no_order_of_lines_makes_it_panic(order in prop::collection::vec(0..12_usize, 0..30)) {
        let lines = lines_of(&written(&facts()));
        let shuffled: Vec<Vec<u8>> = order.iter().map(|&at| lines[at].clone()).collect();
        let journaled = survive(&shuffled.concat()).unwrap();
        assert_eq!(journaled.lines.len(), order.len());
    }
}
