// Subscription: which events of a database go where. It is a row of a private table of that
// database, and is dropped with it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "db/feed/feed.h"
#include "db/private_table.h"
#include "delivery/limits.h"
#include "expr/stored.h"

namespace mayfly::delivery {

struct Subscription {
  std::string id;
  std::string name;                               // for people
  std::vector<std::string> collections = {};      // none: all of the database
  std::set<Event::Kind> kinds = {};               // none: all
  std::set<std::string, std::less<>> names = {};  // of messages, as the format has them; none: all
  StoredExpression filter = {};  // of the document as the event left it, or as it was before
  std::string filter_text = {};  // as it was asked for
  std::string format = {};
  std::string target = {};  // the kind: a row of Targets
  Object settings = {};     // of the target, as its kind has checked them
  FeedPosition from = {};   // events behind this
  std::int64_t round = 0;   // raised where it begins again at `from`
  bool is_paused = false;
  bool is_standing = false;  // of all databases, and not stored (standing.h)
  std::string owner = {};    // the dialect that has made it for a thing of its own; empty: a client
  std::size_t attempts_max = limits::attempts_default;
  bool is_logged =
      false;  // what has become of its messages is kept (rows/log.h), in place of letters
  Instant created_at = {};
  Instant changed_at = {};

  static PrivateSpec table();
  static Result<Subscription> decode(const Document& document);
  Result<Value> encode() const;
};

// The kind with this name, as feeds have them; nothing where there is none.
std::optional<Event::Kind> event_kind(std::string_view name);

}  // namespace mayfly::delivery
