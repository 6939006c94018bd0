"""The binary's command line: what it prints, what it refuses."""

import http.client
import json
import os
import re
import signal
import socket
import subprocess
import tempfile
import unittest

from server import BINARY, Server

SAMPLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "mayfly.toml")


def run(*arguments, env=None):
    return subprocess.run([BINARY, *arguments], capture_output=True, text=True, timeout=30,
                          env={**os.environ, **(env or {})})


class CommandLine(unittest.TestCase):
    def test_version_and_help(self):
        self.assertRegex(run("--version").stdout, r"^mayfly \d+\.\d+\.\d+\n$")
        told = run("--help")
        self.assertEqual(told.returncode, 0)
        self.assertIn("serve", told.stdout)
        self.assertIn("--native-port", run("serve", "--help").stdout)

    def test_a_wrong_command_line_is_refused_with_status_2(self):
        for arguments in (["nonsense"], ["serve", "--nonsense"], ["serve", "--threads", "many"],
                          ["serve", "--clock", "yesterday"], ["serve", "--clock", "virtual:yesterday"],
                          ["serve", "--native-port", "99999"], ["clock", "advance", "1w"], ["clock", "advance", "inf"], ["clock", "advance", "0x10"], ["clock", "set", "tomorrow"],
                          ["export", "--database", "d", "--collection", "c", "--as-of", "xx"], []):
            with self.subTest(arguments):
                done = run(*arguments)
                self.assertEqual(done.returncode, 2, done)
                self.assertNotEqual(done.stderr + done.stdout, "")

    def test_other_machines_are_let_in_only_with_keys_or_by_saying_so(self):
        done = run("serve", "--host", "0.0.0.0", "--data", ":memory:", "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off", "--fauna-port", "off")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--insecure", done.stderr)
        with Server("--host", "0.0.0.0", "--insecure") as server:
            self.assertTrue(server.url.startswith("http://0.0.0.0:"))
        with Server("--host", "0.0.0.0", "--auth-keys", "open sesame") as server:
            self.assertEqual(server.get("/v1/databases").status, 401)
            key = {"authorization": "Bearer open sesame"}
            self.assertEqual(server.get("/v1/databases", headers=key).status, 200)
        # Keys close the other ports as well.
        with Server("--host", "0.0.0.0", "--auth-keys", "open sesame", cosmos_port="0", kuzzle_port="0") as server:
            self.assertEqual(server.ask_cosmos("GET", "/dbs").status, 401)
            self.assertEqual(server.ask_kuzzle("GET", "/_list").status, 403)

    def test_a_port_that_its_own_key_closes_is_no_exposure(self):
        ports = ("--native-port", "off", "--kuzzle-port", "off", "--fauna-port", "off", "--cosmos-port", "0", "--host", "0.0.0.0", "--data", ":memory:")
        done = run("serve", *ports)
        self.assertEqual(done.returncode, 2)
        self.assertIn("with the Cosmos DB API, which accepts the key that all emulators have: set cosmos.key", done.stderr)
        process = subprocess.Popen([BINARY, "serve", *ports, "--cosmos-key", "c2VjcmV0"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        first = process.stdout.readline()
        process.send_signal(signal.SIGTERM)
        _, log = process.communicate(timeout=30)
        self.assertEqual((process.returncode, first.split(":")[0]), (0, "cosmos http"), log)

    def test_settings_come_from_file_environment_and_flags_in_that_order(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "mayfly.toml")
            with open(path, "w") as file:
                file.write('clock = "nonsense"\n')
            done = run("serve", "--config", path, "--data", ":memory:")
            self.assertEqual(done.returncode, 2)
            self.assertIn("nonsense", done.stderr)
            done = run("serve", "--config", path, "--data", ":memory:", env={"MAYFLY_CLOCK": "rubbish"})
            self.assertIn("rubbish", done.stderr)
            with open(path, "w") as file:
                file.write("typo = 1\n")
            self.assertIn("typo", run("serve", "--config", path).stderr)

    def test_the_sample_settings_start_a_server(self):
        with Server("--config", SAMPLE, clock="system") as server:
            self.assertEqual(server.get("/ready").status, 200)

    def test_every_example_in_the_sample_settings_is_accepted(self):
        with open(SAMPLE) as file:
            text, examples = re.subn(r"^# ([a-z_]+ = )", r"\1", file.read(), flags=re.M)
        self.assertGreater(examples, 5)
        with tempfile.TemporaryDirectory() as folder:
            certificate, key = os.path.join(folder, "server.pem"), os.path.join(folder, "server-key.pem")
            subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
                            "-out", certificate, "-keyout", key], check=True, capture_output=True)
            path = os.path.join(folder, "mayfly.toml")
            with open(path, "w") as file:
                file.write(text.replace("/etc/mayfly", folder).replace("/srv/backups", os.path.join(folder, "backups")))
            with Server("--config", path, cosmos_port="0", kuzzle_port="0") as server:
                self.assertEqual(server.get("/v1/databases").status, 401)
                key = {"authorization": "Bearer a long random text"}
                self.assertEqual(server.get("/v1/databases", headers=key).status, 200)

    def test_two_servers_do_not_share_a_directory(self):
        with Server() as server:
            done = run("serve", "--data", server.data, "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off", "--fauna-port", "off")
            self.assertEqual(done.returncode, 1)
            self.assertNotEqual(done.stderr, "")

    def test_the_clock_is_shown_and_moved(self):
        with Server() as server:
            self.assertIn("(virtual)", run("clock", "--url", server.url).stdout)
            moved = run("clock", "--url", server.url, "advance", "60d")
            self.assertEqual((moved.returncode, moved.stdout[:10]), (0, "2026-04-28"))
            moved = run("clock", "--url", server.url, "set", "2027-01-01T00:00:00Z")
            self.assertEqual(moved.stdout, "2027-01-01T00:00:00Z (virtual)\n")
            back = run("clock", "--url", server.url, "set", "2020-01-01T00:00:00Z")
            self.assertEqual(back.returncode, 1)
            self.assertNotEqual(back.stderr, "")
        with Server(clock="system") as server:
            self.assertIn("(system)", run("clock", "--url", server.url).stdout)
            refused = run("clock", "--url", server.url, "advance", "1")
            self.assertEqual(refused.returncode, 1)
            self.assertIn("virtual", refused.stderr)

    def test_a_server_that_stops_is_not_ready(self):
        with Server() as server:
            host, port = server.host.rsplit(":", 1)
            probe = socket.create_connection((host, int(port)), timeout=30)
            self.addCleanup(probe.close)
            self.assertEqual(server.get("/ready").status, 200)
            probe.sendall(b"GET /ready HTTP/1.1\r\nHost: localhost\r\n")
            server.get("/health")  # what was sent before has been read by now
            server.process.send_signal(signal.SIGTERM)
            with self.assertRaises(OSError):
                while True:
                    socket.create_connection((host, int(port)), timeout=30).close()
            probe.sendall(b"\r\n")
            answer = http.client.HTTPResponse(probe)
            answer.begin()
            self.assertEqual(answer.status, 503)
            self.assertEqual(json.loads(answer.read()), {"status": "not_ready", "reason": "the server is stopping"})
            self.assertEqual(server.process.wait(30), 0)



class Start(unittest.TestCase):
    """What a start refuses, and that it leaves nothing behind then."""

    def refused(self, *arguments, **kw):
        done = run("serve", "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off", "--fauna-port", "off", *arguments, **kw)
        self.assertIn(done.returncode, (1, 2), done)
        self.assertTrue(done.stderr.startswith("mayfly: ") or "argument" in done.stderr, done.stderr)
        return done.stderr

    def test_a_directory_of_others_is_not_taken_over(self):
        with tempfile.TemporaryDirectory() as data:
            with open(os.path.join(data, "thesis.txt"), "w") as file:
                file.write("mine")
            self.assertIn("holds other files", self.refused("--data", data))
            self.assertEqual(os.listdir(data), ["thesis.txt"])

    def test_a_directory_that_has_lost_its_mark_is_not_served_until_it_is_repaired(self):
        with Server() as server:
            server.must("PUT", "/v1/databases/app")
            server.stop()
            os.remove(os.path.join(server.data, "MAYFLY"))
            self.assertIn("mayfly repair", self.refused("--data", server.data))
            repaired = run("repair", "--data", server.data, "--accept-loss")
            self.assertEqual(repaired.returncode, 0, repaired)
            server.start()
            self.assertEqual(server.get("/v1/databases/app").status, 200)

    def test_a_start_that_fails_leaves_nothing(self):
        with socket.socket() as taken, tempfile.TemporaryDirectory() as folder:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = str(taken.getsockname()[1])
            data = os.path.join(folder, "data")
            done = run("serve", "--data", data, "--native-port", "0", "--cosmos-port", port, "--kuzzle-port", "off", "--fauna-port", "off")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("in use", done.stderr)
            self.assertEqual(os.listdir(folder), [])

    def test_only_its_user_reads_what_it_writes(self):
        with tempfile.TemporaryDirectory() as folder:
            data, backups = os.path.join(folder, "data"), os.path.join(folder, "backups")
            os.mkdir(data, 0o755)
            with Server("--backup-directory", backups, data=data, cosmos_port="0") as server:
                server.must("POST", "/v1/backups", {"name": "one"})
            restored = os.path.join(folder, "restored")
            self.assertEqual(run("restore", os.path.join(backups, "one"), "--data", restored).returncode, 0)
            for top in (data, backups, restored):
                for path, folders, files in os.walk(top):
                    self.assertEqual(oct(os.stat(path).st_mode & 0o777), "0o700", path)
                    for name in files:
                        self.assertEqual(os.stat(os.path.join(path, name)).st_mode & 0o077, 0, os.path.join(path, name))

    def test_a_settings_file_that_is_a_directory_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertIn("is a directory", self.refused("--data", ":memory:", "--config", folder))

    def test_a_variable_that_is_no_setting_is_refused_with_the_nearest_one(self):
        for variable, nearest in (("MAYFLY_NATIV_PORT", "MAYFLY_NATIVE_PORT"), ("MAYFLY_NATIVE_PROT", "MAYFLY_NATIVE_PORT"),
                                  ("MAYFLY_COSMOS_KYE", "MAYFLY_COSMOS_KEY"), ("MAYFLY_DTAA", "MAYFLY_DATA"),
                                  ("MAYFLY_TLS", "MAYFLY_TLS_PORTS")):
            said = self.refused("--data", ":memory:", env={variable: "1"})
            self.assertIn(f"{variable} (environment) is no setting; the nearest is {nearest}", said)
        # Kubernetes describes a service of that name by variables.
        with Server(data=":memory:", environment={"MAYFLY_PORT": "tcp://10.0.0.1:7007", "MAYFLY_SERVICE_HOST": "10.0.0.1",
                                                  "MAYFLY_PORT_7007_TCP_ADDR": "10.0.0.1"}) as server:
            self.assertEqual(server.get("/health").status, 200)

    def test_a_variable_names_the_file_of_settings_unless_a_flag_does(self):
        with tempfile.TemporaryDirectory() as folder:
            paths = [os.path.join(folder, name) for name in ("one.toml", "two.toml")]
            for path, value in zip(paths, ("first", "second")):
                with open(path, "w") as file:
                    file.write(f'clock = "{value}"\n')
            self.assertIn("'first'", self.refused("--data", ":memory:", env={"MAYFLY_CONFIG": paths[0]}))
            said = self.refused("--data", ":memory:", "--config", paths[1], env={"MAYFLY_CONFIG": paths[0]})
            self.assertIn("'second'", said)

    def test_origins_and_hosts_that_can_match_nothing_are_refused_with_a_right_one(self):
        for origin in ("example.com", "http://a.b/path", "a b", "https://a.b/", "HTTPS://a.b", "https://A.b", "https://a.b:443",
                       "http://a.b:80", "http://a.b:x", "http://a.b:070", "https://*.a.b", "://a", "http://", "http://[::1", "http://a b"):
            said = self.refused("--data", ":memory:", "--cors-origins", origin)
            self.assertIn(f"cors.origins: '{origin}' is no origin", said)
            self.assertIn("such as https://app.example.com", said)
        for name in ("http://db.internal", "db.internal:7007", "a b", "*", "fd00::1", "a.", "-a", "a/b"):
            said = self.refused("--data", ":memory:", "--hosts=" + name)
            self.assertIn(f"hosts: '{name}' is no host name", said)
            self.assertIn("such as db.internal", said)
        origins = ("loopback,https://app.example.com,http://a_b.c:8080,http://[fd00::1]:3000,http://127.0.0.1,capacitor://localhost,"
                   "chrome-extension://abc,null,*")
        with Server("--cors-origins", origins, "--hosts", "db.internal,MAYFLY,10.0.0.1,[fd00::1]", data=":memory:") as server:
            self.assertEqual(server.get("/health").status, 200)

    def test_a_port_in_use_is_named_with_the_flag_that_sets_another(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            port = taken.getsockname()[1]
            ports = {"native": "off", "cosmos": "off", "kuzzle": "off"}
            for name in ports:
                flags = [part for one in ports for part in (f"--{one}-port", str(port) if one == name else "off")]
                done = run("serve", "--data", ":memory:", *flags)
                self.assertEqual((done.returncode, done.stderr), (
                    1, f"mayfly: port {port} ({name}.port) is in use; stop the other server or set --{name}-port\n"))

    def test_two_ports_with_one_number_and_a_host_without_an_address_are_named_by_their_settings(self):
        def said(*flags):
            done = run("serve", "--data", ":memory:", *flags)
            self.assertEqual(done.returncode, 2, done)
            return done.stderr

        self.assertEqual(said("--native-port", "8081"), "mayfly: native.port and cosmos.port are both 8081\n")
        self.assertEqual(said("--cosmos-port", "7512", "--tls-ports", "off"), "mayfly: cosmos.port and kuzzle.port are both 7512\n")
        self.assertIn("mayfly: host: 'foo.invalid' cannot be resolved: ", said("--host", "foo.invalid", "--insecure"))
        # An address that no machine has.
        self.assertIn("listening on 192.0.2.1:7007 (native): ", said("--host", "192.0.2.1", "--insecure"))

    def test_what_a_setting_names_and_cannot_be_used_is_status_2_and_the_state_of_data_is_status_1(self):
        def status(*arguments):
            ports = ("--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off", "--fauna-port", "off")
            done = run("serve", *ports, *arguments)
            return done.returncode, done.stderr

        with tempfile.TemporaryDirectory() as folder:
            backups, file, data = (os.path.join(folder, name) for name in ("backups", "file", "data"))
            with open(file, "w") as text:
                text.write("mine")
            with Server("--backup-directory", backups, data=data) as server:
                server.must("POST", "/v1/backups", {"name": "one"})
                in_use = status("--data", data, "--clock", "virtual")
                server.stop()
            rows = [(in_use, 1, "in use by another process"),
                    (status("--data", data), 2, "has lived under a virtual clock"),
                    (status("--data", folder), 2, "holds other files"),
                    (status("--data", os.path.join(backups, "one")), 2, "it is a backup"),
                    (status("--data", file), 2, "cannot hold the data"),
                    (status("--data", ":memory:", "--backup-directory", file), 2, f"backup.directory: {file} cannot hold backups: "),
                    (status("--config", os.path.join(folder, "none")), 2, "cannot be read"),
                    (status("--tls-certificate", file, "--tls-key", file), 2, file)]
            marker = os.path.join(data, "MAYFLY")
            for line, ended, words in (("mayfly data, format 2", 2, "which this version does not know"),
                                       ("nonsense", 1, f"is damaged; run 'mayfly repair --data {data}', or write 'mayfly data, format 1'")):
                with open(marker, "w") as text:
                    text.write(line + "\n")
                rows.append((status("--data", data, "--clock", "virtual"), ended, words))
            with open(marker, "w") as text:
                text.write("mayfly data, format 1\n")
            os.remove(os.path.join(data, "CURRENT"))
            rows.append((status("--data", data, "--clock", "virtual"), 1,
                         f"the file CURRENT is missing; see what 'mayfly repair --data {data}' says, or restore a backup; "))
            for (ended, said), wanted, words in rows:
                self.assertIn(words, said)
                self.assertEqual(ended, wanted, said)

    def test_a_directory_that_is_closed_to_the_servers_user_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            os.mkdir(data, 0)
            # What lets root pass over the rights of files.
            passes = "-dac_override,-dac_read_search"
            without = ["setpriv", "--inh-caps", passes, "--bounding-set", passes] if os.getuid() == 0 else []
            done = subprocess.run([*without, BINARY, "serve", "--data", data, "--native-port", "0", "--cosmos-port", "off",
                                   "--kuzzle-port", "off", "--fauna-port", "off"], capture_output=True, text=True, timeout=30, cwd=folder)
            os.chmod(data, 0o700)
            self.assertEqual((done.returncode, done.stderr), (2, f"mayfly: {data} cannot hold the data: Permission denied\n"))

    def test_an_empty_secret_is_refused_wherever_it_is_given(self):
        for setting in ("auth.keys", "cosmos.key", "cosmos.read_key", "centrali.clients"):
            flag, variable = "--" + setting.replace(".", "-").replace("_", "-"), "MAYFLY_" + setting.replace(".", "_").upper()
            self.assertIn(f"{setting} ({flag}) is given but empty", self.refused("--data", ":memory:", flag, ""))
            self.assertIn(f"{setting} ({variable}) is given but empty", self.refused("--data", ":memory:", env={variable: ""}))
            with tempfile.NamedTemporaryFile("w", suffix=".toml") as file:
                table, name = setting.split(".")
                file.write(f"[{table}]\n{name} = {'[]' if name in ('keys', 'clients') else repr('')}\n")
                file.flush()
                self.assertIn("is given but empty", self.refused("--data", ":memory:", "--config", file.name))

    def test_a_flag_that_is_given_twice_is_named(self):
        self.assertEqual(self.refused("--native-port", "1", "--native-port", "2"), "mayfly: --native-port is given more than once\n")

    def test_a_virtual_clock_that_cannot_start_where_it_is_asked_to_says_so(self):
        with tempfile.TemporaryDirectory() as data:
            for clock, warns in (("virtual:2026-02-27T10:00:00Z", False), ("virtual:2026-01-01T00:00:00Z", True), ("virtual", False)):
                command = [BINARY, "serve", "--data", data, "--clock", clock, "--native-port", "0", "--cosmos-port", "off", "--kuzzle-port", "off", "--fauna-port", "off"]
                process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                process.stdout.readline()
                process.send_signal(signal.SIGTERM)
                _, log = process.communicate(timeout=30)
                self.assertEqual("the clock starts at the time of the data" in log, warns, log)
                self.assertEqual("asked=2026-01-01T00:00:00" in log, warns, log)

    def test_a_flag_that_there_is_not_suggests_those_it_may_mean(self):
        told = self.refused("--port", "7007")
        for flag in ("--native-port", "--cosmos-port", "--kuzzle-port"):
            self.assertIn(flag, told)
        self.assertIn("--native-port", self.refused("--nativ-port", "7007"))

    def test_repair_names_a_directory_that_there_is_not(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "nope")
            done = run("repair", "--data", data)
            self.assertEqual(done.returncode, 1)
            self.assertIn("there is no such directory", done.stderr)
            self.assertEqual(os.listdir(folder), [])


class Messages(unittest.TestCase):
    def failed(self, status, *arguments):
        done = run(*arguments)
        self.assertEqual(done.returncode, status, done)
        return done.stderr

    def test_a_command_that_fails_says_what_helps(self):
        with Server("--auth-keys", "a-key-for-a-test", data=":memory:") as server:
            url = ["--url", server.url]
            self.assertEqual(self.failed(1, "status", *url), "mayfly: this needs a key: 'Authorization: Bearer KEY'; give it by --key or "
                                                             "in the variable MAYFLY_KEY\n")
            place = ["--database", "app", "--collection", "c", "--key", "a-key-for-a-test", *url]
            key = {"authorization": "Bearer a-key-for-a-test"}
            server.must("PUT", "/v1/databases/app", headers=key)
            said = self.failed(1, "import", *place, "/dev/null")
            self.assertTrue(said.endswith("; --create creates it\n"), said)
            self.assertNotIn("(", said)
        self.assertIn("Connection refused; is the server running? --url", self.failed(1, "status", *url))

    def test_a_backup_that_there_is_not_is_named_as_it_was_written(self):
        with tempfile.TemporaryDirectory() as folder:
            data = os.path.join(folder, "data")
            for name in ("monday", "/srv/backups/no-such-day"):
                self.assertEqual(self.failed(1, "restore", name, "--data", data),
                                 f"mayfly: {name}: there is no such directory; name the backup's directory, such as /srv/backups/monday\n")
            self.assertEqual(self.failed(1, "restore", folder, "--data", data),
                             f"mayfly: {folder} is no whole backup: it has no good file BACKUP\n")
            self.assertFalse(os.path.exists(data))

    def test_an_address_that_is_no_native_port_is_named_with_the_right_one(self):
        with Server(data=":memory:", cosmos_port="0", kuzzle_port="0") as server:
            for url in (f"http://{server.cosmos}", f"http://{server.kuzzle}"):
                for command in (["status"], ["export", "--database", "d", "--collection", "c"]):
                    self.assertIn(f"mayfly: {url} is not the native port of a Mayfly server; `mayfly serve` prints that port at the start, "
                                  "7007 by default", self.failed(1, *command, "--url", url))
        self.assertEqual(self.failed(1, "status", "--url", "http://nowhere.invalid"),
                         "mayfly: http://nowhere.invalid: there is no host of this name; --url names another\n")

    def test_credentials_that_cannot_be_right_are_refused_with_the_setting_that_is_missing(self):
        form = {"content-type": "application/x-www-form-urlencoded"}
        with Server("--centrali-clients", "svc:sec", data=":memory:") as server:
            for headers in ({}, {"authorization": "Bearer x"}):
                refused = server.get("/v1/databases", headers=headers)
                self.assertEqual(refused.status, 401)
                self.assertEqual(refused.json["error"]["message"], "the native API refuses every request, because centrali.clients is set and "
                                                                   "auth.keys is not: set auth.keys")
            self.assertTrue(self.failed(1, "status", "--url", server.url).endswith("is not: set auth.keys\n"))
        with Server("--auth-keys", "sekret", data=":memory:") as server:
            refused = server.call("POST", "/oauth/token", "grant_type=client_credentials&client_id=svc&client_secret=sec", form)
            self.assertEqual((refused.status, refused.json["error"]), (401, "invalid_client"))
            self.assertIn("the server has no service accounts: set centrali.clients, or send one of auth.keys as the bearer", refused.text)

    def test_a_word_that_is_no_subcommand_is_named_with_the_nearest(self):
        self.assertIn("there is no subcommand 'server'; the nearest is 'serve'", self.failed(2, "server"))
        self.assertIn("there is no subcommand 'stats'; the nearest is 'status'", self.failed(2, "stats", "--url", "x"))


class Flags(unittest.TestCase):
    def test_the_servers_address_may_stand_behind_the_verb_and_without_http(self):
        with Server(data=":memory:") as server:
            done = run("clock", "advance", "60d", "--url", server.host)
            self.assertEqual(done.returncode, 0, done)
            self.assertIn("(virtual)", done.stdout)
            self.assertEqual(run("status", "--url", server.host).returncode, 0)

    def test_backups_are_made_shown_and_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            with Server("--backup-directory", os.path.join(folder, "backups")) as server:
                url = ["--url", server.url]
                self.assertEqual(run("backup", "make", "one", *url).returncode, 0)
                self.assertEqual(run("backup", "two", *url).returncode, 0)
                listed = run("backup", "list", *url)
                self.assertEqual([line.split()[0] for line in listed.stdout.splitlines()], ["NAME", "one", "two"])
                self.assertEqual(run("backup", "remove", "one", *url).returncode, 0)
                self.assertEqual(os.listdir(os.path.join(folder, "backups")), ["two"])
                self.assertEqual(run("backup", "remove", "one", *url).returncode, 1)


class Packages(unittest.TestCase):
    # Every Debian system has these.
    ALWAYS_THERE = {"libc6", "libgcc-s1"}
    # The command line trusts the certificates of this package.
    NO_LIBRARY = {"ca-certificates"}

    def package_of(self, library):
        """The package of a library, which lies below /usr/lib although some packages name it below /lib."""
        real = os.path.realpath(library)
        for path in (library, real, real.removeprefix("/usr")):
            found = subprocess.run(["dpkg-query", "-S", path], capture_output=True, text=True, check=False)
            if found.returncode == 0:
                return found.stdout.split(":")[0]
        raise AssertionError(f"no package has {library}")

    def test_the_documented_packages_are_those_that_the_program_is_linked_with(self):
        with open(os.path.join(os.path.dirname(SAMPLE), "..", "docs", "operations.md"), encoding="utf-8") as file:
            command = re.search(r"apt-get install --no-install-recommends ([^`]*)```", file.read()).group(1)
        documented = set(command.replace("\\\n", " ").split())
        dynamic = subprocess.run(["readelf", "-d", BINARY], capture_output=True, text=True, check=True).stdout
        names = re.findall(r"\(NEEDED\).*\[(.*)\]", dynamic)
        paths = dict(re.findall(r"(\S+) => (/\S+)", subprocess.run(["ldd", BINARY], capture_output=True, text=True, check=True).stdout))
        # A sanitizer is no part of the program that operators install.
        needed = {self.package_of(paths[name]) for name in names if name in paths and not re.match(r"lib\w+san\.", name)}
        self.assertIn("librocksdb7.8", needed)
        self.assertEqual(documented - self.NO_LIBRARY, needed - self.ALWAYS_THERE)


if __name__ == "__main__":
    unittest.main()
