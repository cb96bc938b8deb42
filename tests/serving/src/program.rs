//! Serving programs: the examples of a crate, run by its tests.

use std::env;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::process::{Child, Command, Stdio};

/// An example of the crate under test, as a process. Dropping this ends the process.
#[derive(Debug)]
pub struct Program {
    child: Child,
    /// Its address.
    pub address: SocketAddr,
}

impl Program {
    /// Starts an example that prints `http://ADDRESS` once it listens, with more variables in its environment.
    ///
    /// # Panics
    /// If it does not start.
    #[track_caller]
    pub fn start(example: &str, variables: &[(&str, &str)]) -> Self {
        let test = env::current_exe().expect("the test's own file");
        let folder = test
            .parent()
            .and_then(|deps| deps.parent())
            .expect("a folder of cargo's");
        let file = folder
            .join("examples")
            .join(format!("{example}{}", env::consts::EXE_SUFFIX));
        let mut child = Command::new(&file)
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        let mut line = String::new();
        let stdout = child.stdout.take().expect("a pipe");
        BufReader::new(stdout).read_line(&mut line).expect("a line");
        let address = line
            .trim()
            .strip_prefix("http://")
            .and_then(|address| address.parse().ok());
        let Some(address) = address else {
            // It ended by itself, or printed something else.
            let _ = child.kill();
            panic!("{example} says {line:?}");
        };
        Program { child, address }
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
