//! What members are told about friends.

/// Somebody asks: title and message.
pub fn asked(name: &str) -> (&'static str, String) {
    ("New friend request", format!("{name} would like to be your friend."))
}

/// A request was accepted: title and message.
pub fn accepted(name: &str) -> (&'static str, String) {
    ("Friend request accepted", format!("You and {name} are now friends."))
}
