#include "app/commands/lifetimes/new_end.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "app/commands/commands.h"

namespace mayfly::app {

void add_new_end(CLI::App& verb, NewEnd& arguments) {
  add_collection_flags(verb, arguments.target);
  add_lifetime(verb, arguments.lifetime);
  add_author(verb, arguments.author);
  add_format(verb, arguments.format);
  verb.add_option("ID", arguments.ids, "The documents.")->required();
}

int request_new_end(const NewEnd& arguments, const std::string& list, const std::string& action,
                    const Explain& explain) {
  const auto query = lifetime_query(arguments.lifetime);
  if (!query) return print_error(query.error());
  Listing listing(arguments.format, {"ID", "EXPIRES AT"});
  int status = 0;
  bool has_rows = false;
  for (const std::string& id : arguments.ids) {
    const std::string path =
        arguments.target.path() + "/" + list + "/" + escaped(id) + "/" + action + *query;
    const auto changed = call_api(arguments.target.remote,
                                  {.method = "POST", .path = path, .author = arguments.author});
    if (!changed) {
      status = print_error(explain ? explain(changed.error()) : changed.error());
      continue;
    }
    has_rows = true;
    listing.add(*changed,
                {cell_text(changed->member("id")), cell_text(changed->member("expires_at"))});
  }
  if (has_rows) listing.finish();
  return status;
}

}  // namespace mayfly::app
