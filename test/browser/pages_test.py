"""Pages in a real browser: what those of others try changes nothing, what those of this machine ask is answered."""

import http.server
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "e2e"))
from server import BINARY, NOON  # noqa: E402

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PATIENCE = 40  # seconds, for a browser that starts on a busy machine
EVIL = "evil.example"
REBOUND = "rebound.example"

# Each attack of a page, as hostile pages make them; none waits for an answer that it may not read.
ATTACKS = """
// No server may keep a page from its next attack.
const bounded = (tried) => Promise.race([tried, new Promise((done) => setTimeout(() => done('no answer'), 5000))]);
const untyped = (body) => new Blob([JSON.stringify(body)]);
const blindly = (url, body) => bounded(fetch(url, { method: 'POST', mode: 'no-cors', body }).catch(() => {}));
const talk = (url, said) => bounded(new Promise((done) => {
  const socket = new WebSocket(url);
  socket.onopen = () => { socket.send(JSON.stringify(said)); };
  socket.onmessage = () => done('answered');
  socket.onerror = () => done('refused');
}));
const submit = (url, text) => bounded(new Promise((done) => {
  const frame = document.body.appendChild(document.createElement('iframe'));
  frame.name = 'f' + Math.random();
  const form = document.body.appendChild(document.createElement('form'));
  Object.assign(form, { method: 'POST', action: url, enctype: 'text/plain', target: frame.name });
  const field = form.appendChild(document.createElement('input'));
  Object.assign(field, { name: text, value: '' });
  frame.onload = () => done('sent');
  form.submit();
}));
const look = (url) => bounded(new Promise((done) => {
  const image = new Image();
  image.onerror = image.onload = () => done('over');
  image.src = url;
}));
const read = (url) => bounded(fetch(url).then((r) => r.text(), () => 'unreadable'));
async function attack({ native, kuzzle, cosmos, fauna, socket }) {
  const admin = { content: { profileIds: ['admin'] }, credentials: { local: { username: 'evil', password: 'evil' } } };
  const found = {};
  await Promise.all([
    blindly(native + '/v1/clock', JSON.stringify({ advance_seconds: 86400 })),
    blindly(native + '/v1/clock', untyped({ advance_seconds: 86400 })),
    submit(native + '/v1/clock', '{"advance_seconds":86400,"x":"'),
    blindly(native + '/v1/databases/app/transactions', JSON.stringify({ operations: [
      { put: { collection: 'c', id: 'evil', data: {} } }, { remove: { collection: 'c', id: 'd' } } ] })),
    blindly(kuzzle + '/kept/c/_create', untyped({ evil: true })),
    blindly(cosmos + '/dbs', untyped({ id: 'evil' })),
    blindly(fauna + '/query/1', untyped({ query: 'Collection.create({ name: "Evil" })' })),
    submit(fauna + '/query/1', '{"query":"Collection.create({ name: \\'Evil\\' })","x":"'),
    look(native + '/v1/databases/app/collections/c/documents/d'),
    read(native + '/v1/databases').then((text) => { found.native = text; }),
    read(kuzzle + '/_list').then((text) => { found.kuzzle = text; }),
    read(fauna + '/ping').then((text) => { found.fauna = text; }),
  ]);
  found.socket = await talk(socket, { controller: 'admin', action: 'resetDatabase' });
  await blindly(kuzzle + '/_createFirstAdmin', untyped(admin));
  await blindly(kuzzle + '/admin/_resetDatabase', '');
  await blindly(kuzzle + '/admin/_shutdown', '');
  return found;
}
"""

# What a page of this machine does with the same server.
CALLS = """
const talk = (url, said) => new Promise((done) => {
  const socket = new WebSocket(url, 'null');
  socket.onopen = () => { socket.send(JSON.stringify(said)); };
  socket.onmessage = (event) => done(JSON.parse(event.data).status);
  socket.onerror = () => done('refused');
});
async function attack({ native, kuzzle, socket }) {
  const put = (url, body) => fetch(url, { method: 'PUT', headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body) }).then((r) => r.status, String);
  return {
    written: await put(native + '/v1/databases/app/collections/c/documents/page', { a: 1 }),
    untyped: await fetch(native + '/v1/clock', { method: 'POST', body: '{"advance_seconds": 1}' }).then((r) => r.status, String),
    kuzzle: await put(kuzzle + '/kept/c/page', { a: 1 }),
    socket: await talk(socket, { controller: 'server', action: 'now' }),
  };
}
"""


# What an application does with Fauna's own driver, which the site serves as /fauna.js.
FAUNA = """
async function attack({ fauna }) {
  const { Client, FetchClient, fql } = await import('/fauna.js');
  const client = (secret) => new Client({ endpoint: new URL(fauna), secret });
  const named = (error) => { throw error.name; };
  const found = { refused: await client('wrong').query(fql`1`).then(() => 'answered', (error) => error.name) };
  const ours = client('secret');
  await ours.query(fql`Collection.create({ name: "Page" })`).catch(named);
  const { data: source } = await ours.query(fql`Page.all().map(.n).eventSource()`);
  const { data, txn_ts } = await ours.query(fql`Page.create({ n: ${7}, ttl: Time.now().add(1, "day") })`);
  found.made = [data.n, data.ttl.constructor.name === data.ts.constructor.name, typeof txn_ts];
  for await (const event of ours.stream(source)) {
    found.event = [event.type, event.data];
    break;
  }
  found.fed = [];
  for await (const event of ours.feed(source).flatten()) found.fed.push(event.data);
  found.pages = [];
  for await (const page of ours.paginate(fql`Set.sequence(0, 20).pageSize(15)`)) found.pages.push(page.length);
  return found;
}
"""
DRIVER = os.path.join(os.path.dirname(__file__), "..", "conformance", "fauna", "node_modules", "fauna", "dist", "browser", "index.js")


class Site:
    """A web site with one page, which reports what came of its work."""

    def __init__(self, script, targets):
        reports = self.reports = queue.Queue()
        page = f"""<!doctype html><link rel="icon" href="data:,"><body><script>{script}
attack({json.dumps(targets)}).then((found) => fetch('/report', {{ method: 'POST', body: JSON.stringify(found) }}),
  (failure) => fetch('/report', {{ method: 'POST', body: JSON.stringify({{ failure: String(failure) }}) }}));
</script>""".encode()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path != "/fauna.js":
                    return self.answer(page)
                with open(DRIVER, "rb") as file:
                    return self.answer(file.read(), "text/javascript")

            def do_POST(self):
                reports.put(json.loads(self.rfile.read(int(self.headers["content-length"]))))
                self.answer(b"")

            def answer(self, body, kind="text/html"):
                self.send_response(200)
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()


class Browser:
    def __init__(self, *arguments):
        self.profile = tempfile.mkdtemp(prefix="mayfly-browser-")
        names = f"MAP {EVIL} 127.0.0.1,MAP {REBOUND} 127.0.0.1"
        self.process = subprocess.Popen(
            [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", f"--host-resolver-rules={names}",
             f"--user-data-dir={self.profile}", *arguments],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait(10)
        self.process.stdout.close()
        shutil.rmtree(self.profile, ignore_errors=True)


class Pages(unittest.TestCase):
    def setUp(self):
        if CHROMIUM is None:
            self.fail("no chromium: apt-get install chromium, as ./dev test does")
        command = [BINARY, "serve", "--data", ":memory:", "--native-port", "0", "--cosmos-port", "0", "--kuzzle-port", "0", "--fauna-port", "0",
                   "--clock", f"virtual:{NOON}", "--log-level", "error"]
        self.server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.end)
        self.url = {}
        for _ in range(4):
            name, url = self.server.stdout.readline().split()[:2]
            self.url[name] = url.replace("localhost", "127.0.0.1")
        self.native, self.kuzzle = self.url["native"], self.url["kuzzle"]
        self.ask("PUT", f"{self.native}/v1/databases/app")
        self.ask("PUT", f"{self.native}/v1/databases/app/collections/c")
        self.ask("PUT", f"{self.native}/v1/databases/app/collections/c/documents/d", {"secret": 1})
        self.ask("POST", f"{self.kuzzle}/kept/_create")
        self.ask("PUT", f"{self.kuzzle}/kept/c")
        self.ask("PUT", f"{self.kuzzle}/kept/c/d", {"secret": 1})
        self.collections()  # which makes the database of Fauna's API

    def end(self):
        self.server.kill()
        self.server.wait(10)
        self.server.stdout.close()

    def ask(self, method, url, body=None, name=None):
        command = ["curl", "-sS", "-X", method, url, *(["--json", json.dumps(body)] if body is not None else []),
                   *(["-H", f"Host: {name}"] if name else [])]
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout

    def state(self):
        """All that a page might change; of the clock, which each commit moves a little, the seconds."""
        documents = f"{self.native}/v1/databases/app/collections/c/documents"
        asked = [f"{self.native}/v1/databases", f"{self.native}/v1/clock", documents, f"{self.kuzzle}/_adminExists",
                 f"{self.kuzzle}/_list", f"{self.kuzzle}/kept/c/d/_exists", f"{self.kuzzle}/kept/c/_count"]
        answers = [json.loads(self.ask("GET", url)) for url in asked]
        answers[1]["now"] = answers[1]["now"][:len("2026-02-27T10:00:00")]
        return [self.collections(), *(answer.get("result", answer) if "requestId" in answer else answer for answer in answers)]

    def collections(self):
        """The names of those that Fauna's API has."""
        command = ["curl", "-sS", f"{self.url['fauna']}/query/1", "-H", "Authorization: Bearer secret", "-d",
                   json.dumps({"query": "Collection.all().map(.name).toArray()"})]
        return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, timeout=20).stdout)["data"]

    def visit(self, host, script):
        kuzzle = self.kuzzle.replace("http://", "")
        site = Site(script, {**self.url, "socket": f"ws://{kuzzle}"})
        self.addCleanup(site.close)
        with Browser(f"http://{host}:{site.port}/"):
            return site.reports.get(timeout=PATIENCE)

    def test_a_page_of_another_origin_changes_and_reads_nothing(self):
        before = self.state()
        found = self.visit(EVIL, ATTACKS)
        self.assertIsNone(self.server.poll(), "the page has ended the server")
        self.assertEqual(self.state(), before, "the page has changed something")
        self.assertEqual(found, {"socket": "refused", "native": "unreadable", "kuzzle": "unreadable",
                                 "fauna": "unreadable"})

    def test_a_name_that_was_rebound_to_this_machine_is_not_answered(self):
        for name, path in (("native", "/v1/databases"), ("kuzzle", "/_list"), ("cosmos", "/ready"), ("fauna", "/ping")):
            port = self.url[name].rsplit(":", 1)[1].rstrip("/")
            with Browser("--dump-dom", f"http://{REBOUND}:{port}{path}") as browser:
                shown, _ = browser.process.communicate(timeout=PATIENCE)
            self.assertIn("add the name to the setting hosts", shown, name)
            self.assertNotIn("kept", shown)

    def test_a_page_of_this_machine_is_answered(self):
        found = self.visit("localhost", CALLS)
        self.assertEqual(found, {"written": 201, "untyped": 415, "kuzzle": 200, "socket": 200})

    def test_a_page_of_this_machine_works_with_the_driver_of_fauna(self):
        found = self.visit("localhost", FAUNA)
        self.assertEqual(found, {"refused": "AuthenticationError", "made": [7, True, "number"], "event": ["add", 7], "fed": [7],
                                 "pages": [15, 5]})
        self.assertEqual(self.collections(), ["Page"])

    def test_the_driver_of_fauna_gets_nothing_for_a_page_of_another_origin(self):
        self.assertEqual(self.visit(EVIL, FAUNA), {"failure": "NetworkError"})
        self.assertEqual(self.collections(), [])


if __name__ == "__main__":
    unittest.main()
