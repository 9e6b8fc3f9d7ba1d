//! Path templates of `google.api.http`: `/items/{item_id}/requests/{request_id}:accept`.

use crate::error::{Error, Result};
use percent_encoding::percent_decode_str;
use std::borrow::Cow;

/// A parsed template.
#[derive(Debug)]
pub struct Template {
    segments: Vec<Segment>,
    variables: Vec<Variable>,
    verb: Option<String>,
}

/// What one place between slashes takes. Literals sort before wildcards: they are tried first.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Segment {
    /// This word.
    Literal(String),
    /// `*`: anything but nothing.
    One,
    /// `**`: all that is left, which may be nothing.
    Rest,
}

#[derive(Debug)]
struct Variable {
    field: String,
    from: usize,
    to: usize,
}

impl Template {
    /// Parses a template.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Self, String> {
        let rest = text.strip_prefix('/').ok_or("a template begins with a slash")?;
        let (path, verb) = match rest.rsplit_once(':') {
            Some((path, verb)) if !verb.contains(['/', '}']) => (path, Some(verb.to_owned())),
            _ => (rest, None),
        };
        let mut template = Self { segments: Vec::new(), variables: Vec::new(), verb };
        template.read(path)?;
        match template.segments.iter().position(|s| *s == Segment::Rest) {
            Some(at) if at + 1 < template.segments.len() => Err("`**` stands last".to_owned()),
            _ => Ok(template),
        }
    }

    fn read(&mut self, mut path: &str) -> Result<(), String> {
        loop {
            let rest = if let Some(inner) = path.strip_prefix('{') {
                let (inner, rest) = inner.split_once('}').ok_or("a brace is not closed")?;
                let (field, pattern) = inner.split_once('=').unwrap_or((inner, "*"));
                let from = self.segments.len();
                for part in pattern.split('/') {
                    self.segment(part)?;
                }
                self.variables.push(Variable { field: field.to_owned(), from, to: self.segments.len() });
                rest
            } else {
                let end = path.find('/').unwrap_or(path.len());
                let (part, rest) = path.split_at(end);
                self.segment(part)?;
                rest
            };
            match rest.strip_prefix('/') {
                Some(next) => path = next,
                None if rest.is_empty() => return Ok(()),
                None => return Err(format!("a slash is missing before `{rest}`")),
            }
        }
    }

    fn segment(&mut self, part: &str) -> Result<(), String> {
        self.segments.push(match part {
            "*" => Segment::One,
            "**" => Segment::Rest,
            word if word.is_empty() || word.contains(['{', '}', '*', '%']) => return Err(format!("`{word}` is no segment")),
            word => Segment::Literal(word.to_owned()),
        });
        Ok(())
    }

    /// The word that it begins with; `None` when it begins with a wildcard.
    pub fn first_word(&self) -> Option<&str> {
        match self.segments.first() {
            Some(Segment::Literal(word)) => Some(word),
            _ => None,
        }
    }

    /// In which order templates are tried, and the same for two that take the same paths.
    pub fn rank(&self) -> (Vec<Segment>, bool, Option<String>) {
        (self.segments.clone(), self.verb.is_none(), self.verb.clone())
    }

    /// The proto names of the fields that it takes from the path, dotted.
    pub fn fields(&self) -> impl Iterator<Item = &str> {
        self.variables.iter().map(|v| v.field.as_str())
    }

    /// Whether a path is one of its own.
    pub fn takes(&self, path: &Path<'_>) -> bool {
        if !path.has_verb(self.verb.as_deref()) {
            return false;
        }
        let open = self.segments.last() == Some(&Segment::Rest);
        let fixed = self.segments.len() - usize::from(open);
        let long_enough = if open { path.segments.len() >= fixed } else { path.segments.len() == fixed };
        long_enough
            && self.segments.iter().take(fixed).enumerate().all(|(at, segment)| match (segment, path.segment(at, self.verb.is_some())) {
                (Segment::Literal(word), Some(part)) => part == word || (part.contains('%') && decode(part).is_ok_and(|p| p == *word)),
                (_, part) => part.is_some_and(|p| !p.is_empty()),
            })
    }

    /// The values of its fields in a path that it takes.
    ///
    /// # Errors
    /// MALFORMED_JSON when a value is not UTF-8 once it is decoded.
    pub fn values(&self, path: &Path<'_>) -> Result<Vec<String>> {
        self.variables.iter().map(|v| self.value(v, path)).collect()
    }

    fn value(&self, variable: &Variable, path: &Path<'_>) -> Result<String> {
        let open = variable.to == self.segments.len() && self.segments.last() == Some(&Segment::Rest);
        let to = if open { path.segments.len() } else { variable.to };
        let parts: Result<Vec<_>> = (variable.from..to).filter_map(|at| path.segment(at, self.verb.is_some())).map(decode).collect();
        Ok(parts?.join("/"))
    }
}

/// The path of a request, split but not decoded: a `%2F` is part of a value, not a slash.
#[derive(Debug)]
pub struct Path<'a> {
    segments: Vec<&'a str>,
    /// The last segment without its verb, and the verb.
    verb: Option<(&'a str, Cow<'a, str>)>,
}

impl<'a> Path<'a> {
    /// Splits a path. The last colon of the last segment, plain or as `%3A`, begins a verb.
    pub fn split(path: &'a str) -> Self {
        let segments: Vec<&str> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
        let last = segments.last().copied().unwrap_or_default();
        let colons = [(":", last.rfind(':')), ("%3A", last.rfind("%3A")), ("%3a", last.rfind("%3a"))];
        let verb = colons.iter().filter_map(|(colon, at)| Some((at.as_ref()?, colon.len()))).max().and_then(|(at, length)| {
            let (head, tail) = last.split_at_checked(*at)?;
            Some((head, decode(tail.get(length..)?).ok()?))
        });
        Self { segments, verb }
    }

    /// The word that the path begins with, decoded: whole, and without the verb when it is the only one.
    pub fn first_words(&self) -> impl Iterator<Item = Cow<'a, str>> {
        let alone = self.verb.as_ref().filter(|_| self.segments.len() == 1).map(|v| v.0);
        self.segments.first().copied().into_iter().chain(alone).filter_map(|word| decode(word).ok())
    }

    fn has_verb(&self, wanted: Option<&str>) -> bool {
        wanted.is_none_or(|wanted| self.verb.as_ref().is_some_and(|(_, verb)| verb == wanted))
    }

    fn segment(&self, at: usize, without_verb: bool) -> Option<&'a str> {
        match &self.verb {
            Some((head, _)) if without_verb && at + 1 == self.segments.len() => Some(head),
            _ => self.segments.get(at).copied(),
        }
    }
}

fn decode(part: &str) -> Result<Cow<'_, str>> {
    percent_decode_str(part).decode_utf8().map_err(|_| Error::malformed("the path is not UTF-8"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(template: &str, path: &str) -> Option<Vec<String>> {
        let (template, path) = (Template::parse(template).unwrap(), Path::split(path));
        template.takes(&path).then(|| template.values(&path).unwrap())
    }

    #[test]
    fn paths_are_taken_as_the_table_says() {
        let table: &[(&str, &str, Option<&[&str]>)] = &[
            ("/groups", "/groups", Some(&[])),
            ("/groups", "/groups/", None),
            ("/groups", "/group", None),
            ("/groups", "/%67roups", Some(&[])),
            ("/groups/{id}", "/groups/7", Some(&["7"])),
            ("/groups/{id}", "/groups/", None),
            ("/groups/{id}", "/groups/7/8", None),
            ("/groups/{id}", "/groups/a%2Fb%20c", Some(&["a/b c"])),
            ("/groups/{id}", "/groups/a:b", Some(&["a:b"])),
            ("/groups/{id}", "/groups/a+b", Some(&["a+b"])),
            ("/items/{i}/requests/{r}:accept", "/items/1/requests/2:accept", Some(&["1", "2"])),
            ("/items/{i}/requests/{r}:accept", "/items/1/requests/2%3Aaccept", Some(&["1", "2"])),
            ("/items/{i}/requests/{r}:accept", "/items/1/requests/2%3aaccept", Some(&["1", "2"])),
            ("/items/{i}/requests/{r}:accept", "/items/1/requests/a:b:accept", Some(&["1", "a:b"])),
            ("/items/{i}/requests/{r}:accept", "/items/1/requests/:accept", None),
            ("/items/{i}/requests/{r}:accept", "/items/1/requests/2:reject", None),
            ("/items/{i}/requests/{r}:accept", "/items/1/requests/2", None),
            ("/notifications:read-all", "/notifications:read-all", Some(&[])),
            ("/notifications:read-all", "/notifications%3Aread-all", Some(&[])),
            ("/notifications:read-all", "/notifications", None),
            ("/a/{name=b/*}/c", "/a/b/x%20y/c", Some(&["b/x y"])),
            ("/a/{name=**}", "/a/b/c", Some(&["b/c"])),
            ("/a/{name=**}", "/a", Some(&[""])),
            ("/a/*/c", "/a/b/c", Some(&[])),
            ("/a/*/c", "/a//c", None),
        ];
        for (template, path, expected) in table {
            let expected = expected.map(|v| v.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>());
            assert_eq!(read(template, path), expected, "{template} {path}");
        }
    }

    #[test]
    fn a_value_that_is_not_utf8_is_refused() {
        let (template, path) = (Template::parse("/groups/{id}").unwrap(), Path::split("/groups/%ff"));
        assert!(template.takes(&path));
        assert!(template.values(&path).is_err());
    }

    #[test]
    fn a_wrong_template_is_told() {
        for wrong in ["groups", "/a/{b", "/a//b", "/**/a", "/a/{b}c", "/a/{b}}"] {
            assert!(Template::parse(wrong).is_err(), "{wrong}");
        }
    }
}
