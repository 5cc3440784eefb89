//! What one call came to know of one file, as it is kept across restarts.
//!
//! Not here: what follows from it (`read_state.rs`), and the file it is kept in.

use std::path::PathBuf;

use fanfold_transcript::CallId;
use serde::{Deserialize, Serialize};

use super::{Glance, Version};

/// What one call came to know of one file. Its JSON names are fixed:
///
/// ```json
/// {"path": "/w/a.rs", "version": {"content": "ba7816bf8f01cfea"}, "how": "whole", "call": "c7"}
/// ```
///
/// `how` is `whole`, `part` or `wrote`; null where the call changed the file and what was there before
/// is still unseen. In `path` a backslash is `\\`, and a byte that is no UTF-8 is `\x` and two
/// hexadecimal digits; so every path is a text, and most are themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sight {
    #[serde(with = "path_text")]
    pub(super) path: PathBuf,
    pub(super) version: Version,
    pub(super) how: Option<Glance>,
    pub(super) call: CallId,
}

/// Paths as texts, none of them changed on the way there and back.
mod path_text {
    use std::ffi::OsString;
    use std::fmt::Write as _;
    use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
    use std::path::{Path, PathBuf};

    use serde::{Deserialize as _, Deserializer, Serializer, de::Error as _};

    pub(super) fn serialize<S: Serializer>(path: &Path, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = String::new();
        for chunk in path.as_os_str().as_bytes().utf8_chunks() {
            text += &chunk.valid().replace('\\', r"\\");
            for byte in chunk.invalid() {
                write!(text, r"\x{byte:02x}").map_err(serde::ser::Error::custom)?;
            }
        }
        serializer.serialize_str(&text)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<PathBuf, D::Error> {
        let text = String::deserialize(from)?;
        let bytes = bytes(&text).ok_or_else(|| D::Error::custom("a path with a broken escape"))?;
        Ok(OsString::from_vec(bytes).into())
    }

    fn bytes(text: &str) -> Option<Vec<u8>> {
        let mut parts = text.split('\\');
        let mut bytes = parts.next()?.as_bytes().to_vec();
        while let Some(part) = parts.next() {
            let rest = if part.is_empty() {
                // Two backslashes: the part behind the second is plain.
                bytes.push(b'\\');
                parts.next()?
            } else {
                let (digits, rest) = part.strip_prefix('x')?.split_at_checked(2)?;
                bytes.push(u8::from_str_radix(digits, 16).ok()?);
                rest
            };
            bytes.extend(rest.as_bytes());
        }
        Some(bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    fn sight(path: &[u8]) -> Sight {
        let path = PathBuf::from(OsStr::from_bytes(path));
        let (version, call) = (Version::of(b"abc"), CallId::new(7));
        Sight { path, version, how: Some(Glance::Part), call }
    }

    #[test]
    fn every_path_survives() {
        let table: [(&[u8], &str); 7] = [
            (b"/w/a b.rs", "/w/a b.rs"),
            ("/w/é".as_bytes(), "/w/é"),
            (b"/w/\xff\xfe.rs", r"/w/\xff\xfe.rs"),
            (b"/w/\xe2\x82", r"/w/\xe2\x82"),
            (b"/w/\\xff", r"/w/\\xff"),
            (b"\\\\\xff\\", r"\\\\\xff\\"),
            (b"", ""),
        ];
        for (path, text) in table {
            let json = serde_json::to_value(sight(path)).unwrap();
            assert_eq!(json["path"], text);
            assert_eq!(serde_json::from_value::<Sight>(json).unwrap(), sight(path));
        }
    }

    #[test]
    fn a_broken_escape_is_an_error() {
        for text in [r"\", r"a\", r"\x", r"\xf", r"\xfg", r"\n", r"\\\", r"\xé"] {
            let mut json = serde_json::to_value(sight(b"a")).unwrap();
            json["path"] = text.into();
            let error = serde_json::from_value::<Sight>(json).unwrap_err().to_string();
            assert!(error.contains("broken escape"), "{text}: {error}");
        }
    }

    #[test]
    fn the_names_are_fixed() {
        let text =
            r#"{"path":"a","version":{"content":"ba7816bf8f01cfea"},"how":"part","call":"c7"}"#;
        assert_eq!(serde_json::to_string(&sight(b"a")).unwrap(), text);
        let hows = [Some(Glance::Whole), Some(Glance::Part), Some(Glance::Wrote), None];
        let names = hows.map(|how| serde_json::to_string(&how).unwrap());
        assert_eq!(names, [r#""whole""#, r#""part""#, r#""wrote""#, "null"]);
    }
}
