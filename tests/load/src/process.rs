//! The resources that a process uses, as reported by Linux.

use std::fs;
use std::time::Duration;

/// A process.
#[derive(Clone, Copy, Debug)]
pub struct Process(pub u32);

impl Process {
    fn read(self, file: &str) -> String {
        fs::read_to_string(format!("/proc/{}/{file}", self.0)).expect("the process runs")
    }

    /// Its processor time.
    ///
    /// # Panics
    /// If it has ended.
    pub fn cpu(self) -> Duration {
        let stat = self.read("stat");
        // The name may contain spaces. After it, the 12th and 13th values are in hundredths of a second, a unit that Linux guarantees to
        // programs.
        let (_, values) = stat.rsplit_once(')').expect("a name");
        let ticks: u64 = values
            .split_ascii_whitespace()
            .skip(11)
            .take(2)
            .map(|ticks| ticks.parse::<u64>().expect("a number"))
            .sum();
        Duration::from_millis(ticks * 10)
    }

    /// Its resident memory in bytes, and the most that it ever was.
    ///
    /// # Panics
    /// If it has ended.
    pub fn memory(self) -> (u64, u64) {
        let status = self.read("status");
        let bytes = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name));
            let number = line.and_then(|line| line.split_ascii_whitespace().next());
            number
                .and_then(|number| number.parse::<u64>().ok())
                .expect("a number")
                * 1024
        };
        (bytes("VmRSS:"), bytes("VmHWM:"))
    }

    /// Its open files and sockets.
    ///
    /// # Panics
    /// If it has ended.
    pub fn files(self) -> usize {
        fs::read_dir(format!("/proc/{}/fd", self.0))
            .expect("the process runs")
            .count()
    }
}
