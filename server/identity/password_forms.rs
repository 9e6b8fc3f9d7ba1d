//! The Unicode forms of a password. Keyboards and systems write one letter as one character or as two, which look alike and hash differently.

use unicode_normalization::UnicodeNormalization;

/// The form in which a password is set. Clients that prove one by SRP bring it into this form first.
pub fn to_set(password: &str) -> String {
    password.nfc().collect()
}

/// The forms in which a typed password may have been set: NFC, as typed, NFD. Of ASCII there is one.
pub fn to_try(password: &str) -> Vec<String> {
    let mut forms = vec![to_set(password)];
    for form in [password.to_owned(), password.nfd().collect()] {
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    forms
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_tried_in_each_form_that_it_has() {
        assert_eq!(to_try("Correct-horse-1"), ["Correct-horse-1"]);
        assert_eq!(to_try("Zoë-1234"), ["Zo\u{EB}-1234", "Zoe\u{308}-1234"]);
        assert_eq!(to_try("Zoe\u{308}-1234"), ["Zo\u{EB}-1234", "Zoe\u{308}-1234"]);
        assert_eq!(to_try("e\u{302}\u{323}")[..2], ["\u{1EC7}", "e\u{302}\u{323}"], "as typed, though it is of no normal form");
        assert_eq!(to_try("한글パスワード").len(), 2);
        assert_eq!(to_set("Zoe\u{308}"), "Zoë");
    }
}
