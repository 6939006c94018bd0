// MyRocks in MariaDB: its client library, found when it is needed, and its server.
#include <fmt/format.h>
#include <signal.h>

#include <algorithm>

#include "base/check.h"
#include "bench/peers/peer_process.h"
#include "bench/peers/peers.h"
#include "bench/rows.h"

namespace mayfly::bench {
namespace {

constexpr std::int64_t lives_for = 1;                // what ttl_duration adds to ttl_col
constexpr std::int64_t far_second = 32'503'680'000;  // the year 3000

// Those parts of the client library that are needed; it comes with the server.
struct Library {
  template <class F>
  static F* get(const char* name) {
    return function_in<F>("libmariadb.so.3", name);
  }
  void* (*init)(void*) = get<void*(void*)>("mysql_init");
  void* (*connect)(void*, const char*, const char*, const char*, const char*, unsigned, const char*,
                   unsigned long) =
      get<void*(void*, const char*, const char*, const char*, const char*, unsigned, const char*,
                unsigned long)>("mysql_real_connect");
  void (*close)(void*) = get<void(void*)>("mysql_close");
  int (*query)(void*, const char*,
               unsigned long) = get<int(void*, const char*, unsigned long)>("mysql_real_query");
  void* (*store_result)(void*) = get<void*(void*)>("mysql_store_result");
  unsigned long long (*rows)(void*) = get<unsigned long long(void*)>("mysql_num_rows");
  void (*free_result)(void*) = get<void(void*)>("mysql_free_result");
};
const Library& library() {
  static const Library loaded;
  return loaded;
}

class MyRocksSession final : public Session {
 public:
  explicit MyRocksSession(std::uint16_t port, const char* database = "bench")
      : connection_(library().init(nullptr)) {
    CHECK(library().connect(connection_, "127.0.0.1", "root", "", database, port, nullptr, 0));
  }
  ~MyRocksSession() override { library().close(connection_); }

  bool read(const std::string& id) override {
    return run("SELECT body FROM docs WHERE id = '" + id + "'") > 0;
  }
  // The documents hold no quotes and no backslashes that would end the text.
  void write(const std::string& id, const std::string& json) override {
    run(fmt::format("INSERT INTO docs VALUES ('{}', '{}', UNIX_TIMESTAMP() + 86400)", id, json));
  }
  // Gives the rows. Stops the program at an error.
  std::uint64_t run(const std::string& sql) {
    CHECK(library().query(connection_, sql.data(), sql.size()) == 0);
    void* result = library().store_result(connection_);
    if (result == nullptr) return 0;
    const std::uint64_t rows = library().rows(result);
    library().free_result(result);
    return rows;
  }

 private:
  void* connection_;
};

PeerProcess::How made_ready(const std::string& directory, std::uint16_t port) {
  run_to_end({"mariadb-install-db", "--no-defaults", "--user=root", "--skip-test-db",
              "--auth-root-authentication-method=normal", "--datadir=" + directory},
             directory + ".log");
  return {.words = {"mariadbd", "--no-defaults", "--user=root", "--datadir=" + directory,
                    "--port=" + std::to_string(port), "--bind-address=127.0.0.1",
                    "--socket=" + directory + "/socket", "--skip-grant-tables",
                    "--plugin-maturity=experimental", "--plugin-load-add=ha_rocksdb",
                    "--rocksdb-block-cache-size=256M", "--rocksdb-flush-log-at-trx-commit=1"},
          .log = directory + ".log",
          .port = port,
          .end_signal = SIGTERM};
}

class MyRocks final : public Contestant {
 public:
  explicit MyRocks(const std::string& directory)
      : directory_(directory), process_(made_ready(directory, port_)) {
    MyRocksSession(port_, "mysql").run("CREATE DATABASE bench");
    MyRocksSession(port_).run(
        fmt::format("CREATE TABLE docs (id varchar(64) NOT NULL PRIMARY KEY, body text NOT NULL, "
                    "expires_at bigint unsigned NOT NULL) ENGINE=ROCKSDB CHARACTER SET latin1 "
                    "COLLATE latin1_bin COMMENT='ttl_duration={};ttl_col=expires_at'",
                    lives_for));
  }

  std::string name() const override { return "MyRocks"; }
  void fill(const std::string& prefix, std::uint64_t from, std::uint64_t to,
            Instant death) override {
    constexpr std::uint64_t at_once = 1'000;
    const std::int64_t second = death.is_never() ? far_second : death.whole_seconds() - lives_for;
    MyRocksSession session(port_);
    for (std::uint64_t n = from; n < to; n += at_once) {
      std::string sql = "INSERT INTO docs VALUES ";
      for (std::uint64_t i = n; i < std::min(n + at_once, to); ++i) {
        sql += fmt::format("{}('{}{}', '{}', {})", i == n ? "" : ", ", prefix, i,
                           sample_json(300, i), second);
      }
      session.run(sql);
    }
  }
  void settle() override { MyRocksSession(port_).run("SET GLOBAL rocksdb_compact_cf = 'default'"); }
  std::unique_ptr<Session> connect() override { return std::make_unique<MyRocksSession>(port_); }
  void compact() override { settle(); }
  double resident_mib() const override { return process_.resident_mib(); }
  double bytes_written() const override { return process_.bytes_written(); }

 private:
  OwnDirectory directory_;
  std::uint16_t port_ = free_port();
  PeerProcess process_;
};

}  // namespace

std::unique_ptr<Contestant> make_myrocks(const std::string& directory) {
  return std::make_unique<MyRocks>(directory);
}

}  // namespace mayfly::bench
