//! Programs that only read, each with the options that keep it so.

/// The options of a program.
struct Program {
    name: &'static str,
    /// Letters that may follow a `-`, alone or together.
    letters: &'static str,
    /// Letters whose value follows, in the same word or the next.
    valued: &'static str,
    /// Long options, with a value behind a `=` or without one.
    long: &'static [&'static str],
}

const fn program(
    name: &'static str,
    letters: &'static str,
    valued: &'static str,
    long: &'static [&'static str],
) -> Program {
    Program { name, letters, valued, long }
}

/// The closed list.
const PROGRAMS: [Program; 35] = [
    program("ls", "aAbBcCdfFghHiklLmnNopqQrRsStuUvxXZ1", "Iw", &["all", "almost-all", "color"]),
    program("cat", "AbeEnstTuv", "", &["number", "show-all"]),
    program("head", "qvz0123456789", "cn", &["lines", "bytes", "quiet"]),
    // Not -f: it would never end.
    program("tail", "qvz0123456789", "cn", &["lines", "bytes", "quiet"]),
    program("wc", "clLmw", "", &["lines", "words", "bytes", "chars"]),
    program(
        "grep",
        "abcEFGhHiIlLnoPqrRsvwxyzZ0123456789",
        "ABCem",
        &["include", "exclude", "exclude-dir", "color", "count", "line-number", "ignore-case"],
    ),
    program(
        "rg",
        "abcFHIilLnNoPpqsSuvwxU0123456789",
        "ABCegmtT",
        &["files", "hidden", "glob", "type", "no-ignore", "count", "json", "sort", "stats"],
    ),
    program("echo", "neE", "", &[]),
    program("pwd", "LP", "", &[]),
    program("true", "", "", &[]),
    program("false", "", "", &[]),
    program("test", "abcdefghiklnopqrstuwxzGLNOS", "", &[]),
    program("stat", "Lft", "c", &["format", "dereference", "terse"]),
    program("file", "bhiLNz", "", &["brief", "mime", "mime-type", "mime-encoding"]),
    program(
        "du",
        "abchkLmsSx0",
        "d",
        &["max-depth", "human-readable", "summarize", "apparent-size"],
    ),
    program("df", "ahHiklPT", "", &["human-readable"]),
    program("whoami", "", "", &[]),
    program("uname", "asnrvmpio", "", &["all"]),
    program("which", "a", "", &["all"]),
    // Neither -o nor -T nor a program to compress with.
    program("sort", "bcCdfghiMnRrsuVz", "kt", &["reverse", "unique", "numeric-sort", "key"]),
    program("cut", "sz", "bcdf", &["fields", "delimiter", "characters", "complement"]),
    program("tr", "cCdst", "", &["delete", "squeeze-repeats", "complement"]),
    program(
        "diff",
        "abBcdeEilnNpqrstuwyZ0123456789",
        "U",
        &["unified", "brief", "recursive", "color", "side-by-side", "ignore-all-space", "stat"],
    ),
    program("cmp", "blsv", "n", &["silent", "quiet", "bytes"]),
    program("basename", "az", "s", &["suffix", "multiple"]),
    program("dirname", "z", "", &[]),
    program("realpath", "eLmPqsz", "", &["relative-to", "canonicalize-existing"]),
    program("readlink", "efmnqsvz", "", &["canonicalize"]),
    program(
        "jq",
        "cCeMnrRsSj",
        "",
        &["raw-output", "compact-output", "slurp", "tab", "null-input"],
    ),
    program("nl", "p", "bdfhilnsvw", &["body-numbering"]),
    program("od", "abcdfilosvx", "AjNtw", &["address-radix", "format", "read-bytes"]),
    program("hexdump", "bcCdovx", "ens", &["canonical"]),
    program("sha256sum", "btz", "", &["binary", "text", "tag"]),
    program("md5sum", "btz", "", &["binary", "text", "tag"]),
    program("seq", "w", "fs", &["equal-width", "format", "separator"]),
];

/// Tests and actions of `find` that read.
const FIND: [&str; 30] = [
    "-name",
    "-iname",
    "-path",
    "-ipath",
    "-regex",
    "-iregex",
    "-type",
    "-size",
    "-mtime",
    "-mmin",
    "-newer",
    "-maxdepth",
    "-mindepth",
    "-not",
    "-and",
    "-or",
    "-a",
    "-o",
    "-prune",
    "-print",
    "-print0",
    "-empty",
    "-perm",
    "-user",
    "-group",
    "-links",
    "-depth",
    "-mount",
    "-xdev",
    "-ls",
];

/// Subcommands of `git` that read, each with the long options that keep it so.
///
/// Programs that the user's own git settings name for showing a difference are taken to only read.
/// `status` may refresh the index: git does that under a lock of its own, or not at all.
const GIT: [(&str, &[&str]); 7] = [
    ("status", &["short", "branch", "porcelain", "ignored", "untracked-files", "long"]),
    ("log", LOOKING),
    ("diff", LOOKING),
    ("show", LOOKING),
    (
        "rev-parse",
        &["show-toplevel", "abbrev-ref", "short", "verify", "git-dir", "is-inside-work-tree"],
    ),
    ("ls-files", &["others", "cached", "modified", "deleted", "exclude-standard", "stage"]),
    ("branch", &["list", "show-current", "all", "remotes", "merged", "no-merged"]),
];

const LOOKING: &[&str] = &[
    "no-ext-diff",
    "no-textconv",
    "oneline",
    "stat",
    "shortstat",
    "numstat",
    "name-only",
    "name-status",
    "patch",
    "no-patch",
    "cached",
    "staged",
    "graph",
    "all",
    "decorate",
    "no-color",
    "format",
    "pretty",
    "date",
    "since",
    "until",
    "after",
    "before",
    "author",
    "grep",
    "max-count",
    "no-merges",
    "merges",
    "reverse",
    "follow",
    "abbrev-commit",
    "summary",
    "unified",
    "word-diff",
    "first-parent",
    "skip",
];

/// Whether the command of these words only reads, and only below its directory.
pub(super) fn only_reads(words: &[&str]) -> bool {
    let Some((name, rest)) = words.split_first() else { return false };
    if !rest.iter().all(|word| stays_inside(word)) {
        return false;
    }
    match *name {
        "find" => rest.iter().all(|word| !word.starts_with('-') || FIND.contains(word)),
        "git" => git(rest),
        // The second name is where it writes.
        "uniq" => operands(rest, "cdDiuz", "fsw", &["count"]).is_some_and(|count| count <= 1),
        "xxd" => operands(rest, "abCeEiup", "cglos", &[]).is_some_and(|count| count <= 1),
        // Any other operand, and -s, set the clock.
        "date" => {
            let formats = rest.iter().filter(|word| word.starts_with('+')).count();
            operands(rest, "uRI", "d", &["utc", "date", "iso-8601"]) == Some(formats)
        }
        // With -v it sets a variable.
        "printf" => rest.first().is_some_and(|format| !format.starts_with('-')),
        _ => PROGRAMS.iter().any(|program| {
            let Program { letters, valued, long, .. } = program;
            program.name == *name && operands(rest, letters, valued, long).is_some()
        }),
    }
}

/// Whether the word can name nothing outside the directory.
fn stays_inside(word: &str) -> bool {
    let is_option = word.starts_with('-');
    let leaves = word.starts_with('/') || word.split(['/', '=', ':']).any(|part| part == "..");
    !(leaves || is_option && word.contains('/'))
}

/// How many words are no options; `None` if an option is not on the list.
fn operands(words: &[&str], letters: &str, valued: &str, long: &[&str]) -> Option<usize> {
    let (mut words, mut count) = (words.iter(), 0);
    while let Some(word) = words.next() {
        if *word == "--" {
            return Some(count + words.len());
        }
        if let Some(option) = word.strip_prefix("--") {
            let name = option.split_once('=').map_or(option, |(name, _)| name);
            long.contains(&name).then_some(())?;
        } else if let Some(option) = word.strip_prefix('-').filter(|option| !option.is_empty()) {
            match option.find(|c| !letters.contains(c)) {
                None => {}
                Some(at) if !option[at..].starts_with(|c| valued.contains(c)) => return None,
                // The value is the rest of the word, or else the next.
                Some(at) if at + 1 < option.len() => {}
                Some(_) => drop(words.next()?),
            }
        } else {
            count += 1;
        }
    }
    Some(count)
}

fn git(words: &[&str]) -> bool {
    let words = words.strip_prefix(&["--no-pager"]).unwrap_or(words);
    let Some((subcommand, rest)) = words.split_first() else { return false };
    let Some((_, long)) = GIT.iter().find(|(name, _)| name == subcommand) else { return false };
    let letters = if *subcommand == "branch" { "arv" } else { "abpstuvwz0123456789" };
    let count = operands(rest, letters, "nUSGL", long);
    match *subcommand {
        // A name would be created unless it is said to be a pattern.
        "branch" => count.is_some_and(|count| count == 0 || rest.contains(&"--list")),
        _ => count.is_some(),
    }
}
