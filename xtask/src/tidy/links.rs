//! Each relative link of a Markdown page leads to a file or folder.
//!
//! Not here: links to other hosts, which would need a network, and anchors within a page.

use crate::tidy::{Finding, Project};

const RULE: &str = "links; correct the path or take the link out";

pub(super) fn check(project: &Project) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (path, text) in project.tree.texts().filter(|(path, _)| path.ends_with(".md")) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        for (line, link) in relative_links(text) {
            let leads = join(folder, link).is_some_and(|target| project.tree.exists(&target));
            if !leads {
                findings.push(Finding::new(path, line, format!("{link} leads nowhere"), RULE));
            }
        }
    }
    findings
}

/// The targets of `[text](target)` and `[name]: target`, without fragment, outside of code.
fn relative_links(page: &str) -> Vec<(usize, &str)> {
    let mut in_fence = false;
    let mut links = Vec::new();
    for (at, line) in page.lines().enumerate() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            in_fence = !in_fence;
        } else if !in_fence {
            links.extend(targets(line).filter_map(relative).map(|link| (at + 1, link)));
        }
    }
    links
}

fn targets(line: &str) -> impl Iterator<Item = &str> {
    let inline =
        line.match_indices("](").filter(|(at, _)| !is_in_code(line, *at)).map(|(at, _)| {
            let target = &line[at + 2..];
            &target[..target.find([')', ' ']).unwrap_or(target.len())]
        });
    let defined = line.starts_with('[').then(|| line.split_once("]: ")).flatten();
    inline.chain(defined.and_then(|(_, target)| target.split(' ').next()))
}

fn is_in_code(line: &str, at: usize) -> bool {
    line[..at].matches('`').count() % 2 == 1
}

fn relative(target: &str) -> Option<&str> {
    let target = target.trim_start_matches('<').trim_end_matches('>');
    let path = target.split('#').next().unwrap_or_default();
    let is_elsewhere = path.is_empty() || path.contains("://") || path.starts_with("mailto:");
    (!is_elsewhere).then_some(path)
}

/// The path from the root; `None` when it climbs out of the project.
fn join(folder: &str, link: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in link.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            name => parts.push(name),
        }
    }
    Some(parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::found;

    #[test]
    fn a_link_that_leads_nowhere_is_found() {
        let page = "[a](../README.md#top) [b](gone.md) [c](https://x.test/y) [d](#here)\n\
            ```\n[e](gone.md)\n```\n`[f](gone.md)` ![g](../img \"title\") [h](../../out)\n\n\
            [i]: lost.md\n";
        let files = [("README.md", "[docs](docs)"), ("docs/a.md", page), ("img/x.svg", "")];
        assert_eq!(
            found(check, &files),
            [
                "docs/a.md:1: gone.md leads nowhere",
                "docs/a.md:5: ../../out leads nowhere",
                "docs/a.md:7: lost.md leads nowhere",
            ]
        );
    }
}
