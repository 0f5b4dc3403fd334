//! Undo and redo of the database's state: the states before the latest writes, and the commands between them.

use super::{Session, Step};
use crate::scenario::Command;

/// Steps that can be undone. Items are shared between states, so a step costs little.
const MAX_UNDO: usize = 32;
/// Larger tables are not copied for undo.
const MAX_UNDO_ITEMS: usize = 20_000;

impl Session {
    pub(super) fn push(&mut self, command: Command) {
        self.journal.push(command);
        self.redo.clear();
    }

    pub(super) fn save_undo(&mut self) {
        let items: usize = self.state.database.iter().map(|table| table.base().entries.len()).sum();
        if items > MAX_UNDO_ITEMS {
            self.undo.clear();
            return;
        }
        if self.undo.len() == MAX_UNDO {
            self.undo.remove(0);
        }
        self.undo.push(Step { state: self.state.clone(), journal: self.journal.len(), commands: Vec::new() });
    }

    /// Can the latest write be undone?
    pub fn can_undo(&self) -> bool {
        !self.undo.is_empty()
    }

    /// Can the latest undo be taken back?
    pub fn can_redo(&self) -> bool {
        !self.redo.is_empty()
    }

    /// Goes back to before the latest write, clock and traffic included; false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(step) = self.undo.pop() else { return false };
        let commands = self.journal.split_off(step.journal);
        let state = std::mem::replace(&mut self.state, step.state);
        self.redo.push(Step { state, journal: step.journal, commands });
        true
    }

    /// Takes the latest undo back; false if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(step) = self.redo.pop() else { return false };
        let state = std::mem::replace(&mut self.state, step.state);
        self.undo.push(Step { state, journal: step.journal, commands: Vec::new() });
        self.journal.extend(step.commands);
        true
    }
}
