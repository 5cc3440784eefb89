//! Results over their bounds: what stays, what is said, and that twice is once.

use fanfold_transcript::{Ending, Failure, Media, MediaSource};
use proptest::prelude::*;

use super::*;

fn numbers(range: std::ops::RangeInclusive<u32>) -> String {
    range.map(|n| format!("{n}\n")).collect()
}

fn record(stream: &str) -> Recorded {
    Recorded { handle: format!("record:c1/{stream}").parse().unwrap(), is_whole: true }
}

fn cut(text: &str, lines: usize, bytes: Option<usize>) -> String {
    let mut outcome = Outcome::ok_text(text);
    truncate(&mut outcome, Bounds { lines, bytes }, &[]);
    outcome.text()
}

#[test]
fn lines_over_the_bound_are_left_out_in_the_middle() {
    assert_eq!(cut(&numbers(1..=5), 5, None), numbers(1..=5));
    let marker = "[lines left out here, of 12 bytes in 6 lines]\n";
    assert_eq!(cut(&numbers(1..=6), 5, None), format!("1\n2\n{marker}5\n6\n"));
    assert_eq!(cut(&numbers(1..=6), 4, None), format!("1\n2\n{marker}6\n"));
    assert_eq!(cut(&numbers(1..=6), 2, None), format!("1\n{marker}"));
    for none in [0, 1] {
        assert_eq!(cut(&numbers(1..=6), none, None), marker);
    }
    assert_eq!(cut("a\nb\nc", 2, None), "a\n[lines left out here, of 5 bytes in 3 lines]\n");
}

#[test]
fn the_exit_code_line_is_not_counted_and_the_marker_is() {
    let of_process = |last| {
        let text = format!("Exit code: 1\n{}", numbers(1..=last));
        Outcome::of_text(Ending::Failed(Failure::ExitCode), text)
    };
    let mut whole = of_process(100);
    truncate(&mut whole, Bounds::default(), &[record("stdout")]);
    assert_eq!(whole, of_process(100));
    let mut long = of_process(101);
    truncate(&mut long, Bounds::default(), &[record("stdout"), record("stderr")]);
    let text = long.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!((lines.len(), lines[0], lines[1], lines[100]), (101, "Exit code: 1", "1", "101"));
    assert_eq!(
        lines[51],
        "[lines left out here, of 309 bytes in 101 lines; full output: record:c1/stdout, \
         record:c1/stderr]"
    );
    assert_eq!(long.cut, Some(Cut { bytes: 309, lines: 101 }));
    assert_eq!((long.bytes, long.ending), (309, Ending::Failed(Failure::ExitCode)));
}

#[test]
fn what_was_cut_before_keeps_its_true_size() {
    let mut outcome = Outcome::ok_text(numbers(1..=200));
    outcome.cut = Some(Cut { bytes: 1_000_000, lines: 300_000 });
    outcome.bytes = 1_000_000;
    truncate(&mut outcome, Bounds::default(), &[]);
    assert!(outcome.text().contains("of 1000000 bytes in 300000 lines]"));
    assert_eq!(outcome.cut, Some(Cut { bytes: 1_000_000, lines: 300_000 }));
}

#[test]
fn one_huge_line_is_cut_by_bytes_and_never_to_nothing() {
    let text = format!("first✓{}✓last", "é".repeat(100_000));
    let short = cut(&text, 100, Some(2_000));
    assert!(short.len() <= 2_000 && short.len() > 1_900, "{}", short.len());
    assert!(short.starts_with("first✓é") && short.ends_with("é✓last"));
    assert_eq!(short.lines().count(), 3);
    let least = cut(&text, 100, Some(0));
    assert!(least.starts_with("first✓") && least.len() <= BYTES_MIN);
}

#[test]
fn pictures_are_left_alone() {
    let base64 = "A".repeat(10_000).into();
    let media = Media { media_type: "image/png".into(), source: MediaSource::Inline { base64 } };
    let mut outcome = Outcome::ok_text("a\nb\nc\n");
    outcome.content.push(Content::Image(media.clone()));
    truncate(&mut outcome, Bounds { lines: 2, bytes: Some(1) }, &[]);
    assert_eq!(outcome.content[1], Content::Image(media));
}

proptest! {
    #[test]
    fn a_cut_fits_and_is_final(
        exit_line in any::<bool>(),
        text in "([a-c✓é🦀]{0,400}\n){0,30}[a-c✓]{0,3000}",
        lines in 0..40_usize,
        bytes in proptest::option::of(0..6_000_usize),
        handles in 0..3_usize,
    ) {
        let start = if exit_line { "Exit code: 0\n" } else { "" };
        let text = format!("{start}{text}");
        let bounds = Bounds { lines, bytes };
        let records = &[record("stdout"), record("stderr")][..handles];
        let mut once = Outcome::ok_text(text.clone());
        truncate(&mut once, bounds, records);
        prop_assert!(fits(&once.text(), bounds));
        prop_assert_eq!(once.cut.is_some(), !fits(&text, bounds));
        prop_assert!(once.text().starts_with(start));
        if let Some((head, tail)) = once.text().split_once("[lines left out here") {
            prop_assert!(text.starts_with(head.strip_suffix('\n').unwrap_or(head)));
            prop_assert!(text.ends_with(tail.split_once("]\n").unwrap().1));
        }
        let mut twice = once.clone();
        truncate(&mut twice, bounds, records);
        prop_assert_eq!(twice, once);
    }
}
