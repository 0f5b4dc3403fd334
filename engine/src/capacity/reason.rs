//! Why a request was refused for want of capacity, in AWS's own words.
//!
//! Sixteen reasons: {Table, Index} × {Read, Write} × four causes. Developer Guide, "Diagnosing throttling";
//! API reference, *ThrottlingReason*.

use crate::diagnostic::{ErrorKind, Failure};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The table itself, or one of its global secondary indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Resource {
    /// The base table (local indexes draw on it too).
    Table,
    /// A global secondary index.
    Index,
}

/// Which of the two independent budgets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Side {
    /// Read units.
    Read,
    /// Write units.
    Write,
}

/// Which limit was empty, in the order they are looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The account's quota for one table.
    AccountLimit,
    /// The maximum set for an on-demand table or index.
    MaxOnDemandThroughput,
    /// The provisioned capacity, burst included.
    ProvisionedThroughput,
    /// The partition's own 3,000 or 1,000.
    KeyRangeThroughput,
}

impl Cause {
    /// All four, in the order they are looked at.
    pub const ALL: [Self; 4] =
        [Self::AccountLimit, Self::MaxOnDemandThroughput, Self::ProvisionedThroughput, Self::KeyRangeThroughput];

    /// As in the reasons and metrics, without `Exceeded`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::AccountLimit => "AccountLimit",
            Self::MaxOnDemandThroughput => "MaxOnDemandThroughput",
            Self::ProvisionedThroughput => "ProvisionedThroughput",
            Self::KeyRangeThroughput => "KeyRangeThroughput",
        }
    }
}

/// One of the sixteen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Reason {
    /// Table or index.
    pub resource: Resource,
    /// Read or write.
    pub side: Side,
    /// The empty limit.
    pub cause: Cause,
}

impl Reason {
    /// The string in `ThrottlingReasons`, such as `TableWriteKeyRangeThroughputExceeded`.
    pub fn name(self) -> String {
        let resource = match self.resource {
            Resource::Table => "Table",
            Resource::Index => "Index",
        };
        format!("{resource}{}{}Exceeded", self.side_name(), self.cause.name())
    }

    /// The CloudWatch metric that counts it, such as `WriteKeyRangeThroughputThrottleEvents`.
    pub fn metric(self) -> String {
        format!("{}{}ThrottleEvents", self.side_name(), self.cause.name())
    }

    const fn side_name(self) -> &'static str {
        match self.side {
            Side::Read => "Read",
            Side::Write => "Write",
        }
    }
}

/// A reason with the ARN of the table or index it speaks of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThrottlingReason {
    /// The reason.
    pub reason: Reason,
    /// `arn:aws:dynamodb:…:table/T` or `…/index/I`.
    pub resource: String,
}

/// A request refused: every empty limit, the table's first, then the indexes' by name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Never empty; the first picks exception and message.
    pub reasons: Vec<ThrottlingReason>,
    /// Is the resource of the first reason in provisioned mode?
    pub provisioned: bool,
}

impl Refusal {
    /// The first reason.
    pub fn first(&self) -> Option<Reason> {
        self.reasons.first().map(|reason| reason.reason)
    }

    /// The exception the client gets. Which one: Developer Guide, "Error handling", and the pages on each cause.
    pub fn kind(&self) -> ErrorKind {
        match self.first().map(|reason| reason.cause) {
            Some(Cause::AccountLimit) => ErrorKind::RequestLimitExceeded,
            _ if self.provisioned => ErrorKind::ProvisionedThroughputExceeded,
            _ => ErrorKind::Throttling,
        }
    }

    /// The exception with its text and its `ThrottlingReasons`.
    pub fn to_failure(&self) -> Failure {
        let kind = self.kind();
        let index = self.first().is_some_and(|reason| reason.resource == Resource::Index);
        let cause = self.first().map(|reason| reason.cause);
        let message = match (kind, cause, index) {
            (ErrorKind::RequestLimitExceeded, ..) => {
                "Throughput exceeds the current throughput limit for your account. To request a limit increase, \
                 contact AWS Support at https://aws.amazon.com/support"
            }
            (_, Some(Cause::MaxOnDemandThroughput), _) => {
                "Throughput exceeds the maximum OnDemandThroughput configured on table or index"
            }
            (ErrorKind::ProvisionedThroughputExceeded, _, false) => {
                "The level of configured provisioned throughput for the table was exceeded. Consider increasing \
                 your provisioning level with the UpdateTable API."
            }
            (ErrorKind::ProvisionedThroughputExceeded, _, true) => {
                "The level of configured provisioned throughput for one or more global secondary indexes of the \
                 table was exceeded. Consider increasing your provisioning level for the under-provisioned global \
                 secondary indexes with the UpdateTable API."
            }
            (_, _, false) => {
                "Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling \
                 your table or index so please try again shortly. If exceptions persist, check if you have a hot \
                 key: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html."
            }
            (_, _, true) => {
                "Throughput exceeds the current capacity for one or more global secondary indexes. DynamoDB is \
                 automatically scaling your index so please try again shortly."
            }
        };
        let reasons: Vec<_> = self
            .reasons
            .iter()
            .map(|reason| json!({"reason": reason.reason.name(), "resource": reason.resource}))
            .collect();
        // The member's first letter differs from one exception to the other in the service model.
        let member = if kind == ErrorKind::Throttling { "throttlingReasons" } else { "ThrottlingReasons" };
        Failure::new(kind, message).with(member, reasons.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sixteen_names_as_aws_spells_them() {
        let mut names = std::collections::BTreeSet::new();
        for resource in [Resource::Table, Resource::Index] {
            for side in [Side::Read, Side::Write] {
                for cause in Cause::ALL {
                    names.insert(Reason { resource, side, cause }.name());
                }
            }
        }
        assert_eq!(names.len(), 16);
        assert!(names.contains("TableWriteKeyRangeThroughputExceeded"));
        assert!(names.contains("IndexReadMaxOnDemandThroughputExceeded"));
    }
}
