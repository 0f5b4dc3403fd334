//! Undo and redo of the database's state: the states before the latest writes, and the commands between them.

use super::snapshots::MOST_ITEMS;
use super::{Session, State};
use crate::scenario::Command;
use crate::time::SimTime;
use std::sync::Arc;

/// Steps that can be undone. Items are shared between states, so a step costs little.
const MAX_UNDO: usize = 32;

/// A state to go back (or forward) to.
#[derive(Clone, Debug)]
pub(super) struct Step {
    state: Arc<State>,
    /// Length of the journal at that state.
    pub(super) journal: usize,
    /// What an undo cut off the journal.
    commands: Vec<Command>,
}

impl Session {
    pub(super) fn push(&mut self, command: Command) {
        self.journal.push(command);
        self.redo.clear();
    }

    /// The requests and changes of traffic of the journal, each with its moment, oldest first.
    pub fn edits(&self) -> impl Iterator<Item = (SimTime, &Command)> {
        let mut now = SimTime::ZERO;
        self.journal.iter().filter_map(move |command| match command {
            Command::Advance { to, .. } => {
                now = *to;
                None
            }
            Command::Send(_) | Command::Traffic(_) => Some((now, command)),
        })
    }

    /// Keeps the state to come back to; false if it is too large for that.
    pub(super) fn save_undo(&mut self) -> bool {
        if self.state.items() > MOST_ITEMS {
            self.undo.clear();
            return false;
        }
        if self.undo.len() == MAX_UNDO {
            self.undo.remove(0);
        }
        let state = Arc::new(self.state.clone());
        self.undo.push(Step { state, journal: self.journal.len(), commands: Vec::new() });
        true
    }

    /// Forgets the state kept last.
    pub(super) fn forget_undo(&mut self) {
        self.undo.pop();
    }

    /// Puts a state in the place of the present one, which is given back.
    fn exchange(&mut self, state: Arc<State>) -> Arc<State> {
        Arc::new(std::mem::replace(&mut self.state, Arc::unwrap_or_clone(state)))
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
        self.snapshots.cut(step.journal);
        let state = self.exchange(step.state);
        self.redo.push(Step { state, journal: step.journal, commands });
        true
    }

    /// Takes the latest undo back; false if there is none.
    pub fn redo(&mut self) -> bool {
        let Some(step) = self.redo.pop() else { return false };
        let state = self.exchange(step.state);
        self.undo.push(Step { state, journal: step.journal, commands: Vec::new() });
        self.journal.extend(step.commands);
        true
    }
}

#[cfg(test)]
mod tests {
    use crate::scenario::Scenario;
    use crate::session::Session;
    use serde_json::json;

    #[test]
    fn a_group_is_one_step_and_a_refused_write_is_none() {
        let mut session = Session::new(Scenario::default()).unwrap();
        let create = json!({
            "TableName": "app", "BillingMode": "PAY_PER_REQUEST",
            "AttributeDefinitions": [{"AttributeName": "PK", "AttributeType": "S"}],
            "KeySchema": [{"AttributeName": "PK", "KeyType": "HASH"}],
        });
        assert!(session.send("CreateTable", &create).result.is_ok());
        let put = |key: &str| json!({"TableName": "app", "Item": {"PK": {"S": key}}});
        let outcomes = session.send_all(
            crate::operation::read_any,
            &[("PutItem", put("a")), ("PutItem", put("")), ("PutItem", put("b"))],
        );
        assert_eq!(outcomes.iter().filter(|outcome| outcome.result.is_ok()).count(), 2);
        assert!(session.send("PutItem", &put("")).result.is_err());
        let items = |session: &Session| session.database().get("app").map(|table| table.base().entries.len());
        assert!(session.undo());
        assert_eq!(items(&session), Some(0), "both puts of the group are gone at once");
        assert!(session.redo());
        assert_eq!(items(&session), Some(2));
    }
}
