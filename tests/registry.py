#!/usr/bin/env python3
"""A registry on this machine that takes crates as crates.io does, for rehearsals of a release.

    tests/registry.py FOLDER --burst 5 --refill 2   # prints its port, and serves until it is killed

FOLDER has a file for each crate, with a line for each version that was published. `--burst` new crates are taken at once, and then one in `--refill`
seconds; others are refused with crates.io's status and words. Like crates.io, it refuses a version that exists, and a crate that
depends on a version that does not. The index of all crates but this workspace's is that of crates.io.
"""

import argparse
import email.utils
import hashlib
import http.server
import json
import pathlib
import struct
import subprocess
import threading
import time
import urllib.error
import urllib.request
import zlib

INDEX = "https://index.crates.io/"


def workspace():
    """The names of this workspace's crates."""
    described = subprocess.run(["cargo", "metadata", "--format-version=1", "--no-deps", "--locked"], capture_output=True, text=True, check=True)
    return {package["name"] for package in json.loads(described.stdout)["packages"]}


class Registry:
    def __init__(self, folder, burst, refill):
        self.folder, self.burst, self.refill, self.names = folder, burst, refill, workspace()
        self.tokens, self.filled, self.lock, self.others = float(burst), time.time(), threading.Lock(), {}
        self.packages = {}

    def lines(self, name):
        file = self.folder / name
        return file.read_text().splitlines() if file.exists() else []

    def take(self):
        """Seconds until a new crate is taken; 0 if it is taken now."""
        now = time.time()
        self.tokens = min(self.burst, self.tokens + (now - self.filled) / self.refill)
        self.filled = now
        if self.tokens < 1:
            return (1 - self.tokens) * self.refill
        self.tokens -= 1
        return 0

    def publish(self, crate, package):
        """The status and the message of the answer."""
        name, version = crate["name"], crate["vers"]
        with self.lock:
            found = [json.loads(line) for line in self.lines(name)]
            if any(line["vers"] == version for line in found):
                return 400, f"crate version `{version}` is already uploaded"
            for needed in crate["deps"]:
                wanted = needed["version_req"].lstrip("^=~")
                own = [json.loads(line)["vers"] for line in self.lines(needed["name"])]
                if needed["name"] in self.names and wanted not in own:
                    return 400, f"no known version of `{needed['name']}` matches {needed['version_req']}"
            wait = 0 if found else self.take()
            if wait:
                until = email.utils.formatdate(time.time() + wait + 1, usegmt=True)
                return 429, (
                    "You have published too many new crates in a short period of time. Please try again after "
                    f"{until} and see https://crates.io/docs/rate-limits for more details."
                )
            deps = [
                {**needed, "req": needed["version_req"], "name": needed.get("explicit_name_in_toml") or needed["name"],
                 "package": needed["name"] if needed.get("explicit_name_in_toml") else None}
                for needed in crate["deps"]
            ]
            line = {"name": name, "vers": version, "deps": deps, "features": crate["features"], "cksum": hashlib.sha256(package).hexdigest(), "yanked": False}
            self.packages[name, version] = package
            with open(self.folder / name, "a", encoding="utf-8") as file:
                file.write(json.dumps(line) + "\n")
        return 200, None


def handler(registry):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self, status, body):
            tag = f'"{zlib.crc32(body):x}"'
            if status == 200 and self.headers.get("If-None-Match") == tag:
                status, body = 304, b""
            self.send_response(status)
            self.send_header("ETag", tag)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            if self.path == "/config.json":
                here = f"http://127.0.0.1:{self.server.server_port}"
                return self.answer(200, json.dumps({"dl": f"{here}/crates", "api": here}).encode())
            if self.path.startswith("/crates/"):
                _, _, name, version, _ = self.path.split("/")
                return self.answer(200, registry.packages[name, version])
            name = self.path.rsplit("/", 1)[1]
            if name in registry.names:
                own = registry.lines(name)
                return self.answer(200 if own else 404, "\n".join(own).encode())
            if name not in registry.others:
                try:
                    with urllib.request.urlopen(INDEX + self.path.lstrip("/")) as found:
                        registry.others[name] = 200, found.read()
                except urllib.error.HTTPError as error:
                    registry.others[name] = error.code, b""
            self.answer(*registry.others[name])

        def do_PUT(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            (length,) = struct.unpack("<I", body[:4])
            status, message = registry.publish(json.loads(body[4 : 4 + length]), body[8 + length :])
            said = {"errors": [{"detail": message}]} if message else {"warnings": {}}
            self.answer(status, json.dumps(said).encode())

        def log_message(self, *_):
            pass

    return Handler


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--burst", type=int, default=5)
    parser.add_argument("--refill", type=float, default=600)
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    registry = Registry(arguments.folder, arguments.burst, arguments.refill)
    # A client that is killed is no error here.
    http.server.ThreadingHTTPServer.handle_error = lambda *_: None
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler(registry))
    print(server.server_port, flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
