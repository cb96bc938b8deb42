//! Directories that are not a set.

use std::fs;

use sitemap_site::{ErrorKind, SitemapSet};

use crate::sets::pages::{BASE, folder, tree, write};

/// A set with generations needs its own directory. In a web root, the web server would not find its files.
#[test]
fn a_web_root_is_refused() {
    for (names, shown) in [
        (&["index.html"][..], "index.html"),
        (&["sitemap.xml"], "sitemap.xml"),
        (&["404.html", "index.html", "robots.txt"], "index.html"),
        (&["404.html", "index.html", "sitemap.xml"], "sitemap.xml"),
        (&["b.png", "a.png"], "a.png"),
        (&["assets/app.js"], "assets"),
        (&[".well-known/security.txt"], ".well-known"),
        (&[".htaccess"], ".htaccess"),
        // A set that was written in place.
        (&[".sitemap/lock"], ".sitemap"),
        (&["state/lock", "index.html"], "index.html"),
    ] {
        let folder = folder();
        let root = folder.path().join("public");
        for name in names {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let before = tree(&root);
        let error = SitemapSet::directory(&root, BASE).open().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Setting);
        assert_eq!(
            error.to_string(),
            format!(
                "{0} contains `{shown}`, which is no file of a set: the set would be published in {0}/current, and not in {0}; give it a \
                 directory of its own, or if this is the root of the web server, write the set in place with `SitemapSet::in_place`",
                root.display()
            )
        );
        assert_eq!(tree(&root), before);
        SitemapSet::in_place(&root, BASE).open().unwrap();
    }
}

#[test]
fn a_directory_of_its_own_is_taken() {
    for names in [
        &[][..],
        &[".gitignore", ".gitkeep", ".DS_Store"],
        // The folder of a disk, and the leftovers of a program killed before its first commit.
        &["lost+found/x", "state/lock", "generations/1/sitemap.xml"],
    ] {
        let folder = folder();
        let root = folder.path().join("sitemaps");
        fs::create_dir_all(&root).unwrap();
        for name in names {
            let path = root.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "").unwrap();
        }
        let set = SitemapSet::directory(&root, BASE).open().unwrap();
        set.commit(write(&set, "p", "all", 1..=3)).unwrap();
        // Later additions do not stop the set.
        fs::write(root.join("README"), "").unwrap();
        SitemapSet::directory(&root, BASE).open().unwrap();
        let error = SitemapSet::in_place(&root, BASE).open().unwrap_err();
        assert_eq!(
            error.to_string(),
            format!(
                "{0} is a set with generations, whose public files are in {0}/current: open it by `SitemapSet::directory`, or give this set \
                 a directory of its own",
                root.display()
            )
        );
    }
}
