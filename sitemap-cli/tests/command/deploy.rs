//! The CI job of the guide: its steps, against a server that serves what was deployed and plays IndexNow.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::folder::Folder;
use crate::server::{Answer, Server};

const KEY: &str = "0123456789abcdef";

/// The job's shell steps, without the installation.
fn steps() -> Vec<String> {
    let guide = Path::new(env!("CARGO_MANIFEST_DIR")).join("../sitemap-pages/src/guide/deploying.rs");
    let guide = fs::read_to_string(guide).unwrap();
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
    assert_eq!(steps.len(), 9);
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
        .env("SITE", server.url(1, ""))
        .env("KEY", KEY)
        .output()
        .unwrap()
}

/// Runs the job. Returns the step that failed, and what it said.
fn job(project: &Folder, server: &Server) -> Result<(), (String, String)> {
    for step in steps() {
        let output = run(project, server, &step);
        if !output.status.success() {
            let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
            return Err((step, said.concat()));
        }
    }
    Ok(())
}

/// A project whose build copies `pages`, and whose deploy copies to `www`, which the server serves.
fn project() -> (Folder, Server) {
    let project = Folder::with(&[
        ("build", "#!/bin/sh\nrm -rf \"$1\" && cp -r pages \"$1\"\n"),
        ("deploy", "#!/bin/sh\nrm -rf www && cp -r \"$1\" www\n"),
        ("pages/index.html", "<h1>Lamps</h1><p>We sell lamps"),
        ("pages/about.html", "<h1>About</h1><p>Since 1970"),
        ("pages/old.html", "<h1>Old</h1><p>An old lamp"),
        ("pages/_redirects", ""),
    ]);
    assert!(
        Command::new("chmod")
            .args(["+x", "build", "deploy"])
            .current_dir(project.path(""))
            .status()
            .unwrap()
            .success()
    );
    let www = project.path("www");
    let server = Server::start(move |_, request| match &*request.path {
        "/indexnow" => Answer::status(200),
        path => match fs::read(www.join(path.trim_start_matches('/'))) {
            Ok(bytes) => Answer::ok(bytes)
                .with("Content-Type: application/xml")
                .with("ETag: \"1\""),
            Err(_) => Answer::status(404),
        },
    });
    project.write(
        "pages/robots.txt",
        format!("Sitemap: {}\n", server.url(1, "/sitemap.xml")),
    );
    (project, server)
}

/// The pages of each order.
fn announced(server: &Server) -> Vec<Vec<String>> {
    let requests = server.requests();
    let orders = requests.iter().filter(|request| request.method == "POST");
    orders
        .map(|order| {
            let order: Value = serde_json::from_str(&order.body).unwrap();
            let urls = order["urlList"].as_array().unwrap().iter();
            urls.map(|url| url.as_str().unwrap().replace(&server.url(1, ""), ""))
                .collect()
        })
        .collect()
}

#[test]
fn the_job_of_the_guide() {
    let (project, server) = project();
    // The first deploy, by hand.
    for step in [
        "./build public",
        "mkdir -p state",
        "sitemap from public --base \"$SITE\" --ledger state/ledger",
        "./deploy public",
    ] {
        assert!(run(&project, &server, step).status.success(), "{step}");
    }
    // Nothing changed: nothing is announced.
    assert_eq!(job(&project, &server), Ok(()));
    assert_eq!(announced(&server), Vec::<Vec<String>>::new());

    // A page changed, one is new, and one vanished without a redirect.
    project.write("pages/index.html", "<h1>Lamps</h1><p>We sell lamps and shades");
    project.write("pages/new.html", "<h1>New</h1><p>A new lamp");
    fs::remove_file(project.path("pages/old.html")).unwrap();
    let (step, said) = job(&project, &server).unwrap_err();
    assert!(step.starts_with("sitemap diff "), "{step}: {said}");
    let problem =
        "::error title=removed::SITE/old.html was removed, and public/_redirects does not redirect it\n";
    assert!(
        said.contains(&problem.replace("SITE", &server.url(1, ""))),
        "{said}"
    );
    assert!(announced(&server).is_empty() && project.path("www/old.html").exists());

    // With a redirect it is deployed, and what changed is announced, once.
    project.write("pages/_redirects", "/old.html /new.html\n");
    assert_eq!(job(&project, &server), Ok(()));
    let expected = vec![["/", "/new.html", "/old.html"].map(str::to_owned).to_vec()];
    assert_eq!(announced(&server), expected);
    assert_eq!(job(&project, &server), Ok(()));
    assert_eq!(announced(&server), expected);
}

/// A deploy that does not happen announces nothing.
#[test]
fn a_job_whose_deploy_does_nothing() {
    let (project, server) = project();
    for step in [
        "./build public",
        "mkdir -p state",
        "sitemap from public --base \"$SITE\" --ledger state/ledger",
        "./deploy public",
    ] {
        assert!(run(&project, &server, step).status.success(), "{step}");
    }
    project.write("pages/new.html", "<h1>New</h1><p>A new lamp");
    project.write("deploy", "#!/bin/sh\n");
    let steps = steps();
    for step in &steps {
        let step = step.replace("--wait", "--max-wait 1 --wait");
        let output = run(&project, &server, &step);
        if step.contains("submit") {
            assert_eq!(output.status.code(), Some(1));
            let said = String::from_utf8(output.stderr).unwrap();
            let url = server.url(1, "/sitemap.xml");
            let problem = format!(
                "the new set is not served after 1 s: {url} is another document than the new one; nothing was sent\n"
            );
            assert!(said.ends_with(&problem), "{said}");
        }
    }
    assert!(announced(&server).is_empty());
}
