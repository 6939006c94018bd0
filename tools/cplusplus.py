"""What the checks share: finding C++ files, and telling code from comments and string literals."""

import re
from pathlib import Path

TOKEN = re.compile(
    r"""(?P<comment>//(?:\\\n|[^\n])*|/\*.*?\*/)"""
    r"""|(?P<raw>R"(?P<mark>[^()\\\s]{0,16})\(.*?\)(?P=mark)")"""
    r"""|(?P<text>"(?:\\.|[^"\\\n])*")"""
    r"""|(?P<char>(?<![0-9A-Fa-f])'(?:\\.|[^'\\\n])+')""",
    re.DOTALL | re.VERBOSE,
)


def files(root, *folders):
    """Every header and source of ours below the folders, in a stable order."""
    found = []
    for folder in folders:
        found += [p for p in (Path(root) / folder).rglob("*")
                  if p.suffix in (".h", ".cc") and "node_modules" not in p.parts]
    return sorted(found)


def blank(text):
    """Spaces for everything but line ends, so that lines and columns stay where they are."""
    return re.sub(r"[^\n]", " ", text)


def code_only(text, keep_text=False):
    """The source without its comments and, unless `keep_text`, without what stands in quotes."""

    def replace(found):
        if found.group("comment") or not keep_text:
            return blank(found.group())
        return found.group()

    return TOKEN.sub(replace, text)


def comments_only(text):
    """Only the comments."""
    kept, end = [], 0
    for found in TOKEN.finditer(text):
        kept.append(blank(text[end : found.start()]))
        kept.append(found.group() if found.group("comment") else blank(found.group()))
        end = found.end()
    kept.append(blank(text[end:]))
    return "".join(kept)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def words_of(identifier):
    """The words of an identifier: `putTtl_seconds` is put, ttl, seconds."""
    return [w.lower() for w in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", identifier)]


def identifiers(code):
    """(line, identifier) for every identifier of text that code_only() gave."""
    for found in re.finditer(r"[A-Za-z_]\w*", code):
        yield line_of(code, found.start()), found.group()


def report(problems):
    """Prints the problems; the exit status."""
    for problem in problems:
        print(problem)
    return 1 if problems else 0
