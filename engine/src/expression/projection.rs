//! ProjectionExpression: which parts of an item are answered.
//!
//! Rules: Developer Guide, "Using projection expressions in DynamoDB". Order of complaints, as recorded:
//! reserved word → undefined placeholder → overlap → conflict.

use super::ExpressionKind;
use super::cursor::Cursor;
use super::operand::parse_path;
use super::path::{Mentions, Path};
use super::placeholders::Placeholders;
use super::resolve::Checker;
use super::selection::Tree;
use crate::diagnostic::{Failure, Span};
use crate::value::Item;

/// A projection, checked and ready to run.
#[derive(Clone, Debug)]
pub struct Projection {
    parts: Tree<()>,
    mentions: Mentions,
}

/// Reads `path { "," path }`.
pub fn parse_projection(source: &str, placeholders: &mut Placeholders) -> Result<Projection, Failure> {
    let mut cursor = Cursor::new(ExpressionKind::Projection, source)?;
    let mut raw = vec![parse_path(&mut cursor)?];
    while cursor.eat(",").is_some() {
        raw.push(parse_path(&mut cursor)?);
    }
    if !cursor.at_end() {
        return Err(cursor.syntax_error());
    }
    let mut checker = Checker { cursor: &cursor, placeholders };
    raw.iter().try_for_each(|path| checker.check_path_words(path))?;
    let paths: Vec<Path> = raw.iter().map(|path| checker.path(path)).collect::<Result<_, _>>()?;
    checker.check_collisions(paths.iter())?;
    let mut projection = Projection { parts: Tree::new(), mentions: Mentions::default() };
    for path in &paths {
        projection.parts.add(path, ());
        projection.mentions.add(path);
    }
    Ok(projection)
}

impl Projection {
    /// The named parts of the item. What the item lacks is left out; list elements close up.
    pub fn apply(&self, item: &Item) -> Item {
        self.parts.pick(item)
    }

    /// Top-level attributes it names, each with the place of its first mention.
    pub fn top_level_attributes(&self) -> impl Iterator<Item = (&str, Span)> {
        self.mentions.iter()
    }

    /// Top-level attributes that it goes into (`a.b`, `a[0]`), with the place of the first such path: keys
    /// are scalars, so the service refuses such paths on them.
    pub fn nested_attributes(&self) -> impl Iterator<Item = (&str, Span)> {
        self.mentions.nested()
    }
}
