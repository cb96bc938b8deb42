//! Starts the program `sitemap` from this program's folder, with the same arguments.

#![forbid(unsafe_code)]

use std::env;
use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let program = match env::current_exe().and_then(|own| own.canonicalize()) {
        Ok(own) => own.with_file_name(format!("sitemap{}", env::consts::EXE_SUFFIX)),
        Err(error) => {
            eprintln!("sitemap-cli: its own path is unknown: {error}");
            return ExitCode::from(2);
        }
    };
    let mut command = Command::new(&program);
    command.args(env::args_os().skip(1));
    let error = match start(&mut command) {
        Ok(status) => return status,
        Err(error) => error,
    };
    eprintln!(
        "sitemap-cli: cannot start {}: {error}; install sitemap-cli again",
        program.display()
    );
    ExitCode::from(2)
}

/// Replaces this program. Returns only if that fails.
#[cfg(unix)]
fn start(command: &mut Command) -> std::io::Result<ExitCode> {
    Err(std::os::unix::process::CommandExt::exec(command))
}

/// Waits for the program and returns its exit status.
#[cfg(not(unix))]
fn start(command: &mut Command) -> std::io::Result<ExitCode> {
    let status = command.status()?;
    let code = status.code().and_then(|code| u8::try_from(code).ok());
    Ok(code.map_or(ExitCode::FAILURE, ExitCode::from))
}
