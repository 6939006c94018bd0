#!/usr/bin/env python3
"""Finds names in anonymous namespaces that two sources of one library or test program share.

The release preset compiles sources in batches, where both would meet. Functions that take other types may share a name. A
function of a header may not share its name with one that takes the same types, or other numbers: the batch would call the wrong one.

usage: check_names.py [ROOT]
"""

import collections
import re
import sys
from pathlib import Path

import cplusplus

NAMED = re.compile(r"\bnamespace\s+([\w:]+)\s*\{")
NUMBER = re.compile(r"(?:(?:std : : )?(?:u?int(?:8|16|32|64)_t|size_t|ptrdiff_t)|bool|char|int|unsigned|long|float|double| )+$")
OPENING = re.compile(r"\bnamespace\s*\{")
TYPE = re.compile(r"(?:struct|class|enum\s+class|enum|union)\s+(\w+)(?:\s+final)?\s*(?:$|[:{])")
FUNCTION = re.compile(r"([A-Za-z_]\w*)\s*\(")
VARIABLE = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*(?:=|\{|$)")
MACROS = re.compile(r"(?:TEST|RC_GTEST|INSTANTIATE|TYPED_TEST|CHECK|MATCHER)\w*$")


def program_of(path):
    """The library or test program that compiles the source, as cmake/layer.cmake has it."""
    folders = path.split("/")
    kept = folders[1:3] if folders[1] == "dialect" and len(folders) > 3 else folders[1:2]
    if folders[0] == "test":
        kept = folders[:-1]
    return "/".join(kept) + ("_test" if path.endswith("_test.cc") else "")


def closing(code, start):
    """The position behind the bracket that closes the one before `start`."""
    depth, at = 1, start
    while depth and at < len(code):
        depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(code[at], 0)
        at += 1
    return at


def declarations(code):
    """(position, text) of what stands side by side, without what braces hold."""
    start = at = 0
    while at < len(code):
        c = code[at]
        if c in "({":
            end = closing(code, at + 1)
            if c == "{":
                yield start, code[start:at + 1]
                start = end
            at = end
        else:
            at += 1
            if c == ";":
                yield start, code[start:at - 1]
                start = at


def types_of(parameters):
    """The parameters without their names and defaults."""
    kept = []
    for parameter in re.split(r",(?![^<(]*[>)])", parameters):
        words = re.findall(r"\w+|[^\w\s]", parameter.split("=")[0])
        if len(words) > 1 and re.match(r"\w", words[-1]):
            words.pop()
        kept.append(" ".join(w for w in words if w != "const"))
    return ", ".join(kept)


def name_of(declaration):
    """The name, and for a function the types that it takes; None for what may stand twice."""
    text = " ".join(re.sub(r"^\s*#.*$", "", declaration, flags=re.M).split())
    text = re.sub(r"^(?:\[\[[^\]]*\]\]\s*)*(?:template\s*<.*?>\s*(?=\w))?", "", text)
    if not text or text.startswith(("using ", "namespace ", "static_assert", "extern ")):
        return None
    if found := TYPE.match(text):
        return found.group(1), None
    head = text.split("=")[0] if "(" not in text.split("=")[0] else text
    if found := FUNCTION.search(head):
        if MACROS.match(found.group(1)) or head[:found.start()].endswith("::"):
            return None  # a test, or the body of a member
        end = closing(head, found.end())
        return found.group(1), types_of(head[found.end():end - 1])
    found = VARIABLE.search(text)
    return (found.group(1), None) if found and " " in text else None


def names_in(code):
    """(position, name, types) of everything in the anonymous namespaces of a source."""
    for opening in OPENING.finditer(code):
        body = code[opening.end():closing(code, opening.end()) - 1]
        for position, declaration in declarations(body):
            if named := name_of(declaration):
                lead = len(declaration) - len(declaration.lstrip())
                yield opening.end() + position + lead, *named


def blocks_of(code):
    """(name, position, body) of each named namespace."""
    for opening in NAMED.finditer(code):
        yield opening.group(1), opening.end(), code[opening.end():closing(code, opening.end()) - 1]


def functions_of_headers(root):
    """By program, namespace and name: (header, types) of each function."""
    found = collections.defaultdict(list)
    for file in cplusplus.files(root, "src"):
        if file.suffix != ".h":
            continue
        path = file.relative_to(root).as_posix()
        for namespace, _, body in blocks_of(cplusplus.code_only(file.read_text())):
            for _, declaration in declarations(body):
                named = name_of(declaration)
                if named and named[1] is not None:
                    found[program_of(path), namespace, named[0]].append((path, named[1]))
    return found


def may_be_taken_for(types, others):
    """Whether a call of the one may be one of the other: all types are equal, or both are numbers."""
    mine, theirs = types.split(", "), others.split(", ")
    return len(mine) == len(theirs) and all(
        a == b or (NUMBER.match(a) and NUMBER.match(b)) for a, b in zip(mine, theirs))


def hidden_functions(path, code, headers):
    """Problems of functions in anonymous namespaces that a header's function may be taken for."""
    for namespace, start, body in blocks_of(code):
        for position, name, types in names_in(body):
            for header, others in headers.get((program_of(path), namespace, name), []) if types is not None else []:
                if may_be_taken_for(types, others):
                    line = cplusplus.line_of(code, start + position)
                    yield f"{path}:{line}: `{name}` may be taken for that of {header} in a batch"


def check(root):
    seen, problems = collections.defaultdict(list), []
    headers = functions_of_headers(root)
    for file in cplusplus.files(root, "src", "test"):
        path = file.relative_to(root).as_posix()
        if file.suffix != ".cc" or path.startswith(("test/fuzz/", "test/bench/", "test/overload/")):
            continue
        code = cplusplus.code_only(file.read_text())
        problems += hidden_functions(path, code, headers)
        for position, name, types in names_in(code):
            others = seen[program_of(path), name]
            for other, other_types in others:
                if other != path and (types is None or other_types is None or types == other_types):
                    line = cplusplus.line_of(code, position)
                    problems.append(f"{path}:{line}: `{name}` stands in {other}, too, and both are compiled in one batch")
                    break
            others.append((path, types))
    return problems


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    sys.exit(cplusplus.report(check(Path(sys.argv[1]) if len(sys.argv) > 1 else here)))
