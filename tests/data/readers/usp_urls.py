"""Prints the URLs that ultimate-sitemap-parser finds in a folder, served at a port of this machine: FOLDER PORT"""

import functools
import http.server
import logging
import sys
import threading

from usp.tree import sitemap_tree_for_homepage

folder, port = sys.argv[1], int(sys.argv[2])


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


logging.disable(logging.INFO)
handler = functools.partial(Quiet, directory=folder)
server = http.server.ThreadingHTTPServer(("127.0.0.1", port), handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
tree = sitemap_tree_for_homepage(f"http://127.0.0.1:{port}/", use_robots=False)
for page in tree.all_pages():
    print(page.url)
