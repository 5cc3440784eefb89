//! `fanfold settings`: shows them, their schema and their files, and trusts a workspace's.
//!
//! Not here: where the values come from (`fanfold-session`).

use std::path::Path;
use std::process::ExitCode;

use fanfold_session::{FromView, SettingsView};

use crate::args::{JsonArgs, SettingsArgs, SettingsCommand};
use crate::voice::{clean, say};
use crate::{Problem, exec};

/// Runs the command.
pub(crate) fn run(args: SettingsArgs) -> Result<ExitCode, Problem> {
    let SettingsArgs { command, workspace, verbose } = args;
    match command.unwrap_or(SettingsCommand::Show(JsonArgs::default())) {
        SettingsCommand::Show(JsonArgs { json }) => {
            let view = fanfold_session::view_settings(&workspace).map_err(Problem::input)?;
            let asides = view.asides.iter().filter(|_| verbose);
            notice(view.notices.iter().chain(asides));
            if json {
                exec::print_json(serde_json::to_value(&view))?;
            } else {
                print_lines(&lines(&view))?;
            }
        }
        SettingsCommand::Schema => exec::print(fanfold_session::settings_schema().trim_end())?,
        SettingsCommand::Path(JsonArgs { json }) => paths(&workspace, json)?,
        SettingsCommand::Trust => trust(&workspace)?,
    }
    Ok(ExitCode::SUCCESS)
}

fn paths(workspace: &Path, json: bool) -> Result<(), Problem> {
    let found = fanfold_session::view_settings_files(workspace);
    let (files, notices) = found.map_err(Problem::input)?;
    notice(&notices);
    if json {
        return exec::print_json(serde_json::to_value(&files));
    }
    let line = |file: &fanfold_session::FileView| {
        format!("{}   ({}, {})", file.path.display(), file.layer, file.state)
    };
    print_lines(&files.iter().map(line).collect::<Vec<_>>())
}

fn trust(workspace: &Path) -> Result<(), Problem> {
    let trusted = fanfold_session::trust_settings(workspace).map_err(Problem::input)?;
    print_lines(&[format!("trusted {} (SHA-256 {})", trusted.path.display(), trusted.sha256)])
}

/// One line per value: `KEY = VALUE   (WHERE)`.
fn lines(view: &SettingsView) -> Vec<String> {
    let home = std::env::var("HOME").unwrap_or_default();
    let line = |setting: &fanfold_session::SettingView| {
        let from: Vec<String> = setting.from.iter().map(|from| place(from, &home)).collect();
        format!("{} = {}   ({})", setting.key, setting.value, from.join(", "))
    };
    view.settings.iter().map(line).collect()
}

/// Where a value was said, with `~` for the user's folder.
fn place(from: &FromView, home: &str) -> String {
    let below = Path::new(&from.name).strip_prefix(home).ok().filter(|_| home.starts_with('/'));
    let name = match below {
        Some(below) => format!("~/{}", below.display()),
        None => from.name.clone(),
    };
    from.line.map_or_else(|| name.clone(), |line| format!("{name}:{line}"))
}

fn notice<'a>(notices: impl IntoIterator<Item = &'a String>) {
    for notice in notices {
        say(&format!("fanfold: {notice}"));
    }
}

/// Lines for a person: what a file says cannot write to the terminal.
fn print_lines(lines: &[String]) -> Result<(), Problem> {
    let lines: Vec<String> = lines.iter().map(|line| clean(line, usize::MAX)).collect();
    exec::print(&lines.join("\n"))
}
