//! The CI job from the guide. Its steps run against a server that serves the deployed files and plays IndexNow.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::folder::Folder;
use crate::server::{Answer, Server};

const KEY: &str = "0123456789abcdef";

fn guide() -> String {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sitemap-pages/src/guide/deploying.rs");
    fs::read_to_string(guide).unwrap()
}

/// The job's shell steps, except the installation.
fn steps() -> Vec<String> {
    let guide = guide();
    let steps: Vec<String> = guide
        .lines()
        .filter_map(|line| {
            line.trim_start_matches("//!")
                .trim_start()
                .strip_prefix("- run: ")
        })
        .filter(|step| !step.starts_with("cargo install"))
        .map(|step| step.replace("sitemap submit", "sitemap submit --endpoint \"$SITE/indexnow\""))
        .collect();
    assert_eq!(steps.len(), 13);
    steps
}

/// Runs a step in the project's folder, with the command in the path.
fn run(project: &Folder, server: &Server, step: &str) -> Output {
    let sitemap = Path::new(env!("CARGO_BIN_EXE_sitemap"));
    let path = format!(
        "{}:{}",
        sitemap.parent().unwrap().display(),
        std::env::var("PATH").unwrap()
    );
    Command::new("bash")
        .args(["-ec", step])
        .current_dir(project.path(""))
        .env("PATH", path)
        .env("SITE", server.url(""))
        .env("KEY", KEY)
        .output()
        .unwrap()
}

/// Runs the job. Returns the failed step and its output.
fn job(project: &Folder, server: &Server) -> Result<(), (String, String)> {
    job_with(project, server, |step| step)
}

/// Runs the job with modified steps.
fn job_with(
    project: &Folder,
    server: &Server,
    change: impl Fn(String) -> String,
) -> Result<(), (String, String)> {
    for step in steps().into_iter().map(change) {
        let output = run(project, server, &step);
        if !output.status.success() {
            let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            return Err((step, said.concat()));
        }
    }
    Ok(())
}

/// Runs the job for the first time, without comparing to a live site. Asserts that it announces all pages and nothing else.
fn first_job(project: &Folder, server: &Server) {
    let (step, said) = job(project, server).unwrap_err();
    assert!(
        step.contains("sitemap diff ") && said.contains("has no sitemap"),
        "{step}: {said}"
    );
    assert_eq!(
        job_with(project, server, |step| format!("UNCHECKED=true; {step}")),
        Ok(())
    );
    assert_eq!(announced(server), [vec!["/", "/about.html", "/old.html"]]);
}

/// A project whose build copies `pages`, and whose deploy copies to `www`. The server serves `www` and plays a search engine, which answers
/// with the status in the file `engine`, or 200.
fn project() -> (Folder, Server) {
    let project = Folder::with(&[
        ("build", "#!/bin/sh\nrm -rf \"$1\" && cp -r pages \"$1\"\n"),
        ("deploy", "#!/bin/sh\nrm -rf www && cp -r \"$1\" www\n"),
        ("pages/index.html", "<h1>Lamps</h1><p>We sell lamps"),
        ("pages/about.html", "<h1>About</h1><p>Since 1970"),
        ("pages/old.html", "<h1>Old</h1><p>An old lamp"),
        ("pages/_redirects", ""),
        (
            "pages/browserconfig.xml",
            "<browserconfig><msapplication/></browserconfig>",
        ),
    ]);
    assert!(
        Command::new("chmod")
            .args(["+x", "build", "deploy"])
            .current_dir(project.path(""))
            .status()
            .unwrap()
            .success()
    );
    let (www, engine) = (project.path("www"), project.path("engine"));
    let server = Server::start(move |_, request| match &*request.path {
        "/indexnow" => {
            Answer::status(fs::read_to_string(&engine).map_or(200, |status| status.parse().unwrap()))
        }
        path => match fs::read(www.join(path.trim_start_matches('/'))) {
            Ok(bytes) => Answer::ok(bytes)
                .with("Content-Type: application/xml")
                .with("ETag: \"1\""),
            Err(_) => Answer::status(404),
        },
    });
    project.write(
        "pages/robots.txt",
        format!("Sitemap: {}\n", server.url("/sitemap.xml")),
    );
    let item = |link: &str| format!("<item><link>{link}</link></item>");
    project.write(
        "pages/feed.xml",
        format!(
            "<rss version=\"2.0\"><channel><title>News</title><link>{}</link><description>News</description>{}{}</channel></rss>",
            server.url("/"),
            item(&server.url("/old.html")),
            item("https://elsewhere.example/")
        ),
    );
    (project, server)
}

/// The pages in each order.
fn announced(server: &Server) -> Vec<Vec<String>> {
    let requests = server.requests();
    let orders = requests.iter().filter(|request| request.method == "POST");
    orders
        .map(|order| {
            let order: Value = serde_json::from_str(&order.body).unwrap();
            let urls = order["urlList"].as_array().unwrap().iter();
            urls.map(|url| url.as_str().unwrap().replace(&server.url(""), ""))
                .collect()
        })
        .collect()
}

#[test]
fn the_job_of_the_guide() {
    let (project, server) = project();
    first_job(&project, &server);
    let first = announced(&server);
    // Nothing changed, so nothing is announced.
    assert_eq!(job(&project, &server), Ok(()));
    assert_eq!(announced(&server), first);

    // One page changed, one is new, and one was removed without a redirect.
    project.write("pages/index.html", "<h1>Lamps</h1><p>We sell lamps and shades");
    project.write("pages/new.html", "<h1>New</h1><p>A new lamp");
    fs::remove_file(project.path("pages/old.html")).unwrap();
    let (step, said) = job(&project, &server).unwrap_err();
    assert!(step.contains("sitemap diff "), "{step}: {said}");
    let problem =
        "::error title=removed::SITE/old.html was removed, and public/_redirects does not redirect it\n";
    assert!(said.contains(&problem.replace("SITE", &server.url(""))), "{said}");
    assert!(announced(&server) == first && project.path("www/old.html").exists());

    // A `noindex` page leaves the sitemap, although it still exists and the feed links it.
    project.write(
        "pages/old.html",
        "<meta name=robots content=noindex><h1>Old</h1><p>An old lamp",
    );
    let (step, said) = job(&project, &server).unwrap_err();
    assert!(
        step.contains("sitemap diff ") && said.contains("/old.html was removed"),
        "{step}: {said}"
    );
    fs::remove_file(project.path("pages/old.html")).unwrap();

    // With a redirect, it is deployed and the changes are announced once.
    project.write("pages/_redirects", "/old.html /new.html\n");
    assert_eq!(job(&project, &server), Ok(()));
    let changes = ["/", "/new.html", "/old.html"].map(str::to_owned).to_vec();
    let expected = [first, vec![changes]].concat();
    assert_eq!(announced(&server), expected);
    assert_eq!(job(&project, &server), Ok(()));
    assert_eq!(announced(&server), expected);
}

/// A refused job leaves no dates behind.
#[test]
fn a_job_that_is_refused() {
    let (project, server) = project();
    let on = |day: &str| {
        let now = format!("sitemap from --now 2026-05-0{day}T00:00:00Z ");
        job_with(&project, &server, |step| {
            let unchecked = if day == "1" { "UNCHECKED=true; " } else { "" };
            format!("{unchecked}{}", step.replace("sitemap from ", &now))
        })
    };
    let kept = |names: [&str; 2]| names.map(|name| project.read(name));
    let names = ["pages/index.html", "pages/old.html"];
    let [index, old] = kept(names);
    assert_eq!(on("1"), Ok(()));
    let published = ["www/sitemap.xml", "state/ledger"];
    let first = kept(published);

    project.write("pages/index.html", "<h1>Lamps</h1><p>We sell lamps and shades");
    fs::remove_file(project.path("pages/old.html")).unwrap();
    let (step, said) = on("2").unwrap_err();
    assert!(step.contains("sitemap diff "), "{step}: {said}");
    project.write("pages/index.html", index);
    project.write("pages/old.html", old);
    assert_eq!(on("3"), Ok(()));
    assert_eq!(kept(published), first);
    assert_eq!(announced(&server).len(), 1);
    // Deployed pages get the date of their deployment.
    project.write("pages/index.html", "<h1>Lamps</h1><p>We sell lamps and shades");
    assert_eq!(on("4"), Ok(()));
    let [sitemap, ledger] = kept(published);
    assert!(sitemap.contains("<lastmod>2026-05-04T00:00:00Z<"), "{sitemap}");
    assert_ne!(ledger, first[1]);
}

/// Two concurrent runs would keep only the state of the last one, and each would deploy pages that the other does not announce.
#[test]
fn one_run_at_a_time() {
    let guide = guide().replace("//! ", "");
    let (_, job) = guide.split_once("jobs:\n  site:\n").unwrap();
    let (settings, _) = job.split_once("    steps:\n").unwrap();
    assert!(settings.contains("\n    concurrency: site\n"), "{settings}");
}

/// The state is always stored, after the last step that changes it. Each attempt uses a new key, because a key can be stored only once.
#[test]
fn the_state_is_stored_if_a_step_fails() {
    let guide = guide().replace("//! ", "");
    let step =
        "      - uses: actions/cache/save@v4\n        if: always()\n        with:\n          path: state\n";
    let key = "          key: sitemap-${{ github.run_id }}-${{ github.run_attempt }}\n";
    let counts = [step, key].map(|text| guide.matches(text).count());
    assert_eq!(counts, [1, 2]);
    let (before, after) = guide.split_once(step).unwrap();
    assert!(before.ends_with("mv next/sitemaps state/announced\n"));
    let steps_after = after.lines().filter_map(|line| line.split_once("- run: "));
    let steps_after: Vec<&str> = steps_after.map(|(_, step)| step).collect();
    assert_eq!(steps_after, ["sitemap lint \"$SITE\" --site --format github"]);
}

/// The next run announces pages that one run could not, even after the site is deployed and changes again.
#[test]
fn a_job_whose_engine_is_busy() {
    let (project, server) = project();
    first_job(&project, &server);
    project.write("pages/index.html", "<h1>Lamps</h1><p>We sell lamps and shades");
    fs::remove_file(project.path("pages/old.html")).unwrap();
    project.write("pages/_redirects", "/old.html /\n");
    for status in ["403", "422"] {
        project.write("engine", status);
        let (step, said) = job(&project, &server).unwrap_err();
        assert!(
            step.contains("sitemap submit ") && said.contains(status),
            "{step}: {said}"
        );
        assert!(!project.path("www/old.html").exists());
        project.write("pages/new.html", format!("<h1>New</h1><p>A new lamp {status}"));
    }
    fs::remove_file(project.path("engine")).unwrap();
    let refused = announced(&server).len();
    assert_eq!(job(&project, &server), Ok(()));
    let rest = announced(&server).split_off(refused);
    assert_eq!(rest, [vec!["/", "/new.html", "/old.html"]]);
    assert_eq!(job(&project, &server), Ok(()));
    assert_eq!(announced(&server).len(), refused + 1);
}

/// If the runner dies between the announcement and the end, no state is stored. The next run announces the same pages once more, and later
/// runs do not.
#[test]
fn a_job_whose_runner_is_lost() {
    let (project, server) = project();
    first_job(&project, &server);
    project.write("pages/new.html", "<h1>New</h1><p>A new lamp");
    let kept = run(&project, &server, "cp -r state kept");
    assert!(kept.status.success());
    assert_eq!(job(&project, &server), Ok(()));
    assert!(
        run(&project, &server, "rm -rf state && mv kept state")
            .status
            .success()
    );
    for _ in 0..2 {
        assert_eq!(job(&project, &server), Ok(()));
    }
    let orders = announced(&server).split_off(1);
    assert_eq!(orders, [vec!["/new.html"], vec!["/new.html"]]);
}

/// A site with more pages than one file may hold.
#[test]
fn a_job_of_a_site_with_an_index() {
    let (project, server) = project();
    let in_parts = |step: String| match step.strip_prefix("sitemap from ") {
        Some(rest) => format!(
            "sitemap from {rest} --output state/all.xml && \
             sitemap split state/all.xml -o public --base \"$SITE\" --max-entries 2 --force"
        ),
        None => step,
    };
    let first = job_with(&project, &server, |step| {
        format!("UNCHECKED=true; {}", in_parts(step))
    });
    assert_eq!(first, Ok(()));
    assert!(project.read("www/sitemap.xml").contains("<sitemapindex"));
    project.write("pages/new.html", "<h1>New</h1><p>A new lamp");
    fs::remove_file(project.path("pages/old.html")).unwrap();
    let (step, said) = job_with(&project, &server, in_parts).unwrap_err();
    assert!(
        step.contains("sitemap diff ") && said.contains("/old.html was removed"),
        "{step}: {said}"
    );
    project.write("pages/_redirects", "/old.html /new.html\n");
    assert_eq!(job_with(&project, &server, in_parts), Ok(()));
    let orders = announced(&server);
    assert_eq!(
        orders,
        [
            vec!["/", "/about.html", "/old.html"],
            vec!["/new.html", "/old.html"]
        ]
    );
}

/// A failed deploy announces nothing.
#[test]
fn a_job_whose_deploy_does_nothing() {
    let (project, server) = project();
    first_job(&project, &server);
    project.write("pages/new.html", "<h1>New</h1><p>A new lamp");
    project.write("deploy", "#!/bin/sh\n");
    let at_once = |step: String| step.replace("--wait", "--max-wait 1 --wait");
    let (step, said) = job_with(&project, &server, at_once).unwrap_err();
    let url = server.url("/sitemap.xml");
    let problem =
        format!("the new set is not served after 1 s: {url} is not the new document; nothing was sent\n");
    assert!(
        step.contains("sitemap submit ") && said.ends_with(&problem),
        "{step}: {said}"
    );
    assert_eq!(announced(&server).len(), 1);
    // The next run deploys.
    project.write("deploy", "#!/bin/sh\nrm -rf www && cp -r \"$1\" www\n");
    assert_eq!(job(&project, &server), Ok(()));
    assert_eq!(announced(&server).split_off(1), [vec!["/new.html"]]);
}
