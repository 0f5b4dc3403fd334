//! Base64, RFC 4648: the standard alphabet with padding for binary values, the URL-safe one without for links.
//!
//! Sixty lines in the place of a library that serves every base and weighs seven kilobytes of the page.

/// Which of the two spellings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Alphabet {
    /// `+` and `/`, padded with `=`.
    Standard,
    /// `-` and `_`, not padded.
    UrlSafe,
}

const LETTERS: &[u8; 62] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

impl Alphabet {
    const fn last_two(self) -> [u8; 2] {
        match self {
            Self::Standard => *b"+/",
            Self::UrlSafe => *b"-_",
        }
    }

    fn letter(self, digit: u8) -> char {
        let letter = LETTERS.get(usize::from(digit)).copied();
        char::from(letter.unwrap_or_else(|| self.last_two()[usize::from(digit & 1)]))
    }

    fn digit(self, letter: u8) -> Option<u8> {
        let [plus, slash] = self.last_two();
        Some(match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            _ if letter == plus => 62,
            _ if letter == slash => 63,
            _ => return None,
        })
    }
}

/// Writes bytes.
pub fn encode(bytes: &[u8], alphabet: Alphabet) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let byte = |at: usize| u32::from(chunk.get(at).copied().unwrap_or(0));
        let bits = (byte(0) << 16) | (byte(1) << 8) | byte(2);
        for at in 0..4 {
            if at <= chunk.len() {
                text.push(alphabet.letter((bits >> (18 - 6 * at)) as u8 & 63));
            } else if alphabet == Alphabet::Standard {
                text.push('=');
            }
        }
    }
    text
}

/// Reads bytes; `None` for a foreign letter, a wrong length or padding, or bits beyond the last byte.
pub fn decode(text: &str, alphabet: Alphabet) -> Option<Vec<u8>> {
    let letters = match alphabet {
        Alphabet::Standard if !text.len().is_multiple_of(4) => return None,
        Alphabet::Standard => {
            let bare = text.strip_suffix('=').unwrap_or(text);
            bare.strip_suffix('=').unwrap_or(bare)
        }
        Alphabet::UrlSafe => text,
    };
    let mut bytes = Vec::with_capacity(letters.len() / 4 * 3 + 2);
    for chunk in letters.as_bytes().chunks(4) {
        let mut bits = 0;
        for at in 0..4 {
            let digit = match chunk.get(at) {
                Some(letter) => alphabet.digit(*letter)?,
                None => 0,
            };
            bits = (bits << 6) | u32::from(digit);
        }
        let whole = match chunk.len() {
            4 => 3,
            3 if bits.trailing_zeros() >= 8 => 2,
            2 if bits.trailing_zeros() >= 16 => 1,
            _ => return None,
        };
        bytes.extend((0..whole).map(|at| (bits >> (16 - 8 * at)) as u8));
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10.
    #[test]
    fn the_standards_own_vectors() {
        for (bytes, text) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(encode(bytes.as_bytes(), Alphabet::Standard), text);
            assert_eq!(decode(text, Alphabet::Standard).as_deref(), Some(bytes.as_bytes()));
            let bare = text.trim_end_matches('=');
            assert_eq!(encode(bytes.as_bytes(), Alphabet::UrlSafe), bare);
            assert_eq!(decode(bare, Alphabet::UrlSafe).as_deref(), Some(bytes.as_bytes()));
        }
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(decode(&encode(&all, Alphabet::UrlSafe), Alphabet::UrlSafe), Some(all.clone()));
        assert_eq!(encode(&[0xFB, 0xFF], Alphabet::Standard), "+/8=");
        assert_eq!(encode(&[0xFB, 0xFF], Alphabet::UrlSafe), "-_8");
    }

    #[test]
    fn anything_else_is_refused() {
        for text in ["Z", "Zg", "Zg=", "Zh==", "Zm9=", "Zm9v=", "Z===", "====", "Zm 9", "Zm-v", "Zg==Zg==", "é"] {
            assert_eq!(decode(text, Alphabet::Standard), None, "{text}");
        }
        for text in ["Z", "Zh", "Zg==", "a+b/"] {
            assert_eq!(decode(text, Alphabet::UrlSafe), None, "{text}");
        }
    }
}
