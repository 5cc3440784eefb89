//! `--seed N` and `--count M`: which runs of something that is fixed by its seed.
//!
//! Not here: what runs.

use crate::failure::Failure;

/// Which seeds to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Seeds {
    pub(crate) first: u64,
    pub(crate) count: u64,
}

impl Seeds {
    /// Reads the options of this command; without any it runs `default` of them.
    pub(crate) fn read(command: &str, options: &[String], default: u64) -> Result<Self, Failure> {
        let wrong = |what: String| Failure::Usage(format!("{command}: {what}"));
        let number = |name: &str, value: &str| {
            value.parse().map_err(|_| wrong(format!("{name} wants a number, not {value:?}")))
        };
        let (mut first, mut count) = (0, None);
        for pair in options.chunks(2) {
            match pair {
                [name, value] if name == "--seed" => first = number(name, value)?,
                [name, value] if name == "--count" => count = Some(number(name, value)?),
                _ => return Err(wrong(format!("unexpected {:?}", pair.join(" ")))),
            }
        }
        // One seed asked for by name is one run.
        let count = count.unwrap_or(if options.is_empty() { default } else { 1 });
        if count == 0 {
            return Err(wrong("--count must be at least 1".to_owned()));
        }
        Ok(Self { first, count })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_read() {
        let read = |line: &str| {
            let options: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Seeds::read("sim", &options, 1_000).ok().map(|seeds| (seeds.first, seeds.count))
        };
        assert_eq!(read(""), Some((0, 1_000)));
        assert_eq!(read("--seed 7"), Some((7, 1)));
        assert_eq!(read("--count 9 --seed 7"), Some((7, 9)));
        for wrong in ["--seed", "--seed x", "--count 0", "7", "--seeds 7"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }
}
