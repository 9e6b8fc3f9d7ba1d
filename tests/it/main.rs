//! Tests against real parts: one binary, a file per area.

mod contract;
