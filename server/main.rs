//! The program: reads the configuration and serves.

fn main() {}
