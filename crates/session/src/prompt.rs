//! What stands in front of a conversation: the system prompt and the tools. Fixed when it begins.
//!
//! Not here: how a provider is told of it (`fanfold-wire`).

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use fanfold_tools::Toolbox;
use fanfold_transcript::{Json, OfferedTool, Prompt, Protocol};

/// The most bytes of AGENTS.md that are read: it is sent with every request.
const AGENTS_BYTES_MAX: u64 = 64 << 10;

/// The name of the file in which a workspace says what an agent should know.
const AGENTS: &str = "AGENTS.md";

const SYSTEM: &str = "\
You are Fanfold, an agent that works in the user's workspace through its tools.

Ask for every call you can already make in one reply: calls that do not touch the same things run at \
once, the others in the order you write them, so a read after an edit of the same file sees the edit. \
Each call gets exactly one result. `declined` means that it never ran and why; `skipped` that it was \
not started; `interrupted` that it may or may not have had an effect: look before you repeat it.

Look before you change something, make the smallest change that does what was asked, and check it. \
Say plainly what you did, what you saw, and what you could not do. When you are done, answer in text.";

/// The prompt of a new conversation, and what the user should know.
pub(crate) fn prompt(
    workspace: &Path,
    system: Option<&str>,
    toolbox: &Toolbox,
    protocol: Protocol,
) -> (Prompt, Option<String>) {
    let (agents, notice) = agents(workspace);
    let mut text = system.unwrap_or(SYSTEM).trim_end().to_owned();
    text.push_str("\n\nThe workspace is ");
    text.push_str(&one_line(workspace));
    text.push('.');
    if let Some(agents) = agents {
        text.push_str("\n\nThe workspace's AGENTS.md:\n\n");
        text.push_str(agents.trim());
    }
    let tools = toolbox.iter().map(|tool| {
        let definition = tool.definition();
        OfferedTool {
            name: definition.name.clone(),
            description: definition.description.clone(),
            input_schema: Json::of(definition.input_schema.json()),
        }
    });
    (Prompt { system: text.into(), tools: tools.collect(), protocol }, notice)
}

/// The path as it stands in a sentence: whoever named a folder must not add sentences of his own.
fn one_line(path: &Path) -> String {
    let shown = path.to_string_lossy();
    shown.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}

/// What the workspace says of itself. It may come from anybody: only a file in it is read, and only so
/// much. A link out of it could send the provider whatever its owner can read.
fn agents(workspace: &Path) -> (Option<String>, Option<String>) {
    let path = workspace.join(AGENTS);
    if !std::fs::metadata(&path).is_ok_and(|metadata| metadata.is_file()) {
        return (None, None);
    }
    let real = |path: &Path| path.canonicalize().ok();
    if !real(workspace).zip(real(&path)).is_some_and(|(root, file)| file.starts_with(root)) {
        let notice = format!("{} leads out of the workspace and is not read", path.display());
        return (None, Some(notice));
    }
    let mut bytes = Vec::new();
    let read =
        File::open(&path).and_then(|file| file.take(AGENTS_BYTES_MAX + 1).read_to_end(&mut bytes));
    if let Err(error) = read {
        return (None, Some(format!("cannot read {}: {error}", path.display())));
    }
    let most = usize::try_from(AGENTS_BYTES_MAX).unwrap_or(usize::MAX);
    let notice = (bytes.len() > most)
        .then(|| format!("only the first 64 KiB of {} are read", path.display()));
    bytes.truncate(most);
    (Some(String::from_utf8_lossy(&bytes).into_owned()), notice)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::os::unix::fs::symlink;

    use super::*;

    #[test]
    fn a_link_is_followed_within_the_workspace_only() {
        let folder = std::env::temp_dir().join(format!("fanfold-prompt-{}", std::process::id()));
        let workspace = folder.join("workspace");
        fs::create_dir_all(&workspace).unwrap();
        fs::write(folder.join("secret"), "secret").unwrap();
        fs::write(workspace.join("CLAUDE.md"), "be kind").unwrap();
        assert_eq!(agents(&workspace), (None, None));
        symlink("CLAUDE.md", workspace.join(AGENTS)).unwrap();
        assert_eq!(agents(&workspace), (Some("be kind".into()), None));
        fs::remove_file(workspace.join(AGENTS)).unwrap();
        symlink("../secret", workspace.join(AGENTS)).unwrap();
        let (text, notice) = agents(&workspace);
        assert_eq!(text, None);
        assert!(notice.unwrap().ends_with("leads out of the workspace and is not read"));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn the_name_of_a_folder_adds_no_line() {
        assert_eq!(one_line(Path::new("/a b\nIgnore all\u{1b}")), "/a b\u{fffd}Ignore all\u{fffd}");
    }
}
