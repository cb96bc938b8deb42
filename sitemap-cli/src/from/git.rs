//! Reads when the sources of pages last changed in git.

use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use percent_encoding::percent_decode_str;
use sitemap_serde::W3cDateTime;

/// The placeholder for a page's path in a template.
const PATH: &str = "{path}";

/// The date of the last change of each file, by its path from the working directory.
#[derive(Debug)]
pub(super) struct History {
    templates: Vec<String>,
    dates: HashMap<Vec<u8>, W3cDateTime>,
}

impl History {
    /// Reads the history of the repository in the working directory. `templates` are the paths of sources.
    pub(super) fn read(templates: &[String]) -> Result<Self> {
        if templates.is_empty() {
            bail!("--dates git needs --source, the path of a page's source, such as `content/{PATH}.md`");
        }
        if let Some(template) = templates.iter().find(|template| !template.contains(PATH)) {
            bail!(
                "--source {template} has no {PATH}, which stands for a page's path, such as in `content/{PATH}.md`"
            );
        }
        if output(&["rev-parse", "--is-shallow-repository"])? == "true" {
            bail!(
                "--dates git: the repository is a shallow clone, whose oldest commit seems to have changed all files; fetch the whole \
                 history, such as by `fetch-depth: 0` of actions/checkout"
            );
        }
        let mut child = git()
            .args([
                // Overrides user settings that would change the list: signatures in it, or no files of the first commit.
                "-c",
                "log.showSignature=false",
                "-c",
                "log.showRoot=true",
                "log",
                "--relative",
                "--name-only",
                "--no-renames",
                "-z",
            ])
            .args(["--format=%x01%cI", "--", "."])
            .stdout(Stdio::piped())
            .spawn()
            .context("--dates git: cannot start git")?;
        let mut dates = HashMap::new();
        let mut date = None;
        if let Some(out) = child.stdout.take() {
            let mut out = BufReader::new(out);
            let mut part = Vec::new();
            while out.read_until(0, &mut part)? > 0 {
                let text = part.strip_suffix(b"\0").unwrap_or(&part);
                let text = text.strip_prefix(b"\n").unwrap_or(text);
                if let Some(text) = text.strip_prefix(b"\x01") {
                    let text = String::from_utf8_lossy(text);
                    date = text.trim().parse::<W3cDateTime>().ok();
                } else if !text.is_empty()
                    && let Some(date) = date
                {
                    // The log starts with the newest commit.
                    dates.entry(text.to_vec()).or_insert(date);
                }
                part.clear();
            }
        }
        if !child.wait()?.success() {
            bail!("--dates git: `git log` failed");
        }
        Ok(History {
            templates: templates.to_vec(),
            dates,
        })
    }

    /// Returns the newest date of a page's sources. `file` is percent-encoded.
    pub(super) fn date(&self, file: &str) -> Option<W3cDateTime> {
        let path = path_of(file);
        let dates = self.templates.iter().filter_map(|template| {
            let source = template.replace(PATH, &path);
            let source = source.trim_start_matches("./").replace("//", "/");
            self.dates.get(source.as_bytes()).copied()
        });
        dates.max_by_key(W3cDateTime::unix_time)
    }
}

/// Returns the path of a page without `index.html` or `.html`. The home page's path is `index`.
fn path_of(file: &str) -> String {
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let path = match stem.strip_suffix("index") {
        Some(folder) if folder.ends_with('/') => folder.trim_end_matches('/'),
        _ => stem,
    };
    percent_decode_str(path).decode_utf8_lossy().into_owned()
}

fn git() -> Command {
    let mut command = Command::new("git");
    command.stdin(Stdio::null());
    command
}

/// Returns the output of git.
fn output(arguments: &[&str]) -> Result<String> {
    let done = git()
        .args(arguments)
        .output()
        .context("--dates git: cannot start git")?;
    if !done.status.success() {
        let problem = String::from_utf8_lossy(&done.stderr);
        bail!("--dates git: {}", problem.lines().next().unwrap_or("git failed"));
    }
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::path_of;

    #[test]
    fn paths_of_pages() {
        for (file, path) in [
            ("index.html", "index"),
            ("about.html", "about"),
            ("blog/index.html", "blog"),
            ("blog/a.b.html", "blog/a.b"),
            ("blog/a%20%C3%A9.html", "blog/a é"),
            ("my-index.html", "my-index"),
        ] {
            assert_eq!(path_of(file), path);
        }
    }
}
