#!/usr/bin/env python3
"""Holds the sources to what STYLE.md says and a machine can see: sizes, openings, the glossary, time and sleeps.

usage: check_style.py [ROOT]
"""

import collections
import re
import sys
from pathlib import Path

import cplusplus

FILE_LINES_MAX = 600
FUNCTION_LINES_MAX = 70
FOLDER_FILES_MAX = 15  # that are not tests
TEST_FILE = re.compile(r"(_test|_testing)\.(cc|h)$|(^|/)testing\.(cc|h)$|(^|/)test_[^/]*$")
COLUMNS_MAX = 100
# Words of the dialects for which the core has its own (an instant, a lifetime), and names that may hold one all the same.
BANNED_IN_CODE = {"timestamp": "an instant is `_at`", "ttl": "the core's word is lifetime"}
BANNED_IN_COMMENTS = {"timestamp": "the core's word is instant"}
GLOSSARY_EXCEPTIONS = {"ttl_seconds_max"}
CLOCK_READ = re.compile(
    r"\b(?:system|steady|high_resolution|utc)_clock\s*::\s*now\b|\bclock_gettime\b|\bgettimeofday\b"
    r"|\btime\s*\(\s*(?:NULL|nullptr|0)\s*\)"
)
SLEEP = re.compile(r"\bsleep_(?:for|until)\b|\b(?:u|nano)?sleep\s*\(")


def functions(code):
    """(first line, last line) of every function body in code without comments, text and preprocessor lines."""
    depth_of_body, open_line, depth, head_start = None, 0, 0, 0
    line = 1
    for i, c in enumerate(code):
        if c == "\n":
            line += 1
        elif c == "{":
            depth += 1
            head = code[head_start:i]
            if depth_of_body is None and is_function(head):
                depth_of_body, open_line = depth, line
            head_start = i + 1
        elif c == "}":
            if depth == depth_of_body:
                yield open_line, line
                depth_of_body = None
            depth -= 1
            head_start = i + 1
        elif c == ";":
            head_start = i + 1


def is_function(head):
    """Whether the text before a brace opens a function, not a namespace, a type or a list of values."""
    if re.search(r"\b(namespace|class|struct|enum|union)\b[^()]*$", head):
        return False
    return ")" in head and not re.search(r"=\s*$", head)


def too_wide(text):
    """The numbers of the lines that are too wide, but for what no line break can shorten: literals and addresses."""
    code = cplusplus.code_only(text).split("\n")
    comments = cplusplus.comments_only(text).split("\n")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) <= COLUMNS_MAX or "://" in line:
            continue
        code_part, comment = " ".join(code[number - 1].split()), comments[number - 1].strip()
        in_raw_string = not code_part and not comment
        is_literal = '"' in line and not comment and len(code_part) <= COLUMNS_MAX
        if not in_raw_string and not is_literal:
            yield number


def opening_problem(file, text):
    lines = [line for line in text.split("\n") if line.strip()]
    if lines and lines[0].startswith("#pragma once"):
        lines = lines[1:]
    first = lines[0] if lines else ""
    if first.startswith("//"):
        return None
    own = f'/{file.stem.removesuffix("_test")}.h"'
    if file.suffix == ".cc" and first.startswith("#include") and first.endswith(own):
        return None  # that header says it
    return "a file opens with a comment that says what it is"


def glossary_problems(text, code):
    for line, identifier in cplusplus.identifiers(code):
        if identifier not in GLOSSARY_EXCEPTIONS:
            for word in set(cplusplus.words_of(identifier)).intersection(BANNED_IN_CODE):
                yield line, f"`{identifier}`: {BANNED_IN_CODE[word]}"
    comments = cplusplus.comments_only(text)
    for word, why in BANNED_IN_COMMENTS.items():
        for found in re.finditer(rf"\b{word}s?\b", comments, re.IGNORECASE):
            yield cplusplus.line_of(comments, found.start()), f"'{word}' in a comment: {why}"


def is_initializer(code, brace, is_within):
    """Whether the brace opens a list of values: not a block, a body or a type."""
    before = code[brace - 1 : brace]
    if before.isalnum() or before in ("_", ">"):
        return True
    head = code[:brace].rstrip()
    if head.endswith("{"):
        return is_within
    return head.endswith(("=", "(", ",")) or re.search(r"\breturn$", head) is not None


def tries_in_initializers(code):
    """The positions of each TRY within braces that hold values."""
    open_brackets = []  # of each: whether it is one of an initializer, and whether it is a block
    for found in re.finditer(r"[()\[\]{}]|\bTRY\(", code):
        word = found.group()
        if word == "TRY(":
            inner = next((kind for kind in reversed(open_brackets) if kind != "call"), "block")
            if inner == "values":
                yield found.start()
            open_brackets.append("call")
        elif word == "{":
            is_within = bool(open_brackets) and open_brackets[-1] == "values"
            open_brackets.append("values" if is_initializer(code, found.start(), is_within) else "block")
        elif word in "([":
            open_brackets.append("call")
        elif open_brackets:
            open_brackets.pop()


def problems_of(path, file):
    """(line, what is wrong) for one file."""
    text = file.read_text()
    code = cplusplus.code_only(text)
    lines = text.count("\n")
    if lines > FILE_LINES_MAX:
        yield 1, f"{lines} lines; a file has {FILE_LINES_MAX} at most"
    opening = opening_problem(file, text)
    if opening:
        yield 1, opening
    for line in too_wide(text):
        yield line, f"wider than {COLUMNS_MAX} columns"
    bare = re.sub(r"^[ \t]*#(?:\\\n|[^\n])*", lambda m: cplusplus.blank(m.group()), code, flags=re.M)
    for first, last in functions(bare):
        if last - first + 1 > FUNCTION_LINES_MAX:
            yield first, f"{last - first + 1} lines; a function has {FUNCTION_LINES_MAX} at most"
    for position in tries_in_initializers(bare):
        yield cplusplus.line_of(code, position), "TRY in braces of values: where it returns, g++ 12 leaks the others"
    if path != "src/base/clock.cc":
        for found in CLOCK_READ.finditer(code):
            yield cplusplus.line_of(code, found.start()), "time comes in through a Clock (base/clock.h)"
    if path.startswith("test/") or path.endswith("_test.cc"):
        for found in SLEEP.finditer(code):
            yield cplusplus.line_of(code, found.start()), "tests never sleep: move a ManualClock"
    if path.startswith("src/") and not path.startswith(("src/dialect/", "src/app/")):
        yield from glossary_problems(text, code)


def full_folders(paths):
    """What is wrong with the folders below src/ that hold these files."""
    files = collections.Counter(
        path.rpartition("/")[0] for path in paths if path.startswith("src/") and not TEST_FILE.search(path)
    )
    for folder, count in sorted(files.items()):
        if count > FOLDER_FILES_MAX:
            yield f"{folder}: {count} files that are not tests; a folder has {FOLDER_FILES_MAX} at most"


def check(root):
    problems, paths = [], []
    for file in cplusplus.files(root, "src", "test"):
        path = file.relative_to(root).as_posix()
        paths.append(path)
        problems += [f"{path}:{line}: {what}" for line, what in problems_of(path, file)]
    return problems + list(full_folders(paths))


if __name__ == "__main__":
    here = Path(__file__).resolve().parent.parent
    sys.exit(cplusplus.report(check(Path(sys.argv[1]) if len(sys.argv) > 1 else here)))
