//! What somebody looks for, word by word, and the spelling in which it is looked for. Pure.

use crate::{digits, text};
use std::collections::BTreeMap;
use unicode_normalization::UnicodeNormalization;

/// The most words of a search that count.
const WORDS_MAX: usize = 8;
/// So many letters of a word count: a longer one would be compared with itself at every place of a text that repeats its end.
const WORD_CHARS_MAX: usize = 64;
/// A shorter word with a typo could be any other.
const TOLERANT_MIN: usize = 4;
/// So many words may have a typo: to look for one costs more than all the rest.
const TOLERANT_MAX: usize = 2;
/// Signs that belong to the sentence, not to the word that they stand beside.
const BESIDE: &[char] = &[',', '.', ';', ':', '!', '?', '"', '\'', '(', ')', '[', ']', '“', '”', '„', '‘', '’', '«', '»', '¿', '¡'];

/// What stands for the letters that are not ASCII where words are compared by their trigrams: in no text are these in a row.
const STAND_INS: &str = "q7x3z9j1w5k8v2y0h6f4bpgmdcunlrsotaie";

/// The most characters by which a thing is found, as the database has it.
const FOUND_BY_CHARS_MAX: usize = 13_000;
/// Unicode spells a few signs out in a whole phrase. They stay, so that a folded text is never much longer.
const SPELLED_OUT_MAX: usize = 3;

/// What a thing is found by: its title, and in a new line its description.
pub fn found_by(title: &str, description: &str) -> String {
    let whole = format!("{}\n{}", fold(title).replace('\n', " "), fold(description));
    whole.chars().take(FOUND_BY_CHARS_MAX).collect()
}

/// A text as it is written down and looked for: in small letters without accents, so that "cafe" is found in "Café", with the plain form of
/// letters, digits and punctuation that have others. Other scripts keep their letters, without what may be left out above or below them.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for c in plain_forms(text).nfd().filter(|c| !is_left_out(*c)).flat_map(char::to_lowercase) {
        match c {
            '´' | '‘' | '’' | '‚' | '‛' | 'ʹ' | 'ʻ' | 'ʼ' | 'ʽ' | '′' | '‵' | '`' => folded.push('\''),
            '“' | '”' | '„' | '‟' | '«' | '»' => folded.push('"'),
            '\u{2010}'..='\u{2015}' | '−' => folded.push('-'),
            '⁄' => folded.push('/'),
            'ß' => folded.push_str("ss"),
            'æ' => folded.push_str("ae"),
            'œ' => folded.push_str("oe"),
            'þ' => folded.push_str("th"),
            'ø' => folded.push('o'),
            'ł' => folded.push('l'),
            'đ' | 'ð' => folded.push('d'),
            'ħ' => folded.push('h'),
            'ŋ' => folded.push('n'),
            'ŧ' => folded.push('t'),
            'ı' => folded.push('i'),
            'ς' => folded.push('σ'),
            other => folded.push(other),
        }
    }
    folded.nfc().collect()
}

/// Letters and digits that Unicode has in other forms too, wide, raised or in one sign with others, in their plain form.
fn plain_forms(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match digits::value(c) {
            Some(digit) => plain.push(char::from(b'0' + digit)),
            // A spacing accent would become a space with an accent.
            None if matches!(c, '´' | '¨' | '¸' | '¯' | '˘'..='˝') => plain.push(c),
            None => {
                let form = || std::iter::once(c).nfkd();
                if form().nth(SPELLED_OUT_MAX).is_some() { plain.push(c) } else { plain.extend(form()) }
            }
        }
    }
    plain
}

/// Accents of Latin, Greek and Cyrillic letters, points of Hebrew and Arabic ones, and what is not seen.
fn is_left_out(c: char) -> bool {
    text::is_invisible(c) && !c.is_control()
        || matches!(
            c,
            '\u{300}'..='\u{36f}'
                | '\u{591}'..='\u{5bd}'
                | '\u{5bf}'
                | '\u{5c1}'..='\u{5c2}'
                | '\u{5c4}'..='\u{5c5}'
                | '\u{5c7}'
                | '\u{64b}'..='\u{65f}'
        )
}

/// The words of a search, each once: four lists of one length, as the statement takes them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Terms {
    /// The words, folded, as far as they count.
    pub words: Vec<String>,
    /// For each the regular expression of Postgres that finds it where a word begins.
    pub begins: Vec<String>,
    /// For each whether it is found with a typo: it has letters alone, and enough of them. A number with a typo is another number.
    pub tolerant: Vec<bool>,
    /// For each as it is compared with a typo. Where LC_CTYPE is C, trigrams know ASCII alone: other letters have stand-ins, in texts too.
    pub alike: Vec<String>,
    /// The letters that have stand-ins.
    pub letters: String,
    /// What stands for each.
    pub stand_ins: String,
    /// For each its other spelling, if it has one: "moebel" for "möbel", and the other way round.
    pub also: Vec<Option<String>>,
}

/// The words of a text that was cleaned.
pub fn terms(text: &str) -> Terms {
    let (mut terms, spelled, text) = (Terms::default(), fold(&with_e(text)), fold(text));
    let words = |text: &'_ str| text.split_whitespace().map(bare).map(beginning).map(str::to_owned).collect::<Vec<_>>();
    for (word, spelled) in words(&text).into_iter().zip(words(&spelled)) {
        let word = word.as_str();
        if terms.words.len() < WORDS_MAX && !terms.words.iter().any(|w| w == word) {
            let other = if spelled == word { without_e(word) } else { spelled };
            terms.also.push(Some(other).filter(|other| other != word));
            terms.words.push(word.to_owned());
            terms.begins.push(begins(word));
            let room = terms.tolerant.iter().filter(|tolerant| **tolerant).count() < TOLERANT_MAX;
            terms.tolerant.push(room && word.chars().count() >= TOLERANT_MIN && word.chars().all(char::is_alphabetic));
        }
    }
    let known = stand_ins(terms.words.iter().zip(&terms.tolerant).filter(|(_, tolerant)| **tolerant).map(|(word, _)| word.as_str()));
    terms.alike = terms.words.iter().map(|word| word.chars().map(|c| known.get(&c).copied().unwrap_or(c)).collect()).collect();
    (terms.letters, terms.stand_ins) = known.into_iter().unzip();
    terms
}

/// A text with the letters of German and the Nordic languages as they are typed where keyboards lack them.
fn with_e(text: &str) -> String {
    let mut spelled = String::with_capacity(text.len());
    for c in text.nfc() {
        match c {
            'ä' | 'Ä' => spelled.push_str("ae"),
            'ö' | 'Ö' | 'ø' | 'Ø' => spelled.push_str("oe"),
            'ü' | 'Ü' => spelled.push_str("ue"),
            'å' | 'Å' => spelled.push_str("aa"),
            other => spelled.push(other),
        }
    }
    spelled
}

/// The reverse, of a folded word.
fn without_e(word: &str) -> String {
    word.replace("ae", "a").replace("oe", "o").replace("ue", "u").replace("aa", "a")
}

/// What stands for each letter of some words that is not ASCII, as far as there are any left: none that a word has itself.
fn stand_ins<'w>(words: impl Iterator<Item = &'w str> + Clone) -> BTreeMap<char, char> {
    let mut free = STAND_INS.chars().filter(|c| !words.clone().any(|word| word.contains(*c)));
    let mut known = BTreeMap::new();
    for letter in words.clone().flat_map(str::chars).filter(|c| !c.is_ascii()) {
        if !known.contains_key(&letter)
            && let Some(stand_in) = free.next()
        {
            known.insert(letter, stand_in);
        }
    }
    known
}

/// A word without the signs beside it, unless it is nothing but such.
fn bare(word: &str) -> &str {
    match word.trim_matches(BESIDE) {
        "" => word,
        bare => bare,
    }
}

/// As much of a word as counts.
fn beginning(word: &str) -> &str {
    let end = word.char_indices().nth(WORD_CHARS_MAX).map_or(word.len(), |(end, _)| end);
    word.get(..end).unwrap_or(word)
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
            ("Water  the\tplants", &["water", "the", "plants"]),
            ("the sofa, the bed!", &["the", "sofa", "bed"]),
            ("100% wool_mix", &["100%", "wool_mix"]),
            ("%", &["%"]),
            ("?! (", &["?!", "("]),
            ("möbel «Шкаф»", &["mobel", "шкаф"]),
            ("Möbel MOBEL", &["mobel"]),
            ("", &[]),
            ("1 2 3 4 5 6 7 8 9", &["1", "2", "3", "4", "5", "6", "7", "8"]),
        ];
        for (text, words) in table {
            assert_eq!(terms(text).words, *words, "{text}");
        }
        assert_eq!(terms(&format!("{} {}", "Ж".repeat(65), "ж".repeat(64))).words, ["ж".repeat(64)], "as much of a word as counts");
        assert_eq!(terms("100% a_b (möbel* С").begins, [r"\m100\%", r"\ma\_b", r"\mmobel\*", r"\mс"]);
    }

    #[test]
    fn only_words_of_enough_letters_bear_a_typo() {
        assert_eq!(terms("sofa bed 1234 t-shirt шкаф a_bc").tolerant, [true, false, false, false, true, false]);
        assert_eq!(terms("sofa chair table").tolerant, [true, true, false], "and not too many of them");
    }

    #[test]
    fn a_text_is_folded_to_small_letters_without_accents() {
        let table = [
            ("Café CAFE\u{301}", "cafe cafe"),
            ("Gärtner, Straße, Ærø, Łódź", "gartner, strasse, aero, lodz"),
            ("İstanbul ISTANBUL ılık", "istanbul istanbul ilik"),
            ("Ёлка и Йод ЇЖАК", "елка и иод іжак"),
            ("ΚΑΦΈΣ καφές", "καφεσ καφεσ"),
            ("שָׁלוֹם كِتَاب", "שלום كتاب"),
            ("がっこう 한국 नदी", "がっこう 한국 नदी"),
            ("100% a_b\n½ ¿?", "100% a_b\n1/2 ¿?"),
            ("Ben’s BEN'S ben‘s Benʼs", "ben's ben's ben's ben's"),
            ("L’échelle «e‑bike» – 5″", "l'echelle \"e-bike\" - 5''"),
            ("ＴＶ ﾃﾚﾋﾞ テレビ H₂O m² ﬁlm", "tv テレビ テレビ h2o m2 film"),
            ("Ⅳ ㎏ ① ½ ™ …", "iv kg 1 1/2 tm ..."),
            ("٣ ३ ３ 𝟑", "3 3 3 3"),
            ("wo\u{AD}rk\u{200B}bench", "workbench"),
            ("Ben´s ¨ \u{FDFA}", "ben's ¨ \u{FDFA}"),
        ];
        for (text, folded) in table {
            assert_eq!(fold(text), folded, "{text}");
        }
        assert_eq!(found_by("Two\nlines", "É\nÈ"), "two lines\ne\ne", "the first line is the title");
    }

    #[test]
    fn a_word_is_also_found_in_its_other_spelling() {
        let also = |text| terms(text).also.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>();
        assert_eq!(also("Möbel moebel mobel Sofa"), ["moebel", "mobel", ""]);
        assert_eq!(also("Smørrebrød SMOERREBROED Ålesund"), ["smoerrebroed", "smorrebrod", "aalesund"]);
        assert_eq!(also("Gru\u{308}n, gruen!"), ["gruen", "grun"]);
    }

    #[test]
    fn letters_beyond_ascii_have_stand_ins_that_no_word_has() {
        let known = terms("садовник quiz шкаф 1234");
        assert_eq!(known.letters.chars().count(), 8, "of words that bear a typo: {known:?}");
        assert!(known.stand_ins.is_ascii() && !known.stand_ins.contains(['q', 'u', 'i', 'z']));
        assert_eq!((known.alike[0].len(), known.alike[1].as_str(), known.alike[3].as_str()), (8, "quiz", "1234"));
        assert_eq!(terms("water gardner").letters, "");
    }

    proptest! {
        #[test]
        fn what_is_folded_stays_so_and_fits_its_column(text in ".{0,200}") {
            let folded = fold(&text);
            prop_assert_eq!(fold(&folded), folded.clone());
            prop_assert!(folded.chars().count() <= 3 * text.chars().count());
        }

        #[test]
        fn whatever_is_typed_is_a_bounded_list_of_words_of_it(text in ".{0,200}") {
            let Terms { words, begins, tolerant, alike, letters, stand_ins, also } = terms(&text);
            let text = fold(&text);
            prop_assert!(words.len() <= WORDS_MAX && [begins.len(), tolerant.len(), alike.len(), also.len()] == [words.len(); 4]);
            prop_assert!(words.iter().all(|w| !w.is_empty() && w.chars().count() <= WORD_CHARS_MAX && text.contains(w.as_str())));
            prop_assert_eq!(words.is_empty(), text.trim().is_empty());
            prop_assert!(stand_ins.is_ascii() && stand_ins.len() == letters.chars().count());
        }
    }
}
