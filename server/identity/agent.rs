//! What a program says of itself, short enough for its member to know it again. Pure.

/// Browsers, by a word that only they have; what others say too stands last.
const BROWSERS: [(&str, &str); 7] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
];
/// Systems, likewise: phones name the systems that theirs come from.
const SYSTEMS: [(&str, &str); 7] = [
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "ChromeOS"),
    ("Windows", "Windows"),
    ("Mac OS X", "macOS"),
    ("Linux", "Linux"),
];
const CHARS_MAX: usize = 60;

/// A browser and its system, as in `Firefox on Linux`; another program by its name.
pub fn short(user_agent: &str) -> String {
    let find = |table: &[(&str, &'static str)]| table.iter().find(|(word, _)| user_agent.contains(word)).map(|(_, name)| *name);
    let told = match (find(&BROWSERS), find(&SYSTEMS)) {
        (Some(browser), Some(system)) => format!("{browser} on {system}"),
        (Some(name), None) | (None, Some(name)) => name.to_owned(),
        (None, None) => user_agent.split(['/', ' ']).next().unwrap_or_default().to_owned(),
    };
    told.chars().filter(|c| !c.is_control()).take(CHARS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_known_again() {
        let table = [
            ("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"),
            ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0", "Edge on Windows"),
            ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1", "Safari on iPhone"),
            ("Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36", "Chrome on Android"),
            ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.0 Safari/605.1.15", "Safari on macOS"),
            ("grpcurl/1.9 grpc-go/1.61", "grpcurl"),
            ("aws-sdk-js/3.900 ua/2.1 os/linux", "aws-sdk-js"),
            ("", ""),
        ];
        for (user_agent, told) in table {
            assert_eq!(short(user_agent), told, "{user_agent}");
        }
        assert_eq!(short(&"x".repeat(1000)).chars().count(), 60);
    }
}
