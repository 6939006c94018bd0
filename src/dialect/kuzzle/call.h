// Call: one request on its way through the dialect, with all that answering it needs; and typed
// reading of what it says.
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
namespace realtime {
class Realtime;
}
namespace search {
class Scrolls;
}

inline constexpr std::string_view anonymous_id = "-1";

// Who asks.
struct Principal {
  std::string id = std::string(anonymous_id);
  Instant token_ends_at = Instant::never();
  Instant created_at = {};      // of the user's document; of no anonymous one
  bool has_api_key = false;     // who asked by one, and did not log in
  bool has_single_use = false;  // by a token that counts for this request alone
  bool has_server_key = false;  // one of auth.keys, while there is no administrator

  bool is_anonymous() const { return id == anonymous_id; }
};

// A token for a single use that a request has used up, and who asks by it.
struct UsedToken {
  std::string token;
  Principal principal;
};

// What the requests of one server share.
struct Shared {
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
  AnswerMetrics* answers = nullptr;  // of WebSockets; null: they are not measured
};

// What a client's cookie becomes: a token, or nothing.
struct CookieToken {
  std::string token;
  Span for_time{0};
};

// What is sent instead of the usual answer: the action's result as it is, and what follows.
struct Download {
  std::string content_type;
  std::string file_name;
  net::StreamTaker stream = {};  // none: that was all
};

struct Call {
  const Message& message;
  const Shared& shared;
  Principal principal = {};
  Instant answer_by = Instant::never();
  // Over a WebSocket: the number under which realtime knows it.
  std::optional<std::uint64_t> connection = {};
  Logins* logins = nullptr;  // over a WebSocket
  // Of the request, which may be asked several times who it is from; null: it is asked once.
  UsedToken* used_token = nullptr;
  std::string peer = {};  // as net::Request has it; likewise the next
  std::string network = {};
  // Set by an action of which a part has failed: the answer has both a result and an error.
  Array partial_errors = {};
  std::string partial_message = {};
  // Set by an action that fails for several reasons: version 1 tells them beside the error.
  Array error_details = {};
  // Set by an action whose answer is a file, over HTTP.
  std::optional<Download> download = {};
  // Set by an action after which the client keeps its token as a cookie, over HTTP.
  std::optional<CookieToken> cookie = {};

  // What documents have that their collections do not know, by collection
  // (mappings/learnt_fields.h).
  mutable std::map<CollectionId, Value> learnt = {};
  mutable std::size_t learnt_from = 0;  // so many documents

  Database& database() const { return shared.services.database; }
  // Whose share of the server this takes: a user's, or before login a network's.
  std::string client() const { return principal.is_anonymous() ? "@" + network : principal.id; }
  Shape shape() const { return message.shape; }
  bool is_v2() const { return message.shape == Shape::v2; }

  // What the action needs; each fails with invalid, in Kuzzle's words, where it is not there.
  Result<std::string> index() const;
  Result<std::string> collection() const;
  Result<std::string> id() const;
  Result<const Object*> body() const;
  Result<const Array*> body_array(std::string_view name) const;
  Result<std::string> body_text(std::string_view name) const;

  // What it may say. Over HTTP all arguments are texts.
  Result<bool> flag(std::string_view name) const;
  Result<std::optional<std::int64_t>> integer(std::string_view name) const;
  Result<std::optional<std::string>> text(std::string_view name) const;
  bool includes_trash() const;
  // `refresh` changes nothing here, for what is written is found at once; but it is looked at.
  Result<void> check_refresh() const;
};

// The texts of a list as an address says it: `a,b`. Empty ones are left out.
std::vector<std::string> split_at_commas(std::string_view list);

// Answers one action with the JSON of its result.
using Action = Result<std::string> (*)(Call&);

}  // namespace mayfly::kuzzle
