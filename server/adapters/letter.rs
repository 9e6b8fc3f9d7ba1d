//! What a mail is made of: a heading, paragraphs, a code, entries, a button, and why one gets it. It is written as text and as HTML, which say the
//! same; the HTML asks for nothing from outside, and has the app's colours, light and dark.

use super::mail::Mail;
use crate::text;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use std::fmt::Write;

const BRAND: &str = "Goodturn";

/// A mail before it is addressed. What is ours is given as `paragraph`; what a member wrote as `quote`, and what has in it what a member wrote as
/// `words` and in entries: no program that shows it makes a link of it.
#[derive(Clone)]
#[must_use]
pub struct Letter {
    subject: String,
    heading: Option<String>,
    parts: Vec<Part>,
    why: Option<String>,
    ways_out: Vec<Way>,
    one_click: Option<String>,
}

#[derive(Clone)]
enum Part {
    Paragraph(String),
    Words(String),
    Quote(String),
    Code { lead: String, code: String },
    Entries(Vec<Entry>),
    Button { label: String, link: String },
}

/// Where one goes who wants fewer of these.
#[derive(Clone)]
struct Way {
    label: String,
    page: String,
}

/// One of several things that a mail tells.
#[derive(Clone)]
pub struct Entry {
    /// What kind of thing; ours.
    pub title: String,
    /// What it is; it may have members' words in it.
    pub text: String,
    /// Where it leads in the app, if anywhere.
    pub link: Option<String>,
}

impl Letter {
    /// With a subject that is ours, which is the heading too.
    pub fn new(subject: impl Into<String>) -> Self {
        Self { subject: subject.into(), heading: None, parts: Vec::new(), why: None, ways_out: Vec::new(), one_click: None }
    }

    /// With a heading of its own, which stands first in the text as well.
    pub fn heading(self, heading: impl Into<String>) -> Self {
        Self { heading: Some(heading.into()), ..self }
    }

    /// Goes on with a paragraph, or several lines of one.
    pub fn paragraph(self, text: impl Into<String>) -> Self {
        self.and(Part::Paragraph(text.into()))
    }

    /// Goes on with what a member wrote, and nothing else: in the text each line of it says so, that none passes for ours.
    pub fn quote(self, text: &str) -> Self {
        self.and(Part::Quote(text::unlinked(&text::plain(text))))
    }

    /// Goes on with a sentence of ours that has in it what a member wrote: on one line, that none of theirs passes for ours.
    pub fn words(self, text: &str) -> Self {
        self.and(Part::Words(text::unlinked(&text::within(text))))
    }

    /// Goes on with a code, shown large; `lead` is what stands before it, as "Your code is".
    pub fn code(self, lead: &str, code: &str) -> Self {
        self.and(Part::Code { lead: lead.to_owned(), code: code.to_owned() })
    }

    /// Goes on with several things.
    pub fn entries(self, entries: impl IntoIterator<Item = Entry>) -> Self {
        let harmless = |entry: Entry| Entry { text: text::unlinked(&text::within(&entry.text)), ..entry };
        self.and(Part::Entries(entries.into_iter().map(harmless).collect()))
    }

    /// Goes on with what one can do about it, at an address of ours.
    pub fn button(self, label: &str, link: impl Into<String>) -> Self {
        self.and(Part::Button { label: label.to_owned(), link: link.into() })
    }

    /// Says at its foot why one gets it.
    pub fn because(self, why: impl Into<String>) -> Self {
        Self { why: Some(why.into()), ..self }
    }

    /// Says at its foot how one gets no more of these, or others: on a page of ours.
    pub fn way_out(mut self, label: impl Into<String>, page: impl Into<String>) -> Self {
        self.ways_out.push(Way { label: label.into(), page: page.into() });
        self
    }

    /// Lets mail programs end these themselves, by asking this address (RFC 8058).
    pub fn one_click(self, link: impl Into<String>) -> Self {
        Self { one_click: Some(link.into()), ..self }
    }

    /// Addressed to somebody.
    #[must_use]
    pub fn to(self, to: impl Into<String>) -> Mail {
        let (body, html) = (self.text(), self.html().into_string());
        Mail { to: to.into(), subject: self.subject, body, html, one_click: self.one_click }
    }

    fn and(mut self, part: Part) -> Self {
        self.parts.push(part);
        self
    }

    fn text(&self) -> String {
        let ways_out = self.ways_out.iter().map(|way| format!("{}: {}", way.label, way.page));
        let foot = self.why.iter().cloned().chain(ways_out);
        self.heading.iter().cloned().chain(self.parts.iter().map(Part::text)).chain(foot).collect::<Vec<_>>().join("\n\n") + "\n"
    }

    /// What programs show of it beside the subject.
    fn preview(&self) -> String {
        let first = self.parts.iter().find(|part| matches!(part, Part::Code { .. })).or(self.parts.first());
        first.map(|part| part.text().replace('\n', " ")).unwrap_or_default()
    }

    fn html(&self) -> Markup {
        html! {
            (DOCTYPE)
            html lang="en" {
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="color-scheme" content="light dark";
                    meta name="supported-color-schemes" content="light dark";
                    meta name="format-detection" content="telephone=no, date=no, address=no, email=no, url=no";
                    title { (self.subject) }
                    style { (PreEscaped(DARK)) }
                }
                body.canvas style=(styles::BODY) {
                    div style=(styles::PREVIEW) { (self.preview()) }
                    div.canvas style=(styles::SHEET) {
                        header {
                            p.ink style=(styles::BRAND) { span.mark style=(styles::MARK) aria-hidden="true" { "G" } " " (BRAND) }
                        }
                        main.card style=(styles::CARD) {
                            h1.ink style=(styles::HEADING) { (self.heading.as_ref().unwrap_or(&self.subject)) }
                            @for part in &self.parts { (part.html()) }
                        }
                        footer {
                            @if let Some(why) = &self.why { p.dim style=(styles::FOOT) { (why) } }
                            @for way in &self.ways_out {
                                p.dim style=(styles::FOOT) { a.link style=(styles::LINK) href=(way.page) { (way.label) } }
                            }
                        }
                    }
                }
            }
        }
    }
}

impl Part {
    fn text(&self) -> String {
        match self {
            Self::Paragraph(text) | Self::Words(text) => text.clone(),
            Self::Quote(text) => text.lines().map(|line| format!("> {line}")).collect::<Vec<_>>().join("\n"),
            Self::Code { lead, code } => format!("{lead} {code}"),
            Self::Entries(entries) => entries.iter().map(Entry::as_text).collect::<Vec<_>>().join("\n\n"),
            Self::Button { label, link } => format!("{label}: {link}"),
        }
    }

    fn html(&self) -> Markup {
        match self {
            Self::Paragraph(text) => html! { p.ink style=(styles::PARAGRAPH) { (lines(text)) } },
            Self::Words(text) | Self::Quote(text) => html! { p.words style=(styles::WORDS) dir="auto" { (lines(text)) } },
            Self::Code { lead, code } => html! {
                p.ink style=(styles::PARAGRAPH) { (lead) }
                p.words style=(styles::CODE) { (code) }
            },
            Self::Entries(entries) => html! { @for entry in entries { (entry.html()) } },
            Self::Button { label, link } => html! {
                p style=(styles::ACTION) { a.button style=(styles::BUTTON) href=(link) { (label) } }
            },
        }
    }
}

impl Entry {
    fn as_text(&self) -> String {
        let mut said = format!("* {}\n  {}", self.title, self.text);
        if let Some(link) = &self.link {
            let _ = write!(said, "\n  {link}");
        }
        said
    }

    fn html(&self) -> Markup {
        html! {
            div.entry style=(styles::ENTRY) {
                p.ink style=(styles::TITLE) {
                    @match &self.link {
                        Some(link) => { a.link style=(styles::LINK) href=(link) { (self.title) } }
                        None => { (self.title) }
                    }
                }
                p.dim style=(styles::ENTRY_TEXT) dir="auto" { (self.text) }
            }
        }
    }
}

/// Lines of one text, each its own.
fn lines(text: &str) -> Markup {
    html! { @for (n, line) in text.lines().enumerate() { @if n > 0 { br; } (line) } }
}

/// Inline styles have no word for the scheme: programs that know it take this, the others show it light.
const DARK: &str = "\
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .canvas { background: #181512 !important; }
  .card { background: #221e1a !important; border-color: #342e28 !important; }
  .entry { border-color: #342e28 !important; }
  .ink { color: #f5f0e8 !important; }
  .dim { color: #b8afa2 !important; }
  .words { background: #2d2823 !important; color: #f5f0e8 !important; }
  .link { color: #84d9a5 !important; }
  .mark, .button { background: #62c98d !important; color: #0b2616 !important; }
}
";

/// The app's look, spelt out at each element, since many programs leave a style sheet out.
mod styles {
    pub const BODY: &str = "margin: 0; padding: 0; background: #faf7f2; color: #26221d; overflow-wrap: break-word; \
        font: 16px/1.5 Inter, system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; -webkit-text-size-adjust: 100%;";
    pub const PREVIEW: &str = "display: none; max-height: 0; overflow: hidden;";
    pub const SHEET: &str = "max-width: 560px; margin: 0 auto; padding: 24px 16px 32px; background: #faf7f2;";
    pub const BRAND: &str = "margin: 0 0 16px; font-size: 18px; font-weight: 650; color: #26221d;";
    pub const MARK: &str = "display: inline-block; width: 28px; margin-right: 4px; border-radius: 9px; background: #1a7a48; color: #ffffff; \
        font-weight: 700; line-height: 28px; text-align: center;";
    pub const CARD: &str = "display: block; padding: 24px 20px 8px; background: #ffffff; border: 1px solid #eae4da; border-radius: 16px;";
    pub const HEADING: &str =
        "margin: 0 0 16px; font-size: 22px; font-weight: 700; line-height: 28px; letter-spacing: -0.018em; color: #26221d;";
    pub const PARAGRAPH: &str = "margin: 0 0 16px; color: #26221d;";
    pub const WORDS: &str = "margin: 0 0 16px; padding: 12px 16px; border-radius: 12px; background: #f3eee6; color: #26221d;";
    pub const CODE: &str = "margin: 0 0 16px; padding: 12px 16px; border-radius: 12px; background: #f3eee6; color: #26221d; font-size: 28px; \
        font-weight: 700; line-height: 34px; letter-spacing: 0.2em; font-variant-numeric: tabular-nums; text-align: center;";
    pub const ENTRY: &str = "padding: 12px 0; border-top: 1px solid #eae4da;";
    pub const TITLE: &str = "margin: 0; font-weight: 650; color: #26221d;";
    pub const ENTRY_TEXT: &str = "margin: 4px 0 0; color: #665e54;";
    pub const ACTION: &str = "margin: 16px 0;";
    pub const BUTTON: &str = "display: inline-block; padding: 12px 24px; border-radius: 12px; background: #1a7a48; color: #ffffff; \
        font-weight: 600; line-height: 20px; text-decoration: none;";
    pub const LINK: &str = "color: #15653b; text-decoration: underline;";
    pub const FOOT: &str = "margin: 16px 4px 0; font-size: 14px; line-height: 20px; color: #665e54;";
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letter() -> Letter {
        let entry =
            Entry { title: "Favor request".into(), text: "Ana <b> asks: see evil.example".into(), link: Some("https://a.test/x".into()) };
        Letter::new("News")
            .heading("Hello")
            .paragraph("First line\nSecond line")
            .words("Look at https://evil.example/win\u{2028}now")
            .quote("Hello.\n\nJoin Goodturn: https://evil.example/join")
            .code("Your code is", "123456")
            .entries([entry])
            .button("Open", "https://a.test/open")
            .because("You asked for it.")
            .way_out("Stop", "https://a.test/stop#t")
            .one_click("https://a.test/one?t=t")
    }

    #[test]
    fn text_and_html_say_the_same() {
        let Mail { to, subject, body, html, one_click } = letter().to("ana@example.org");
        assert_eq!((to.as_str(), subject.as_str()), ("ana@example.org", "News"));
        assert_eq!(one_click.as_deref(), Some("https://a.test/one?t=t"));
        let shown = [
            "Hello",
            "Your code is",
            "123456",
            "Favor request",
            "https://a.test/x",
            "Open",
            "https://a.test/open",
            "You asked for it.",
            "Stop",
            "https://a.test/stop#t",
        ];
        for said in shown {
            assert!(body.contains(said) && html.contains(said), "{said}\n{body}\n{html}");
        }
        assert!(body.starts_with("Hello\n\nFirst line\nSecond line\n\nLook at ") && body.contains("\n\nYour code is 123456\n\n"), "{body}");
        assert!(body.contains("\n\n> Hello.\n> \n> Join Goodturn: https:"), "each line is marked as a member's: {body}");
        assert!(body.ends_with("You asked for it.\n\nStop: https://a.test/stop#t\n"), "{body}");
        assert!(html.contains("First line<br>Second line"), "{html}");
        assert!(!html.contains("one?t=t"), "the address for programs is in the headers alone");
    }

    #[test]
    fn what_a_member_wrote_begins_no_line_of_ours() {
        let mail = Letter::new("News").words("Ana asks: “Tea”.\n\nYour account is locked \u{2028}”").to("ana@example.org");
        assert_eq!(mail.body, "Ana asks: “Tea”. Your account is locked ”\n");
        let entry = Entry { title: "Favor".into(), text: "“Tea”.\n\nYour account".into(), link: None };
        let mail = Letter::new("News").entries([entry]).to("ana@example.org");
        assert!(mail.body.contains("“Tea”. Your account"), "{}", mail.body);
    }

    #[test]
    fn a_subject_is_the_heading_and_is_not_said_twice_in_the_text() {
        let mail = Letter::new("Your code").paragraph("Here it is.").to("ana@example.org");
        assert_eq!(mail.body, "Here it is.\n");
        assert!(mail.html.contains(">Your code</h1>"), "{}", mail.html);
        assert_eq!(mail.one_click, None);
    }

    #[test]
    fn what_members_wrote_is_text_and_no_link() {
        let Mail { body, html, .. } = letter().to("ana@example.org");
        for said in [&body, &html] {
            assert!(!said.contains("https://evil") && !said.contains("evil.example") && !said.contains('\u{2028}'), "{said}");
        }
        assert!(!html.contains("<b>") && html.contains("&lt;b&gt;"), "{html}");
        let links = html.matches("href=").count();
        assert_eq!(links, 3, "the entry's, the button's, and the one that stops it: {html}");
    }

    #[test]
    fn nothing_is_fetched_from_outside() {
        let html = letter().to("ana@example.org").html;
        for word in ["<img", "<link", "<script", "url(", "@import", "src="] {
            assert!(!html.contains(word), "{word}: {html}");
        }
    }

    /// Each colour that is spelt out for the light scheme has its word for the dark one.
    #[test]
    fn every_colour_has_a_dark_one() {
        let html = letter().to("ana@example.org").html;
        let body = html.split("<body").nth(1).unwrap();
        for element in format!("<body{body}").split('<').filter(|e| e.contains("color: #") || e.contains("background: #")) {
            let classes = element.split("class=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap_or_default();
            assert!(classes.split(' ').any(|class| DARK.contains(&format!(".{class}"))), "{element}");
        }
    }
}
