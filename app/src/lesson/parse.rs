//! Lessons as text: front matter, steps under `##` headings, predict and task blocks between `:::` lines.
//!
//! Pure text to plain data. Complaints name the line, so that an author finds the place.

use std::collections::BTreeMap;

/// A lesson.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lesson {
    /// Above the first step.
    pub title: String,
    /// How long it takes, in words.
    pub time: String,
    /// Slug of the scene it plays in.
    pub scene: String,
    /// The steps.
    pub steps: Vec<Step>,
}

/// One step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Step {
    /// Its heading.
    pub title: String,
    /// Its parts, in order.
    pub parts: Vec<Part>,
}

/// A part of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// A paragraph.
    Prose(String),
    /// A question to answer before looking.
    Predict(Predict),
    /// Something to do, checked by the machine.
    Task(Task),
}

/// A question with answers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Predict {
    /// Names it in kept progress.
    pub id: String,
    /// The question.
    pub question: String,
    /// Its answers.
    pub options: Vec<Choice>,
}

/// One answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The answer.
    pub answer: String,
    /// Why it is right or wrong.
    pub reason: String,
    /// Is it right?
    pub correct: bool,
}

/// Something to do.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Task {
    /// Names it in kept progress.
    pub id: String,
    /// What to do.
    pub text: Vec<String>,
    /// What must hold.
    pub checks: Vec<Check>,
    /// One at a time.
    pub hints: Vec<String>,
    /// The way.
    pub solution: String,
}

/// One thing that must hold: a subject and its settings, from a closed list (see [`super::check`]).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Check {
    /// `result`, `pages`, `cursor`, `request` or `cost`.
    pub subject: String,
    /// The settings, as text.
    pub settings: BTreeMap<String, String>,
}

/// What is wrong with a lesson, and on which line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LessonFault {
    /// One-based.
    pub line: usize,
    /// What is wrong and what to write instead.
    pub message: String,
}

fn fault<T>(line: usize, message: impl Into<String>) -> Result<T, LessonFault> {
    Err(LessonFault { line, message: message.into() })
}

/// What the lines being read belong to.
enum Block {
    Prose,
    Predict(Predict),
    Task(Task, Section),
}

enum Section {
    Text,
    Checks,
    Hint,
    Solution,
}

struct Reader {
    lesson: Lesson,
    block: Block,
    paragraph: String,
}

/// Reads a lesson.
///
/// # Errors
/// The first line that cannot be understood.
pub fn parse(source: &str) -> Result<Lesson, LessonFault> {
    let mut lines = source.lines().enumerate().map(|(at, line)| (at + 1, line.trim_end()));
    let mut reader = Reader { lesson: Lesson::default(), block: Block::Prose, paragraph: String::new() };
    if lines.next().map(|(_, line)| line) != Some("---") {
        return fault(1, "a lesson begins with `---` and its front matter");
    }
    loop {
        match lines.next() {
            None => return fault(1, "the front matter is never closed; write `---` after it"),
            Some((_, "---")) => break,
            Some((at, line)) => reader.front_matter(at, line)?,
        }
    }
    if reader.lesson.title.is_empty() {
        return fault(1, "the front matter has no `title`");
    }
    let mut last = 1;
    for (at, line) in lines {
        last = at;
        reader.line(at, line)?;
    }
    reader.end_paragraph();
    match reader.block {
        Block::Prose if reader.lesson.steps.is_empty() => fault(last, "the lesson has no step; begin one with `## `"),
        Block::Prose => Ok(reader.lesson),
        Block::Predict(_) | Block::Task(..) => fault(last, "a block is never closed; write `:::` after it"),
    }
}

impl Reader {
    fn front_matter(&mut self, at: usize, line: &str) -> Result<(), LessonFault> {
        let Some((key, value)) = line.split_once(':') else {
            return fault(at, format!("`{line}` is not `key: value`"));
        };
        let value = value.trim().to_owned();
        match key.trim() {
            "format" if value == "1" => {}
            "format" => return fault(at, format!("this page reads format 1, and the lesson has format {value}")),
            "title" => self.lesson.title = value,
            "time" => self.lesson.time = value,
            "scene" => self.lesson.scene = value,
            "lang" | "lens" => {}
            other => {
                return fault(at, format!("`{other}` is not known; known are format, title, lang, time, scene, lens"));
            }
        }
        Ok(())
    }

    fn step(&mut self, at: usize) -> Result<&mut Step, LessonFault> {
        self.lesson
            .steps
            .last_mut()
            .ok_or_else(|| LessonFault { line: at, message: "text before the first step; begin one with `## `".into() })
    }

    /// Ends the paragraph being gathered and puts it where it belongs.
    fn end_paragraph(&mut self) {
        let text = std::mem::take(&mut self.paragraph);
        if text.is_empty() {
            return;
        }
        match &mut self.block {
            Block::Prose => {
                if let Some(step) = self.lesson.steps.last_mut() {
                    step.parts.push(Part::Prose(text));
                }
            }
            Block::Predict(predict) => predict.question = text,
            Block::Task(task, Section::Text) => task.text.push(text),
            Block::Task(task, Section::Hint) => task.hints.push(text),
            Block::Task(task, Section::Solution) => task.solution = text,
            Block::Task(_, Section::Checks) => {}
        }
    }

    fn line(&mut self, at: usize, line: &str) -> Result<(), LessonFault> {
        if let Some(directive) = line.strip_prefix(":::") {
            self.end_paragraph();
            return self.directive(at, directive.trim());
        }
        if line.is_empty() {
            self.end_paragraph();
            return Ok(());
        }
        if let (Block::Prose, Some(title)) = (&self.block, line.strip_prefix("## ")) {
            self.end_paragraph();
            self.lesson.steps.push(Step { title: title.trim().to_owned(), parts: Vec::new() });
            return Ok(());
        }
        match &mut self.block {
            Block::Predict(predict) => {
                if let Some(choice) = line.strip_prefix("- ") {
                    predict.options.push(read_choice(at, choice)?);
                    let question = std::mem::take(&mut self.paragraph);
                    if !question.is_empty() {
                        predict.question = question;
                    }
                    return Ok(());
                }
            }
            Block::Task(task, Section::Checks) => {
                let Some(check) = line.strip_prefix("- ") else {
                    return fault(at, "a check is a line such as `- result: { count: 6 }`");
                };
                task.checks.push(read_check(at, check)?);
                return Ok(());
            }
            Block::Prose => {
                self.step(at)?;
            }
            Block::Task(..) => {}
        }
        if !self.paragraph.is_empty() {
            self.paragraph.push(' ');
        }
        self.paragraph.push_str(line.trim());
        Ok(())
    }

    fn directive(&mut self, at: usize, directive: &str) -> Result<(), LessonFault> {
        let (name, rest) = directive.split_once(' ').unwrap_or((directive, ""));
        let id = rest.trim().strip_prefix("id=").unwrap_or("").to_owned();
        let block = std::mem::replace(&mut self.block, Block::Prose);
        self.block = match (name, block) {
            ("predict", Block::Prose) => Block::Predict(Predict { id, ..Predict::default() }),
            ("task", Block::Prose) => Block::Task(Task { id, ..Task::default() }, Section::Text),
            ("check", Block::Task(task, _)) => Block::Task(task, Section::Checks),
            ("hint", Block::Task(task, _)) => Block::Task(task, Section::Hint),
            ("solution", Block::Task(task, _)) => Block::Task(task, Section::Solution),
            ("", Block::Predict(predict)) => {
                if predict.options.iter().filter(|choice| choice.correct).count() != 1 {
                    return fault(at, "a question needs exactly one answer whose reason begins with `correct.`");
                }
                self.step(at)?.parts.push(Part::Predict(predict));
                Block::Prose
            }
            ("", Block::Task(task, _)) => {
                if task.checks.is_empty() {
                    return fault(at, "a task needs at least one check");
                }
                self.step(at)?.parts.push(Part::Task(task));
                Block::Prose
            }
            ("check" | "hint" | "solution", _) => return fault(at, format!("`:::{name}` stands outside a task")),
            ("", Block::Prose) => return fault(at, "`:::` closes nothing"),
            ("predict" | "task", _) => return fault(at, format!("`:::{name}` begins before the last block is closed")),
            (other, _) => {
                return fault(at, format!("`:::{other}` is not known; known are predict, task, check, hint, solution"));
            }
        };
        Ok(())
    }
}

fn read_choice(at: usize, source: &str) -> Result<Choice, LessonFault> {
    let Some((answer, reason)) = source.split_once("::") else {
        return fault(at, "an answer is written `- answer :: reason`");
    };
    let reason = reason.trim();
    let (correct, reason) = match reason.strip_prefix("correct.") {
        Some(rest) => (true, rest.trim()),
        None => (false, reason),
    };
    Ok(Choice { answer: answer.trim().to_owned(), reason: reason.to_owned(), correct })
}

fn read_check(at: usize, source: &str) -> Result<Check, LessonFault> {
    let Some((subject, settings)) = source.split_once(':') else {
        return fault(at, "a check is written `- subject: { setting: value }`");
    };
    let (subject, settings) = (subject.trim().to_owned(), settings.trim());
    let mut map = BTreeMap::new();
    match settings.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')) {
        Some(inner) => {
            for pair in inner.split(',') {
                let Some((key, value)) = pair.split_once(':') else {
                    return fault(at, format!("`{}` is not `setting: value`", pair.trim()));
                };
                map.insert(key.trim().to_owned(), value.trim().trim_matches('"').to_owned());
            }
        }
        None => {
            map.insert("is".to_owned(), settings.to_owned());
        }
    }
    let check = Check { subject, settings: map };
    super::check::known(&check).map_err(|message| LessonFault { line: at, message })?;
    Ok(check)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHIPPED: &str = include_str!("../../../public/lessons/limit-filter-cursor/en.md");

    #[test]
    fn the_shipped_lesson_reads() {
        let lesson = parse(SHIPPED).unwrap();
        assert_eq!(lesson.scene, "orders");
        assert_eq!(lesson.steps.len(), 4);
        let tasks = lesson.steps.iter().flat_map(|step| &step.parts).filter(|part| matches!(part, Part::Task(_)));
        assert_eq!(tasks.count(), 4);
        let Some(Part::Predict(predict)) = lesson.steps[0].parts.get(2) else { panic!("a question comes third") };
        assert_eq!(predict.options[1].answer, "2");
        assert!(predict.options[1].correct && predict.options[1].reason.starts_with("Ten are read"));
    }

    #[test]
    fn complaints_name_the_line() {
        let check = |body: &str, line: usize, word: &str| {
            let found = parse(&format!("---\nformat: 1\ntitle: T\n---\n{body}")).unwrap_err();
            assert_eq!(found.line, line, "{}", found.message);
            assert!(found.message.contains(word), "{}", found.message);
        };
        check("text", 5, "step");
        check("## S\n:::tsk", 6, "tsk");
        check("## S\n:::predict\nQ?\n- a :: b\n:::", 9, "correct");
        check("## S\n:::task\nDo.\n:::check\n- reslt: { count: 1 }\n:::", 9, "reslt");
        check("## S\n:::task\nDo.\n", 7, "never closed");
        assert_eq!(parse("no").unwrap_err().line, 1);
    }
}
