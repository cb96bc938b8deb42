//! Recognizes words of other tools. The answer names this command's word for them.

use clap::error::{ContextKind, ContextValue};

/// Other names of commands, and the command to run.
const COMMANDS: &[(&[&str], &str)] = &[
    (
        &["check", "validate", "verify", "test", "audit"],
        "`sitemap lint FILE` reports problems",
    ),
    (
        &["fix", "mend", "clean"],
        "`sitemap lint --fix FILE` fixes invalid values, and `sitemap repair FILE` malformed documents",
    ),
    (
        &["explain", "rule", "rules"],
        "`sitemap lint --explain RULE` explains a rule, and `sitemap lint --explain` lists all",
    ),
    (
        &["count", "stats", "info", "summary", "wc"],
        "`sitemap stat FILE` counts entries and bytes",
    ),
    (
        &["format", "fmt", "pretty"],
        "`sitemap convert FILE --to xml --pretty` indents a sitemap",
    ),
    (
        &["merge", "join", "combine", "concat"],
        "`sitemap split FILE FILE -o FOLDER --base URL` makes one set of several files",
    ),
    (
        &["ls", "list", "print", "show", "urls", "extract", "read"],
        "`sitemap cat FILE` prints the URLs",
    ),
    (
        &["crawl", "walk", "fetch", "download"],
        "`sitemap cat --site URL` prints the URLs in all sitemaps of a site",
    ),
    (
        &["generate", "build", "create", "make", "new"],
        "`sitemap from FOLDER --location URL` makes the sitemap of built pages",
    ),
    (
        &["add", "remove", "rm", "delete", "set", "update", "touch"],
        "`sitemap edit FILE` has --add, --drop, --set and --touch",
    ),
    (
        &["rebase", "move", "rename", "host"],
        "`sitemap edit FILE --rebase OLD NEW` moves URLs to another host",
    ),
    (
        &["compare", "changes"],
        "`sitemap diff OLD NEW` lists the pages that differ",
    ),
    (
        &["ping", "notify", "announce", "indexnow", "index-now"],
        "`sitemap submit OLD NEW --key KEY` announces changed pages by IndexNow",
    ),
    (&["version"], "`sitemap --version` prints the version"),
    (
        &["export", "import", "transform"],
        "`sitemap convert FILE --to xml|text|jsonl|csv` converts sitemaps",
    ),
];

/// Options of other tools: the commands that lack them, their names, and the replacement.
const OPTIONS: &[(&[&str], &[&str], &str)] = &[
    (
        ALL,
        &["--verbose", "--debug", "-v"],
        "all is printed; --quiet prints less",
    ),
    (ALL, &["--silent"], "--quiet prints no progress, notes and totals"),
    (
        &["lint"],
        &["--rules", "--list-rules"],
        "`sitemap lint --explain` lists all rules",
    ),
    (
        &["lint"],
        &["--ignore", "--disable", "--skip", "--exclude"],
        "`--level RULE=off` switches a rule off",
    ),
    (
        &["lint"],
        &["--select", "--enable", "--extend-select"],
        "all rules are on; `--level RULE=SEVERITY` sets the severity of one, or `off`",
    ),
    (
        &["lint"],
        &["--max-errors", "--max-findings", "--limit"],
        "`--places NUMBER` limits the places shown for each rule, and counts the others",
    ),
    (
        &["lint"],
        &["--max-warnings", "--strict", "--error", "--deny", "-D"],
        "`--fail-on warning` fails for warnings too, and `--level RULE=error` raises a rule",
    ),
    (
        &["lint"],
        &["-i", "--in-place", "--write", "--autofix"],
        "`--fix` fixes invalid values in the files",
    ),
    (
        &["lint"],
        &["--dry-run", "--fix-dry-run", "--check"],
        "lint writes nothing; `--fix --diff` shows what --fix would change",
    ),
    (
        &["lint"],
        &["-o", "--output", "--output-file"],
        "the report is written to standard output, as in `sitemap lint FILE > report`",
    ),
    (
        &["lint"],
        &["--url", "--base", "--base-url"],
        "`--location URL` is the URL of the document or directory",
    ),
    (
        &["lint"],
        &["--output-format", "--message-format"],
        "`--format` takes human, json, sarif, github or html",
    ),
    (
        &["lint"],
        &["--exit-zero", "--no-fail"],
        "`--fail-on never` exits with 0 whatever is found",
    ),
    (
        &["lint"],
        &["--rule", "--warn", "--severity", "-W", "-A"],
        "`--level RULE=SEVERITY` sets the severity of a rule, or `off`",
    ),
    (
        &["lint"],
        &["--statistics", "--show-fixes", "--show-source"],
        "excerpts and the totals of each rule are printed, and `--fix` prints each fix",
    ),
    (
        &["lint"],
        &["--unsafe-fixes"],
        "`--fix` fixes unambiguous values; `sitemap repair FILE` reads malformed documents",
    ),
    (
        &["lint"],
        &["--schema", "--noout", "--valid", "--xsd"],
        "the rules of sitemaps are built in: `sitemap lint --explain` lists them",
    ),
    (
        &["lint"],
        &["--no-color", "--no-colour", "--colour"],
        "`--color never` prints without colours",
    ),
    (
        &["lint"],
        &["--threads", "--parallel", "--concurrency"],
        "`--jobs NUMBER` is the number of documents to read at a time",
    ),
    (
        &["lint", "stat", "cat"],
        &["--crawl", "--crawl-sitemap", "--spider"],
        "`--site` reads all sitemaps of the site at a URL",
    ),
    (
        &["repair", "convert", "edit", "index", "from"],
        &["--out", "--output-file", "--outfile"],
        "`--output FILE`, or -o, names the output",
    ),
    (
        &["convert", "index"],
        &["--indent", "--pretty-print"],
        "`--pretty` indents XML",
    ),
    (
        &["index", "edit"],
        &["--from", "--input-format"],
        "the formats of documents are known by their beginnings",
    ),
    (
        &["edit"],
        &["--remove", "--delete", "--rm"],
        "`--drop LOC` removes an entry",
    ),
    (
        &["edit"],
        &["--update", "--change", "--replace"],
        "`--set LOC FIELD=VALUE` changes an entry",
    ),
    (
        &["edit"],
        &["-i", "--in-place"],
        "FILE is edited in place unless -o names another one",
    ),
    (
        &["edit"],
        &["--dry-run", "--diff", "--check"],
        "`-o -` prints the result and leaves FILE as it is",
    ),
    (
        &["repair"],
        &["--allow-loss"],
        "`--force` replaces FILE even if more than half of its entries are left out",
    ),
    (
        &["repair"],
        &["-i", "--fix", "--write"],
        "`--in-place` repairs the file itself",
    ),
    (
        &["repair", "convert", "index"],
        &["--dry-run", "--diff", "--check"],
        "without -o the result is printed, and no file is written",
    ),
    (
        &["repair", "convert", "split"],
        &["--recover", "--permissive", "--tolerant"],
        "malformed documents are read by `sitemap repair`, and with --lenient by `sitemap convert` and `sitemap split`",
    ),
    (
        &["convert"],
        &[
            "--location",
            "--url",
            "--prefix",
            "--site-url",
            "--base-url",
            "--host",
            "--domain",
        ],
        "`--base URL` is put before locs that are paths",
    ),
    (
        &["convert"],
        &["--cross-submission"],
        "`--base URL` completes locs that are paths, and URLs of other sites stay as they are",
    ),
    (
        &["edit"],
        &[
            "--location",
            "--url",
            "--site",
            "--prefix",
            "--site-url",
            "--base-url",
            "--host",
            "--domain",
        ],
        "`--base URL` is the URL of the site, for locs that are paths",
    ),
    (
        &["repair"],
        &[
            "--base",
            "--url",
            "--site-url",
            "--base-url",
            "--host",
            "--domain",
        ],
        "`--location URL` is the document's own URL, which resolves relative locs",
    ),
    (
        &["split", "from"],
        &["--allow-loss", "--allow-shrinking"],
        "`--force` replaces a set even if it loses more than half of its entries",
    ),
    (
        &["repair", "convert", "index", "edit", "split", "from"],
        &["--overwrite", "--replace-existing", "--clobber"],
        "`--force` replaces a file that is there",
    ),
    (
        &["repair", "convert", "index", "split", "from"],
        &["--replace"],
        "`--force` replaces a file that is there",
    ),
    (
        &["cat"],
        OUTPUT,
        "the result is written to standard output, as in `sitemap cat FILE > result`",
    ),
    (
        &["stat"],
        OUTPUT,
        "the result is written to standard output, as in `sitemap stat FILE > result`",
    ),
    (
        &["diff"],
        OUTPUT,
        "the result is written to standard output, as in `sitemap diff OLD NEW > result`",
    ),
    (
        &["split"],
        &[
            "--dir",
            "--directory",
            "--folder",
            "--out",
            "--output-dir",
            "--outdir",
        ],
        "`--output DIRECTORY`, or -o, names the directory of the set",
    ),
    (
        &["convert", "split"],
        &[
            "--strict",
            "--skip-invalid",
            "--skip-errors",
            "--ignore-errors",
            "--keep-going",
        ],
        "`--on-invalid fail|drop|skip` says what to do about an invalid value",
    ),
    (
        &["submit"],
        &[
            "--since",
            "--undated",
            "--match",
            "--match-regex",
            "--not-match",
            "--sitemaps",
            "--trust-lastmod",
        ],
        "it announces all changes, since pages that a filter skips would seem removed",
    ),
    (
        &["cat"],
        &["--json", "--jsonl", "--csv"],
        "`--format jsonl` prints all fields as JSON, and `sitemap convert FILE --to csv` writes CSV",
    ),
    (
        &["cat"],
        &["--columns", "--select", "--lastmod", "--xpath"],
        "`--fields loc,lastmod,image.loc` chooses what is printed",
    ),
    (
        &["cat", "convert", "split", "stat", "lint"],
        &["--recursive", "-r", "--follow"],
        "a directory is read with its subdirectories, and `--site` reads all sitemaps of a site",
    ),
    (
        &["stat", "repair", "from"],
        &["--json"],
        "`--format json` prints JSON",
    ),
    (
        &["diff", "lint"],
        &["--json"],
        "`--format json` prints one JSON object per line",
    ),
    (
        &["convert"],
        &["--format", "--output-format", "-f", "-t"],
        "`--to` is the new format, and `--from` that of FILE",
    ),
    (
        &["split"],
        &["--max-urls", "--max", "--size", "-n"],
        "`--max-entries NUMBER` limits the entries of a file, and `--max-bytes NUMBER` its bytes",
    ),
    (
        &["split"],
        &["--diff", "--check"],
        "`--dry-run` prints what would be done with each file",
    ),
    (&["split"], &["--compress", "-z"], "`--gzip` compresses the files"),
    (
        &["split"],
        &[
            "--url",
            "--host",
            "--domain",
            "--base-url",
            "--hostname",
            "--location",
        ],
        "`--base URL` is the URL that all pages begin with",
    ),
    (
        &["from", "index"],
        &[
            "--address",
            "--url",
            "--host",
            "--domain",
            "--base",
            "--base-url",
            "--hostname",
        ],
        "`--location URL` is the URL of the directory",
    ),
    (
        &["diff"],
        &["--exit-code", "--quiet-exit"],
        "the exit status is 1 if something changed; `--fail-on CHANGES` chooses what counts",
    ),
    (
        &["diff"],
        &["--only", "--select", "--fields"],
        "`--ignore FIELD` leaves a field out of the comparison",
    ),
    (
        FETCHING,
        &["-H", "--headers", "--http-header"],
        "`--header 'NAME: VALUE'` sends a header to the named URL's host",
    ),
    (
        FETCHING,
        &[
            "-u",
            "--user",
            "--auth",
            "--username",
            "--password",
            "--http-user",
            "--http-password",
            "--netrc",
        ],
        "`--basic-auth USER:PASSWORD`, or the variable SITEMAP_BASIC_AUTH, is sent to the named URL's host",
    ),
    (
        FETCHING,
        &["-b", "--cookie", "--cookies", "--cookie-jar", "--load-cookies"],
        "`--header 'Cookie: NAME=VALUE'` sends a cookie, and those that a site sets are sent back to it",
    ),
    (
        FETCHING,
        &[
            "--cacert",
            "--ca-certificate",
            "--ca-bundle",
            "--cafile",
            "--ca-cert",
        ],
        "`--ca-file FILE` trusts the certificates in a file",
    ),
    (
        FETCHING,
        &[
            "-k",
            "--no-check-certificate",
            "--no-verify",
            "--skip-verify",
            "--no-verify-ssl",
        ],
        "`--insecure` accepts every certificate",
    ),
    (
        FETCHING,
        &["--retry", "--tries", "--max-retries", "--attempts"],
        "`--retries NUMBER` is how often a document is requested again",
    ),
    (
        FETCHING_SITES,
        &[
            "--connect-timeout",
            "--read-timeout",
            "--dns-timeout",
            "--request-timeout",
        ],
        "`--timeout SECONDS` gives up a server that sends nothing for so long, and `--max-time SECONDS` a whole site",
    ),
    (
        FETCHING,
        &[
            "--delay",
            "--throttle",
            "--rate-limit",
            "--limit-rate",
            "--rps",
            "--requests-per-second",
        ],
        "`--rate RATE` is the number of requests a second, or a minute: 30/m",
    ),
    (
        FETCHING,
        &[
            "-x",
            "--proxy",
            "--http-proxy",
            "--https-proxy",
            "--noproxy",
            "--no-proxy",
        ],
        "the variables http_proxy and https_proxy name proxies, and no_proxy the hosts that are asked directly",
    ),
    (
        FETCHING,
        &["--useragent", "--ua"],
        "`--user-agent TEXT` is the User-Agent of all requests",
    ),
    (
        &["from"],
        &["--dir", "--folder", "--input"],
        "the folder is named without an option: `sitemap from FOLDER --location URL`",
    ),
];

/// Names of an option for the output.
const OUTPUT: &[&str] = &["-o", "--output", "--out", "--output-file", "--outfile"];

/// The commands that read URLs.
const FETCHING: &[&str] = &[
    "lint", "stat", "cat", "convert", "split", "diff", "submit", "repair", "index",
];

/// The commands that read whole sites.
const FETCHING_SITES: &[&str] = &["lint", "stat", "cat", "convert", "split", "diff", "submit"];

/// The commands that read sitemaps or pages.
pub(crate) const ALL: &[&str] = &[
    "lint", "repair", "edit", "diff", "stat", "cat", "convert", "split", "from", "submit", "index",
];

/// Returns the answer to a word of another tool that the command does not know, given all arguments.
pub(crate) fn answer(error: &clap::Error, arguments: &[String]) -> Option<String> {
    if let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) {
        let (_, advice) = COMMANDS.iter().find(|(names, _)| names.contains(&&**word))?;
        return Some(format!("there is no command `{word}`: {advice}"));
    }
    let Some(ContextValue::String(found)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    let option = found.split(['=', ' ']).next().unwrap_or(found);
    let command = arguments.iter().find(|argument| ALL.contains(&&***argument))?;
    if let Some(ContextValue::String(value)) = error.get(ContextKind::InvalidValue)
        && option == "--format"
        && matches!(&**value, "text" | "txt" | "plain" | "table")
    {
        return Some(format!(
            "`sitemap {command}` has no --format {value}: `--format human` prints lines of text"
        ));
    }
    let (commands, _, advice) = OPTIONS
        .iter()
        .find(|(commands, names, _)| commands.contains(&&**command) && names.contains(&option))?;
    // A letter of curl means something else where nothing is fetched.
    let is_letter = option.len() == 2 && commands.len() > 1 && *commands == FETCHING;
    if is_letter && !arguments.iter().any(|argument| argument.contains("://")) {
        return None;
    }
    Some(format!("`sitemap {command}` has no {option}: {advice}"))
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    /// No word of the command is listed as another tool's, and each word has one answer.
    #[test]
    fn no_word_is_an_option_or_a_command() {
        let program = crate::Arguments::command();
        for name in COMMANDS.iter().flat_map(|(names, _)| *names) {
            assert!(program.find_subcommand(name).is_none(), "{name}");
        }
        for command in ALL {
            // A build without `http` has no `submit`.
            let Some(found) = program.find_subcommand(command) else {
                continue;
            };
            let mut seen = Vec::new();
            for (_, names, _) in OPTIONS.iter().filter(|(commands, ..)| commands.contains(command)) {
                for name in *names {
                    let is_known = found.get_arguments().any(|argument| {
                        let longs = argument.get_long_and_visible_aliases().unwrap_or_default();
                        let short = argument.get_short().map(|short| format!("-{short}"));
                        longs.iter().any(|long| format!("--{long}") == **name)
                            || short.as_deref() == Some(name)
                    });
                    assert!(!is_known, "{command} {name}");
                    assert!(!seen.contains(name), "{command} {name} has two answers");
                    seen.push(name);
                }
            }
        }
    }

    /// Advice names options and commands that exist.
    #[test]
    fn advice_can_be_followed() {
        let program = crate::Arguments::command();
        let of_commands = COMMANDS.iter().map(|(_, advice)| (&[] as &[&str], *advice));
        let of_options = OPTIONS.iter().map(|(commands, _, advice)| (*commands, *advice));
        for (commands, advice) in of_commands.chain(of_options) {
            let mut named: Vec<_> = advice
                .split("sitemap ")
                .skip(1)
                .filter_map(|rest| rest.split([' ', '`']).next())
                .filter(|word| ALL.contains(word))
                .collect();
            if named.is_empty() {
                named = commands.to_vec();
            }
            for option in advice
                .split([' ', '`', ',', ';'])
                .filter(|word| word.starts_with("--"))
            {
                let option = option
                    .split('=')
                    .next()
                    .unwrap_or(option)
                    .trim_start_matches("--");
                let has_it = |command: &&str| {
                    let Some(found) = program.find_subcommand(command) else {
                        return true;
                    };
                    option == "quiet"
                        || found.get_arguments().any(|argument| {
                            argument
                                .get_long_and_visible_aliases()
                                .is_some_and(|longs| longs.contains(&option))
                        })
                };
                let all = named.iter().all(has_it);
                let any = named.iter().chain(commands).any(has_it);
                assert!(
                    if commands.len() > 1 { any } else { all || any },
                    "{advice}: --{option}"
                );
            }
        }
    }
}
