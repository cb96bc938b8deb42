//! The pages that differ between two sitemaps, announced by IndexNow. The arguments are the old file, the new file, the key, and
//! perhaps another engine.

use std::env;
use std::fs;

use sitemap_serde::diff::{Diff, Input};
use sitemap_submit::{Exchange, PageState, Submission};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let mut next = |what: &str| arguments.next().ok_or(format!("missing: {what}"));
    let (old, new) = (fs::read(next("the old file")?)?, fs::read(next("the new file")?)?);
    // The site serves it as text at /KEY.txt.
    let mut submission = Submission::new(&next("the key")?)?;
    if let Ok(engine) = next("the engine") {
        submission.endpoint(&engine)?;
    }
    let mut changes = Vec::new();
    let (mut old, mut new) = ([Input::from_slice("old", &old)], [Input::from_slice("new", &new)]);
    Diff::new().run(&mut old, &mut new, |change| {
        changes.push(change);
        Ok(())
    })?;
    for change in &changes {
        println!("{change}");
        if let Some(state) = PageState::from_change(change) {
            submission.push(change.loc(), state)?;
        }
    }
    submission.run(|_| Ok(()))?;
    println!("{} received", submission.report().received);
    Ok(())
}
