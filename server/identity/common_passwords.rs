//! Passwords that so many people have that they are tried first: third_party/README.md says where the list is from.

use std::{collections::HashSet, sync::LazyLock};

/// One a line, in small letters. Shorter ones than any policy allows are left out.
static COMMON: LazyLock<HashSet<&str>> = LazyLock::new(|| include_str!("../../third_party/passwords/common.txt").lines().collect());

/// Whether a password is one of the most common, with whichever letters large.
pub fn has(password: &str) -> bool {
    COMMON.contains(password.to_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_thousand_common_passwords_are_known_by_their_letters_and_nothing_else() {
        assert_eq!(COMMON.len(), 10_000);
        assert!(COMMON.iter().all(|word| word.chars().count() >= 8 && word.to_lowercase() == *word));
        for (password, common) in [
            ("12345678", true),
            ("password1", true),
            ("PassWord1", true),
            ("iloveyou", true),
            ("password1 ", false),
            ("Correct-horse-7", false),
            ("goodturn-demo", false),
            ("", false),
        ] {
            assert_eq!(has(password), common, "{password}");
        }
    }
}
