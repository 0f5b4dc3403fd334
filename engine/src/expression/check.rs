//! What the service refuses in a condition before it looks at any item.
//!
//! The order is the service's own, as recorded: unknown function → misused function → reserved word; then
//! predicate by predicate undefined placeholder → number of operands → distinct operands → types of operands.
//! (Parentheses and the number of operators come before all: [`super::cursor`].)

use super::compare::{is_ordered, size};
use super::grammar::{Comparator, RawCondition, RawPredicate, RawTest};
use super::operand::{RawCall, RawOperand};
use super::predicate::{Operand, Predicate, Test};
use super::resolve::{Checker, Function, Resolved};
use super::{MAX_IN_OPERANDS, text};
use crate::diagnostic::{Failure, Span};
use crate::value::{AttributeValue, ValueType};

impl Checker<'_, '_> {
    /// Runs all static checks on a condition and returns its predicates, ready to run.
    pub(super) fn condition(&mut self, condition: &RawCondition) -> Result<Vec<Predicate>, Failure> {
        self.cursor.finish()?;
        for predicate in &condition.predicates {
            predicate.test.visit(&mut |operand| self.check_function_known(operand))?;
            if let RawTest::Call(call) = &predicate.test {
                self.check_name_known(call)?;
            }
        }
        for predicate in &condition.predicates {
            self.check_function_use(predicate)?;
        }
        for predicate in &condition.predicates {
            predicate.test.visit(&mut |operand| self.check_words(operand))?;
        }
        condition.predicates.iter().map(|predicate| self.predicate(predicate)).collect()
    }

    /// Only size() has a value to compare, and a value alone is no condition.
    fn check_function_use(&self, predicate: &RawPredicate) -> Result<(), Failure> {
        let misused = |name: Span| {
            let text = "The function is not allowed to be used this way in an expression; function: ";
            Err(self.refuse(&[text, self.word(name)], name))
        };
        predicate.test.visit(&mut |operand| match operand {
            RawOperand::Call(call) if self.word(call.name) != Function::Size.name() => misused(call.name),
            _ => Ok(()),
        })?;
        match &predicate.test {
            RawTest::Call(call) if self.word(call.name) == Function::Size.name() => misused(call.name),
            _ => Ok(()),
        }
    }

    fn predicate(&mut self, raw: &RawPredicate) -> Result<Predicate, Failure> {
        let test = match &raw.test {
            RawTest::Compare { left, comparator, right } => {
                let operands = [self.resolve(left)?, self.resolve(right)?];
                self.check_operands(comparator.symbol(), &operands, raw.span)?;
                self.check_ordered(*comparator, &operands)?;
                let [left, right] = operands;
                Test::Compare { left: self.operand(left)?, comparator: *comparator, right: self.operand(right)? }
            }
            RawTest::Between { value, low, high } => {
                let operands = [self.resolve(value)?, self.resolve(low)?, self.resolve(high)?];
                self.check_operands("BETWEEN", &operands, raw.span)?;
                self.check_bounds(&operands)?;
                let [value, low, high] = operands;
                Test::Between { value: self.operand(value)?, low: self.operand(low)?, high: self.operand(high)? }
            }
            RawTest::In { value, candidates } => {
                let mut operands = vec![self.resolve(value)?];
                operands.extend(self.resolve_all(candidates)?);
                self.check_operands("IN", &operands, raw.span)?;
                let value = self.operand(operands.remove(0))?;
                let candidates = operands.into_iter().map(|operand| self.operand(operand)).collect::<Result<_, _>>()?;
                Test::In { value, candidates }
            }
            RawTest::Call(call) => {
                let arguments = self.resolve_all(&call.arguments)?;
                self.call_test(call, arguments)?
            }
        };
        Ok(Predicate { test, operator: raw.operator, span: raw.span })
    }

    /// Number of operands inside, distinctness, types inside: what all operators have in common.
    fn check_operands(&self, operator: &str, operands: &[Resolved], span: Span) -> Result<(), Failure> {
        for operand in operands {
            self.check_counts(operand)?;
        }
        if operator == "IN" && operands.len() > MAX_IN_OPERANDS + 1 {
            let count = (operands.len() - 1).to_string();
            let text = "The IN operator is provided with too many operands; number of operands: ";
            return Err(self.refuse(&[text, &count], span));
        }
        self.check_distinct(operator, operands)?;
        for operand in operands {
            self.check_types(operand)?;
        }
        Ok(())
    }

    pub(super) fn check_counts(&self, operand: &Resolved) -> Result<(), Failure> {
        let Resolved::Call { function, arguments, span } = operand else { return Ok(()) };
        for argument in arguments {
            self.check_counts(argument)?;
        }
        if arguments.len() == function.operands() {
            return Ok(());
        }
        let count = arguments.len().to_string();
        let text = "Incorrect number of operands for operator or function; operator or function: ";
        Err(self.refuse(&[text, function.name(), ", number of operands: ", &count], *span))
    }

    fn check_distinct(&self, operator: &str, operands: &[Resolved]) -> Result<(), Failure> {
        let Some((Resolved::Path(first), others)) = operands.split_first() else { return Ok(()) };
        for other in others {
            if let Resolved::Path(path) = other
                && path.same_place(first)
            {
                let text = "The first operand must be distinct from the remaining operands for this operator or function; operator: ";
                return Err(self.refuse(&[text, operator, ", first operand: ", &first.listed()], path.span));
            }
        }
        Ok(())
    }

    /// Types of operands of functions, innermost first.
    pub(super) fn check_types(&self, operand: &Resolved) -> Result<(), Failure> {
        let Resolved::Call { function, arguments, span } = operand else { return Ok(()) };
        for argument in arguments {
            self.check_types(argument)?;
        }
        self.check_call_types(*function, arguments, *span)
    }

    fn check_call_types(&self, function: Function, arguments: &[Resolved], span: Span) -> Result<(), Failure> {
        let first = arguments.first();
        let needs_path = matches!(
            function,
            Function::AttributeExists | Function::AttributeNotExists | Function::AttributeType | Function::IfNotExists
        );
        if needs_path && !matches!(first, Some(Resolved::Path(_))) {
            let text = "Operator or function requires a document path; operator or function: ";
            return Err(self.refuse(&[text, function.name()], first.map_or(span, Resolved::span)));
        }
        let allowed: fn(ValueType) -> bool = match function {
            Function::BeginsWith => |ty| matches!(ty, ValueType::S | ValueType::B),
            Function::Size => |ty| !matches!(ty, ValueType::N | ValueType::Bool | ValueType::Null),
            Function::ListAppend => |ty| ty == ValueType::L,
            Function::AttributeType => return self.check_type_name(arguments.get(1), span),
            Function::AttributeExists | Function::AttributeNotExists | Function::Contains | Function::IfNotExists => {
                return Ok(());
            }
        };
        for argument in arguments {
            self.check_type(function.name(), argument, allowed)?;
        }
        Ok(())
    }

    /// Refuses an operand that is known to be of a type that `allowed` does not want.
    pub(super) fn check_type(
        &self,
        operator: &str,
        operand: &Resolved,
        allowed: fn(ValueType) -> bool,
    ) -> Result<(), Failure> {
        match operand.known_type() {
            Some(ty) if !allowed(ty) => Err(self.wrong_type(operator, ty.name(), operand.span())),
            _ => Ok(()),
        }
    }

    fn wrong_type(&self, operator: &str, ty: &str, span: Span) -> Failure {
        let text = "Incorrect operand type for operator or function; operator or function: ";
        self.refuse(&[text, operator, ", operand type: ", ty], span)
    }

    /// The second operand of attribute_type: a constant string that names a type.
    fn check_type_name(&self, operand: Option<&Resolved>, span: Span) -> Result<(), Failure> {
        let operator = Function::AttributeType.name();
        match operand {
            Some(Resolved::Constant(value, span)) => match &**value {
                AttributeValue::S(name) if ValueType::from_name(name).is_some() => Ok(()),
                AttributeValue::S(name) => {
                    let valid = ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}";
                    Err(self.refuse(&["Invalid attribute type name found; type: ", name, valid], *span))
                }
                other => Err(self.wrong_type(operator, other.value_type().name(), *span)),
            },
            Some(call @ Resolved::Call { .. }) => {
                Err(self.wrong_type(operator, call.known_type().map_or("BOOL", ValueType::name), call.span()))
            }
            Some(Resolved::Path(path)) => Err(self.wrong_type(operator, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}", path.span)),
            None => Err(self.wrong_type(operator, "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}", span)),
        }
    }

    /// `<`, `<=`, `>`, `>=` order strings, numbers and binary only.
    fn check_ordered(&self, comparator: Comparator, operands: &[Resolved]) -> Result<(), Failure> {
        if matches!(comparator, Comparator::Equal | Comparator::NotEqual) {
            return Ok(());
        }
        operands.iter().try_for_each(|operand| self.check_type(comparator.symbol(), operand, is_ordered))
    }

    fn check_bounds(&self, operands: &[Resolved; 3]) -> Result<(), Failure> {
        operands.iter().try_for_each(|operand| self.check_type("BETWEEN", operand, is_ordered))?;
        let [_, Resolved::Constant(low, low_span), Resolved::Constant(high, high_span)] = operands else {
            return Ok(());
        };
        let rule = if low.value_type() != high.value_type() {
            "same data type for lower and upper bounds"
        } else if low > high {
            "upper bound to be greater than or equal to lower bound"
        } else {
            return Ok(());
        };
        let (low, high) = (printed(low), printed(high));
        Err(self.refuse(
            &[
                "The BETWEEN operator requires ",
                rule,
                "; lower bound operand: AttributeValue: ",
                &low,
                ", upper bound operand: AttributeValue: ",
                &high,
            ],
            low_span.to(*high_span),
        ))
    }

    /// Checks a call that is a predicate and makes it one.
    fn call_test(&mut self, call: &RawCall, arguments: Vec<Resolved>) -> Result<Test, Failure> {
        let Some(function) = Function::from_name(self.word(call.name)) else {
            return Err(self.refuse(&["Invalid function name; function: ", self.word(call.name)], call.name));
        };
        let whole = Resolved::Call { function, arguments, span: call.span };
        self.check_counts(&whole)?;
        let Resolved::Call { arguments, .. } = &whole else { return Err(self.misused(call)) };
        self.check_distinct(function.name(), arguments)?;
        self.check_types(&whole)?;
        let Resolved::Call { arguments, .. } = whole else { return Err(self.misused(call)) };
        let mut arguments = arguments.into_iter();
        Ok(match (function, arguments.next(), arguments.next()) {
            (Function::AttributeExists, Some(Resolved::Path(path)), None) => Test::Exists(path),
            (Function::AttributeNotExists, Some(Resolved::Path(path)), None) => Test::NotExists(path),
            (Function::AttributeType, Some(Resolved::Path(path)), Some(Resolved::Constant(name, _))) => match &*name {
                AttributeValue::S(name) => Test::HasType(path, ValueType::from_name(name).unwrap_or(ValueType::S)),
                _ => return Err(self.misused(call)),
            },
            (Function::BeginsWith, Some(value), Some(prefix)) => {
                Test::BeginsWith(self.operand(value)?, self.operand(prefix)?)
            }
            (Function::Contains, Some(value), Some(part)) => Test::Contains(self.operand(value)?, self.operand(part)?),
            _ => return Err(self.misused(call)),
        })
    }

    fn misused(&self, call: &RawCall) -> Failure {
        let text = "The function is not allowed to be used this way in an expression; function: ";
        self.refuse(&[text, self.word(call.name)], call.name)
    }

    fn operand(&self, resolved: Resolved) -> Result<Operand, Failure> {
        match resolved {
            Resolved::Path(path) => Ok(Operand::Path(path)),
            Resolved::Constant(value, _) => Ok(Operand::Constant(value)),
            Resolved::Call { function: Function::Size, mut arguments, span } => match arguments.pop() {
                Some(Resolved::Path(path)) => Ok(Operand::Size(path)),
                Some(Resolved::Constant(value, _)) => Ok(Operand::SizeOfConstant(size(&value))),
                _ => Err(self.wrong_type(Function::Size.name(), ValueType::N.name(), span)),
            },
            Resolved::Call { function, span, .. } => {
                let text = "The function is not allowed to be used this way in an expression; function: ";
                Err(self.refuse(&[text, function.name()], span))
            }
        }
    }
}

/// `{N:1}`, as the service prints a bound.
fn printed(value: &AttributeValue) -> String {
    let content = match value {
        AttributeValue::S(text) => text.clone(),
        AttributeValue::N(number) => number.to_string(),
        AttributeValue::B(bytes) => crate::value::base64::encode(bytes, crate::value::base64::Alphabet::Standard),
        _ => String::new(),
    };
    text(&["{", value.value_type().name(), ":", &content, "}"])
}
