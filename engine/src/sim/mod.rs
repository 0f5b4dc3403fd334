//! Generated traffic: streams of requests as data, their key templates, and the random numbers behind them.
//!
//! Request `k` of a stream arrives at start + ⌊k·10⁶/rate⌋ µs. Everything follows from seed, stream and `k`,
//! so a run does not depend on how it is sliced.

mod prng;
mod stream;
mod template;

pub use prng::mix;
pub use stream::{RunningStream, Stream, StreamOperation};
pub use template::{Template, TemplateFault};
