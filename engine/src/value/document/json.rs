//! JSON into a tree in which everything knows its place. It stops at the first fault and says what it
//! expected there. RFC 8259, and besides: no name twice in an object, and no deeper than [`MAX_DEPTH`].

use super::Complaint;
use crate::diagnostic::Span;
use crate::sorted::sorted_places;

/// Deepest nesting of a text. 32 levels of DynamoDB JSON take two each, and a batch wraps them in a few more.
pub(super) const MAX_DEPTH: usize = 96;

/// The service's words for too much nesting.
pub(super) const TOO_DEEP: &str =
    "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit";

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    pub kind: Kind,
    pub span: Span,
}

#[derive(Debug)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    /// The digits are the span's text.
    Number,
    String(String),
    Array(Vec<Node>),
    Object(Vec<Member>),
}

#[derive(Debug)]
pub(super) struct Member {
    pub name: String,
    pub name_span: Span,
    pub value: Node,
}

/// Reads a text that is one value and nothing else.
pub(super) fn read(text: &str) -> Result<Node, Complaint> {
    let mut reader = Reader::new(text, 0);
    let node = reader.value()?;
    if reader.at_end() {
        return Ok(node);
    }
    Err(Complaint::new(reader.here(), "expected the end of the text here"))
}

/// Reads values one after the other.
pub(super) struct Reader<'s> {
    text: &'s str,
    at: usize,
    depth: usize,
}

impl<'s> Reader<'s> {
    pub(super) fn new(text: &'s str, at: usize) -> Self {
        Self { text, at, depth: 0 }
    }

    /// Steps over space (and a byte order mark); is there nothing more?
    pub(super) fn at_end(&mut self) -> bool {
        self.peek().is_none()
    }

    /// The next byte that is no space.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match self.byte() {
                Some(b' ' | b'\t' | b'\r' | b'\n') => self.at += 1,
                Some(0xEF) if self.at == 0 && self.text.starts_with('\u{FEFF}') => self.at = '\u{FEFF}'.len_utf8(),
                byte => return byte,
            }
        }
    }

    fn byte(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    pub(super) fn eat(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// The next character, to point at.
    fn here(&self) -> Span {
        let length = self.text.get(self.at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8);
        Span::new(self.at, self.at + length)
    }

    fn expected(&mut self, what: &str) -> Complaint {
        match self.peek() {
            None => Complaint::new(self.here(), ["the text ends here; expected ", what].concat()),
            Some(_) => Complaint::new(self.here(), ["expected ", what, " here"].concat()),
        }
    }

    pub(super) fn value(&mut self) -> Result<Node, Complaint> {
        let next = self.peek();
        let start = self.at;
        let kind = match next {
            Some(b'{') => self.nested(Self::object)?,
            Some(b'[') => self.nested(Self::array)?,
            Some(b'"') => Kind::String(self.string()?),
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(byte) if byte.is_ascii_alphabetic() || byte == b'_' || byte >= 0x80 => self.word()?,
            _ => return Err(self.no_value()),
        };
        Ok(Node { kind, span: Span::new(start, self.at) })
    }

    fn no_value(&mut self) -> Complaint {
        let complaint = self.expected("a value");
        match self.byte() {
            Some(b'\'') => complaint.help("JSON puts strings in double quotes"),
            Some(b']' | b'}') => complaint.help("take away the comma before it, or add a value"),
            _ => complaint,
        }
    }

    fn nested(&mut self, read: fn(&mut Self) -> Result<Kind, Complaint>) -> Result<Kind, Complaint> {
        if self.depth >= MAX_DEPTH {
            return Err(Complaint::new(self.here(), TOO_DEEP));
        }
        self.depth += 1;
        self.at += 1;
        let kind = read(self)?;
        self.depth -= 1;
        Ok(kind)
    }

    fn array(&mut self) -> Result<Kind, Complaint> {
        let mut elements = Vec::new();
        if self.eat(b']') {
            return Ok(Kind::Array(elements));
        }
        loop {
            elements.push(self.value()?);
            if self.eat(b']') {
                return Ok(Kind::Array(elements));
            }
            if !self.eat(b',') {
                return Err(self.expected("`,` or `]`"));
            }
        }
    }

    fn object(&mut self) -> Result<Kind, Complaint> {
        let mut members: Vec<Member> = Vec::new();
        if self.eat(b'}') {
            return Ok(Kind::Object(members));
        }
        loop {
            members.push(self.member()?);
            if self.eat(b'}') {
                check_names(&members)?;
                return Ok(Kind::Object(members));
            }
            if !self.eat(b',') {
                return Err(self.expected("`,` or `}`"));
            }
        }
    }

    fn member(&mut self) -> Result<Member, Complaint> {
        let next = self.peek();
        if next != Some(b'"') {
            let complaint = self.expected("a name in double quotes");
            return Err(if next == Some(b'}') { complaint.help("take away the comma before it") } else { complaint });
        }
        let start = self.at;
        let name = self.string()?;
        let name_span = Span::new(start, self.at);
        if !self.eat(b':') {
            return Err(self.expected("`:`"));
        }
        Ok(Member { name, name_span, value: self.value()? })
    }

    fn string(&mut self) -> Result<String, Complaint> {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let from = self.at;
            while self.byte().is_some_and(|byte| !matches!(byte, b'"' | b'\\' | 0..=0x1F)) {
                self.at += 1;
            }
            text.push_str(self.text.get(from..self.at).unwrap_or_default());
            match self.byte() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(b'\n' | b'\r') => {
                    return Err(Complaint::new(self.here(), "a string can not go over the end of a line")
                        .help("close it with `\"`, or write the line break as `\\n`"));
                }
                Some(_) => {
                    return Err(Complaint::new(self.here(), "a control character in a string must be an escape")
                        .help("a tab is `\\t`, others are `\\u` and four digits"));
                }
                None => {
                    let message = "the text ends inside this string; expected `\"`";
                    return Err(Complaint::new(Span::new(start, self.at), message));
                }
            }
        }
    }

    fn escape(&mut self) -> Result<char, Complaint> {
        let start = self.at;
        self.at += 1;
        let character = match self.byte() {
            Some(byte @ (b'"' | b'\\' | b'/')) => char::from(byte),
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{C}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            _ => {
                let span = Span::new(start, self.here().end);
                return Err(Complaint::new(span, ["`", span.of(self.text), "` is no escape of JSON"].concat())
                    .help("a backslash itself is written `\\\\`"));
            }
        };
        self.at += 1;
        Ok(character)
    }

    /// `\uXXXX`, or two of them that make one character.
    fn unicode(&mut self, start: usize) -> Result<char, Complaint> {
        self.at += 1;
        let first = self.hex(start)?;
        let code = if (0xD800..0xDC00).contains(&first) && self.text.get(self.at..self.at + 2) == Some("\\u") {
            self.at += 2;
            let second = self.hex(start)?;
            if (0xDC00..0xE000).contains(&second) {
                0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)
            } else {
                first
            }
        } else {
            first
        };
        char::from_u32(code).ok_or_else(|| {
            let span = Span::new(start, self.at);
            Complaint::new(span, ["`", span.of(self.text), "` is half of a character"].concat())
        })
    }

    fn hex(&mut self, start: usize) -> Result<u32, Complaint> {
        let digits =
            self.text.get(self.at..self.at + 4).filter(|text| text.bytes().all(|byte| byte.is_ascii_hexdigit()));
        let Some(code) = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok()) else {
            return Err(Complaint::new(Span::new(start, self.at), "expected four hexadecimal digits after `\\u`"));
        };
        self.at += 4;
        Ok(code)
    }

    /// Takes everything that could belong to a number, so that the complaint shows all of it.
    fn number(&mut self) -> Result<Kind, Complaint> {
        let start = self.at;
        while self.byte().is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_'))
        {
            self.at += 1;
        }
        let span = Span::new(start, self.at);
        let text = span.of(self.text);
        if is_number(text) {
            return Ok(Kind::Number);
        }
        let complaint = Complaint::new(span, ["`", text, "` is no number of JSON"].concat());
        let digits = text.trim_start_matches('-');
        Err(if digits.starts_with('0') && digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
            complaint.help("take away the zeros in front, or put it in double quotes")
        } else {
            complaint.help("if it is text, put it in double quotes")
        })
    }

    fn word(&mut self) -> Result<Kind, Complaint> {
        let start = self.at;
        let ends =
            |byte: u8| byte.is_ascii_whitespace() || matches!(byte, b',' | b':' | b'"' | b'[' | b']' | b'{' | b'}');
        while self.byte().is_some_and(|byte| !ends(byte)) {
            self.at += 1;
        }
        let span = Span::new(start, self.at);
        let word = span.of(self.text);
        match word {
            "null" => Ok(Kind::Null),
            "true" => Ok(Kind::Bool(true)),
            "false" => Ok(Kind::Bool(false)),
            _ => {
                let shown: String = word.chars().take(40).collect();
                let complaint = Complaint::new(span, ["`", &shown, "` is no value of JSON"].concat());
                let wrong_case = ["null", "true", "false", "none"].iter().any(|known| known.eq_ignore_ascii_case(word));
                Err(complaint.help(if wrong_case {
                    "JSON writes `true`, `false` and `null`"
                } else {
                    "if it is text, put it in double quotes"
                }))
            }
        }
    }
}

/// `-? (0 | [1-9] digits) (. digits)? ([eE] [+-]? digits)?`
fn is_number(text: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    digits(whole)
        && (whole == "0" || !whole.starts_with('0'))
        && fraction.is_none_or(digits)
        && exponent.is_none_or(digits)
}

fn check_names(members: &[Member]) -> Result<(), Complaint> {
    let places = sorted_places(members.len(), &|a, b| members[a].name.cmp(&members[b].name));
    let again = places.windows(2).filter(|pair| members[pair[0]].name == members[pair[1]].name).map(|pair| pair[1]);
    match again.min().and_then(|place| members.get(place)) {
        Some(member) => {
            Err(Complaint::new(member.name_span, ["`", &member.name, "` stands twice in this object"].concat())
                .help("an attribute has one value; take one of the two away"))
        }
        None => Ok(()),
    }
}
