//! Reading a site in several runs: after Ctrl-C, after a crash, and again.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use crate::folder::Folder;
use crate::live::{Reaction, index, ok, serve, urlset};
use crate::server::{Answer, Server};

const DOCUMENTS: usize = 24;

/// The number of the document that is truncated within an entry.
const DAMAGED: usize = 5;

/// The maximum number of documents in flight.
const CONNECTIONS: usize = 3;

/// SplitMix64.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % bound
    }
}

/// A slow site whose documents have three pages each. The damaged document has one page before the damage.
fn slow_site() -> String {
    let names: Vec<String> = (0..DOCUMENTS).map(|number| format!("/{number}.xml")).collect();
    let locs: Vec<String> = names.iter().map(|name| format!("http://HOST{name}")).collect();
    let mut table = vec![
        ("/robots.txt", ok("Sitemap: http://HOST/index.xml")),
        (
            "/index.xml",
            ok(index(&locs.iter().map(|loc| &**loc).collect::<Vec<_>>())),
        ),
    ];
    for (number, name) in names.iter().enumerate() {
        let pages = ["a", "b", "c"].map(|page| format!("https://example.com/{number}/{page}"));
        let mut body = urlset(&pages.each_ref().map(|page| &**page));
        if number == DAMAGED {
            body = body.replace("</urlset>", "<url><loc>");
        }
        let Reaction::Write(bytes) = ok(body) else {
            unreachable!();
        };
        let pause = Duration::from_millis(10 + number as u64 % 7 * 5);
        table.push((name, Reaction::WriteLate(bytes, pause)));
    }
    format!("http://{}/", serve(&table))
}

/// Runs the command repeatedly until everything is read, and ends each run except the last by a signal. Returns how often each document was
/// printed, and the number of runs.
fn run_and_end(signal: &str, seed: u64) -> (BTreeMap<String, usize>, usize) {
    let (site, folder, mut random) = (slow_site(), Folder::empty(), Random(seed));
    let connections = CONNECTIONS.to_string();
    let mut printed = BTreeMap::new();
    for run in 1..100 {
        let name = format!("{run}.txt");
        let mut child = folder
            .command(&[
                "cat",
                &site,
                "--site",
                "--save",
                "site.state",
                "--connections",
                &connections,
            ])
            .stdout(File::create(folder.path(&name)).unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // Delays grow with each run, for slow machines.
        thread::sleep(Duration::from_millis(random.below(60) * run as u64));
        if child.try_wait().unwrap().is_none() {
            let sent = Command::new("kill")
                .args([signal, &child.id().to_string()])
                .status()
                .unwrap();
            assert!(sent.success(), "{sent}");
        }
        let output = child.wait_with_output().unwrap();
        let text = folder.read(&name);
        for document in text.lines().filter_map(|page| page.strip_suffix("/a")) {
            *printed.entry(document.to_owned()).or_default() += 1;
        }
        if signal == "-INT" {
            // A document is printed whole or not at all.
            assert_eq!(text.lines().count() % 3, 0, "{text}");
        }
        let said = String::from_utf8(output.stderr).unwrap();
        let interrupted = "sitemap: stopping; Ctrl-C again stops at once\n\
             sitemap: interrupted: the same command goes on with site.state\n";
        match output.status.code() {
            // Killed, or interrupted before the walk began.
            None => {}
            Some(2) if said.ends_with(interrupted) => {}
            // A run that is interrupted at its end has read everything. It repeats the reports of earlier runs.
            status => {
                let is_reported = said.contains(&format!("{site}{DAMAGED}.xml: "))
                    && said.contains("the document ends inside `loc`");
                assert!(status == Some(2) && is_reported, "{said}");
                return (printed, run);
            }
        }
    }
    panic!("the site is not read in 100 runs: {printed:?}");
}

/// Checks how often each document was printed, and after how many signals. Repeats the walk at least three times, until signals ended three
/// runs: on a busy machine, signals often come too late.
#[cfg(unix)]
fn walks_that_end(signal: &str, check: impl Fn(&BTreeMap<String, usize>, usize)) {
    let mut all = 0;
    for seed in 0..30 {
        let (printed, runs) = run_and_end(signal, seed);
        assert_eq!(printed.len(), DOCUMENTS);
        check(&printed, runs - 1);
        all += runs - 1;
        if seed >= 2 && all >= 3 {
            return;
        }
    }
    panic!("{all} of 30 walks were ended");
}

#[cfg(unix)]
#[test]
fn after_an_interruption_each_document_is_printed_once() {
    walks_that_end("-INT", |printed, _| {
        assert!(printed.values().all(|times| *times == 1), "{printed:?}");
    });
}

/// The next walk reads a broken document again, so a completed walk must not be resumed.
#[cfg(unix)]
#[test]
fn interrupted_while_it_prints_the_last_document_it_is_done() {
    let pages: Vec<_> = (0..20_000)
        .map(|page| format!("https://example.com/{page}"))
        .collect();
    let pages: Vec<_> = pages.iter().map(|page| &**page).collect();
    let body = urlset(&pages).replace("</urlset>", "<url><loc>");
    let site = format!(
        "http://{}/",
        serve(&[
            ("/robots.txt", ok("Sitemap: http://HOST/a.xml")),
            ("/a.xml", ok(body))
        ])
    );
    let folder = Folder::empty();
    let mut child = folder
        .command(&["cat", &site, "--site", "--save", "site.state"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // After the first byte, the command is printing. It blocks when the pipe is full.
    let mut first = [0];
    child.stdout.as_mut().unwrap().read_exact(&mut first).unwrap();
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status()
        .unwrap();
    assert!(sent.success(), "{sent}");
    let mut child_stderr = BufReader::new(child.stderr.take().unwrap());
    let mut said = String::new();
    child_stderr.read_line(&mut said).unwrap();
    let output = child.wait_with_output().unwrap();
    child_stderr.read_to_string(&mut said).unwrap();
    let printed = 1 + output.stdout.len();
    assert_eq!(printed, pages.iter().map(|page| page.len() + 1).sum::<usize>());
    let damage = said.strip_prefix("sitemap: stopping; Ctrl-C again stops at once\n");
    assert!(
        damage.is_some_and(|damage| damage.starts_with(&format!("sitemap: {site}a.xml: "))
            && !damage.contains("interrupted")),
        "{said}"
    );
    assert_eq!(output.status.code(), Some(2), "{said}");
}

#[cfg(unix)]
#[test]
fn killed_it_loses_no_document() {
    walks_that_end("-KILL", |printed, ends| {
        let again: usize = printed.values().map(|times| times - 1).sum();
        assert!(again <= ends * CONNECTIONS, "{again} after {ends} ends");
    });
}

#[test]
fn only_what_has_changed_is_read_again() {
    let site = |page: &str| {
        let table = [
            ("/robots.txt", ok("Sitemap: http://HOST/index.xml")),
            (
                "/index.xml",
                ok(index(&["http://HOST/1.xml", "http://HOST/gone.xml"])),
            ),
            ("/1.xml", ok(urlset(&[page]))),
        ];
        format!("http://{}/", serve(&table))
    };
    let (site, other) = (site("https://example.com/1"), site("https://example.com/2"));
    let folder = Folder::empty();
    let run = |site: &str| folder.run(&["cat", site, "--site", "--save", "site.state"]);
    let gone = format!("sitemap: cannot open {site}gone.xml: does not exist\n");
    let (status, printed, said) = run(&site);
    assert_eq!(
        (status, printed.lines().last()),
        (2, Some("https://example.com/1"))
    );
    assert_eq!(
        said,
        format!("{gone}1 of 3 documents could not be read to the end\n")
    );
    // The server has no validators, so the index and the sitemap are loaded again and compared.
    assert_eq!(run(&site), (2, String::new(), gone));
    let of_other = format!("sitemap: the state is of {site}, and not of {other}\n");
    assert_eq!(run(&other), (2, String::new(), of_other));
    for (content, problem) in [
        ("{}", "site.state is not a state of --save"),
        (
            "{}\n",
            "site.state, line 1: no state of --save: missing field `start` at line 1 column 2",
        ),
    ] {
        folder.write("site.state", content);
        assert_eq!(run(&site), (2, String::new(), format!("sitemap: {problem}\n")));
        assert_eq!(folder.read("site.state"), content);
    }
    let (status, _, said) = folder.run(&["cat", &site, "--save", "site.state"]);
    assert_eq!(status, 2);
    assert!(said.contains("--site"), "{said}");
    let two = folder.run(&["cat", &site, &other, "--site", "--save", "site.state"]);
    assert_eq!(
        two,
        (
            2,
            String::new(),
            "sitemap: --save is for one site at a time\n".to_owned()
        )
    );
}

#[test]
fn what_is_not_listed_any_more() {
    let listed = Arc::new(AtomicUsize::new(5));
    let most = Arc::clone(&listed);
    let server = Server::start(move |_, request| {
        let most = most.load(Ordering::Relaxed);
        let url = |number| format!("http://{}/{number}.txt", request.host);
        match &*request.path {
            "/robots.txt" => Answer::ok(format!("Sitemap: http://{}/index.xml", request.host)),
            "/index.xml" => {
                let urls: Vec<String> = (0..most).map(url).collect();
                Answer::ok(index(&urls.iter().map(|url| &**url).collect::<Vec<_>>()))
            }
            _ => Answer::ok("https://example.com/"),
        }
    });
    let (folder, site) = (Folder::empty(), server.url("/"));
    let run = |most| {
        listed.store(most, Ordering::Relaxed);
        folder.run(&["cat", &site, "--site", "--save", "site.state"])
    };
    assert_eq!(run(5), (0, "https://example.com/\n".repeat(5), String::new()));
    let one = format!("note: {site}4.txt is not listed any more\n");
    assert_eq!(run(4), (0, String::new(), one));
    let several = format!("note: 3 documents are not listed any more, such as {site}1.txt\n");
    assert_eq!(run(1), (0, String::new(), several));
    assert_eq!(run(1), (0, String::new(), String::new()));
}

/// Documents printed by several threads do not interleave.
#[test]
fn documents_are_printed_one_after_another() {
    let pages = |document: usize| {
        let locs = (0..20_000).map(move |page| format!("https://example.com/{document}/{page}\n"));
        ok(locs.collect::<String>())
    };
    let names: Vec<String> = (0..4).map(|number| format!("/{number}.txt")).collect();
    let robots: Vec<String> = names
        .iter()
        .map(|name| format!("Sitemap: http://HOST{name}\n"))
        .collect();
    let mut table = vec![("/robots.txt", ok(robots.concat()))];
    table.extend(
        names
            .iter()
            .enumerate()
            .map(|(number, name)| (&**name, pages(number))),
    );
    let site = format!("http://{}/", serve(&table));
    let (status, printed, said) = Folder::empty().run(&["cat", &site, "--site"]);
    assert_eq!((status, &*said), (0, ""));
    let mut documents: Vec<&str> = printed
        .lines()
        .map(|line| line.split('/').nth(3).unwrap())
        .collect();
    assert_eq!(documents.len(), 80_000);
    documents.dedup();
    assert_eq!(documents.len(), 4);
}
