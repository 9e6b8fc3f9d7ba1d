//! What somebody looks for, word by word. Pure.

/// The most words of a search that count.
const WORDS_MAX: usize = 8;
/// A shorter word with a typo could be any other.
const TOLERANT_MIN: usize = 4;
/// So many words may have a typo: to look for one costs more than all the rest.
const TOLERANT_MAX: usize = 2;
/// Signs that belong to the sentence, not to the word that they stand beside.
const BESIDE: &[char] = &[',', '.', ';', ':', '!', '?', '"', '\'', '(', ')', '[', ']', '“', '”', '„', '‘', '’', '«', '»', '¿', '¡'];

/// The words of a search, each once: three lists of one length, as the statement takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The words, as they were typed.
    pub words: Vec<String>,
    /// For each the regular expression of Postgres that finds it where a word begins.
    pub begins: Vec<String>,
    /// For each whether it is found with a typo: it has letters alone, and enough of them. A number with a typo is another number.
    pub tolerant: Vec<bool>,
}

/// The words of a text that was cleaned.
pub fn terms(text: &str) -> Terms {
    let mut terms = Terms::default();
    for word in text.split_whitespace().map(bare) {
        if terms.words.len() < WORDS_MAX && !terms.words.iter().any(|w| w == word) {
            terms.words.push(word.to_owned());
            terms.begins.push(begins(word));
            let room = terms.tolerant.iter().filter(|tolerant| **tolerant).count() < TOLERANT_MAX;
            terms.tolerant.push(room && word.chars().count() >= TOLERANT_MIN && word.chars().all(char::is_alphabetic));
        }
    }
    terms
}

/// A word without the signs beside it, unless it is nothing but such.
fn bare(word: &str) -> &str {
    match word.trim_matches(BESIDE) {
        "" => word,
        bare => bare,
    }
}

/// In which a sign is nothing but itself.
fn begins(word: &str) -> String {
    let mut pattern = String::from(r"\m");
    for c in word.chars() {
        if !c.is_alphanumeric() && c.is_ascii() {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_search_is_its_words_and_their_signs_are_literal() {
        let table: &[(&str, &[&str])] = &[
            ("Water  the\tplants", &["Water", "the", "plants"]),
            ("the sofa, the bed!", &["the", "sofa", "bed"]),
            ("100% wool_mix", &["100%", "wool_mix"]),
            ("%", &["%"]),
            ("?! (", &["?!", "("]),
            ("möbel «Шкаф»", &["möbel", "Шкаф"]),
            ("", &[]),
            ("1 2 3 4 5 6 7 8 9", &["1", "2", "3", "4", "5", "6", "7", "8"]),
        ];
        for (text, words) in table {
            assert_eq!(terms(text).words, *words, "{text}");
        }
        assert_eq!(terms("100% a_b (möbel* С").begins, [r"\m100\%", r"\ma\_b", r"\mmöbel\*", r"\mС"]);
    }

    #[test]
    fn only_words_of_enough_letters_bear_a_typo() {
        assert_eq!(terms("sofa bed 1234 t-shirt шкаф a_bc").tolerant, [true, false, false, false, true, false]);
        assert_eq!(terms("sofa chair table").tolerant, [true, true, false], "and not too many of them");
    }

    proptest! {
        #[test]
        fn whatever_is_typed_is_a_bounded_list_of_words_of_it(text in ".{0,200}") {
            let Terms { words, begins, tolerant } = terms(&text);
            prop_assert!(words.len() <= WORDS_MAX && begins.len() == words.len() && tolerant.len() == words.len());
            prop_assert!(words.iter().all(|w| !w.is_empty() && text.contains(w.as_str())));
            prop_assert_eq!(words.is_empty(), text.trim().is_empty());
        }
    }
}
