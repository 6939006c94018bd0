// `mayfly touch`: moves the end of documents forward.
#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <memory>

#include "app/commands/commands.h"
#include "app/commands/listing.h"
#include "app/commands/place.h"

namespace mayfly::app {
namespace {

struct Given {
  Place place;
  LifetimeGiven lifetime;
  std::string author;
  std::vector<std::string> ids;
  Format format = Format::table;
};

int run(const Given& given) {
  const auto query = lifetime_query(given.lifetime);
  if (!query) return tell(query.error());
  Listing listing(given.format, {"ID", "EXPIRES AT"});
  int status = 0;
  for (const std::string& id : given.ids) {
    const auto touched = ask(given.place.remote, {.method = "POST",
                                                  .path = given.place.path() + "/documents/" +
                                                          escaped(id) + "/touch" + *query,
                                                  .author = given.author});
    if (!touched) {
      status = tell(touched.error());
      continue;
    }
    listing.add(*touched, {shown(touched->member("id")), shown(touched->member("expires_at"))});
  }
  listing.finish();
  return status;
}

}  // namespace

std::function<int()> add_touch(CLI::App& verb) {
  auto given = std::make_shared<Given>();
  add_place(verb, given->place);
  add_lifetime(verb, given->lifetime);
  add_author(verb, given->author);
  add_format(verb, given->format);
  verb.add_option("ID", given->ids, "The documents.")->required();
  return [given] { return run(*given); };
}

}  // namespace mayfly::app
