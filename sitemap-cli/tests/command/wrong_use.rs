//! Complete messages about wrong usage.

use crate::folder::{CORE, Folder, gzipped};

fn folder() -> Folder {
    let urlset = format!("<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/</loc></url></urlset>");
    let index = format!(
        "<sitemapindex xmlns=\"{CORE}\"><sitemap><loc>https://example.com/a.xml</loc></sitemap></sitemapindex>"
    );
    let rss = "<rss version=\"2.0\"><channel><item><link>https://example.com/</link></item></channel></rss>";
    Folder::with(&[
        ("a.xml", urlset.as_bytes()),
        ("b.xml", urlset.as_bytes()),
        ("z.xml.gz", &gzipped(&urlset)),
        ("feed.rss", rss.as_bytes()),
        ("notes/notes.txt", b"to do\n"),
        ("indexes/index.xml", index.as_bytes()),
        ("known.json", b"{}"),
        ("robots.txt", b"User-agent: *\nDisallow: /\n"),
        ("two.csv", b"loc,LOC\n"),
        ("other.csv", b"url\nhttps://example.com/\n"),
        ("sitemap.xml", urlset.as_bytes()),
        ("text.txt", b"https://example.com/\nhttps://example.com/a\n"),
        ("rel.txt", b"/a\n/b\n"),
        ("rel.csv", b"loc\n/a\n"),
    ])
}

/// Runs the command with arguments separated by spaces.
fn run(folder: &Folder, arguments: &str) -> (i32, String, String) {
    let arguments: Vec<_> = arguments.split(' ').collect();
    folder.run(&arguments)
}

/// Arguments, and the resulting message.
const MESSAGES: &[(&str, &str)] = &[
    (
        "a.xml",
        "a.xml is a document, and no command: `sitemap lint a.xml` finds problems in it",
    ),
    (
        "explain P-LOC",
        "there is no command `explain`: `sitemap lint --explain RULE` explains a rule, and `sitemap lint --explain` lists all",
    ),
    (
        "count a.xml",
        "there is no command `count`: `sitemap stat FILE` counts entries and bytes",
    ),
    (
        "validate a.xml",
        "there is no command `validate`: `sitemap lint FILE` reports problems",
    ),
    (
        "fix a.xml",
        "there is no command `fix`: `sitemap lint --fix FILE` fixes invalid values, and `sitemap repair FILE` malformed documents",
    ),
    (
        "ls a.xml",
        "there is no command `ls`: `sitemap cat FILE` prints the URLs",
    ),
    (
        "merge a.xml b.xml",
        "there is no command `merge`: `sitemap split FILE FILE -o FOLDER --base URL` makes one set of several files",
    ),
    (
        "lint a.xml --rules",
        "`sitemap lint` has no --rules: `sitemap lint --explain` lists all rules",
    ),
    (
        "lint a.xml --ignore=P-LOC",
        "`sitemap lint` has no --ignore: `--level RULE=off` switches a rule off",
    ),
    (
        "lint a.xml --select P-LOC",
        "`sitemap lint` has no --select: all rules are on; `--level RULE=SEVERITY` sets the severity of one, or `off`",
    ),
    (
        "lint a.xml --max-errors 3",
        "`sitemap lint` has no --max-errors: `--places NUMBER` limits the places shown for each rule, and counts the others",
    ),
    (
        "-q lint a.xml --verbose",
        "`sitemap lint` has no --verbose: all is printed; --quiet prints less",
    ),
    (
        "lint a.xml --dry-run",
        "`sitemap lint` has no --dry-run: lint writes nothing; `--fix --diff` shows what --fix would change",
    ),
    (
        "lint a.xml -o report.txt",
        "`sitemap lint` has no -o: the report is written to standard output, as in `sitemap lint FILE > report`",
    ),
    (
        "edit a.xml --remove https://example.com/",
        "`sitemap edit` has no --remove: `--drop LOC` removes an entry",
    ),
    (
        "edit a.xml --delete https://example.com/",
        "`sitemap edit` has no --delete: `--drop LOC` removes an entry",
    ),
    (
        "edit a.xml -i --drop https://example.com/",
        "`sitemap edit` has no -i: FILE is edited in place unless -o names another one",
    ),
    (
        "cat a.xml --json",
        "`sitemap cat` has no --json: `--format jsonl` prints all fields as JSON, and `sitemap convert FILE --to csv` writes CSV",
    ),
    (
        "repair a.xml --dry-run",
        "`sitemap repair` has no --dry-run: without -o the result is printed, and no file is written",
    ),
    ("lint a.xml --jobs 0", "--jobs 0: write a whole number from 1"),
    (
        "lint a.xml --places -1",
        "--places -1: write a whole number that is not negative",
    ),
    (
        "lint a.xml --places=-12",
        "--places -12: write a whole number that is not negative",
    ),
    (
        "lint a.xml --places many",
        "--places many: write a whole number, such as 10",
    ),
    (
        "repair a.xml --places 1.5",
        "--places 1.5: write a whole number, such as 10",
    ),
    (
        "split a.xml -o out --base https://example.com --max-entries -5",
        "--max-entries -5: write a whole number that is not negative",
    ),
    (
        "split a.xml -o out --base https://example.com --max-bytes 10MB",
        "--max-bytes 10MB: write a whole number, such as 10",
    ),
    (
        "split a.xml -o out --base https://example.com --max-bytes 99999999999999999999",
        "--max-bytes 99999999999999999999: the number is too large",
    ),
    (
        "repair a.xml b.xml",
        "`sitemap repair` repairs one file, and `b.xml` is a second one: -o names the output, and each file is repaired by itself",
    ),
    (
        "convert a.xml b.csv",
        "`sitemap convert` reads one file or directory, and `b.csv` is a second one: -o names the output, and a directory is read with all its sitemaps",
    ),
    (
        "convert - - --to csv",
        "`sitemap convert` reads one file or directory, and `-` is a second one: -o names the output, and a directory is read with all its sitemaps",
    ),
    (
        "edit a.xml b.xml --add https://example.com/1",
        "`sitemap edit` changes one file, and `b.xml` is a second one: -o names the output, and each file is changed by itself",
    ),
    (
        "edit a.xml --add https://example.com/1 lastmod=2026",
        "`lastmod=2026` is not for --add, which takes only a URL: `sitemap edit FILE --set LOC lastmod=2026` sets it once the entry is there",
    ),
    (
        "edit a.xml --add https://example.com/1 --set https://example.com/1 priority=0.5",
        "a.xml: it has no entry https://example.com/1: --add makes it at the end, and the next run of the command can change it",
    ),
    (
        "edit a.xml --add https://example.com/1 --touch https://example.com/1",
        "a.xml: it has no entry https://example.com/1: --add makes it at the end, and the next run of the command can change it",
    ),
    (
        "diff a.xml b.xml z.xml.gz",
        "`sitemap diff` compares two, OLD and NEW, and `z.xml.gz` is a third one: a set is named by its directory",
    ),
    (
        "index indexes notes --location https://example.com",
        "`sitemap index` reads one directory, and `notes` is a second one: name the one above both",
    ),
    (
        "from indexes notes --location https://example.com",
        "`sitemap from` reads one directory, and `notes` is a second one: name the one above both",
    ),
    (
        "cat - -",
        "- is named twice, and standard input can be read only once",
    ),
    (
        "lint - a.xml -",
        "- is named twice, and standard input can be read only once",
    ),
    (
        "stat - -",
        "- is named twice, and standard input can be read only once",
    ),
    (
        "diff - -",
        "- is named twice, and standard input can be read only once",
    ),
    (
        "split - - -o out --base https://example.com",
        "- is named twice, and standard input can be read only once",
    ),
    (
        "index nope",
        "cannot open nope: No such file or directory (os error 2); did you mean notes?",
    ),
    (
        "from nope",
        "cannot open nope: No such file or directory (os error 2); did you mean notes?",
    ),
    (
        "split a.xml -o out --base https://example.com --check",
        "`sitemap split` has no --check: `--dry-run` prints what would be done with each file",
    ),
    (
        "index nope --location https://example.com",
        "cannot open nope: No such file or directory (os error 2); did you mean notes?",
    ),
    (
        "index unknown --location https://example.com",
        "cannot open unknown: No such file or directory (os error 2)",
    ),
    (
        "edit text.txt --add https://example.com/1",
        "text.txt: this is a sitemap as text, and edit only changes XML: `sitemap convert text.txt --to xml` makes XML of it",
    ),
    (
        "edit feed.rss --add https://example.com/1",
        "feed.rss: this is a sitemap as RSS, and edit only changes XML: `sitemap convert feed.rss --to xml` makes XML of it",
    ),
    (
        "convert a.xml --location https://example.com --to csv",
        "`sitemap convert` has no --location: `--base URL` is put before locs that are paths",
    ),
    (
        "convert a.xml --url https://example.com --to csv",
        "`sitemap convert` has no --url: `--base URL` is put before locs that are paths",
    ),
    (
        "convert a.xml --prefix https://example.com --to csv",
        "`sitemap convert` has no --prefix: `--base URL` is put before locs that are paths",
    ),
    (
        "convert a.xml --site-url https://example.com --to csv",
        "`sitemap convert` has no --site-url: `--base URL` is put before locs that are paths",
    ),
    (
        "convert a.xml --cross-submission --to csv",
        "`sitemap convert` has no --cross-submission: `--base URL` completes locs that are paths, and URLs of other sites stay as they are",
    ),
    (
        "edit a.xml --location https://example.com --drop /",
        "`sitemap edit` has no --location: `--base URL` is the URL of the site, for locs that are paths",
    ),
    (
        "edit a.xml --url https://example.com --drop /",
        "`sitemap edit` has no --url: `--base URL` is the URL of the site, for locs that are paths",
    ),
    (
        "edit a.xml --site https://example.com --drop /",
        "`sitemap edit` has no --site: `--base URL` is the URL of the site, for locs that are paths",
    ),
    (
        "repair a.xml --base https://example.com",
        "`sitemap repair` has no --base: `--location URL` is the document's own URL, which resolves relative locs",
    ),
    (
        "repair a.xml --url https://example.com",
        "`sitemap repair` has no --url: `--location URL` is the document's own URL, which resolves relative locs",
    ),
    (
        "from site --address https://example.com",
        "`sitemap from` has no --address: `--location URL` is the URL of the directory",
    ),
    (
        "split a.xml -o out --base https://example.com --allow-loss",
        "`sitemap split` has no --allow-loss: `--force` replaces a set even if it loses more than half of its entries",
    ),
    (
        "from site --location https://example.com --allow-loss",
        "`sitemap from` has no --allow-loss: `--force` replaces a set even if it loses more than half of its entries",
    ),
    (
        "convert a.xml -o b.xml --overwrite",
        "`sitemap convert` has no --overwrite: `--force` replaces a file that is there",
    ),
    (
        "repair a.xml -o b.xml --replace",
        "`sitemap repair` has no --replace: `--force` replaces a file that is there",
    ),
    (
        "stat a.xml --format text",
        "`sitemap stat` has no --format text: `--format human` prints lines of text",
    ),
    (
        "lint a.xml --format plain",
        "`sitemap lint` has no --format plain: `--format human` prints lines of text",
    ),
    (
        "cat a.xml -o b.txt",
        "`sitemap cat` has no -o: the result is written to standard output, as in `sitemap cat FILE > result`",
    ),
    (
        "stat a.xml --output b.txt",
        "`sitemap stat` has no --output: the result is written to standard output, as in `sitemap stat FILE > result`",
    ),
    (
        "diff a.xml b.xml -o c.txt",
        "`sitemap diff` has no -o: the result is written to standard output, as in `sitemap diff OLD NEW > result`",
    ),
    (
        "split a.xml --dir out --base https://example.com",
        "`sitemap split` has no --dir: `--output DIRECTORY`, or -o, names the directory of the set",
    ),
    (
        "split a.xml --out out --base https://example.com",
        "`sitemap split` has no --out: `--output DIRECTORY`, or -o, names the directory of the set",
    ),
    (
        "convert --from csv a.xml --to xml",
        "a.xml begins with `<`, as XML does: leave out `--from csv`",
    ),
    (
        "convert --from jsonl a.xml --to xml",
        "a.xml begins with `<`, as XML does: leave out `--from jsonl`",
    ),
    (
        "convert --from text a.xml --to xml",
        "a.xml begins with `<`, as XML does: leave out `--from text`",
    ),
    (
        "repair other.csv",
        "other.csv: by its name this is CSV: `sitemap convert other.csv --to xml` makes a sitemap of it",
    ),
    (
        "diff a.xml other.csv",
        "other.csv: by its name this is CSV: `sitemap convert other.csv --to xml` makes a sitemap of it",
    ),
    (
        "convert rel.txt --to xml",
        "rel.txt, line 1: `/a` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or give the URL of the site with --base, loc; --on-invalid drop leaves it out",
    ),
    (
        "convert rel.csv --to xml",
        "rel.csv, line 2: `/a` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or give the URL of the site with --base, loc; --on-invalid drop leaves it out",
    ),
    (
        "edit a.xml --add /a",
        "a.xml: `/a` is not an absolute URL: a loc begins with its scheme and host, such as `https://example.com/` (P-LOC); write the absolute URL, or give the URL of the site with --base, entry 2 · loc",
    ),
    (
        "lint a.xml --fix-dry-run",
        "`sitemap lint` has no --fix-dry-run: lint writes nothing; `--fix --diff` shows what --fix would change",
    ),
    (
        "lint a.xml --message-format",
        "`sitemap lint` has no --message-format: `--format` takes human, json, sarif, github or html",
    ),
    (
        "lint a.xml --exit-zero",
        "`sitemap lint` has no --exit-zero: `--fail-on never` exits with 0 whatever is found",
    ),
    (
        "lint a.xml --no-fail",
        "`sitemap lint` has no --no-fail: `--fail-on never` exits with 0 whatever is found",
    ),
    (
        "lint a.xml --rule",
        "`sitemap lint` has no --rule: `--level RULE=SEVERITY` sets the severity of a rule, or `off`",
    ),
    (
        "lint a.xml --warn",
        "`sitemap lint` has no --warn: `--level RULE=SEVERITY` sets the severity of a rule, or `off`",
    ),
    (
        "lint a.xml --severity",
        "`sitemap lint` has no --severity: `--level RULE=SEVERITY` sets the severity of a rule, or `off`",
    ),
    (
        "lint a.xml -W",
        "`sitemap lint` has no -W: `--level RULE=SEVERITY` sets the severity of a rule, or `off`",
    ),
    (
        "lint a.xml -A",
        "`sitemap lint` has no -A: `--level RULE=SEVERITY` sets the severity of a rule, or `off`",
    ),
    (
        "lint a.xml --statistics",
        "`sitemap lint` has no --statistics: excerpts and the totals of each rule are printed, and `--fix` prints each fix",
    ),
    (
        "lint a.xml --show-fixes",
        "`sitemap lint` has no --show-fixes: excerpts and the totals of each rule are printed, and `--fix` prints each fix",
    ),
    (
        "lint a.xml --show-source",
        "`sitemap lint` has no --show-source: excerpts and the totals of each rule are printed, and `--fix` prints each fix",
    ),
    (
        "lint a.xml --unsafe-fixes",
        "`sitemap lint` has no --unsafe-fixes: `--fix` fixes unambiguous values; `sitemap repair FILE` reads malformed documents",
    ),
    (
        "lint a.xml --schema",
        "`sitemap lint` has no --schema: the rules of sitemaps are built in: `sitemap lint --explain` lists them",
    ),
    (
        "lint a.xml --noout",
        "`sitemap lint` has no --noout: the rules of sitemaps are built in: `sitemap lint --explain` lists them",
    ),
    (
        "lint a.xml --valid",
        "`sitemap lint` has no --valid: the rules of sitemaps are built in: `sitemap lint --explain` lists them",
    ),
    (
        "lint a.xml --xsd",
        "`sitemap lint` has no --xsd: the rules of sitemaps are built in: `sitemap lint --explain` lists them",
    ),
    (
        "lint a.xml --no-color",
        "`sitemap lint` has no --no-color: `--color never` prints without colours",
    ),
    (
        "lint a.xml --no-colour",
        "`sitemap lint` has no --no-colour: `--color never` prints without colours",
    ),
    (
        "lint a.xml --colour",
        "`sitemap lint` has no --colour: `--color never` prints without colours",
    ),
    (
        "lint a.xml --threads",
        "`sitemap lint` has no --threads: `--jobs NUMBER` is the number of documents to read at a time",
    ),
    (
        "lint a.xml --parallel",
        "`sitemap lint` has no --parallel: `--jobs NUMBER` is the number of documents to read at a time",
    ),
    (
        "lint a.xml --concurrency",
        "`sitemap lint` has no --concurrency: `--jobs NUMBER` is the number of documents to read at a time",
    ),
    (
        "lint a.xml --crawl",
        "`sitemap lint` has no --crawl: `--site` reads all sitemaps of the site at a URL",
    ),
    (
        "lint a.xml --crawl-sitemap",
        "`sitemap lint` has no --crawl-sitemap: `--site` reads all sitemaps of the site at a URL",
    ),
    (
        "lint a.xml --spider",
        "`sitemap lint` has no --spider: `--site` reads all sitemaps of the site at a URL",
    ),
    (
        "stat a.xml --crawl",
        "`sitemap stat` has no --crawl: `--site` reads all sitemaps of the site at a URL",
    ),
    (
        "cat a.xml --spider",
        "`sitemap cat` has no --spider: `--site` reads all sitemaps of the site at a URL",
    ),
    (
        "cat a.xml --xpath",
        "`sitemap cat` has no --xpath: `--fields loc,lastmod,image.loc` chooses what is printed",
    ),
    (
        "convert a.xml --output-format",
        "`sitemap convert` has no --output-format: `--to` is the new format, and `--from` that of FILE",
    ),
    (
        "convert a.xml --indent",
        "`sitemap convert` has no --indent: `--pretty` indents XML",
    ),
    (
        "index a.xml --pretty-print",
        "`sitemap index` has no --pretty-print: `--pretty` indents XML",
    ),
    (
        "repair a.xml --out",
        "`sitemap repair` has no --out: `--output FILE`, or -o, names the output",
    ),
    (
        "convert a.xml --outfile",
        "`sitemap convert` has no --outfile: `--output FILE`, or -o, names the output",
    ),
    (
        "edit a.xml --output-file",
        "`sitemap edit` has no --output-file: `--output FILE`, or -o, names the output",
    ),
    (
        "index a.xml --out",
        "`sitemap index` has no --out: `--output FILE`, or -o, names the output",
    ),
    (
        "version",
        "there is no command `version`: `sitemap --version` prints the version",
    ),
    (
        "diff b.xlm a.xml",
        "cannot open b.xlm: No such file or directory (os error 2); did you mean b.xml?",
    ),
    (
        "diff example.com/sitemap.xml a.xml",
        "cannot open example.com/sitemap.xml: No such file or directory (os error 2); a URL begins with its scheme: https://example.com/sitemap.xml",
    ),
    (
        "diff file:///tmp/a.xml a.xml",
        "cannot open file:///tmp/a.xml: No such file or directory (os error 2); write a path, such as /tmp/a.xml",
    ),
    (
        "diff ftp://example.com/a.xml a.xml",
        "cannot open ftp://example.com/a.xml: No such file or directory (os error 2); a URL begins with http:// or https://",
    ),
    (
        "diff a*.xml a.xml",
        "cannot open a*.xml: No such file or directory (os error 2); no file has such a name; a directory is read with all its sitemaps",
    ),
    (
        "edit https://example.com/a.xml --add https://example.com/1",
        "a document at a URL cannot be edited: load it first, such as by `curl -o sitemap.xml https://example.com/a.xml`",
    ),
    (
        "edit a.xml --drop https://example.com",
        "a.xml: it has no entry https://example.com; did you mean https://example.com/?",
    ),
    (
        "edit a.xml --drop http://example.com/",
        "a.xml: it has no entry http://example.com/; did you mean https://example.com/?",
    ),
    (
        "edit a.xml --touch /",
        "a.xml: it has no entry /; the URL of the site, for paths, is given by --base",
    ),
    (
        "edit two.csv --add https://example.com/1",
        "two.csv: by its name this is CSV: `sitemap convert two.csv --to xml` makes a sitemap of it",
    ),
    (
        "edit a.xml --set https://example.com/ priorty=0.5",
        "a.xml: `priorty` cannot be set: `loc`, `lastmod`, `changefreq`, `priority` can; did you mean `priority`?, entry 1 · priorty, loc `https://example.com/`",
    ),
    (
        "split indexes -o out --base https://example.com",
        "cannot open https://example.com/a.xml: indexes/index.xml lists it, and no file has its path",
    ),
    (
        "repair a.xml -o notes",
        "notes is a directory: name a file, such as notes/sitemap.xml",
    ),
    (
        "convert a.xml --to csv -o none/a.csv",
        "none/a.csv cannot be written: there is no directory none",
    ),
    (
        "lint notes",
        "notes has no file named .xml or .xml.gz, no text sitemap and no feed",
    ),
    (
        "stat notes",
        "notes has no file named .xml or .xml.gz, no text sitemap and no feed",
    ),
    (
        "cat notes",
        "notes has no file named .xml or .xml.gz, no text sitemap and no feed",
    ),
    (
        "diff notes a.xml",
        "notes has no file named .xml or .xml.gz, no text sitemap and no feed",
    ),
    (
        "split notes -o out --base https://example.com",
        "notes has no file named .xml or .xml.gz, no text sitemap and no feed",
    ),
    (
        "index notes --location https://example.com",
        "notes has no file named .xml or .xml.gz, no text sitemap and no feed",
    ),
    (
        "index a.xml --location https://example.com",
        "a.xml is not a directory: name the one with the sitemaps",
    ),
    (
        "index indexes --location https://example.com",
        "indexes has no urlset that could be listed",
    ),
    (
        "index indexes --location https://example.com -o a.xml",
        "a.xml already exists: --force replaces it",
    ),
    (
        "repair a.xml -o b.xml",
        "b.xml already exists: --force replaces it",
    ),
    (
        "convert a.xml --to text -o b.xml",
        "b.xml already exists: --force replaces it",
    ),
    (
        "edit a.xml --add https://example.com/new -o b.xml",
        "b.xml already exists: --force replaces it",
    ),
    (
        "split a.xml -o . --base https://example.com",
        "./sitemap.xml already exists and is not part of a set: --force replaces it",
    ),
    (
        "repair - --in-place",
        "--in-place works on files only, not on <stdin>",
    ),
    (
        "repair feed.rss --in-place",
        "--in-place would make a sitemap of feed.rss, which is a feed (RSS): write it to another file with -o",
    ),
    ("lint - --fix", "--fix works on files only, not on <stdin>"),
    (
        "lint a.xml --baseline known.json",
        "known.json is not a baseline: write one with --write-baseline",
    ),
    (
        "lint a.xml --robots robots.txt",
        "robots.txt: --robots needs --location, the URL of its site",
    ),
    (
        "lint a.xml --level P-LOC",
        "--level P-LOC: write the rule and its severity, such as `L-IGNORED=off`",
    ),
    (
        "lint a.xml --level P-LOK=off",
        "--level: `P-LOK` is not the id of a rule: did you mean `P-LOC`?",
    ),
    (
        "lint a.xml --level P-LOC=fatal",
        "--level: `fatal` is not a severity: write `off`, `note`, `warning` or `error`",
    ),
    (
        "lint a.xml b.xml --location https://example.com/",
        "--location is the URL of one file or one directory: lint the files one by one, or their directory",
    ),
    (
        "lint indexes --location https://example.com/maps/?page=1",
        "--location: `https://example.com/maps/?page=1` is not the URL of a directory, since it has a query or a fragment: write \
             `https://example.com/maps/`",
    ),
    (
        "cat none.xml",
        "cannot open none.xml: No such file or directory (os error 2)",
    ),
    (
        "cat q.xml",
        "cannot open q.xml: No such file or directory (os error 2)",
    ),
    (
        "cat none.x",
        "cannot open none.x: No such file or directory (os error 2)",
    ),
    (
        "cat .example",
        "cannot open .example: No such file or directory (os error 2)",
    ),
    (
        "cat a+b.example/1",
        "cannot open a+b.example/1: No such file or directory (os error 2)",
    ),
    (
        "cat example.org",
        "cannot open example.org: No such file or directory (os error 2); a URL begins with its scheme: https://example.org",
    ),
    (
        "convert other.csv --to xml",
        "other.csv, line 1: no column `loc` among url: name the column of the URLs: `--loc-column url`",
    ),
    (
        "cat https://example.com/ --site --save a.xml/state",
        "cannot write a.xml/state: Not a directory (os error 20)",
    ),
    (
        "lint a.xml --now yesterday",
        "--now: `yesterday` is not a W3C Datetime: a W3C Datetime is `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or `YYYY-MM-DDThh:mm[:ss[.s]]` and a \
             zone, `Z`, `+hh:mm` or `-hh:mm` (P-LASTMOD); write it like that, or leave the field out",
    ),
    (
        "lint --explain P-LOK",
        "`P-LOK` is not the id of a rule: did you mean `P-LOC`?",
    ),
    (
        "convert a.xml --to xml --index",
        "a.xml is a urlset: --index is for formats that do not tell a urlset from an index",
    ),
    ("convert two.csv --to xml", "two.csv, line 1: two columns `loc`"),
    (
        "edit a.xml --set https://example.com/ 2026",
        "`2026` is not of the form FIELD=VALUE, such as `lastmod=2026-05-01`",
    ),
    (
        "edit a.xml --set https://example.com/ lastmod=now",
        "`lastmod=now`: use --touch for the current time",
    ),
    (
        "edit a.xml --set https://example.com/ priority=1 --set https://example.com/ priority=0",
        "the priority of https://example.com/ is given twice",
    ),
    (
        "edit a.xml --touch https://example.com/ --drop https://example.com/",
        "https://example.com/ cannot be both dropped and changed",
    ),
    (
        "edit a.xml --touch https://example.com/ --set https://example.com/ lastmod=2026",
        "the lastmod of https://example.com/ is given twice",
    ),
    (
        "edit a.xml --add https://example.com/1 --drop https://example.com/1",
        "https://example.com/1 cannot be both dropped and added",
    ),
    (
        "edit a.xml --add https://example.com/1 --add https://example.com/1",
        "https://example.com/1 is given to --add twice",
    ),
    (
        "edit a.xml --drop https://example.com/1 --drop https://example.com/2",
        "a.xml: it has no entry https://example.com/1, nor 1 more that were asked for",
    ),
    (
        "edit a.xml --add https://example.com/",
        "a.xml: https://example.com/ is already in the file, as entry 1: change it with --set or --touch",
    ),
    ("man unknown", "no command `unknown`: see `sitemap --help`"),
    (
        "diff a.xml b.xml --format index-now --host example.com --key 1",
        "`1` is not an IndexNow key: a key has 8 to 128 letters, digits and hyphens; generate another one",
    ),
    (
        "repair notes",
        "notes is a directory, and one file is repaired at a time: `find notes -name '*.xml' -exec sitemap repair --in-place {} ';'` repairs all",
    ),
    (
        "edit notes --add https://example.com/1",
        "notes is a directory: name one of its files",
    ),
];

#[cfg(target_os = "linux")]
#[test]
fn each_message_is_whole() {
    let folder = folder();
    let before = folder.names();
    for (arguments, told) in MESSAGES {
        let (status, said, found) = run(&folder, arguments);
        assert_eq!((status, &*said), (2, ""), "{arguments}: {found}");
        assert_eq!(found, format!("sitemap: {told}\n"), "{arguments}");
    }
    assert_eq!(folder.names(), before);
}

/// Messages from clap itself: missing arguments and conflicts.
#[test]
fn arguments_that_do_not_fit_together() {
    let folder = folder();
    for (arguments, told) in [
        (
            "cat",
            "error: the following required arguments were not provided:\n  <FILES>...",
        ),
        (
            "lint a.xml --diff",
            "error: the following required arguments were not provided:\n  --fix",
        ),
        (
            "edit a.xml",
            "error: the following required arguments were not provided:\n  <--set <LOC> <FIELD=VALUE>|--touch <LOC>|--drop <LOC>|--add <LOC>|--rebase <OLD> \
             <NEW>>",
        ),
        (
            "diff a.xml b.xml --format index-now",
            "error: the following required arguments were not provided:\n  --host <HOST>\n  --key <KEY>",
        ),
        (
            "repair a.xml --force",
            "error: the following required arguments were not provided:\n  <--output <FILE>|--in-place>",
        ),
        (
            "repair a.xml --in-place -o b.xml",
            "error: the argument '--in-place' cannot be used with '--output <FILE>'",
        ),
        (
            "lint a.xml --fix --baseline known.json",
            "error: the argument '--fix' cannot be used with '--baseline <FILE>'",
        ),
        (
            "lint a.xml --format yaml",
            "error: invalid value 'yaml' for '--format <FORMAT>'",
        ),
        (
            "transmogrify a.xml",
            "error: unrecognized subcommand 'transmogrify'",
        ),
        (
            "stat --lenient a.xml",
            "error: unexpected argument '--lenient' found",
        ),
    ] {
        let (status, said, found) = run(&folder, arguments);
        assert_eq!((status, &*said), (2, ""), "{arguments}");
        assert!(found.starts_with(told), "{arguments}: {found}");
    }
}

/// The reason comes before the totals, which could hide it.
#[cfg(unix)]
#[test]
fn reasons_come_before_totals() {
    let folder = folder();
    for (name, why) in [
        (
            "none.xml",
            "cannot open none.xml: No such file or directory (os error 2)",
        ),
        (
            "other.csv",
            "other.csv: by its name this is CSV: `sitemap convert other.csv --to xml` makes a sitemap of it",
        ),
    ] {
        for (command, totals) in [
            (
                "lint",
                "0 files, 0 URLs: 0 errors, 0 warnings, 0 notes; 1 file not read to the end\n",
            ),
            (
                "stat",
                "documents    none\nentries      0\nincomplete   1 document that could not be read to the end\n\
                 bytes        0 decompressed, 0 stored\n",
            ),
        ] {
            let output = std::process::Command::new("sh")
                .args([
                    "-c",
                    "exec \"$0\" \"$@\" 2>&1",
                    env!("CARGO_BIN_EXE_sitemap"),
                    command,
                    name,
                ])
                .current_dir(folder.path("."))
                .output()
                .unwrap();
            let found = String::from_utf8(output.stdout).unwrap();
            assert_eq!(found, format!("sitemap: {why}\n{totals}"), "{command} {name}");
            assert_eq!(output.status.code(), Some(2), "{command} {name}");
        }
    }
}

/// All counts in a message use one format, a limit appears once, and a repetitive text is shortened.
#[test]
fn messages_do_not_repeat_themselves() {
    let folder = Folder::with(&[
        (
            "text.xml",
            format!(
                "<urlset xmlns=\"{CORE}\"><url><loc>https://example.com/</loc><x>{}</x></url></urlset>",
                "x".repeat(2 << 20)
            ),
        ),
        ("zeros.txt", "\0".repeat(60)),
        (
            "zeros.csv",
            format!("loc\nhttps://example.com/{}\n", "\0".repeat(60)),
        ),
    ]);
    for (arguments, told) in [
        (
            "cat text.xml",
            "text.xml: a tag or text of more than 1,048,576 bytes, which is the limit; the command has no higher limit, at line 1, \
             column 100 (byte 99), entry 1",
        ),
        (
            "cat zeros.txt",
            "zeros.txt: this is binary data: a sitemap is XML or text (P-DECL); it is not a sitemap, at line 1, column 1 (byte 0)",
        ),
        (
            "convert zeros.csv --to xml",
            "zeros.csv, line 2: `https://example.com/\\u{0}\\u{0}\\u{0}…` holds U+0000: no XML document and no URL can hold it \
             (P-LOC); remove it, loc; --on-invalid drop leaves it out",
        ),
    ] {
        let (status, _, found) = run(&folder, arguments);
        assert_eq!((status, found), (2, format!("sitemap: {told}\n")), "{arguments}");
    }

    let page = |i: u32| {
        format!(
            "<url><loc>https://example.com/{i}</loc><lastmod>2026-01-05</lastmod><priority>1</priority></url>\n"
        )
    };
    let entries: String = (0..1_200).map(page).collect();
    folder.write(
        "many.xml",
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"{CORE}\">\n{entries}</urlset>\n"
        ),
    );
    let (_, said, _) = run(&folder, "lint many.xml --now 2026-02-01");
    let mut counts: Vec<_> = said
        .lines()
        .filter(|line| line.contains(" pages have "))
        .collect();
    counts.sort_unstable();
    assert_eq!(
        counts,
        [
            "note[L-IGNORED]: 1,200 pages have a changefreq or a priority, which Google does not use",
            "note[L-SAMELASTMOD]: all 1,200 pages have the same lastmod, `2026-01-05`, which carries no information",
            "note[P-PRIOALL]: all 1,200 pages have a priority of 0.8 or more: priorities compare the pages of one site, and have \
             no effect if all are high",
        ],
        "{said}"
    );
    assert!(said.contains("\n1 file, 1,200 URLs: "), "{said}");
}

/// Help about `help` prints the help.
#[test]
fn the_help_has_itself() {
    let (_, expected, _) = folder().run(&["--help"]);
    let (_, brief, _) = folder().run(&["-h"]);
    for arguments in [["help", "--help"], ["help", "-h"]] {
        let (status, printed, said) = folder().run(&arguments);
        assert!(printed == expected || printed == brief, "{printed}");
        assert_eq!((status, &*said), (0, ""));
    }
}
