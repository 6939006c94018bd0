"""A collection that is exported and imported beside the first: it holds the same documents with the same ends and holds."""

import os
import subprocess
import tempfile

import native
import service as server
from check import expect, now_of
from places import partition_key

MARGIN = 10_000  # microseconds that both commands may need: a commit is one
DATABASE = "/v1/databases/copy"


def check_transfer(service, c, place):
    now = now_of(service)
    if any(now < end <= now + MARGIN for end in c.ends()):
        return
    make_target(service, place)
    with tempfile.TemporaryDirectory(prefix="mayfly-law-") as folder:
        file = os.path.join(folder, "documents")
        run(service, "export", "--database", "law", "--collection", c.name, "--output", file)
        run(service, "import", "--database", "copy", "--collection", c.name, file)
    expect(f"{c.name}, imported from its export", documents(service, DATABASE, c.name),
           documents(service, native.DATABASE, c.name))


def make_target(service, place):
    service.must("PUT", DATABASE)
    if place.partitions:
        made = service.cosmos("POST", "/dbs/copy/colls", {"id": place.name, **partition_key(place)})
        assert made.status == 201, repr(made)
    else:
        service.must("PUT", f"{DATABASE}/collections/{place.name}")


def run(service, command, *words):
    done = subprocess.run([server.BINARY, command, "--url", f"http://127.0.0.1:{service.ports['native']}", *words],
                          capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, f"mayfly {command}: {done.stderr}"


def documents(service, database, name):
    rows = service.must("GET", f"{database}/collections/{name}/documents?limit=1000")["documents"]
    return sorted((native.named(row), row["data"].get("n"), row["data"].get("u"), row["expires_at"], "hold" in row)
                  for row in rows)
