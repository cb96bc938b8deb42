//! Google's former code search extension: a file of source code.

use super::entry::CODE_SEARCH;
use super::page_map;

super::table::table! {
    after page_map::END;

    /// A page that is a file of source code, or a package of such files.
    #[derive(Default)]
    pub struct CodeSearch in CODE_SEARCH by Ns {
        /// Type of the file, such as `c++`, or `archive` for a package.
        one file_type: String => FILE_TYPE "codesearch:filetype": Text;
        /// Name of the licence, such as `gpl`.
        maybe license: Option<String> => LICENSE "codesearch:license": Text;
        /// Name of the file, if the URL does not end with it.
        maybe file_name: Option<String> => FILE_NAME "codesearch:filename": Text;
        /// URL of the package that contains the file.
        maybe package_url: Option<String> => PACKAGE_URL "codesearch:packageurl": Url;
        /// Name of the file in the package that lists the URLs of its files.
        maybe package_map: Option<String> => PACKAGE_MAP "codesearch:packagemap": Text;
    }
}
