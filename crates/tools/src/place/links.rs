//! Paths made absolute and free of links, as far as they exist.
//!
//! Not here: whether a path is allowed (`place.rs`).

use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::{Component, Path, PathBuf};

/// As many links as the kernel follows.
const LINKS_MAX: usize = 40;

/// The links of a path lead in a circle.
#[derive(Debug)]
pub(super) struct Circle;

/// One step on the way along a path.
enum Step {
    Root,
    Up,
    Down(OsString),
}

/// Follows the links of an absolute path.
///
/// What does not exist is appended by name. `..` is folded only when the way before it is free of
/// links; a link whose target is missing is followed too: a write would create that target.
pub(super) fn follow(path: &Path) -> Result<PathBuf, Circle> {
    let mut ahead: VecDeque<Step> = steps(path).collect();
    let mut way = PathBuf::new();
    let mut links = 0;
    while let Some(step) = ahead.pop_front() {
        let Step::Down(name) = &step else {
            take(&mut way, &step);
            continue;
        };
        // Whatever cannot be read as a link is taken by its name; opening it gives the true error.
        if let Ok(target) = way.join(name).read_link() {
            links += 1;
            if links > LINKS_MAX {
                return Err(Circle);
            }
            for step in steps(&target).collect::<Vec<_>>().into_iter().rev() {
                ahead.push_front(step);
            }
        } else {
            take(&mut way, &step);
        }
    }
    Ok(way)
}

/// Folds `.` and `..` of an absolute path by name alone.
pub(super) fn fold(path: &Path) -> PathBuf {
    let mut way = PathBuf::new();
    steps(path).for_each(|step| take(&mut way, &step));
    way
}

fn take(way: &mut PathBuf, step: &Step) {
    match step {
        Step::Root => *way = PathBuf::from("/"),
        // Above the root there is only the root.
        Step::Up => {
            way.pop();
        }
        Step::Down(name) => way.push(name),
    }
}

fn steps(path: &Path) -> impl Iterator<Item = Step> {
    path.components().filter_map(|component| match component {
        Component::Prefix(_) | Component::RootDir => Some(Step::Root),
        Component::CurDir => None,
        Component::ParentDir => Some(Step::Up),
        Component::Normal(name) => Some(Step::Down(name.to_owned())),
    })
}
