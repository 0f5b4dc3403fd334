//! Where items lie and what it costs to reach them: placement, partitions, stored tables, index entries, pages.
//!
//! A table (and each global index) is a ring of hash values cut into ranges; each range is a partition with
//! its own read and write bucket. Items are kept in the order (hash, partition key, sort key), so a partition
//! is a range of the store and a Query is a range of one partition. Facts: Developer Guide, "Partitions and
//! data distribution"; the hash function is ours (see [`placement`]).

mod arm;
mod behind;
mod heat;
mod map;
mod page;
pub mod placement;
mod split;
mod store;
mod write;

pub use arm::{Arm, Empties, Pair, Settings};
pub use behind::{Arrival, OnTheWay, Reader};
pub use heat::{Heat, Helpless};
pub use map::{Partition, PartitionId, PartitionMap};
pub use page::{Bounds, Entry, Page, PageRequest, ReadTarget, StopReason, Visit, charges};
pub use split::{SplitCause, SplitNote, SplitOutcome, Splits};
pub use store::{Database, Table};
pub use write::{ArmCharge, ItemChange, WritePlan};
