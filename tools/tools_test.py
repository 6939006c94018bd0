#!/usr/bin/env python3
"""Tests the checks: each rule is fed a tree that breaks it, and one that does not.

usage: tools_test.py [BUILD]      without a build folder, the check of the headers is left out
"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import check_headers
import check_language
import check_layers
import check_links
import check_machinery
import check_names
import check_style
import check_tracked

HEAD = "// What it is.\n"
LONG_BODY = "  n += 1;\n" * 70
STALE_CLOCK = "auto t = std::chrono::{}_clock::now();\n"


def problems(check, path, text, more=None):
    """What `check` says of a tree with one file of this text, and `more` files."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {path: text, **(more or {})}.items():
            file = Path(folder) / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content)
        return check(folder)


# (why, path, text, a part of the one problem, or None where there is none)
LAYERS = [
    ("an include to the left", "src/db/a.cc", '#include "value/value.h"\n', None),
    ("an include to the right", "src/value/a.cc", '#include "db/rows/keys.h"\n', "value may not include"),
    ("one in a comment", "src/value/a.cc", '// #include "db/rows/keys.h"\n', None),
    ("net sees base", "src/net/a.cc", '#include "base/result.h"\n', None),
    ("net sees nothing else", "src/net/a.cc", '#include "value/value.h"\n', "net may not include"),
    ("script sees values", "src/script/a.cc", '#include "value/value.h"\n', None),
    ("script sees no database", "src/script/a.cc", '#include "db/rows/keys.h"\n', "script may not include"),
    ("an engine's header in another part", "src/script/pool.cc", "#include <jsapi.h>\n", "belongs to"),
    ("store sees base only", "src/store/a.cc", '#include "value/value.h"\n', "store may not"),
    ("expr does not see store", "src/expr/a.cc", '#include "store/store.h"\n', "expr may not"),
    ("lifetime sees base only", "src/lifetime/a.h", '#include "value/value.h"\n', "lifetime may not"),
    ("a folder that is no layer", "src/util/a.h", HEAD, "is not a layer"),
    ("own dialect", "src/dialect/kuzzle/a.cc", '#include "dialect/kuzzle/b.h"\n', None),
    ("what dialects share", "src/dialect/kuzzle/a.cc", '#include "dialect/common/b.h"\n', None),
    ("the seam", "src/dialect/kuzzle/a.cc", '#include "dialect/dialect.h"\n', None),
    ("another dialect", "src/dialect/kuzzle/a.cc", '#include "dialect/fauna/b.h"\n', "one dialect"),
    ("what dialects share knows none", "src/dialect/common/a.h", '#include "dialect/fauna/b.h"\n', "one"),
    ("the table of dialects sees them all", "src/app/dialects.cc", '#include "dialect/fauna/b.h"\n', None),
    ("a dialect's name", "src/db/a.cc", "bool is_fauna = false;\n", "db may not know of fauna"),
    ("one in camel case", "src/db/a.cc", "struct KuzzleTrash {};\n", "db may not know of kuzzle"),
    ("one in text", "src/db/a.cc", 'auto a = "Cosmos";\n', "db may not know of cosmos"),
    ("one in a comment", "src/db/a.cc", "// As Cosmos DB does.\n", "db may not know of cosmos"),
    ("one inside a longer word", "src/db/a.cc", "int faunal = 0;\n", None),
    ("one in the table of dialects", "src/app/dialects.cc", 'auto a = "cosmos";\n', None),
    ("one beside that table", "src/app/server/serve.cc", 'auto a = settings.text("cosmos.key");\n', "app may not know of cosmos"),
    ("an include beside it", "src/app/server/serve.cc", '#include "dialect/kuzzle/options.h"\n', "app may not know of kuzzle"),
    ("the native one, too", "src/app/ports/ports.cc", 'auto a = "native.port";\n', "app may not know of native"),
    ("that one where the command line calls it", "src/app/commands/remote.h", "// Over the native API.\n", None),
    ("another one there", "src/app/commands/remote.h", "// Over the Kuzzle API.\n", "app may not know of kuzzle"),
    ("one in its folder of the command line", "src/app/commands/fauna/a.h", "// Of the Fauna API.\n", None),
    ("another one in that folder", "src/app/commands/fauna/a.h", "// Of Kuzzle.\n", "app may not know of kuzzle"),
    ("one in the verb that takes its exports", "src/app/commands/transfer/import_command.cc", "// Of Fauna.\n", None),
    ("one in the verb that writes them", "src/app/commands/transfer/export_command.cc", "// Of Fauna.\n", None),
    ("one in another verb", "src/app/commands/server/backup_command.cc", "// Of Fauna.\n", "app may not know of fauna"),
    ("one in a test of the binary", "src/app/a_test.cc", 'auto a = "cosmos";\n', None),
    ("one in what dialects share", "src/dialect/common/a.h", "// As Centrali does.\n", "dialect may not know of centrali"),
    ("one in the seam", "src/dialect/dialect.h", "struct KuzzleOptions;\n", "dialect may not know of kuzzle"),
    ("one in its own folder", "src/dialect/kuzzle/a.h", "struct KuzzleOptions;\n", None),
    ("one in another's folder", "src/dialect/cosmos/a.cc", 'auto a = "centrali.clients";\n', "dialect may not know of centrali"),
    ("a heavy header in a header", "src/net/a.h", "#include <boost/asio.hpp>\n", "no header includes"),
    ("a heavy header in its place", "src/net/a.cc", "#include <boost/asio.hpp>\n", None),
    ("a heavy header elsewhere", "src/db/a.cc", "#include <rocksdb/db.h>\n", "belongs to"),
    ("the frames of HTTP/2 in their place", "src/net/http2/a.cc", "#include <nghttp2/nghttp2.h>\n", None),
    ("the frames of HTTP/2 beside it", "src/net/a.cc", "#include <nghttp2/nghttp2.h>\n", "belongs to"),
    ("an engine's header beside it", "src/store/a.cc", "#include <rocksdb/db.h>\n", "belongs to"),
    ("toml++ in settings.cc", "src/base/service/settings.cc", "#include <toml++/toml.h>\n", None),
    ("toml++ in another .cc", "src/base/bytes.cc", "#include <toml++/toml.h>\n", "belongs to"),
]

STYLE = [
    ("nothing wrong", "src/db/a.h", "#pragma once\n" + HEAD, None),
    ("TRY in braces of values", "src/db/a.cc", HEAD + "Result<A> f() {\n  return A{a(), TRY(b())};\n}\n", "TRY in braces"),
    ("TRY in braces of a call", "src/db/a.cc", HEAD + "auto f() {\n  return g({.a = TRY(b())});\n}\n", "TRY in braces"),
    ("TRY in a block in braces", "src/db/a.cc", HEAD + "auto f() {\n  g({[] {\n    TRY(b());\n  }});\n}\n", None),
    ("TRY as an argument", "src/db/a.cc", HEAD + "Result<A> f() {\n  return a(TRY(b()));\n}\n", None),
    ("no opening", "src/db/a.h", "#pragma once\nint a;\n", "opens with a comment"),
    ("its header opens it", "src/db/a.cc", '#include "db/a.h"\n', None),
    ("it opens a test too", "src/db/a_test.cc", '#include "db/a.h"\n', None),
    ("another header does not", "src/db/a.cc", '#include "db/b.h"\n', "opens with a comment"),
    ("600 lines", "src/db/a.cc", HEAD + "\n" * 599, None),
    ("601 lines", "src/db/a.cc", HEAD + "\n" * 600, "601 lines"),
    ("70 lines", "src/db/a.cc", HEAD + f"void f() {{\n{LONG_BODY[20:]}}}\n", None),
    ("72 lines", "src/db/a.cc", HEAD + f"void f() {{\n{LONG_BODY}}}\n", "a.cc:2: 72 lines; a function"),
    ("in a class", "src/db/a.cc", HEAD + f"struct A {{\nint f() {{\n{LONG_BODY}}}\n}};\n", "a.cc:3: 72"),
    ("a long class", "src/db/a.cc", HEAD + f"class A : B<C> {{\n{LONG_BODY}}};\n", None),
    ("a long table", "src/db/a.cc", HEAD + f"const T rows = {{\n{LONG_BODY}}};\n", None),
    ("a brace in text", "src/db/a.cc", HEAD + "void f() {\n a('{', \"{\"); // {\n}\n" + LONG_BODY, None),
    ("101 columns", "src/db/a.cc", HEAD + "x" * 101 + "\n", "a.cc:2: wider"),
    ("100 columns", "src/db/a.cc", HEAD + "x" * 100 + "\n", None),
    ("a long literal", "src/db/a.cc", HEAD + 'f("' + "x" * 120 + '");\n', None),
    ("a long raw literal", "src/db/a.cc", HEAD + 'f(R"(\n' + "x" * 120 + '\n)");\n', None),
    ("an address", "src/db/a.cc", HEAD + "// https://" + "x" * 120 + "\n", None),
    ("a long comment", "src/db/a.cc", HEAD + '// "' + "x" * 120 + '"\n', "wider"),
    ("a banned word", "src/db/a.cc", HEAD + "int put_ttl;\n", "lifetime"),
    ("one that is excepted", "src/db/a.cc", HEAD + "auto a = limits::ttl_seconds_max;\n", None),
    ("one inside a longer word", "src/db/a.cc", HEAD + "int throttled, title;\n", None),
    ("one in a comment", "src/db/a.cc", HEAD + "// The timestamp of it.\n", "instant"),
    ("TTL in a comment", "src/db/a.cc", HEAD + "// No TTL wraps around.\n", None),
    ("one in a dialect", "src/dialect/x/a.cc", HEAD + "int ttl, timestamp;\n", None),
    ("a clock", "src/db/a.cc", HEAD + STALE_CLOCK.format("system"), "through a Clock"),
    ("a steady clock", "src/app/a.cc", HEAD + STALE_CLOCK.format("steady"), "through a Clock"),
    ("the C clock", "src/db/a.cc", HEAD + "auto t = time(nullptr);\n", "through a Clock"),
    ("a clock in a comment", "src/db/a.cc", HEAD + "// Not clock_gettime.\n", None),
    ("the clock's own file", "src/base/clock.cc", HEAD + "void f() { clock_gettime(a, b); }\n", None),
    ("a sleep in a test", "src/db/a_test.cc", HEAD + "void f() { sleep_for(a); }\n", "never sleep"),
    ("a C sleep in a test", "test/a.cc", HEAD + "void f() { usleep (1); }\n", "never sleep"),
    ("a sleep elsewhere", "src/db/a.cc", HEAD + "void f() { sleep_for(a); }\n", None),
]

ANONYMOUS = "namespace {{\n{}\n}}\n"
# (why, path and text within an anonymous namespace, the same of another, a part of the one problem or None)
NAMES = [
    ("a function", "src/db/a.cc", "int f(int a) { return a; }", "src/db/b.cc", "int f(int b) { return -b; }", "`f` stands in src/db/a.cc"),
    ("one that takes others", "src/db/a.cc", "int f(int a) { return a; }", "src/db/b.cc", "int f(Span b) { return 0; }", None),
    ("one of another layer", "src/db/a.cc", "int f();", "src/query/b.cc", "int f();", None),
    ("one of a folder below", "src/store/a.cc", "int f();", "src/store/rocks/b.cc", "int f();", "`f`"),
    ("one of another dialect", "src/dialect/x/a.cc", "int f();", "src/dialect/y/b.cc", "int f();", None),
    ("one of the tests", "src/db/a.cc", "int f();", "src/db/b_test.cc", "int f();", None),
    ("a type", "src/db/a.cc", "struct A final {\n  int a;\n};", "src/db/b.cc", "class A : B {};", "`A`"),
    ("a template", "src/db/a.cc", "template <class T>\nT f(T a) { return a; }", "src/db/b.cc", "template <class T>\nT f(T b);", "`f`"),
    ("a table", "src/db/a.cc", "constexpr Row rows[] = {{1, 2}};", "src/db/b.cc", "const Rows rows{1};", "`rows`"),
    ("a table and a function", "src/db/a.cc", "const int rows = 1;", "src/db/b.cc", "int rows(int a);", "`rows`"),
    ("bodies of members", "src/db/a.cc", "void A::f() {}", "src/db/b.cc", "void B::f() {}", None),
    ("what a body holds", "src/db/a.cc", "int f() { int n = 1; return n; }", "src/db/b.cc", "int g() { int n = 1; return n; }", None),
    ("tests", "src/db/a_test.cc", "TEST(A, IsSo) {}", "src/db/b_test.cc", "TEST(B, IsSo) {}", None),
    ("names for other things", "src/db/a.cc", "namespace fs = std::filesystem;\nusing A = B;", "src/db/b.cc", "namespace fs = std::filesystem;\nusing A = B;", None),
]


# (why, path, text, a part of the one problem, or None where there is none); each tree has LINKED, too
LINKS = [
    ("a page", "a.md", "see [b](docs/b.md)", None),
    ("no page", "a.md", "see [c](docs/c.md)", "a.md:1: there is no docs/c.md"),
    ("a heading", "a.md", "see [b](docs/b.md#two-words-and-code)", None),
    ("the second heading of that name", "a.md", "see [b](docs/b.md#twice-1)", None),
    ("no heading", "a.md", "# A\n\nsee [b](docs/b.md#three)", "a.md:3: b.md has no heading #three"),
    ("a heading in a block of code", "a.md", "see [b](docs/b.md#shell)", "has no heading #shell"),
    ("a heading of this page", "a.md", "# One\nsee [one](#one)", None),
    ("none of this page", "a.md", "# One\nsee [two](#two)", "a.md has no heading #two"),
    ("another site", "a.md", "see [x](https://example.com/c.md)", None),
    ("a link in code", "a.md", "write `[c](docs/c.md)`\n```\n[c](docs/c.md)\n```\n", None),
    ("a file", "a.md", "`docs/b.md` and `docs/`", None),
    ("no file", "a.md", "```\ntwo\n```\n`src/c.cc`", "a.md:4: there is no src/c.cc"),
    ("a file that a decision names", "docs/decisions/0001-a.md", "`src/c.cc`", None),
    ("a file in a comment", "src/db/a.h", HEAD + "// See rows/keys.h and keys_of.h.\n", None),
    ("no file in a comment", "src/db/a.h", HEAD + "// See rows/key.h.\n", "src/db/a.h:2: there is no rows/key.h"),
    ("a file in code", "src/db/a.h", HEAD + '#include "rows/key.h"\n', None),
]
LINKED = {"src/db/rows/keys.h": HEAD, "docs/b.md": "## Two words and `code`\n## Twice\n## Twice\n```\n# shell\n```\n"}


class TableTest(unittest.TestCase):
    def run_rows(self, check, rows):
        for why, path, text, expected in rows:
            with self.subTest(why):
                found = problems(check, path, text)
                if expected is None:
                    self.assertEqual(found, [])
                else:
                    self.assertEqual(len(found), 1, found)
                    self.assertIn(expected, found[0])

    def test_check_layers_finds_what_is_planted(self):
        self.run_rows(check_layers.check, LAYERS)

    def test_check_style_finds_what_is_planted(self):
        self.run_rows(check_style.check, STYLE)

    def test_check_style_finds_a_folder_with_too_many_files(self):
        tests = {f"src/db/a/{n}_test.cc": HEAD for n in range(5)}
        for files, expected in ((15, 0), (16, 1)):
            more = tests | {f"src/db/a/f{n}.h": HEAD for n in range(1, files)}
            found = problems(check_style.check, "src/db/a/f0.h", HEAD, more)
            self.assertEqual(len(found), expected, found)
            self.assertTrue(all("src/db/a: 16 files" in problem for problem in found), found)

    def test_check_names_finds_what_is_planted(self):
        for why, path, text, other, more, expected in NAMES:
            with self.subTest(why):
                found = problems(check_names.check, path, ANONYMOUS.format(text), {other: ANONYMOUS.format(more)})
                self.assertEqual(len(found), 0 if expected is None else 1, found)
                self.assertIn(expected or "", "".join(found))


    def test_check_names_finds_functions_that_hide_those_of_headers(self):
        source = "namespace mayfly {{\nnamespace {{\n{}\n}}\n}}\n"
        header = {"src/db/b.h": "namespace mayfly {\nint f(std::int64_t a, int b);\n}\n"}
        for why, path, text, expected in [
                ("the same", "src/db/a.cc", "int f(std::int64_t n, int m) { return 0; }", 1),
                ("other numbers", "src/db/a.cc", "int f(int n, double m) { return 0; }", 1),
                ("another type", "src/db/a.cc", "int f(Span n, int m) { return 0; }", 0),
                ("fewer", "src/db/a.cc", "int f(int n) { return 0; }", 0),
                ("another library", "src/query/a.cc", "int f(int n, int m) { return 0; }", 0)]:
            with self.subTest(why):
                found = problems(check_names.check, path, source.format(text), header)
                self.assertEqual(len(found), expected, found)


class LinksTest(unittest.TestCase):
    def test_check_links_finds_what_is_planted(self):
        for why, path, text, expected in LINKS:
            with self.subTest(why):
                found = problems(check_links.check, path, text, LINKED)
                self.assertEqual(len(found), 0 if expected is None else 1, found)
                if expected is not None:
                    self.assertIn(expected, found[0])


LANGUAGE = [
    ("nothing", "src/db/a.h", HEAD + "// Where a document is.\nint place;\n", None),
    ("a person in a comment", "src/db/a.h", HEAD + "// Whoever reads it.\n", "a.h:2: 'Whoever'"),
    ("a document that is he", "test/a.cc", HEAD + "// Then he expires.\n", "'he'"),
    ("a part of a word", "src/db/a.h", HEAD + "// The other, there, when.\nint history;\n", None),
    ("two words", "src/db/a.h", HEAD + "// The dead are hidden.\n", "expired documents"),
    ("a name", "src/db/a.h", HEAD + "void nudge_job();\n", "'nudge_job': write wake"),
    ("a name in text", "src/db/a.h", HEAD + 'f("nudge");\n', None),
    ("an interface that is named so", "src/db/a.h", HEAD + "Watermarks marks;\n", None),
    ("one that is listed", "src/db/old.h", HEAD + "// Nobody.\n", None),
    ("one that is listed without need", "src/db/old.h", HEAD + "// None.\n", "take it off"),
]


class LanguageTest(unittest.TestCase):
    def test_check_language_finds_what_is_planted(self):
        for why, path, text, expected in LANGUAGE:
            with self.subTest(why):
                more = {check_language.LIST: "src/db/old.h\n"} if path.endswith("old.h") else {}
                found = problems(check_language.check, path, text, more)
                self.assertEqual(len(found), 0 if expected is None else 1, found)
                self.assertIn(expected or "", "".join(found))


MACHINERY = [
    ("nothing", "src/dialect/x/a.cc", HEAD + "int a;\n", None),
    ("a thread", "src/dialect/x/a.h", HEAD + "std::thread thread_;\n", "a thread of a dialect"),
    ("the id of a thread", "src/dialect/x/a.h", HEAD + "std::thread::id id;\n", None),
    ("a lock", "src/dialect/x/a.h", HEAD + "mutable std::mutex mutex_;\n", "a lock of a dialect"),
    ("one that is taken", "src/dialect/x/a.cc", HEAD + "const std::lock_guard lock(mutex_);\n", None),
    ("a condition", "src/dialect/x/a.h", HEAD + "std::condition_variable changed_;\n", "a wait of a dialect"),
    ("a cache", "src/dialect/x/a.h", HEAD + "Rows row_cache_;\n", "a cache of a dialect"),
    ("a value of the thread", "src/dialect/x/a.cc", HEAD + "thread_local int last = 0;\n", "a cache of a dialect"),
    ("one in a comment", "src/dialect/x/a.h", HEAD + "// std::mutex mutex_;\n", None),
    ("one in a test", "src/dialect/x/a_test.cc", HEAD + "std::thread other;\n", None),
    ("one below the dialects", "src/db/a.h", HEAD + "std::mutex mutex_;\n", None),
    ("one that is allowed", "src/dialect/kuzzle/server/statistics.h", HEAD + "std::mutex mutex_;\n", None),
    ("one that is allowed something else", "src/dialect/kuzzle/server/statistics.h",
     HEAD + "std::mutex mutex_;\nstd::thread thread_;\n", "a thread of a dialect"),
    ("one that has gone", "src/dialect/kuzzle/server/statistics.h", HEAD + "int a;\n", "has no lock any more"),
]


class MachineryTest(unittest.TestCase):
    def test_check_machinery_finds_what_is_planted(self):
        for why, path, text, expected in MACHINERY:
            with self.subTest(why):
                found = problems(check_machinery.check, path, text)
                self.assertEqual(len(found), 0 if expected is None else 1, found)
                if expected is not None:
                    self.assertIn(expected, found[0])


class TrackedTest(unittest.TestCase):
    def test_what_git_tracks_and_ignores_is_found(self):
        with tempfile.TemporaryDirectory() as folder:
            git = lambda *words: subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True)
            self.assertEqual(check_tracked.check(folder), [], "no checkout")
            git("init", "-q")
            for name, text in ((".gitignore", "data/\n"), ("a.cc", HEAD), ("data/CURRENT", "x")):
                file = Path(folder) / name
                file.parent.mkdir(exist_ok=True)
                file.write_text(text)
            git("add", ".")
            self.assertEqual(check_tracked.check(folder), [], "ignored and not tracked")
            git("add", "-f", "data")
            found = check_tracked.check(folder)
            self.assertEqual(len(found), 1, found)
            self.assertIn("data/CURRENT: git tracks it", found[0])


class HeadersTest(unittest.TestCase):
    build = None

    def test_a_header_that_leans_on_others_is_found(self):
        if self.build is None:
            self.skipTest("no build folder is given")
        text = "#pragma once\nstd::string f();\n"
        check = lambda root: check_headers.check(self.build, root, [])
        found = problems(check, "src/db/a.h", text)
        self.assertEqual(len(found), 1, found)
        self.assertIn("does not compile alone", found[0])
        alone = text.replace("\n", "\n#include <string>\n", 1)
        self.assertEqual(problems(check, "src/db/a.h", alone), [])
        proof = {"src/db/a.cc": '#include "db/a.h"\n#include <string>\n'}
        self.assertEqual(problems(check, "src/db/a.h", text, proof), [], "the build tells")
        no_proof = {"src/db/a.cc": '#include <string>\n#include "db/a.h"\n'}
        self.assertEqual(len(problems(check, "src/db/a.h", text, no_proof)), 1)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        HeadersTest.build = sys.argv.pop(1)
    unittest.main()
