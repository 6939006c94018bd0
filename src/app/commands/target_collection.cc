// Flags that several verbs share.
#include "app/commands/target_collection.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "app/commands/span_text.h"

namespace mayfly::app {

void add_collection_flags(CLI::App& verb, TargetCollection& target) {
  add_remote(verb, target.remote);
  verb.add_option("--database", target.database, "The database.")->required();
  verb.add_option("--collection", target.collection, "The collection.")->required();
}

void add_author(CLI::App& verb, std::string& author) {
  verb.add_option("--author", author, "The author of the change.")->type_name("NAME");
}

void add_lifetime(CLI::App& verb, LifetimeFlags& flags) {
  CLI::Option_group* group = verb.add_option_group("lifetime",
                                                   "When a document expires; at most "
                                                   "one.");
  group->add_option("--ttl", flags.ttl, "After this span from now: seconds, or 15m, 24h, 60d.")
      ->type_name("SPAN")
      ->check(check_whole_span, "");
  group->add_option("--expires-at", flags.expires_at, "At this RFC 3339 time.")
      ->type_name("TIME")
      ->check(check_time, "");
  group->add_flag("--never", flags.is_never, "Never.");
  group->add_flag("--inherit", flags.inherits, "According to the collection's default.");
  group->require_option(0, 1);
}

Result<std::string> lifetime_query(const LifetimeFlags& flags) {
  if (!flags.ttl.empty()) return "?ttl=" + std::to_string(TRY(parse_whole_span(flags.ttl)));
  if (!flags.expires_at.empty()) return "?expires_at=" + escaped(flags.expires_at);
  if (flags.is_never) return std::string("?never=true");
  if (flags.inherits) return std::string("?inherit=true");
  return std::string();
}

}  // namespace mayfly::app
