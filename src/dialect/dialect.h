// Dialect: one API of the server. It parses requests, lowers them into the inner language and
// renders the answers. It decides nothing about lifetimes. What must survive a restart is in the
// database; in memory a dialect has only caches and what belongs to clients that are connected.
//
// Several dialects may share a port. Then claims() decides by the path to which of them a request
// belongs.
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

class EventHub;  // common/events/stream.h
namespace delivery {
class Deliveries;  // delivery/deliveries.h
}
class Metrics;     // base/service/metrics.h
class PageTokens;  // common/page_token.h
class Settings;    // base/service/settings.h
namespace query {
class KeptResults;    // query/kept/kept_results.h
class VectorIndexes;  // query/vectors/vector_indexes.h
}  // namespace query
namespace script {
class Pool;    // script/pool.h
class Runner;  // script/runner.h
}  // namespace script

// The credentials that all dialects share. While there are none, a dialect without credentials of
// its own is open: it accepts every request, or every one with a well-known key. A server that
// other machines can reach does not start with an open dialect, except with --insecure
// (app/ports/exposure.h).
struct Credentials {
  std::vector<std::string> keys = {};  // bearer keys with every right: the setting auth.keys
  // The name of a setting with a dialect's own credentials, whose presence closes all dialects
  // (DialectRow::closing_setting). Empty: none is set.
  std::string_view closed_by = {};

  bool is_open() const { return keys.empty() && closed_by.empty(); }
  // The name of the setting that closes the server. Call it only if is_open() is false.
  std::string_view closing_setting() const { return keys.empty() ? closed_by : "auth.keys"; }
  // Compares with every key, each in constant time.
  bool has_key(std::string_view key) const;
};

// What the server provides to a dialect. Everything that it refers to outlives the dialect.
struct Services {
  Database& database;
  ManualClock* manual_clock = nullptr;  // null: the clock is the system's
  Random& random;
  const Credentials& credentials;
  const PageTokens& page_tokens;       // encrypts the positions at which clients continue lists
  const Settings* settings = nullptr;  // null: the dialect's settings have their defaults
  Metrics* metrics = nullptr;          // of the whole server; null: nothing is measured
  // Fails with the reason if the server is not ready for requests (app/readiness.h). Empty: it is
  // ready.
  std::function<Result<void>()> readiness = {};
  EventHub* events = nullptr;                  // null: there are no event streams
  delivery::Deliveries* deliveries = nullptr;  // null: no events are delivered to targets
  std::string certificate = {};                // the server's, in PEM; empty: no port accepts TLS
  // Whether other machines can reach the server and `insecure` does not allow it to be open.
  bool is_reached_by_others = false;
  script::Pool* scripts = nullptr;          // null: no scripts run
  script::Runner* runner = nullptr;         // null: no scripts run in the background
  query::VectorIndexes* vectors = nullptr;  // null: queries for nearest vectors read all documents
  query::KeptResults* kept = nullptr;       // results for later pages; null: none are kept
  // Begins an orderly shutdown, as SIGTERM does, and returns immediately. Empty: no client can shut
  // the server down.
  std::function<void()> end = {};
};

// How access to a dialect is controlled, as the server reports once it listens
// (app/ports/announce.h). It contains no secret of the user.
struct PortAccess {
  // The guard of a dialect that refuses every request until the setting `asks_for` is set.
  static constexpr std::string_view closed = "closed";

  std::string_view guard = {};     // one word for logs, such as open, keys or login
  std::string sentence = {};       // for users
  std::string connection = {};     // the text that a client connects with; empty: its URL suffices
  std::string_view asks_for = {};  // for logs: the required credentials, or what would require some
};

class Dialect : public net::Handler {
 public:
  virtual std::string_view name() const = 0;
  // Whether requests with this path belong to this dialect, on a port that it shares. Asked only of
  // guests: the host of the port answers all paths that no guest claims.
  virtual bool claims(std::string_view path) const = 0;
  // `url`: that of the port. A guest sets at most `sentence`, which is printed before that of its
  // host.
  virtual PortAccess access(const std::string& url) const = 0;
};

}  // namespace mayfly
