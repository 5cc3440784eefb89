//! Which command formats which file.
//!
//! Not here: running it (`format_file.rs`).

use std::collections::BTreeMap;
use std::path::Path;

use super::one_line;

/// Formatters without any setting: extensions, and the commands of which the first one that is
/// installed is taken.
///
/// `rustfmt` alone would read files as of 2015. Where another edition is right, a setting says so.
const BUILT_IN: [(&[&str], &[&[&str]]); 7] = [
    (&["rs"], &[&["rustfmt", "--edition", "2024"]]),
    (&["go"], &[&["gofmt", "-w"]]),
    (&["py", "pyi"], &[&["ruff", "format", "--quiet"], &["black", "-q"]]),
    (&["js", "jsx", "mjs", "cjs", "ts", "tsx", "json", "css", "md"], &[&["prettier", "--write"]]),
    (&["yaml", "yml", "html", "scss", "vue"], &[&["prettier", "--write"]]),
    (&["c", "h", "cc", "cpp", "cxx", "hh", "hpp"], &[&["clang-format", "-i"]]),
    (&["sh", "bash"], &[&["shfmt", "-w"]]),
];

/// Commands by extension.
#[derive(Clone, Debug, Default)]
pub(super) struct Formatters {
    configured: BTreeMap<String, Vec<String>>,
}

/// The commands for one file, the preferred one first.
#[derive(Debug)]
pub(super) struct Commands {
    extension: String,
    /// Program and arguments.
    commands: Vec<Vec<String>>,
}

impl Formatters {
    /// The built-in ones, with these before them.
    pub(super) const fn new(configured: BTreeMap<String, Vec<String>>) -> Self {
        Self { configured }
    }

    /// The commands for a file.
    ///
    /// # Errors
    /// When there is none; the text is for the model.
    pub(super) fn of(&self, path: &Path) -> Result<Commands, String> {
        let Some(extension) = path.extension() else {
            let name = one_line(path.file_name().unwrap_or_default());
            return Err(format!("{name} has no extension, by which a formatter is chosen"));
        };
        let extension = extension.to_string_lossy().to_ascii_lowercase();
        let commands = match self.configured.get(&extension) {
            Some(command) => vec![command.clone()],
            None => built_in(&extension),
        };
        if commands.iter().all(Vec::is_empty) {
            return Err(format!(
                "no formatter is configured for .{}; the setting `formatters` names one, as in \
                 {{\"rs\": [\"rustfmt\"]}}",
                one_line(extension)
            ));
        }
        Ok(Commands { extension, commands })
    }
}

impl Commands {
    /// Each program with its arguments.
    pub(super) fn iter(&self) -> impl Iterator<Item = (&String, &[String])> {
        self.commands.iter().filter_map(|command| command.split_first())
    }

    /// That none of them is installed, for the model.
    pub(super) fn not_installed(&self) -> String {
        let programs: Vec<&str> = self.iter().map(|(program, _)| program.as_str()).collect();
        format!(
            "no formatter for .{} is installed: looked for {}; the setting `formatters` names \
             another one",
            one_line(&self.extension),
            programs.join(", ")
        )
    }
}

fn built_in(extension: &str) -> Vec<Vec<String>> {
    let known = BUILT_IN.iter().find(|(extensions, _)| extensions.contains(&extension));
    let commands = known.map_or(&[] as &[&[&str]], |(_, commands)| commands);
    commands.iter().map(|command| command.iter().map(|&word| word.to_owned()).collect()).collect()
}
