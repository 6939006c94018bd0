#include "app/commands/lifetimes/new_end.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "app/commands/commands.h"

namespace mayfly::app {

void add_new_end(CLI::App& verb, NewEnd& given) {
  add_place(verb, given.place);
  add_lifetime(verb, given.lifetime);
  add_author(verb, given.author);
  add_format(verb, given.format);
  verb.add_option("ID", given.ids, "The documents.")->required();
}

int ask_for_new_end(const NewEnd& given, const std::string& list, const std::string& action,
                    const Explain& explain) {
  const auto query = lifetime_query(given.lifetime);
  if (!query) return tell(query.error());
  Listing listing(given.format, {"ID", "EXPIRES AT"});
  int status = 0;
  bool has_rows = false;
  for (const std::string& id : given.ids) {
    const std::string path =
        given.place.path() + "/" + list + "/" + escaped(id) + "/" + action + *query;
    const auto changed =
        ask(given.place.remote, {.method = "POST", .path = path, .author = given.author});
    if (!changed) {
      status = tell(explain ? explain(changed.error()) : changed.error());
      continue;
    }
    has_rows = true;
    listing.add(*changed, {shown(changed->member("id")), shown(changed->member("expires_at"))});
  }
  if (has_rows) listing.finish();
  return status;
}

}  // namespace mayfly::app
