//! Field masks: paths with commas between, each in camel case in JSON and in snake case in the contract.

/// Reads the paths of a mask; `None` for what no path of a contract is spelt as.
pub fn read(text: &str) -> Option<Vec<String>> {
    if text.is_empty() { Some(Vec::new()) } else { text.split(',').map(snake).collect() }
}

/// The paths of a mask as JSON spells them; `None` for one that would not come back the same.
pub fn print(paths: &[String]) -> Option<String> {
    let spelt: Option<Vec<String>> = paths.iter().map(|path| camel(path)).collect();
    Some(spelt?.join(","))
}

fn snake(path: &str) -> Option<String> {
    let mut snake = String::with_capacity(path.len() + 4);
    for letter in path.chars() {
        match letter {
            'a'..='z' | '0'..='9' | '.' => snake.push(letter),
            'A'..='Z' => snake.extend(['_', letter.to_ascii_lowercase()]),
            _ => return None,
        }
    }
    Some(snake).filter(|path| !path.is_empty())
}

fn camel(path: &str) -> Option<String> {
    let (mut camel, mut letters) = (String::with_capacity(path.len()), path.chars());
    while let Some(letter) = letters.next() {
        match letter {
            'a'..='z' | '0'..='9' | '.' => camel.push(letter),
            '_' => camel.push(letters.next().filter(char::is_ascii_lowercase)?.to_ascii_uppercase()),
            _ => return None,
        }
    }
    Some(camel).filter(|path| !path.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_camel_case_in_json() {
        let table: [(&str, Option<&[&str]>); 8] = [
            ("", Some(&[])),
            ("title", Some(&["title"])),
            ("a.bC,d", Some(&["a.b_c", "d"])),
            ("lineTwo2.x1Y", Some(&["line_two2.x1_y"])),
            ("a.b_c", None),
            ("a, b", None),
            ("a,,b", None),
            ("é", None),
        ];
        for (text, paths) in table {
            let read = read(text);
            assert_eq!(read.as_ref().map(|p| p.iter().map(String::as_str).collect()), paths.map(<[_]>::to_vec), "{text}");
            if let Some(paths) = read {
                assert_eq!(print(&paths).as_deref(), Some(text));
            }
        }
    }

    #[test]
    fn a_path_that_would_not_come_back_is_not_written() {
        for path in ["", "aB", "a__b", "a_", "a_1", "a b", "a,b"] {
            assert_eq!(print(&["title".to_owned(), path.to_owned()]), None, "{path}");
        }
    }
}
