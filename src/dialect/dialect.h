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

// What requests are let in by. With nothing configured every caller is let in: the server then
// listens on loopback only, or was started with --insecure.
struct Credentials {
  std::vector<std::string> keys = {};  // bearer keys with every right
  // A setting with credentials of one dialect's own that closes all of them; empty: there is none.
  std::string_view closed_by = {};

  bool is_open() const { return keys.empty() && closed_by.empty(); }
  // The setting that closes the server, which is not open.
  std::string_view closing_setting() const { return keys.empty() ? closed_by : "auth.keys"; }
  // Compares with every key, in constant time each.
  bool has_key(std::string_view key) const;
};

// What a dialect works with. All of it outlives the dialect.
struct Services {
  Database& database;
  ManualClock* manual_clock = nullptr;  // null where the clock is the system's
  Random& random;
  const Credentials& credentials;
  const PageTokens& page_tokens;       // seals and opens what clients go on with
  const Settings* settings = nullptr;  // null: a dialect's own are as they are by themselves
  Metrics* metrics = nullptr;          // everything measured, and where to count; null: nothing is
  // Whether the server takes what it is there for; fails with why it does not. None: it does.
  std::function<Result<void>()> readiness = {};
  EventHub* events = nullptr;                  // null: no response goes on
  delivery::Deliveries* deliveries = nullptr;  // null: nothing is sent to anywhere
  std::string certificate = {};                // the server's, in PEM; empty: it speaks no TLS
  // Other machines reach the server, and `insecure` does not allow it to be open.
  bool is_reached_by_others = false;
  script::Pool* scripts = nullptr;          // null: no scripts run
  script::Runner* runner = nullptr;         // null: none run that no request waits for
  query::VectorIndexes* vectors = nullptr;  // null: queries for the nearest ask all documents
  query::KeptResults* kept = nullptr;       // what pages leave to further ones; null: nothing
  // Ends the server once what is under way has been answered; none: only who started it does.
  std::function<void()> end = {};
};

// What guards a dialect, as the server says once it listens. No secret of the user's is in it.
struct PortAccess {
  // The guard of what refuses every request until `asks_for` is set.
  static constexpr std::string_view closed = "closed";

  std::string_view guard = {};  // in logs, in one word: open, keys, login
  std::string sentence = {};
  std::string connection = {};     // what a client pastes; empty: the address is all it needs
  std::string_view asks_for = {};  // in logs: what it asks for, or would once that is set
};

class Dialect : public net::Handler {
 public:
  virtual std::string_view name() const = 0;
  // Whether requests to this path are its own, on a port it shares.
  virtual bool claims(std::string_view path) const = 0;
  // `url` is the port's own. A guest says no more than a sentence to stand before its host's, if
  // that.
  virtual PortAccess access(const std::string& url) const = 0;
};

}  // namespace mayfly
