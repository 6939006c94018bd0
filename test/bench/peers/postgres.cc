// PostgreSQL: its client library, found when it is needed, and its server.
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <filesystem>

#include "base/check.h"
#include "bench/peers/peer_process.h"
#include "bench/peers/peers.h"
#include "bench/rows.h"
#include "bench/wire.h"
#include "value/rfc3339.h"

namespace mayfly::bench {
namespace {

constexpr const char* programs = "/usr/lib/postgresql/15/bin/";

// The functions of libpq that are needed; the library comes with the server.
struct Libpq {
  template <class F>
  static F* get(const char* name) {
    return function_in<F>("libpq.so.5", name);
  }
  void* (*connect)(const char*) = get<void*(const char*)>("PQconnectdb");
  int (*connection_status)(const void*) = get<int(const void*)>("PQstatus");
  void (*finish)(void*) = get<void(void*)>("PQfinish");
  void* (*exec)(void*, const char*) = get<void*(void*, const char*)>("PQexec");
  void* (*prepare)(void*, const char*, const char*, int, const unsigned*) =
      get<void*(void*, const char*, const char*, int, const unsigned*)>("PQprepare");
  void* (*exec_prepared)(void*, const char*, int, const char* const*, const int*, const int*, int) =
      get<void*(void*, const char*, int, const char* const*, const int*, const int*, int)>(
          "PQexecPrepared");
  int (*status)(const void*) = get<int(const void*)>("PQresultStatus");
  int (*rows)(const void*) = get<int(const void*)>("PQntuples");
  char* (*changed)(void*) = get<char*(void*)>("PQcmdTuples");
  void (*clear)(void*) = get<void(void*)>("PQclear");
  int (*put_copy)(void*, const char*, int) = get<int(void*, const char*, int)>("PQputCopyData");
  int (*end_copy)(void*, const char*) = get<int(void*, const char*)>("PQputCopyEnd");
  void* (*result)(void*) = get<void*(void*)>("PQgetResult");
};
const Libpq& pq() {
  static const Libpq library;
  return library;
}

class PostgresSession final : public Session {
 public:
  explicit PostgresSession(std::uint16_t port) {
    const std::string how = fmt::format("host=127.0.0.1 port={} user=bench dbname=postgres", port);
    // It accepts connections before it is ready to use them.
    for (int attempt = 0;; ++attempt) {
      connection_ = pq().connect(how.c_str());
      if (pq().connection_status(connection_) == 0) return;
      CHECK(attempt < 100);
      pq().finish(connection_);
      rest(100'000);
    }
  }
  ~PostgresSession() override { pq().finish(connection_); }

  bool read(const std::string& id) override {
    if (!has_read_) {
      count(pq().prepare(connection_, "read",
                         "SELECT body FROM docs WHERE id = $1 AND "
                         "(expires_at IS NULL OR expires_at > now())",
                         1, nullptr));
      has_read_ = true;
    }
    const char* values[] = {id.c_str()};
    return count(pq().exec_prepared(connection_, "read", 1, values, nullptr, nullptr, 0)).rows > 0;
  }
  void write(const std::string& id, const std::string& json) override {
    if (!has_written_) {
      count(pq().prepare(connection_, "write",
                         "INSERT INTO docs VALUES ($1, $2, now() + interval '1 day')", 2, nullptr));
      has_written_ = true;
    }
    const char* values[] = {id.c_str(), json.c_str()};
    count(pq().exec_prepared(connection_, "write", 2, values, nullptr, nullptr, 0));
  }

  struct Counts {
    int rows = 0;
    int changed = 0;
  };
  Counts run(const std::string& sql) { return count(pq().exec(connection_, sql.c_str())); }
  void* connection() { return connection_; }

  // Stops the program at an error.
  static Counts count(void* result) {
    constexpr int command_ok = 1, tuples_ok = 2, copy_in = 4;
    const int status = pq().status(result);
    CHECK(status == command_ok || status == tuples_ok || status == copy_in);
    const Counts counts{pq().rows(result), std::atoi(pq().changed(result))};
    pq().clear(result);
    return counts;
  }

 private:
  void* connection_ = nullptr;
  bool has_read_ = false;
  bool has_written_ = false;
};

// The server refuses to run as root.
std::vector<std::string> as_server(std::vector<std::string> words) {
  if (geteuid() != 0) return words;
  words.insert(words.begin(), {"setpriv", "--pdeathsig=KILL", "--reuid=postgres",
                               "--regid=postgres", "--clear-groups"});
  return words;
}

PeerProcess::How made_ready(const std::string& directory, std::uint16_t port) {
  namespace fs = std::filesystem;
  if (geteuid() == 0) {
    // The user that it runs as must be able to reach its directory.
    fs::permissions(fs::path(directory).parent_path(), fs::perms::others_exec,
                    fs::perm_options::add);
    run_to_end({"chown", "postgres:postgres", directory}, directory + ".log");
  }
  run_to_end(as_server({std::string(programs) + "initdb", "-D", directory + "/data", "-U", "bench",
                        "--auth=trust", "--no-sync"}),
             directory + ".log");
  std::vector<std::string> words{std::string(programs) + "postgres", "-D", directory + "/data"};
  words.insert(words.end(), {"-h", "127.0.0.1", "-p", std::to_string(port), "-k", directory});
  words.insert(words.end(), {"-c", "shared_buffers=256MB", "-c", "max_wal_size=4GB"});
  return {.words = as_server(std::move(words)),
          .log = directory + ".log",
          .port = port,
          .end_signal = SIGINT};
}

class Postgres final : public Contestant {
 public:
  explicit Postgres(const std::string& directory)
      : directory_(directory), process_(made_ready(directory, port_)), own_(port_) {
    own_.run(
        "CREATE TABLE docs (id text PRIMARY KEY, body jsonb NOT NULL, expires_at timestamptz)");
    own_.run("CREATE INDEX ON docs (expires_at)");
  }

  std::string name() const override { return "PostgreSQL"; }
  void fill(const std::string& prefix, std::uint64_t from, std::uint64_t to,
            Instant death) override {
    own_.run("COPY docs FROM STDIN");
    const std::string at = death.is_never() ? "\\N" : render_rfc3339(death);
    for (std::uint64_t n = from; n < to; ++n) {
      const std::string row = fmt::format("{}{}\t{}\t{}\n", prefix, n, sample_json(300, n), at);
      CHECK(pq().put_copy(own_.connection(), row.data(), static_cast<int>(row.size())) == 1);
    }
    CHECK(pq().end_copy(own_.connection(), nullptr) == 1);
    while (void* result = pq().result(own_.connection())) PostgresSession::count(result);
  }
  void settle() override {
    own_.run("VACUUM ANALYZE docs");
    own_.run("CHECKPOINT");
  }
  std::unique_ptr<Session> connect() override { return std::make_unique<PostgresSession>(port_); }
  void purge() override {
    const std::string batch =
        "DELETE FROM docs WHERE ctid = ANY (ARRAY (SELECT ctid FROM docs WHERE expires_at <= now() "
        "ORDER BY expires_at LIMIT 5000))";
    while (own_.run(batch).changed > 0) {
    }
  }
  void compact() override { settle(); }
  double resident_mib() const override { return process_.resident_mib(); }
  double bytes_written() const override { return process_.bytes_written(); }

 private:
  OwnDirectory directory_;
  std::uint16_t port_ = free_port();
  PeerProcess process_;
  PostgresSession own_;
};

}  // namespace

std::unique_ptr<Contestant> make_postgres(const std::string& directory) {
  return std::make_unique<Postgres>(directory);
}

}  // namespace mayfly::bench
