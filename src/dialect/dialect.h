// Dialect: one way of speaking to the database. It parses, lowers and renders; it decides nothing
// about lifetime and keeps nothing: all it knows is in the database, or in the Services it was made
// with.
//
// Several dialects may share a port; claims() tells them apart by path.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/random.h"
#include "db/database.h"
#include "net/handler.h"
#include "net/message.h"

namespace mayfly {

class EventHub;        // common/event_stream.h
class Metrics;         // base/metrics.h
struct KuzzleOptions;  // kuzzle/options.h
namespace script {
class Pool;  // script/pool.h
}

// Who may ask. With nothing configured every caller is let in: the server then listens on loopback
// only, or was started with --insecure.
struct Credentials {
  struct Client {
    std::string id;
    std::string secret;
  };
  std::vector<std::string> keys;  // bearer keys with every right
  std::vector<Client> clients;    // who may ask for a token
  std::string account_key;        // that requests are signed with; empty: the one everybody knows
  std::string account_read_key;   // likewise, for reading only; empty: there is none
  std::string signing_key;  // of the tokens this server gives out; random where none is configured

  bool is_open() const { return keys.empty() && clients.empty(); }
  // Compares with every key, in constant time each.
  bool has_key(std::string_view key) const;
  bool has_client(std::string_view id, std::string_view secret) const;
};

// What a dialect works with. All of it outlives the dialect.
struct Services {
  Database& database;
  ManualClock* manual_clock = nullptr;  // null where the clock is the system's
  Random& random;
  const Credentials& credentials;
  // Everything measured, in the text format that Prometheus reads; none: nothing is.
  std::function<std::string()> metrics = {};
  // Whether the server takes what it is there for; fails with why it does not. None: it does.
  std::function<Result<void>()> readiness = {};
  EventHub* events = nullptr;         // null: no response goes on
  std::string certificate = {};       // the server's, in PEM; empty: it speaks no TLS
  std::string backup_directory = {};  // where backups are put; empty: none are made
  // Whether calls to addresses that clients choose may go to this machine and private networks.
  bool may_reach_private = false;
  const KuzzleOptions* kuzzle = nullptr;  // null: as they are by themselves
  script::Pool* scripts = nullptr;        // null: no scripts run
  Metrics* measured = nullptr;            // where a dialect counts; null: nowhere
  // Ends the server once what is under way has been answered; none: only who started it does.
  std::function<void()> end = {};
};

class Dialect : public net::Handler {
 public:
  virtual std::string_view name() const = 0;
  // Whether requests to this path are its own, on a port it shares.
  virtual bool claims(std::string_view path) const = 0;
};

}  // namespace mayfly
