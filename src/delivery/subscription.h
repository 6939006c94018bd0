// Subscription: which events of a database are sent to which target. It is a row of a private table
// of that database, and is dropped with it.
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
  std::string name;                               // for display
  std::vector<std::string> collections = {};      // empty: all collections of the database
  std::set<Event::Kind> kinds = {};               // none: all
  std::set<std::string, std::less<>> names = {};  // names of messages, as the format has them;
                                                  // empty: all
  StoredExpression filter = {};  // applied to the document after the event, or before it if it is
                                 // gone
  std::string filter_text = {};  // as the client wrote it
  std::string format = {};
  std::string target = {};  // Target::kind()
  Object settings = {};     // of the target, as Target::settings_of gave them
  FeedPosition from = {};   // events after this position
  std::int64_t round = 0;   // incremented when it begins again at `from`
  bool is_paused = false;
  bool is_standing = false;  // in all databases, and not stored (standing.h)
  std::string owner = {};    // the dialect that created it for its own use; empty: a client created
                             // it
  std::size_t attempts_max = limits::attempts_default;
  bool is_logged =
      false;  // outcomes of its messages are kept (rows/log.h), instead of dead letters
  Instant created_at = {};
  Instant changed_at = {};

  static PrivateSpec table();
  static Result<Subscription> decode(const Document& document);
  Result<Value> encode() const;
};

// The event kind with this name, as in feeds; nullopt if there is none.
std::optional<Event::Kind> event_kind(std::string_view name);

}  // namespace mayfly::delivery
