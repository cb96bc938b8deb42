//! A scheduler and two executors in separate processes, as in the example.

use std::collections::BTreeSet;
use std::env;
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use datafusion::prelude::SessionContext;
use sitemap_datafusion::Parts;

use crate::pages::{BASE, contents, folder, locs, locs_of, make, parts, path, rows, set_partitions, staged};

const PATIENCE: Duration = Duration::from_mins(2);

/// A process that is killed at the end of the test.
struct Process(Child);

impl Process {
    fn start(arguments: &[&str]) -> Self {
        let mut command = example();
        command
            .args(arguments)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Process(command.spawn().unwrap())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn example() -> Command {
    let mut program: PathBuf = env::current_exe().unwrap();
    program.pop();
    program.pop();
    program.push("examples/cluster");
    assert!(
        program.exists(),
        "{} is missing: `cargo test` builds it, unless tests are selected by `--test`",
        program.display()
    );
    Command::new(program)
}

struct Cluster {
    url: String,
    executors: Vec<Process>,
    _scheduler: Process,
}

impl Cluster {
    fn start(executors: usize) -> Self {
        // The scheduler's port, and two for each executor.
        let listeners: Vec<TcpListener> = (0..=2 * executors)
            .map(|_| TcpListener::bind("127.0.0.1:0").unwrap())
            .collect();
        let ports: Vec<String> = listeners
            .iter()
            .map(|listener| listener.local_addr().unwrap().port().to_string())
            .collect();
        drop(listeners);
        let scheduler = Process::start(&["scheduler", &ports[0]]);
        wait_for(&ports[0]);
        let executors = ports[1..]
            .chunks(2)
            .map(|port| Process::start(&["executor", &ports[0], &port[0], &port[1], "1"]))
            .collect();
        ports[1..].chunks(2).for_each(|port| wait_for(&port[0]));
        Cluster {
            url: format!("df://localhost:{}", ports[0]),
            executors,
            _scheduler: scheduler,
        }
    }
}

fn wait_for(port: &str) {
    until(|| TcpStream::connect(format!("127.0.0.1:{port}")).is_ok());
}

fn until(mut is_done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        assert!(begun.elapsed() < PATIENCE);
        sleep(Duration::from_millis(5));
    }
}

/// The process that wrote a session's files: `TIME-PROCESS-NUMBER`, in hexadecimal.
fn process_of(session: &str) -> u32 {
    u32::from_str_radix(session.split('-').nth(1).unwrap(), 16).unwrap()
}

async fn connect(cluster: &Cluster) -> SessionContext {
    let context = sitemap_ballista::connect(&cluster.url).await.unwrap();
    set_partitions(&context, 4).await;
    context
}

#[tokio::test(flavor = "multi_thread")]
async fn both_executors_write_parts_of_one_set() {
    let folder = folder();
    make(&folder, 200_000, 4).await;
    let cluster = Cluster::start(2);
    let context = connect(&cluster).await;
    let public = path(&folder, "public");
    let settings = Parts::new(&public, BASE)
        .unwrap()
        .section("products")
        .key("id")
        .gzip(true);

    let query = settings.plan(rows(&context, &folder).await).unwrap();
    let written = query.collect().await.unwrap();
    let staged = staged(&public);
    let processes: BTreeSet<u32> = staged.keys().map(|session| process_of(session)).collect();
    let executors: BTreeSet<u32> = cluster.executors.iter().map(|executor| executor.0.id()).collect();
    assert_eq!(processes, executors);
    let files = staged.values().flatten().filter(|name| name.ends_with(".xml.gz"));
    assert_eq!(parts(&written).len(), files.count());
    assert_eq!(contents(&written).len(), 4);

    let summary = settings.commit(&written, &context.runtime_env()).await.unwrap();
    assert_eq!((summary.entries, summary.files), (200_000, 5));
    assert!(locs(&public) == locs_of(1..=200_000));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_killed_executor_was_writing_is_written_again_under_the_same_names() {
    let folder = folder();
    make(&folder, 240_000, 4).await;
    let mut cluster = Cluster::start(2);
    let context = connect(&cluster).await;
    let query = rows(&context, &folder).await;
    let settings = |public: &str| {
        let parts = Parts::new(path(&folder, public), BASE).unwrap();
        parts.section("products").key("id").gzip(true).max_entries(30_000)
    };
    let plan = |public: &str| settings(public).plan(query.clone()).unwrap();
    let undisturbed = plan("undisturbed").collect().await.unwrap();

    let public = path(&folder, "public");
    let running = tokio::spawn(plan("public").collect());
    let victim = cluster.executors.remove(0);
    let process = victim.0.id();
    let of_victim = || {
        let sessions = staged(&public).into_iter();
        sessions
            .filter(|(session, _)| process_of(session) == process)
            .collect::<Vec<_>>()
    };
    // While it writes a part.
    until(|| {
        of_victim()
            .iter()
            .any(|(_, files)| files.iter().any(|name| name.ends_with(".xml.gz")))
    });
    drop(victim);
    assert!(!running.is_finished());
    let killed = of_victim();
    assert!(
        killed
            .iter()
            .any(|(_, files)| !files.iter().any(|name| name == "left")),
        "{killed:?}"
    );

    let written = running.await.unwrap().unwrap();
    assert_eq!(contents(&written), contents(&undisturbed));
    assert_eq!(parts(&written), parts(&undisturbed));
    let summary = settings("public")
        .commit(&written, &context.runtime_env())
        .await
        .unwrap();
    assert_eq!((summary.entries, summary.files), (240_000, 9));
    assert!(locs(&public) == locs_of(1..=240_000));
    // The commit has removed the executor's unfinished output, and keeps its finished output, which might belong to
    // another job.
    let left = of_victim();
    assert!(
        left.iter()
            .all(|(_, files)| files.iter().any(|name| name == "left")),
        "{left:?}"
    );
}

#[test]
fn the_example_writes_and_reads() {
    let folder = folder();
    let output = example()
        .args(["demo", folder.path().to_str().unwrap(), "120000"])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.contains("120000 entries in 5 files, 0 skipped"), "{said}");
    let report = said
        .lines()
        .find(|line| line.contains("| example.com |"))
        .unwrap();
    let cells: Vec<&str> = report.split('|').map(str::trim).collect();
    assert_eq!(
        cells[2..],
        ["120000", "4", "2023-11-14T22:14:20Z", "2024-02-06T06:13:20Z", ""],
        "{said}"
    );
}
