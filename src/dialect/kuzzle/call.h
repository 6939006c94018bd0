// KuzzleCall: one request while it is being answered, with everything that its action needs, and
// typed access to its arguments.
//
// Threads: one at a time. What it refers to outlives it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/dialect.h"
#include "dialect/kuzzle/options.h"
#include "dialect/kuzzle/requests/message.h"

namespace mayfly {
class AnswerMetrics;  // common/answer_metrics.h
}

namespace mayfly::kuzzle {

class Admins;
class Collector;
class Exports;
class Grants;
class LearntFields;
class Load;
class Logins;
class Refreshes;
class Statistics;
struct Route;  // requests/routes.h
namespace realtime {
class Realtime;
}
namespace search {
class Scrolls;
}

class Renderer;  // generations/renderer.h

inline constexpr std::string_view anonymous_id = "-1";

// The user that a request comes from.
struct Principal {
  std::string id = std::string(anonymous_id);
  Instant token_ends_at = Instant::never();
  Instant created_at = {};      // when the user's document was created; unset if anonymous
  bool has_api_key = false;     // the request used an API key instead of a login
  bool has_single_use = false;  // the token is valid for this request only
  bool has_server_key = false;  // the token is one of auth.keys, and no administrator exists yet

  bool is_anonymous() const { return id == anonymous_id; }
};

// A single-use token that this request has used up, and the user it belongs to.
struct UsedToken {
  std::string token;
  Principal principal;
};

// The objects that all requests of one server share. The dialect owns them; they outlive all calls.
struct ServerContext {
  const Services& services;
  Collector& collector;
  search::Scrolls& scrolls;
  realtime::Realtime& realtime;
  Grants& grants;
  const KuzzleOptions& options;
  Load& load;
  Statistics& statistics;
  Refreshes& refreshes;
  Exports& exports;
  Admins& admins;
  LearntFields& learnt;
  Instant started_at = {};
  AnswerMetrics* answers = nullptr;  // of WebSockets; null: not measured
};

// The new content of a client's cookie; an empty token deletes it.
struct CookieToken {
  std::string token;
  Span for_time{0};
};

// A file that is sent instead of the usual answer. The action's result is its beginning, the stream
// sends the rest.
struct Download {
  std::string content_type;
  std::string file_name;
  net::StreamCallback stream = {};  // null: there is no rest
};

struct KuzzleCall {
  const Message& message;
  const ServerContext& shared;
  const Route* route = nullptr;  // set before rights are checked
  Principal principal = {};
  Instant answer_by = Instant::never();
  // The id of the WebSocket connection in realtime; unset over HTTP.
  std::optional<std::uint64_t> connection = {};
  Logins* logins = nullptr;  // null over HTTP
  // Keeps a single-use token between repeated authentications of this request; null: the request is
  // authenticated once.
  UsedToken* used_token = nullptr;
  std::string peer = {};  // like `network`, as in net::Request
  std::string network = {};
  // Set by an action that failed in part: the answer then has both a result and an error.
  Array partial_errors = {};
  std::string partial_message = {};
  // Set by an action that fails for several reasons: version 1 lists them beside the error.
  Array error_details = {};
  // Set by an action that answers with a file, over HTTP.
  std::optional<Download> download = {};
  // Set by an action that stores the token in a cookie, over HTTP.
  std::optional<CookieToken> cookie = {};

  // Fields of written documents that their collection's mapping does not have, by collection
  // (mappings/learnt_fields.h).
  mutable std::map<CollectionId, Value> learnt = {};
  mutable std::size_t learnt_from = 0;  // number of documents whose fields were recorded

  Database& database() const { return shared.services.database; }
  // The client whose quota this request counts against: the user, or before login the network.
  std::string client() const { return principal.is_anonymous() ? "@" + network : principal.id; }
  const Generation& generation() const { return *message.generation; }
  const Renderer& renderer() const { return message.generation->renderer(); }

  // Required arguments. Each fails with invalid and Kuzzle's message if it is missing.
  Result<std::string> index() const;
  Result<std::string> collection() const;
  Result<std::string> id() const;
  Result<const Object*> body() const;
  Result<const Array*> body_array(std::string_view name) const;
  Result<std::string> body_text(std::string_view name) const;

  // Optional arguments; null counts as missing. Over HTTP all arguments are texts. Each fails with
  // invalid if the argument has another type.
  Result<bool> flag(std::string_view name) const;
  // Negative numbers are invalid.
  Result<std::optional<std::int64_t>> integer(std::string_view name) const;
  Result<std::optional<std::string>> text(std::string_view name) const;
  bool includes_trash() const;
  // Whether the answer to a write shows its documents; false in generations without that flag.
  Result<bool> asks_for_source() const;
  // Checks only the form of `refresh`. Its effect is in collections/refreshes.h.
  Result<void> check_refresh() const;
};

// Splits a list from a URL, such as `a,b`. Empty items are left out.
std::vector<std::string> split_at_commas(std::string_view list);

// Runs one action and returns its result as JSON.
using Action = Result<std::string> (*)(KuzzleCall&);

}  // namespace mayfly::kuzzle
