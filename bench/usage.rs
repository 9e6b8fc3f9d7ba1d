//! What processes use, as the kernel counts it: processor time and memory.

use std::fs;

/// Ticks of /proc/<pid>/stat in a second: fixed by Linux' interface, whatever the kernel's own timer does.
const TICKS_PER_SECOND: f64 = 100.0;

struct Stat {
    parent: u32,
    own: u64,
    reaped: u64,
}

/// Processor time of one process, in seconds; children do not count. 0 when it is gone.
pub fn cpu_s(pid: u32) -> f64 {
    stat(pid).map_or(0.0, |s| seconds(s.own))
}

/// Processor time of this process, in seconds.
pub fn own_cpu_s() -> f64 {
    cpu_s(std::process::id())
}

/// Processor time of a process and of its children, those that have ended among them, in seconds: Postgres serves each connection by a
/// child of its own.
pub fn family_cpu_s(pid: u32) -> f64 {
    let children = children(pid).filter_map(stat).map(|s| s.own).sum::<u64>();
    stat(pid).map_or(0.0, |s| seconds(s.own + s.reaped)) + seconds(children)
}

/// Resident memory, in MB. 0 when the process is gone.
pub fn memory_mb(pid: u32) -> f64 {
    status_mb(pid, "VmRSS:")
}

/// The most resident memory since the last `forget_peak`, in MB. 0 when the process is gone.
pub fn peak_mb(pid: u32) -> f64 {
    status_mb(pid, "VmHWM:")
}

/// Begins the measuring of the peak anew.
///
/// # Errors
/// When the process is gone, or is somebody else's.
pub fn forget_peak(pid: u32) -> std::io::Result<()> {
    // proc(5): 5 resets the peak.
    fs::write(format!("/proc/{pid}/clear_refs"), "5")
}

fn status_mb(pid: u32, field: &str) -> f64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix(field));
    let kb = line.and_then(|l| l.split_whitespace().next()?.parse::<f64>().ok());
    kb.map_or(0.0, |kb| kb / 1024.0)
}

/// The parent of a process on this machine.
pub fn parent(pid: u32) -> Option<u32> {
    stat(pid).map(|s| s.parent)
}

/// The children of a process.
pub fn children(pid: u32) -> impl Iterator<Item = u32> {
    processes().filter(move |child| parent(*child) == Some(pid))
}

fn seconds(ticks: u64) -> f64 {
    ticks as f64 / TICKS_PER_SECOND
}

fn processes() -> impl Iterator<Item = u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|e| e.file_name().to_str()?.parse().ok())
}

/// The fields after the command's name, which may hold anything but ends at the last bracket; proc(5) numbers the first of them 3.
fn stat(pid: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let number = |n: usize| fields.get(n - 3)?.parse::<u64>().ok();
    Some(Stat { parent: u32::try_from(number(4)?).ok()?, own: number(14)? + number(15)?, reaped: number(16)? + number(17)? })
}
