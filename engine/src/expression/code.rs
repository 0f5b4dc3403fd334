//! AND, OR and NOT as a short list of steps with jumps.
//!
//! A condition needs no stack to run: one truth value, and jumps past what can no longer change it. So the
//! depth of a condition costs nothing, neither here nor when it is dropped.

use super::grammar::Node;

/// One step. A jump leads to a later step, or just past the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    Test(usize),
    Flip,
    JumpIfFalse(usize),
    JumpIfTrue(usize),
}

/// The logic between predicates, which are called by their numbers.
#[derive(Clone, Debug)]
pub(super) struct Code(Vec<Step>);

/// How a run ended: the truth, and the last predicate that was asked, which decided it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Verdict {
    pub holds: bool,
    pub decided_by: usize,
    /// What that predicate itself said; not the verdict where a NOT stands above it.
    pub decider_holds: bool,
}

enum Task {
    Write(usize),
    Flip,
    Jump { if_true: bool },
    Land,
}

impl Code {
    /// From postfix order, without recursion.
    pub(super) fn new(postfix: &[Node]) -> Self {
        let starts = subtree_starts(postfix);
        let mut steps = Vec::with_capacity(postfix.len() * 2);
        let mut jumps = Vec::new();
        let mut tasks: Vec<Task> = postfix.len().checked_sub(1).map(Task::Write).into_iter().collect();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Write(at) => match postfix[at] {
                    Node::Test(number) => steps.push(Step::Test(number)),
                    Node::Not(_) => tasks.extend([Task::Flip, Task::Write(at - 1)]),
                    node @ (Node::And(_) | Node::Or(_)) => {
                        let (right, left) = (at - 1, starts[at - 1] - 1);
                        let if_true = matches!(node, Node::Or(_));
                        tasks.extend([Task::Land, Task::Write(right), Task::Jump { if_true }, Task::Write(left)]);
                    }
                },
                Task::Flip => steps.push(Step::Flip),
                Task::Jump { if_true } => {
                    jumps.push(steps.len());
                    steps.push(if if_true { Step::JumpIfTrue(0) } else { Step::JumpIfFalse(0) });
                }
                Task::Land => {
                    let end = steps.len();
                    if let Some(Step::JumpIfTrue(target) | Step::JumpIfFalse(target)) =
                        jumps.pop().and_then(|at: usize| steps.get_mut(at))
                    {
                        *target = end;
                    }
                }
            }
        }
        Self(steps)
    }

    /// Runs the logic; `holds` answers for a predicate's number. What is jumped over is not asked.
    pub(super) fn run(&self, holds: impl Fn(usize) -> bool) -> Verdict {
        let mut verdict = Verdict { holds: false, decided_by: 0, decider_holds: false };
        let mut at = 0;
        while let Some(step) = self.0.get(at) {
            at += 1;
            match *step {
                Step::Test(number) => {
                    let truth = holds(number);
                    verdict = Verdict { holds: truth, decided_by: number, decider_holds: truth };
                }
                Step::Flip => verdict.holds = !verdict.holds,
                Step::JumpIfFalse(target) if !verdict.holds => at = target,
                Step::JumpIfTrue(target) if verdict.holds => at = target,
                Step::JumpIfFalse(_) | Step::JumpIfTrue(_) => {}
            }
        }
        verdict
    }
}

/// For each node the position where its subtree begins; a node's left child ends just before its right
/// child's beginning.
pub(super) fn subtree_starts(postfix: &[Node]) -> Vec<usize> {
    let mut starts: Vec<usize> = Vec::with_capacity(postfix.len());
    for (at, node) in postfix.iter().enumerate() {
        starts.push(match node {
            Node::Test(_) => at,
            Node::Not(_) => starts[at - 1],
            Node::And(_) | Node::Or(_) => starts[starts[at - 1] - 1],
        });
    }
    starts
}

/// Positions of the nodes with each parent before its children, left before right.
pub(super) fn preorder(postfix: &[Node]) -> Vec<usize> {
    let starts = subtree_starts(postfix);
    let mut order = Vec::with_capacity(postfix.len());
    let mut tasks: Vec<usize> = postfix.len().checked_sub(1).into_iter().collect();
    while let Some(at) = tasks.pop() {
        order.push(at);
        match postfix[at] {
            Node::Test(_) => {}
            Node::Not(_) => tasks.push(at - 1),
            Node::And(_) | Node::Or(_) => tasks.extend([at - 1, starts[at - 1] - 1]),
        }
    }
    order
}
