#!/usr/bin/env python3
"""Answers for GitHub where OpenBench runs without the internet: github.py REPOSITORY BOOKS [PORT]

Serves the branches, commits and archives of one git repository under any owner and name, and the files of the folder
BOOKS under /books/. Listens on 127.0.0.1 only. sitecustomize.py, beside this file, sends OpenBench's requests here.
"""

import json
import pathlib
import re
import subprocess
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

NAME = r"[A-Za-z0-9_][A-Za-z0-9_./-]*"


class GitHub(BaseHTTPRequestHandler):
    repository: str
    books: pathlib.Path

    def git(self, *arguments: str) -> bytes:
        command = ["git", "-C", self.repository, *arguments]
        return subprocess.run(command, check=True, capture_output=True).stdout

    def commit(self, name: str) -> dict:
        sha, tree, message = self.git("log", "-1", "--format=%H%n%T%n%B", name, "--").decode().split("\n", 2)
        return {"sha": sha, "commit": {"message": message, "tree": {"sha": tree}}}

    def archive(self, repository: str, name: str) -> bytes:
        folder = f"{repository}-{name.replace('/', '-')}"
        return self.git("archive", "--format=zip", f"--prefix={folder}/", name)

    def answer(self, path: str) -> bytes | None:
        if found := re.fullmatch(rf"/repos/[^/]+/[^/]+/branches/({NAME})/?", path):
            return json.dumps({"name": found[1], "commit": self.commit(found[1])}).encode()
        if found := re.fullmatch(rf"/repos/[^/]+/[^/]+/commits/({NAME})/?", path):
            return json.dumps(self.commit(found[1])).encode()
        if found := re.fullmatch(r"/repos/[^/]+/[^/]+/compare/(\w+)\.\.\.(\w+)/?", path):
            ahead = self.git("rev-list", "--count", f"{found[1]}..{found[2]}", "--")
            return json.dumps({"ahead_by": int(ahead)}).encode()
        # A worker gets an engine from the first address, and the match runner from the second.
        if found := re.fullmatch(rf"/repos/[^/]+/([^/]+)/zipball/({NAME})/?", path):
            return self.archive(found[1], found[2])
        if found := re.fullmatch(rf"/[^/]+/([^/]+)/archive/({NAME})\.zip/?", path):
            return self.archive(found[1], found[2])
        if found := re.fullmatch(r"/books/([\w.-]+)", path):
            return (self.books / found[1]).read_bytes()
        return None

    def do_GET(self) -> None:
        try:
            body = self.answer(self.path)
        except (subprocess.CalledProcessError, OSError) as error:
            print(error, file=sys.stderr)
            body = None
        self.send_response(404 if body is None else 200)
        body = body or b"{}"
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


if __name__ == "__main__":
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    GitHub.repository, GitHub.books = sys.argv[1], pathlib.Path(sys.argv[2])
    port = int(sys.argv[3]) if len(sys.argv) == 4 else 8100
    ThreadingHTTPServer(("127.0.0.1", port), GitHub).serve_forever()
