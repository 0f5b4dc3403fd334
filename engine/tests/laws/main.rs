//! Laws: what must hold after any history, tried on random ones.
//!
//! A history that breaks a law is shrunk by proptest and its seed kept in `proptest-regressions/`; what it taught
//! belongs into a golden script.

mod capacity;
mod lag;
mod neighbour;
mod numbers;
mod paging;
mod scaling;
mod seek;
mod shop;
mod splits;
mod storage;
mod stored;
mod time;
mod wire;
