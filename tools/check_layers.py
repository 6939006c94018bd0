#!/usr/bin/env python3
"""Holds the includes to the layers: to the left only, heavy headers in one place, no dialect's name but in its folder.

usage: check_layers.py [ROOT]
"""

import re
import sys
from pathlib import Path

import cplusplus

LAYERS = "base value lifetime expr store db query net script delivery dialect app".split()
# Layers that may see less than all that stands to their left.
NARROW = {
    "lifetime": {"base"},
    "expr": {"base", "value", "lifetime"},
    "store": {"base"},
    "net": {"base"},
    "script": {"base", "value"},
}
DIALECTS = {"cosmos", "fauna", "kuzzle", "centrali"}
# The one table of dialects. Tests of the binary name some; the command line is a client of one.
TABLE = "src/app/dialects.cc"
# The verbs that take and write other systems' exports name them; so does the folder of one, below commands/.
TRANSFERS = ("src/app/commands/transfer/import_command.cc", "src/app/commands/transfer/export_command.cc")
# Headers that are slow to compile: from no header of ours, and only in the .cc files below these paths.
HEAVY = {
    "boost/asio": ["src/net/"],
    "boost/beast": ["src/net/"],
    "boost/geometry": ["src/value/geo/geo.cc", "src/value/geo/distance.cc"],
    "rocksdb/": ["src/store/rocks/"],
    "simdjson.h": ["src/value/"],
    "nghttp2/": ["src/net/http2/"],
    "openssl/": ["src/base/", "src/net/connections/tls.cc"],
    "prometheus/": ["src/base/"],
    "toml++": ["src/app/", "src/base/service/settings.cc"],
    "CLI/": ["src/app/"],
    "js/": ["src/script/engine/"],
    "jsapi.h": ["src/script/engine/"],
    "seccomp.h": ["src/script/process/confine.cc"],
}
# What only the parts of one engine, or of outgoing calls, or tests include may bring them.
HEAVY_HEADERS = {
    "src/net/calls/call_steps.h",
    "src/net/calls/name_resolver.h",
    "src/net/http2/test_client.h",
    "src/script/engine/state.h",
}
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)


def may_include(layer, other):
    if layer == other:
        return True
    if layer in NARROW:
        return other in NARROW[layer]
    return LAYERS.index(other) < LAYERS.index(layer)


def wrong_include(path, header):
    """Why the file at `path` may not include `header`, or None."""
    for heavy, places in HEAVY.items():
        if header.startswith(heavy):
            if path.endswith(".h") and path not in HEAVY_HEADERS:
                return f"no header includes <{header}>: it is slow to compile; keep it in the .cc"
            if not any(path.startswith(place) for place in places):
                return f"<{header}> belongs to {' and '.join(places)}"
    folders, target = path.split("/")[1:], header.split("/")
    layer = folders[0]
    if target[0] not in LAYERS or len(target) < 2:
        return None
    if not may_include(layer, target[0]):
        return f'{layer} may not include "{header}"'
    if layer == target[0] == "dialect" and len(target) > 2:
        if target[1] not in ("common", folders[1]):
            return f'one dialect may not include another: "{header}"'
    return None


def names_refused(path):
    """The dialects that the file at `path` may not name, not even in a comment."""
    layer, folder = (path.split("/") + [""])[1:3]
    if layer == "app":
        if path == TABLE or path.endswith("_test.cc"):
            return set()
        if folder != "commands":
            return DIALECTS | {"native"}
        return set() if path in TRANSFERS else DIALECTS - {path.split("/")[3]}
    if layer != "dialect":
        return DIALECTS
    is_shared = folder == "common" or folder.endswith((".h", ".cc"))
    return DIALECTS | {"native"} if is_shared else DIALECTS - {folder}


def check(root):
    problems = []
    for file in cplusplus.files(root, "src"):
        path = file.relative_to(root).as_posix()
        layer = path.split("/")[1]
        if layer not in LAYERS:
            problems.append(f"{path}:1: src/{layer} is not a layer")
            continue
        text = file.read_text()
        code = cplusplus.code_only(text, keep_text=True)
        wrong_lines = set()
        for found in INCLUDE.finditer(code):
            why = wrong_include(path, found.group(1))
            if why:
                line = cplusplus.line_of(code, found.start(1))
                wrong_lines.add(line)
                problems.append(f"{path}:{line}: {why}")
        refused = names_refused(path)
        for line, identifier in cplusplus.identifiers(text) if refused else ():
            for name in refused.intersection(cplusplus.words_of(identifier)):
                if line not in wrong_lines:
                    problems.append(f"{path}:{line}: {layer} may not know of {name}")
    return problems


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    sys.exit(cplusplus.report(check(Path(sys.argv[1]) if len(sys.argv) > 1 else here)))
