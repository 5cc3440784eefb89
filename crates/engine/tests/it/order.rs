//! As parallel as allowed, never more: proved by meetings and by effects, not by clocks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use fanfold_schedule::{Claim, Footprint, Groups, Resource};
use fanfold_testkit::{MadeTool, Meeting};
use fanfold_tools::Toolbox;
use fanfold_transcript::{CallId, Outcome};
use serde_json::json;

use crate::{endings, run, setting};

#[tokio::test]
async fn ten_independent_calls_overlap_and_an_eleventh_waits_for_a_slot() {
    let meeting = Meeting::of(10);
    let meets = MadeTool::new("meets", move |arguments, _| {
        let meeting = meeting.clone();
        async move {
            if arguments.contains_key("last") {
                return Outcome::ok_text("alone");
            }
            meeting.arrive().await.map_or_else(Outcome::tool_error, |()| Outcome::ok_text("met"))
        }
    });
    let mut calls = vec![("meets", json!({})); 10];
    calls.push(("meets", json!({"last": true})));
    let (reply, record) = run(&setting(Toolbox::default().with(meets), 10), &calls).await;
    assert_eq!(endings(&reply), ["ok"; 11]);
    let eleventh = &record.calls[&CallId::new(11)];
    assert_eq!(eleventh.waits[0].wait.to_string(), "no free slot");
}

#[tokio::test]
async fn with_one_slot_calls_run_strictly_one_by_one_in_list_order() {
    let inside = Arc::new(AtomicUsize::new(0));
    let order = Arc::new(std::sync::Mutex::new(Vec::new()));
    let seen = Arc::clone(&order);
    let counts = MadeTool::new("counts", move |arguments, _| {
        let (inside, seen) = (Arc::clone(&inside), Arc::clone(&seen));
        async move {
            assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "alone");
            seen.lock().unwrap().push(arguments["n"].as_u64().unwrap());
            for _ in 0..10 {
                tokio::task::yield_now().await;
            }
            inside.fetch_sub(1, Ordering::SeqCst);
            Outcome::ok_text("x")
        }
    });
    let calls: Vec<_> = (0..20).map(|n| ("counts", json!({"n": n}))).collect();
    let (reply, _) = run(&setting(Toolbox::default().with(counts), 1), &calls).await;
    assert_eq!(endings(&reply), ["ok"; 20]);
    assert_eq!(*order.lock().unwrap(), (0..20).collect::<Vec<u64>>());
}

#[tokio::test]
async fn a_footprint_that_changes_before_the_start_queues_again() {
    // The tool touches `/a` when first looked at and `/b` ever after, as if a link had been swapped.
    let looks = AtomicUsize::new(0);
    let changes =
        MadeTool::new("changes", |_, _| async { Outcome::ok_text("x") }).touching(move |_| {
            let path = if looks.fetch_add(1, Ordering::SeqCst) == 0 { "/a" } else { "/b" };
            writes(path)
        });
    let first = MadeTool::new("first", |_, _| async { Outcome::ok_text("x") });
    let first = first.touching(|_| writes("/b"));
    let toolbox = Toolbox::default().with(changes).with(first);
    let calls = [("first", json!({})), ("changes", json!({}))];
    let (reply, record) = run(&setting(toolbox, 10), &calls).await;
    assert_eq!(endings(&reply), ["ok", "ok"]);
    let changed = &record.calls[&CallId::new(2)];
    assert_eq!(changed.waits[0].wait.to_string(), "c1 (claim path:/b)");
    assert_eq!(changed.footprint, Some(writes("/b")));
}

fn writes(path: &str) -> Footprint {
    let claim = Claim::write(Resource::Path(path.into()));
    Footprint { groups: Groups::independent(), claims: vec![claim] }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn shells_and_reads_of_one_file_give_what_serial_execution_gives() {
    for _ in 0..40 {
        let directory = tempfile::tempdir().unwrap();
        let setting = fanfold_testkit::setting(directory.path(), Toolbox::builtin(), 10, &[]);
        let calls = [
            ("Shell", json!({"command": "echo a >> f"})),
            ("ReadFile", json!({"file_path": "f"})),
            ("Shell", json!({"command": "echo b >> f"})),
        ];
        let (reply, _) = run(&setting, &calls).await;
        assert_eq!(endings(&reply), ["ok"; 3]);
        let read = reply.calls().nth(1).unwrap().outcome().unwrap().text();
        assert!(read.contains("1\ta") && !read.contains('b'), "{read}");
        assert_eq!(std::fs::read_to_string(directory.path().join("f")).unwrap(), "a\nb\n");
    }
}
