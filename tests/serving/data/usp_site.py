"""Prints the URLs that ultimate-sitemap-parser finds on a site: ADDRESS"""

import logging
import sys

from usp.tree import sitemap_tree_for_homepage

logging.disable(logging.INFO)
for page in sitemap_tree_for_homepage(sys.argv[1] + "/").all_pages():
    print(page.url)
