//! What went wrong elsewhere and was told in public: the shortest reply that shows it.
//!
//! Each test names its source. Not here: oddities of streams, which have tables of their own.

mod ids;
mod normalise;
