//! What the model is made of, for people: every constant of [`Physics`](super::Physics) with its unit, source and
//! evidence, and what besides constants is modelled, simplified or not public.
//!
//! One table for each, so that an editor of the constants and a card that admits what is simplified read the same
//! lines. A test compares [`CONSTANTS`] with the members of `Physics`: none can be forgotten.

/// How a line of the model stands to AWS.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// AWS documents it, and it is modelled so.
    Documented,
    /// AWS's behaviour is known in outline; the model's way is ours, or simpler.
    Ours,
    /// AWS does not publish it; what stands here is a default with some evidence.
    Unknown,
}

impl Standing {
    /// All of them, in the order a card lists them.
    pub const ALL: [Self; 3] = [Self::Documented, Self::Ours, Self::Unknown];

    /// For people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Documented => "Modelled as documented",
            Self::Ours => "Simplified, or ours",
            Self::Unknown => "Not public",
        }
    }

    /// In one word.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Documented => "documented",
            Self::Ours => "ours",
            Self::Unknown => "not public",
        }
    }
}

/// A part of the model: a scene uses some of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Where a key lies.
    Placement,
    /// Who is let in, and who is refused.
    Admission,
    /// Saved capacity of a provisioned table.
    Burst,
    /// What an on-demand table is ready for.
    OnDemand,
    /// Partitions that become two.
    Splits,
    /// Several copies of each partition.
    Replicas,
    /// Global indexes.
    Indexes,
    /// Target tracking on provisioned throughput.
    Scaling,
    /// Generated requests.
    Traffic,
    /// What a client does with a refusal.
    Retries,
    /// What stands beside a table: a cache, another Region.
    Neighbours,
    /// Pages of a Query or Scan.
    Pages,
    /// What CloudWatch shows.
    Metrics,
    /// The bill.
    Prices,
}

impl Part {
    /// All of them, in the order a card lists them.
    pub const ALL: [Self; 14] = [
        Self::Placement,
        Self::Admission,
        Self::Burst,
        Self::OnDemand,
        Self::Splits,
        Self::Replicas,
        Self::Indexes,
        Self::Scaling,
        Self::Traffic,
        Self::Retries,
        Self::Neighbours,
        Self::Pages,
        Self::Metrics,
        Self::Prices,
    ];

    /// For people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::Placement => "Where a key lies",
            Self::Admission => "Ceilings and admission",
            Self::Burst => "Saved burst",
            Self::OnDemand => "On-demand",
            Self::Splits => "Splits",
            Self::Replicas => "Replicas",
            Self::Indexes => "Indexes",
            Self::Scaling => "Auto scaling",
            Self::Traffic => "Traffic",
            Self::Retries => "Retries",
            Self::Neighbours => "Caches and Regions",
            Self::Pages => "Pages",
            Self::Metrics => "Metrics",
            Self::Prices => "Prices",
        }
    }
}

/// A constant of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Constant {
    /// The member of [`Physics`](super::Physics), and so the name in a scenario's `constants`.
    pub name: &'static str,
    /// For people.
    pub title: &'static str,
    /// What it is counted in; empty for one that is on or off.
    pub unit: &'static str,
    /// The part of the model it belongs to.
    pub part: Part,
    /// How it stands to AWS.
    pub standing: Standing,
    /// The page that says so; `ours` where none does.
    pub source: &'static str,
    /// What speaks for it, in a sentence.
    pub evidence: &'static str,
}

/// A statement about the model that is no figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The part of the model it is about.
    pub part: Part,
    /// How it stands to AWS.
    pub standing: Standing,
    /// The statement.
    pub text: &'static str,
    /// The page that says so; `ours` where none does.
    pub source: &'static str,
}

const OURS: &str = "ours";
const BURST_PAGE: &str = "Developer Guide, “Burst and adaptive capacity”";
const DESIGN_PAGE: &str = "Developer Guide, “Designing partition keys”";
const SPLIT_BLOG: &str = "AWS Database Blog, “Scaling DynamoDB”, part 3";
const PAPER: &str = "USENIX ATC 2022, “Amazon DynamoDB”";
const METRICS_PAGE: &str = "Developer Guide, “DynamoDB metrics and dimensions”";

/// Every constant of [`Physics`](super::Physics), in the order of its members.
pub const CONSTANTS: [Constant; 18] = [
    Constant {
        name: "partition_read_units",
        title: "Reads of one partition",
        unit: "read units a second",
        part: Part::Admission,
        standing: Standing::Documented,
        source: DESIGN_PAGE,
        evidence: "Every partition serves up to 3,000 read units a second, in both modes; no quota raises it.",
    },
    Constant {
        name: "partition_write_units",
        title: "Writes of one partition",
        unit: "write units a second",
        part: Part::Admission,
        standing: Standing::Documented,
        source: DESIGN_PAGE,
        evidence: "Every partition takes up to 1,000 write units a second, in both modes; no quota raises it.",
    },
    Constant {
        name: "partition_bytes",
        title: "Size of one partition",
        unit: "bytes",
        part: Part::Splits,
        standing: Standing::Documented,
        source: "Developer Guide, “Partitions and data distribution”",
        evidence: "A partition holds about 10 GB; one that grows beyond it is split.",
    },
    Constant {
        name: "partition_depth_seconds",
        title: "Depth of a partition’s bucket",
        unit: "seconds",
        part: Part::Admission,
        standing: Standing::Ours,
        source: OURS,
        evidence: "The guide names only the rate. One second of it can be spent at once, so a rested partition takes twice \
                   its rate in its first second.",
    },
    Constant {
        name: "burst_seconds",
        title: "Unused capacity kept",
        unit: "seconds",
        part: Part::Burst,
        standing: Standing::Documented,
        source: BURST_PAGE,
        evidence: "Up to five minutes of unused provisioned capacity are kept; AWS may use them for its own work.",
    },
    Constant {
        name: "account_units",
        title: "Account’s quota for one table",
        unit: "units a second",
        part: Part::Admission,
        standing: Standing::Documented,
        source: "Developer Guide, “Quotas”",
        evidence: "40,000 read and 40,000 write units a second by default; AWS raises it when asked.",
    },
    Constant {
        name: "on_demand_partitions",
        title: "Partitions of a new on-demand table",
        unit: "partitions",
        part: Part::OnDemand,
        standing: Standing::Ours,
        source: "Developer Guide, “On-demand capacity mode”",
        evidence: "A new table takes 4,000 writes and 12,000 reads a second at once, which is four partitions; what a Scan \
                   of an empty table costs agrees. The number itself is not published.",
    },
    Constant {
        name: "adaptive_capacity",
        title: "Adaptive capacity",
        unit: "",
        part: Part::Admission,
        standing: Standing::Documented,
        source: BURST_PAGE,
        evidence: "A partition draws on the whole table’s capacity at once. Off shows the time before: even shares, each \
                   with its own burst.",
    },
    Constant {
        name: "heat_window_seconds",
        title: "Time over which heat is measured",
        unit: "seconds",
        part: Part::Splits,
        standing: Standing::Unknown,
        source: OURS,
        evidence: "AWS says “sustained”; an independent load test saw the first split after some eight minutes.",
    },
    Constant {
        name: "heat_per_mille",
        title: "Share of the ceiling that counts as hot",
        unit: "thousandths",
        part: Part::Splits,
        standing: Standing::Unknown,
        source: OURS,
        evidence: "The threshold is not published; a load test saw splits at nine tenths of the ceiling.",
    },
    Constant {
        name: "sample_units",
        title: "Accepted units between two samples of keys",
        unit: "units",
        part: Part::Splits,
        standing: Standing::Unknown,
        source: PAPER,
        evidence: "The point of a split comes from the keys observed; how they are sampled is not published.",
    },
    Constant {
        name: "split_seconds",
        title: "Time that a split takes",
        unit: "seconds",
        part: Part::Splits,
        standing: Standing::Unknown,
        source: PAPER,
        evidence: "“Takes minutes”, says the paper; no figure is published.",
    },
    Constant {
        name: "on_demand_memory_seconds",
        title: "Time until a peak has made room for twice of it",
        unit: "seconds",
        part: Part::OnDemand,
        standing: Standing::Documented,
        source: "Developer Guide, “On-demand capacity mode”",
        evidence: "An on-demand table takes twice its previous peak; more than that within 30 minutes may be refused.",
    },
    Constant {
        name: "index_lag_ms",
        title: "Time until a write has arrived at an index",
        unit: "milliseconds",
        part: Part::Indexes,
        standing: Standing::Unknown,
        source: "Developer Guide, “Global secondary indexes”",
        evidence: "Asynchronous, normally within a fraction of a second; no figure is published. Here 0 unless a scene sets it.",
    },
    Constant {
        name: "replica_lag_ms",
        title: "How far two of three copies are behind",
        unit: "milliseconds",
        part: Part::Replicas,
        standing: Standing::Unknown,
        source: "Developer Guide, “Read consistency”",
        evidence: "Usually within a second; no figure is published. Here 0 unless a scene sets it.",
    },
    Constant {
        name: "eventual_reads_use_replicas",
        title: "Eventual reads use three replicas",
        unit: "",
        part: Part::Replicas,
        standing: Standing::Ours,
        source: "AWS Database Blog, “Scaling DynamoDB”, part 2",
        evidence: "Off: the documented ceiling holds for all copies together. On: each copy serves its own 3,000 blocks, as in \
                   AWS’s measurement of 9,000 queries a second on one key.",
    },
    Constant {
        name: "auto_scaling_seconds",
        title: "From a decision of auto scaling to the new throughput",
        unit: "seconds",
        part: Part::Scaling,
        standing: Standing::Ours,
        source: "Developer Guide, “DynamoDB auto scaling”",
        evidence: "An alarm takes two minutes of data, and the change that follows takes minutes; no figure is published.",
    },
    Constant {
        name: "page_bytes",
        title: "Size of a page",
        unit: "bytes",
        part: Part::Pages,
        standing: Standing::Documented,
        source: "Developer Guide, “Paginating table query results”",
        evidence: "A page of a Query or Scan ends at 1 MB read, before any filter.",
    },
];

const fn documented(part: Part, text: &'static str, source: &'static str) -> Statement {
    Statement { part, standing: Standing::Documented, text, source }
}

const fn ours(part: Part, text: &'static str, source: &'static str) -> Statement {
    Statement { part, standing: Standing::Ours, text, source }
}

const fn unknown(part: Part, text: &'static str, source: &'static str) -> Statement {
    Statement { part, standing: Standing::Unknown, text, source }
}

/// What besides figures is modelled, simplified or not public.
pub const STATEMENTS: [Statement; 30] = [
    documented(
        Part::Placement,
        "Only the partition key is hashed; the sort key orders the items of one partition key.",
        "Developer Guide, “Partitions and data distribution”",
    ),
    ours(Part::Placement, "At the beginning all partitions have even ranges of the hash line.", OURS),
    unknown(
        Part::Placement,
        "The hash function is a teaching hash, 64-bit xxh3 of the typed key: where a key lands here says nothing of where \
         it lands at AWS.",
        OURS,
    ),
    unknown(Part::Placement, "How many partitions a table has, and where they end, AWS does not tell.", SPLIT_BLOG),
    documented(
        Part::Admission,
        "Reads and writes have separate ceilings. A request is refused before it does anything, and then costs nothing.",
        "Developer Guide, “Resolving throttling issues”",
    ),
    documented(
        Part::Admission,
        "The sixteen reasons, the exceptions and their messages are the service’s own, word for word.",
        "API Reference, “ThrottlingReason”",
    ),
    ours(
        Part::Admission,
        "Every limit is one bucket of tokens: a request goes through while it is above zero and then pays in full, so a \
         second overshoots by one request at most.",
        OURS,
    ),
    documented(
        Part::Burst,
        "No partition may use the table’s saved burst above its own ceiling.",
        "Developer Guide, “Designing partition keys”",
    ),
    ours(
        Part::Burst,
        "The burst is kept in one bucket of the table. The paper on DynamoDB puts it at the partitions.",
        PAPER,
    ),
    documented(
        Part::OnDemand,
        "There is no table-wide limit besides a maximum that you may set, and the account’s.",
        "Developer Guide, “On-demand capacity mode”",
    ),
    ours(Part::OnDemand, "A peak is the mean of a whole minute; growth is looked at every whole minute.", OURS),
    documented(Part::Splits, "Partitions are split and never merged.", SPLIT_BLOG),
    documented(
        Part::Splits,
        "One hot item, an ever-increasing sort key, or a collection on a table with a local index is not split.",
        BURST_PAGE,
    ),
    unknown(
        Part::Splits,
        "When a split begins and how long it takes. The order is right, the minutes are a default.",
        OURS,
    ),
    documented(
        Part::Replicas,
        "A partition is kept three times; one copy, the leader, takes writes and consistent reads.",
        PAPER,
    ),
    ours(
        Part::Replicas,
        "AWS measured some 9,000 eventually consistent queries a second on one hot key before any split, since three copies \
         answer. Here the ceiling of 3,000 read units holds unless the model says that eventual reads use all three.",
        "AWS Database Blog, “Scaling DynamoDB”, part 2",
    ),
    documented(
        Part::Indexes,
        "A global index has its own partitions and its own capacity; one that cannot take a write has it refused at the \
         table.",
        "Developer Guide, “Global secondary index throttling”",
    ),
    ours(Part::Indexes, "Back-pressure is immediate: there is no buffer between a table and its indexes.", OURS),
    ours(
        Part::Traffic,
        "Requests arrive at even distances unless a scene asks for chance. They are metered: admitted, charged and counted; \
         stored items stay as they are unless a scene asks for storing.",
        OURS,
    ),
    documented(
        Part::Retries,
        "The waits and attempts of the SDKs’ standard and legacy modes, with the retry quota.",
        "botocore 1.44.8, its retry data",
    ),
    ours(Part::Retries, "One stream is one client with one retry quota; answers take no time.", OURS),
    documented(
        Part::Neighbours,
        "A cache keeps items and results of queries for five minutes. A write through it renews the item and no result.",
        "Developer Guide, “DAX and DynamoDB consistency models”",
    ),
    documented(
        Part::Neighbours,
        "Between Regions the last writer wins, item by item: an update can be lost.",
        "Developer Guide, “How DynamoDB global tables work”",
    ),
    ours(
        Part::Neighbours,
        "A cache is one node that counts entries, not bytes; a replicated write arrives after a set lag.",
        OURS,
    ),
    documented(
        Part::Pages,
        "A page is charged for what is read, before filter and projection, rounded up once.",
        "Developer Guide, “DynamoDB read and write operations”",
    ),
    ours(Part::Pages, "A page over several partitions pays each of them; a throttle never cuts a page short.", OURS),
    documented(
        Part::Metrics,
        "Metrics have their exact names and are sums of a minute; graphs show the sum ÷ 60.",
        METRICS_PAGE,
    ),
    ours(
        Part::Metrics,
        "Minutes count from the beginning of the scene and are due the moment they end. The hottest keys look back over the \
         last 60 whole seconds.",
        METRICS_PAGE,
    ),
    ours(
        Part::Prices,
        "Prices are dated inputs taken from pages that agree, not from AWS’s own tables; free units, backups, streams and \
         reserved capacity are left out.",
        "independent price pages of 2025",
    ),
    ours(Part::Prices, "A month has 730 hours.", "AWS Pricing Calculator"),
];

#[cfg(test)]
mod tests {
    use super::super::{Physics, Preset};
    use super::*;

    #[test]
    fn every_constant_stands_in_the_table_in_the_order_of_the_members() {
        let text = serde_json::to_string(&Physics::preset(Preset::Aws)).unwrap();
        // The text keeps the order of the members, which a map would not.
        let members: Vec<&str> = text.trim_matches(['{', '}']).split(',').filter_map(|m| m.split('"').nth(1)).collect();
        let names: Vec<&str> = CONSTANTS.iter().map(|constant| constant.name).collect();
        assert_eq!(names, members);
    }

    #[test]
    fn what_is_on_or_off_has_no_unit_and_every_number_has_one() {
        let figures = serde_json::to_value(Physics::preset(Preset::Aws)).unwrap();
        for constant in CONSTANTS {
            assert_eq!(figures[constant.name].is_boolean(), constant.unit.is_empty(), "{}", constant.name);
        }
    }

    #[test]
    fn what_is_documented_names_its_page_and_every_part_has_a_line() {
        let lines = CONSTANTS.iter().map(|line| (line.part, line.standing, line.source, line.evidence));
        let lines: Vec<_> =
            lines.chain(STATEMENTS.iter().map(|line| (line.part, line.standing, line.source, line.text))).collect();
        for (part, standing, source, text) in &lines {
            assert!(text.ends_with('.') && !source.is_empty(), "{part:?}: {text}");
            assert!(*standing != Standing::Documented || *source != OURS, "{part:?}: {text}");
        }
        for part in Part::ALL {
            assert!(lines.iter().any(|line| line.0 == part), "{part:?}");
        }
    }
}
