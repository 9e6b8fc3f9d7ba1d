//! Listens in between the server and Postgres, so that the statements that pgbench repeats are the server's own and not a copy of them.

use anyhow::{Context, Result, bail};
use bytes::{Buf, Bytes};
use sqlx::postgres::PgConnectOptions;
use std::{
    collections::HashMap,
    path::{Path, PathBuf},
    str::FromStr,
    sync::{Arc, Mutex, PoisonError},
};
use time::{Duration, OffsetDateTime, format_description::well_known::Rfc3339, macros::datetime};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt, copy},
    net::{TcpStream, UnixListener, UnixStream},
};
use uuid::Uuid;

// Types by their number in pg_type.
const BOOL: u32 = 16;
const BYTEA: u32 = 17;
const INT8: u32 = 20;
const INT2: u32 = 21;
const INT4: u32 = 23;
const TEXT: u32 = 25;
const JSON: u32 = 114;
const JSONS: u32 = 199;
const FLOAT8: u32 = 701;
const VARCHAR: u32 = 1043;
const DATE: u32 = 1082;
const TIMESTAMPTZ: u32 = 1184;
const UUID: u32 = 2950;
const JSONB: u32 = 3802;
const BOOLS: u32 = 1000;
const BYTEAS: u32 = 1001;
const INT2S: u32 = 1005;
const INT4S: u32 = 1007;
const TEXTS: u32 = 1009;
const INT8S: u32 = 1016;
const FLOAT8S: u32 = 1022;
const TIMESTAMPTZS: u32 = 1185;
const UUIDS: u32 = 2951;
const JSONBS: u32 = 3807;

const PORT: u16 = 5432;
/// Postgres counts time in microseconds from here, and days.
const EPOCH: OffsetDateTime = datetime!(2000-01-01 00:00 UTC);

/// A statement as it was executed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// With `$1` and so on.
    pub sql: String,
    /// What stood for them.
    pub values: Vec<Value>,
}

/// A value that was bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Value {
    /// The name of its type.
    pub kind: &'static str,
    /// As Postgres reads it; `None` is NULL.
    pub text: Option<String>,
}

/// Puts a sign in the place of each id that was made since then, wherever it stands: whoever repeats the call makes another one. How many
/// there are.
pub fn sign_new_ids(statements: &mut [Statement], since: OffsetDateTime) -> usize {
    let mut made = Vec::new();
    for text in statements.iter_mut().flat_map(|s| &mut s.values).filter_map(|v| v.text.as_mut()) {
        for id in new_ids(text, since) {
            let n = made.iter().position(|m| *m == id).unwrap_or_else(|| {
                made.push(id.clone());
                made.len() - 1
            });
            *text = text.replace(&id, &new_id(n));
        }
    }
    made.len()
}

/// The sign of a new id.
pub fn new_id(n: usize) -> String {
    format!("@{n}@")
}

/// Ids have the time in them, but for those of members, who are not new.
fn new_ids(text: &str, since: OffsetDateTime) -> Vec<String> {
    let is_new = |id: &Uuid| {
        let made = id.get_timestamp().and_then(|at| i64::try_from(at.to_unix().0).ok());
        id.get_version_num() == 7 && made.is_some_and(|made| made >= since.unix_timestamp())
    };
    let words = text.split(|c: char| !c.is_ascii_hexdigit() && c != '-');
    words.filter(|word| Uuid::parse_str(word).is_ok_and(|id| is_new(&id))).map(str::to_owned).collect()
}

type Recorded = Arc<Mutex<Vec<Result<Statement>>>>;

/// A socket that leads to Postgres and remembers what passes.
pub struct Tap {
    url: String,
    recorded: Recorded,
}

impl Tap {
    /// Opens it in a directory, in front of the database of a URL. It lives as long as the runtime.
    ///
    /// # Errors
    /// When the URL cannot be read, or the socket not be made.
    pub fn open(dir: &Path, url: &str) -> Result<Self> {
        let listener = UnixListener::bind(dir.join(format!(".s.PGSQL.{PORT}")))?;
        let (upstream, recorded) = (PgConnectOptions::from_str(url)?, Recorded::default());
        let mark = if url.contains('?') { '&' } else { '?' };
        let url = format!("{url}{mark}host={}&port={PORT}&sslmode=disable", dir.display());
        let tap = Self { url, recorded: recorded.clone() };
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass(client, upstream.clone(), recorded.clone()));
            }
        });
        Ok(tap)
    }

    /// Where the server is to connect to.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What was executed since the last time.
    ///
    /// # Errors
    /// When something passed that is not understood.
    pub fn take(&self) -> Result<Vec<Statement>> {
        std::mem::take(&mut *self.recorded.lock().unwrap_or_else(PoisonError::into_inner)).into_iter().collect()
    }
}

/// Ends with either side; the other then sees its connection closed.
async fn pass(client: UnixStream, upstream: PgConnectOptions, recorded: Recorded) -> Result<()> {
    match upstream.get_socket() {
        Some(dir) => {
            let path: PathBuf = dir.join(format!(".s.PGSQL.{}", upstream.get_port()));
            both(client, UnixStream::connect(path).await?, recorded).await
        }
        None => both(client, TcpStream::connect((upstream.get_host(), upstream.get_port())).await?, recorded).await,
    }
}

async fn both(client: UnixStream, server: impl AsyncRead + AsyncWrite, recorded: Recorded) -> Result<()> {
    let ((from_client, mut to_client), (mut from_server, to_server)) = (client.into_split(), tokio::io::split(server));
    tokio::select! {
        done = watch(from_client, to_server, recorded) => done,
        done = copy(&mut from_server, &mut to_client) => Ok(done.map(|_| ())?),
    }
}

/// The start-up message has no letter in front; every later one has.
async fn watch(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, recorded: Recorded) -> Result<()> {
    let mut prepared = HashMap::new();
    let mut letter = None;
    loop {
        let length = from.read_u32().await?;
        let mut body = vec![0; usize::try_from(length)?.saturating_sub(4)];
        from.read_exact(&mut body).await?;
        if let Some(letter) = letter {
            to.write_u8(letter).await?;
        }
        to.write_u32(length).await?;
        to.write_all(&body).await?;
        if let Some(statement) = letter.and_then(|l| read(l, Bytes::from(body), &mut prepared).transpose()) {
            recorded.lock().unwrap_or_else(PoisonError::into_inner).push(statement);
        }
        letter = Some(from.read_u8().await?);
    }
}

/// A prepared statement and the types of its parameters.
type Prepared = HashMap<String, (String, Vec<u32>)>;

/// What a message executes: a simple query, or a prepared one with the values that are bound to it.
fn read(letter: u8, mut body: Bytes, prepared: &mut Prepared) -> Result<Option<Statement>> {
    match letter {
        b'Q' => Ok(Some(Statement { sql: text(&mut body)?, values: Vec::new() })),
        b'P' => {
            let (name, sql) = (text(&mut body)?, text(&mut body)?);
            let types = (0..body.try_get_u16()?).map(|_| Ok(body.try_get_u32()?)).collect::<Result<_>>()?;
            prepared.insert(name, (sql, types));
            Ok(None)
        }
        b'B' => {
            let (_portal, name) = (text(&mut body)?, text(&mut body)?);
            let (sql, types) = prepared.get(&name).context("bound before it was prepared")?;
            for _ in 0..body.try_get_u16()? {
                body.try_get_u16()?;
            }
            let count = body.try_get_u16()?;
            let values =
                types.iter().take(count.into()).map(|t| Ok(Value { kind: kind(*t), text: value(&mut body, *t)? })).collect::<Result<_>>();
            Ok(Some(Statement { sql: sql.clone(), values: values.with_context(|| sql.clone())? }))
        }
        _ => Ok(None),
    }
}

fn text(body: &mut Bytes) -> Result<String> {
    let end = body.iter().position(|b| *b == 0).context("a text has no end")?;
    let bytes = body.split_to(end);
    body.advance(1);
    Ok(String::from_utf8(bytes.to_vec())?)
}

/// The name of a type, which the server says when it prepares a statement.
const fn kind(oid: u32) -> &'static str {
    match oid {
        BOOL => "bool",
        BYTEA => "bytea",
        INT8 => "int8",
        INT2 => "int2",
        INT4 => "int4",
        DATE => "date",
        TIMESTAMPTZ => "timestamptz",
        UUID => "uuid",
        JSON => "json",
        JSONB => "jsonb",
        FLOAT8 => "float8",
        BOOLS => "bool[]",
        TEXTS => "text[]",
        INT2S => "int2[]",
        INT4S => "int4[]",
        INT8S => "int8[]",
        JSONS => "json[]",
        JSONBS => "jsonb[]",
        FLOAT8S => "float8[]",
        TIMESTAMPTZS => "timestamptz[]",
        BYTEAS => "bytea[]",
        UUIDS => "uuid[]",
        _ => "text",
    }
}

/// A value in its binary form, which is what the server sends, as Postgres reads it in text.
fn value(body: &mut Bytes, oid: u32) -> Result<Option<String>> {
    let Ok(length) = usize::try_from(body.try_get_i32()?) else { return Ok(None) };
    if body.len() < length {
        bail!("a value is cut off");
    }
    let mut bytes = body.split_to(length);
    Ok(Some(match oid {
        BOOL => (bytes.try_get_u8()? != 0).to_string(),
        BYTEA => format!("\\x{}", hex::encode(&bytes)),
        INT8 => bytes.try_get_i64()?.to_string(),
        INT2 => bytes.try_get_i16()?.to_string(),
        INT4 => bytes.try_get_i32()?.to_string(),
        FLOAT8 => bytes.try_get_f64()?.to_string(),
        TEXT | VARCHAR | JSON => String::from_utf8(bytes.to_vec())?,
        // Behind the number of its form, of which there is one.
        JSONB => String::from_utf8(bytes.split_off(1).to_vec())?,
        DATE => (EPOCH + Duration::days(bytes.try_get_i32()?.into())).date().to_string(),
        TIMESTAMPTZ => (EPOCH + Duration::microseconds(bytes.try_get_i64()?)).format(&Rfc3339)?,
        UUID => Uuid::from_slice(&bytes)?.to_string(),
        BOOLS | TEXTS | JSONS | JSONBS | INT2S | INT4S | INT8S | FLOAT8S | TIMESTAMPTZS | BYTEAS | UUIDS => array(bytes)?,
        // Of other types there are none in what is measured; pgbench would be refused them.
        other => format!("a value of type {other}"),
    }))
}

fn array(mut bytes: Bytes) -> Result<String> {
    let (dimensions, _, kind) = (bytes.try_get_i32()?, bytes.try_get_i32()?, bytes.try_get_u32()?);
    if dimensions == 0 {
        return Ok("{}".to_owned());
    }
    let (count, _) = (bytes.try_get_i32()?, bytes.try_get_i32()?);
    let quoted = |v: Option<String>| v.map_or("NULL".to_owned(), |v| format!("\"{}\"", v.replace('\\', "\\\\").replace('"', "\\\"")));
    let values: Vec<String> = (0..count).map(|_| value(&mut bytes, kind).map(quoted)).collect::<Result<_>>()?;
    Ok(format!("{{{}}}", values.join(",")))
}
