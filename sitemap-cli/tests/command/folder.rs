//! A temporary folder to run the command in.

use std::fs;
use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use tempfile::TempDir;

pub(crate) const CORE: &str = "http://www.sitemaps.org/schemas/sitemap/0.9";

/// A temporary folder with files, removed at the end.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn empty() -> Self {
        Folder(tempfile::tempdir().unwrap())
    }

    /// A folder with these files, each a name and its content.
    pub(crate) fn with<B: AsRef<[u8]>>(files: &[(&str, B)]) -> Self {
        let folder = Folder::empty();
        for (name, bytes) in files {
            folder.write(name, bytes);
        }
        folder
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names at the top level of the folder.
    pub(crate) fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<_> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    /// The command with these arguments and this folder as its working directory.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sitemap"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env_remove("NO_COLOR")
            // The command would read the certificates before its first request.
            .env_remove("SSL_CERT_FILE")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    /// Runs the command with this standard input.
    pub(crate) fn output(&self, input: impl AsRef<[u8]>, arguments: &[&str]) -> Output {
        let mut program = self.command(arguments).spawn().unwrap();
        // The program may end without reading its input.
        let _ = program.stdin.take().unwrap().write_all(input.as_ref());
        let output = program.wait_with_output().unwrap();
        speaks_to_people(&output.stderr, arguments);
        if arguments.first() == Some(&"lint") {
            speaks_to_people(&output.stdout, arguments);
        }
        output
    }

    /// Runs the command with this standard input. Returns the exit status, standard output and standard error.
    pub(crate) fn pipe(&self, input: impl AsRef<[u8]>, arguments: &[&str]) -> (i32, String, String) {
        let output = self.output(input, arguments);
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    }

    /// Runs the command with empty standard input. See [`pipe`](Self::pipe).
    pub(crate) fn run(&self, arguments: &[&str]) -> (i32, String, String) {
        self.pipe("", arguments)
    }
}

/// Asserts that a message names no types, functions or settings of the library. Advice must refer to the command's own arguments.
#[track_caller]
fn speaks_to_people(said: &[u8], arguments: &[&str]) {
    const OF_PROGRAMS: [&str; 8] = [
        "`String`",
        "`Vec`",
        "`Option`",
        "Builder",
        "writer",
        "#[",
        "serde",
        "feature `",
    ];
    for line in String::from_utf8_lossy(said).lines() {
        // In a GitHub workflow command, the message follows `::`.
        let message = match line.strip_prefix("::") {
            Some(command) => command.split_once("::").map_or("", |(_, message)| message),
            None => line,
        };
        let is_path = |at: usize| message[at + 2..].starts_with(|c: char| c.is_ascii_alphabetic());
        let path = message.match_indices("::").find(|(at, _)| is_path(*at));
        let word = OF_PROGRAMS.iter().find(|word| message.contains(**word));
        assert!(
            path.is_none() && word.is_none(),
            "{arguments:?} speaks to a program: {line}"
        );
    }
}

pub(crate) fn gzipped(text: &(impl AsRef<[u8]> + ?Sized)) -> Vec<u8> {
    let mut compressed = GzEncoder::new(Vec::new(), Compression::default());
    compressed.write_all(text.as_ref()).unwrap();
    compressed.finish().unwrap()
}

pub(crate) fn unzipped(bytes: &[u8]) -> String {
    let mut text = String::new();
    MultiGzDecoder::new(bytes).read_to_string(&mut text).unwrap();
    text
}
