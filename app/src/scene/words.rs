//! What the scenes say.

/// One remedy offered beside a scene: a change to the traffic or the table, and what to expect of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remedy {
    /// The link's text.
    pub name: &'static str,
    /// What it shows.
    pub note: &'static str,
    /// What it does.
    pub action: RemedyAction,
}

/// What a remedy does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RemedyAction {
    /// Replaces the key template of the traffic.
    Key(&'static str),
    /// Doubles what the table pays for.
    Double,
    /// Switches the table to on-demand.
    OnDemand,
    /// Makes the reads eventually consistent.
    Eventual,
    /// Replaces the rate of the traffic, in requests a second.
    Rate(u64),
    /// Replaces the template of an attribute.
    Attribute(&'static str, &'static str),
    /// Starts the scene again.
    Reset,
}

/// The words of a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Words {
    /// Above its text.
    pub heading: &'static str,
    /// Paragraphs; `code` between backticks, **strong** between double asterisks.
    pub prose: &'static [&'static str],
    /// Remedies, if it has a problem.
    pub remedies: &'static [Remedy],
}

/// The words of a scene; those of the first for a slug that is none.
pub fn words(slug: &str) -> &'static Words {
    match slug {
        "hot-key" => &HOT_KEY,
        "buckets" => &BUCKETS,
        "warm-keys" => &WARM_KEYS,
        "saved-burst" => &SAVED_BURST,
        "first-wave" => &FIRST_WAVE,
        "big-tenant" => &BIG_TENANT,
        "todays-date" => &TODAYS_DATE,
        "outbox" => &OUTBOX,
        "late-index" => &LATE_INDEX,
        "front-page" => &FRONT_PAGE,
        "late-scaling" => &LATE_SCALING,
        _ => &ORDERS,
    }
}

const REMEDIES_HOT_KEY: &[Remedy] = &[
    Remedy {
        name: "Ten suffixes",
        note: "The refusals fall, and do not end: ten suffixes are not ten partitions.",
        action: RemedyAction::Key("PENDING#{0..9}"),
    },
    Remedy {
        name: "Double the table",
        note: "Twice the price; the key still gets 1,000.",
        action: RemedyAction::Double,
    },
    Remedy {
        name: "Go on-demand",
        note: "The table's line goes, the partition's ceiling stays.",
        action: RemedyAction::OnDemand,
    },
    Remedy { name: "As it was", note: "One key, 3,333 write units.", action: RemedyAction::Reset },
];

const REMEDIES_WARM_KEYS: &[Remedy] = &[
    Remedy {
        name: "One item only",
        note: "Just as hot, and never split: one item has no middle.",
        action: RemedyAction::Key("CART#1"),
    },
    Remedy { name: "As it was", note: "A thousand carts, one partition.", action: RemedyAction::Reset },
];

const REMEDIES_TENANT: &[Remedy] = &[
    Remedy {
        name: "Ten suffixes for all",
        note: "Every tenant is spread over ten keys, the large one too. Whoever wants a tenant’s events asks ten times.",
        action: RemedyAction::Key("TENANT#{hot 60% 1..200}#{0..9}"),
    },
    Remedy { name: "As it was", note: "One key for each tenant.", action: RemedyAction::Reset },
];

const REMEDIES_OUTBOX: &[Remedy] = &[
    Remedy {
        name: "Ten topics",
        note: "The index’s key spreads, and what is refused falls with it.",
        action: RemedyAction::Attribute("topic", "orders#{0..9}"),
    },
    Remedy { name: "As it was", note: "One topic, one partition of the index.", action: RemedyAction::Reset },
];

const REMEDIES_FRONT_PAGE: &[Remedy] = &[
    Remedy {
        name: "Read eventually",
        note: "Half the price, so twice as many fit under the same ceiling: 6,000.",
        action: RemedyAction::Eventual,
    },
    Remedy {
        name: "A cache of one second",
        note: "The table is asked once a second, whoever reads the post.",
        action: RemedyAction::Rate(1),
    },
    Remedy { name: "As it was", note: "8,000 strongly consistent reads a second.", action: RemedyAction::Reset },
];

/// The first scene.
pub static ORDERS: Words = Words {
    heading: "Ten read, two shown",
    prose: &[
        "A shop keeps its orders in one table. Customer 7 has thirty-one of them, listed by date in the index `GSI1`; six are cancelled.",
        "Ask for the cancelled ones, **ten at a time**. DynamoDB reads ten in sort order, charges for ten, and only then applies the filter. What is left may be two, or none.",
        "A short page is not the last page. Only a missing `LastEvaluatedKey` says that nothing is left.",
    ],
    remedies: &[],
};

static HOT_KEY: Words = Words {
    heading: "One status, five thousand writes",
    prose: &[
        "At eight the scheduler files the day’s jobs. Every job waits under the same status, so every write goes to the same partition key.",
        "A key is hashed to one point of the hash line, and each point belongs to one partition. Three of four partitions stand idle while one turns four writes in five away.",
    ],
    remedies: REMEDIES_HOT_KEY,
};

static BUCKETS: Words = Words {
    heading: "Where a key lands",
    prose: &[
        "Eight partitions, and a key that you type. Write it eight times: the same key has the same hash, so all eight land in one bucket, whatever the sort key is.",
        "Put a number behind it, `VIDEO#42#{0..7}`, and write eight again. Now they spread, but **unevenly**: eight suffixes seldom fall into eight different buckets.",
    ],
    remedies: &[],
};

static WARM_KEYS: Words = Words {
    heading: "When splitting helps",
    prose: &[
        "One partition, a thousand carts, 1,500 writes a second. The partition takes 1,000 and refuses 500, although no single cart is hot.",
        "After five minutes it counts as hot, and five minutes later it is two. Each half has 750, and no partition refuses. **Splitting needs something to divide.** The table pays for 900: once its burst is spent, it refuses by its own limit.",
    ],
    remedies: REMEDIES_WARM_KEYS,
};

static SAVED_BURST: Words = Words {
    heading: "It worked for fifteen minutes",
    prose: &[
        "The table pays for 150 reads a second and gets 200. Nothing happens: five minutes of unused capacity were saved, 45,000 units.",
        "Fifty more than is paid for, every second: 45,000 / 50 = **900 seconds**. Then the credit is spent, and one read in four is refused.",
    ],
    remedies: &[],
};

static FIRST_WAVE: Words = Words {
    heading: "On-demand, and still refused",
    prose: &[
        "A new on-demand table has four partitions. The first wave brings 10,000 writes a second; 4,000 are taken.",
        "Half an hour later there is room for **twice the highest minute**: nine partitions. The second wave, of 8,000, is taken whole.",
    ],
    remedies: &[],
};

static BIG_TENANT: Words = Words {
    heading: "Neighbours by accident",
    prose: &[
        "Two hundred tenants, and one sends 60 % of the writes. Its partition is full, and refuses the small tenants that share it by nothing but their hash.",
        "Give the large one suffixes, and the small ones are left alone.",
    ],
    remedies: REMEDIES_TENANT,
};

static TODAYS_DATE: Words = Words {
    heading: "Seven keys a week, one at a time",
    prose: &[
        "Each reading is kept under its day. A week has seven keys, so it looks spread; but whenever you look, **one** key takes all the writes.",
        "Classroom figures: a partition takes 10 writes a second here, not 1,000. Midnight comes every nine seconds.",
    ],
    remedies: &[],
};

static OUTBOX: Words = Words {
    heading: "The table is fine, yet writes fail",
    prose: &[
        "Messages are kept by their id, which spreads them evenly, and listed by topic in the index `byTopic`. Today there is one topic.",
        "Every write brings an entry to the index, and all entries go to **one partition of the index**, which takes 1,000 a second. The other 2,000 writes are refused at the table, in the name of the index.",
        "Look at the index: the tall bar, and what is on its way. An entry arrives 0.8 s after its item.",
    ],
    remedies: REMEDIES_OUTBOX,
};

static LATE_INDEX: Words = Words {
    heading: "Written, and not yet found",
    prose: &[
        "Four tickets a second are stored, and the index `byStatus` gets each **two seconds later**. AWS speaks of a fraction of a second; here it is slow to be seen.",
        "Pause, look at the index, and count: the table has some eight tickets more. A query of the index does not find them, and a strongly consistent read of it is refused.",
    ],
    remedies: &[],
};

static LATE_SCALING: Words = Words {
    heading: "Auto scaling comes late",
    prose: &[
        "Two writes a second more with every second, on a table that pays for 100 and scales itself. The saved burst carries it for nearly **four minutes**.",
        "Auto scaling waits for two whole minutes above its target, and what it asks for takes two more. By then the ramp is elsewhere: writes are refused until it has caught up.",
    ],
    remedies: &[],
};

static FRONT_PAGE: Words = Words {
    heading: "One item, read by everyone",
    prose: &[
        "Eight thousand people a second want the same post. It is one item, so it lies on one partition, and that one gives **3,000 read units** a second.",
        "More capacity changes nothing, and a split neither: one item has no middle.",
    ],
    remedies: REMEDIES_FRONT_PAGE,
};
