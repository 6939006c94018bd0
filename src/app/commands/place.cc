// Flags that several verbs share.
#include "app/commands/place.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "app/commands/span_text.h"

namespace mayfly::app {

void add_place(CLI::App& verb, Place& place) {
  add_remote(verb, place.remote);
  verb.add_option("--database", place.database, "The database.")->required();
  verb.add_option("--collection", place.collection, "The collection.")->required();
}

void add_author(CLI::App& verb, std::string& author) {
  verb.add_option("--author", author, "The author of the change.")->type_name("NAME");
}

void add_lifetime(CLI::App& verb, LifetimeGiven& given) {
  CLI::Option_group* group = verb.add_option_group("lifetime",
                                                   "When a document expires; at most "
                                                   "one.");
  group->add_option("--ttl", given.ttl, "After this span from now: seconds, or 15m, 24h, 60d.")
      ->type_name("SPAN")
      ->check(check_whole_span, "");
  group->add_option("--expires-at", given.expires_at, "At this RFC 3339 time.")
      ->type_name("TIME")
      ->check(check_time, "");
  group->add_flag("--never", given.is_never, "Never.");
  group->add_flag("--inherit", given.inherits, "According to the collection's default.");
  group->require_option(0, 1);
}

Result<std::string> lifetime_query(const LifetimeGiven& given) {
  if (!given.ttl.empty()) return "?ttl=" + std::to_string(TRY(parse_whole_span(given.ttl)));
  if (!given.expires_at.empty()) return "?expires_at=" + escaped(given.expires_at);
  if (given.is_never) return std::string("?never=true");
  if (given.inherits) return std::string("?inherit=true");
  return std::string();
}

}  // namespace mayfly::app
