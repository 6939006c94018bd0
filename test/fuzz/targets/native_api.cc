// Requests to the native API: no answer is an internal error, lists agree with the answers for
// single documents, and the sweeper changes no answer (api.h).
#include "api.h"
#include "dialect/native/native.h"

namespace mayfly::fuzz {
namespace {

const std::string place = "/v1/databases/d/collections/c";

Value json_of(Worlds& worlds, const std::string& target) {
  const net::Response response = worlds.send("GET", target);
  const auto body = parse_json(response.body);
  return response.status == 200 && body ? *body : Value();
}

// What a reader may ask about the collection, once for each document that is there.
void look_around(Worlds& worlds) {
  for (const char* target : {"", "/documents?limit=1000&sort=-@written_at,a", "/trash?limit=1000",
                             "/feed?limit=1000", "/documents/a/history", "/indexes"}) {
    worlds.send("GET", place + target);
  }
  const Value listed = json_of(worlds, place + "/documents?limit=1000").member("documents");
  if (!listed.is(Kind::array)) return;
  CHECK(json_of(worlds, place + "/count").member("count").integer() ==
        static_cast<std::int64_t>(listed.array().size()));
  for (const Value& document : listed.array()) {
    const std::string one = place + "/documents/" + escaped(document.member("id").text());
    CHECK(render_json(json_of(worlds, one)) == render_json(document));
    json_of(worlds, one + "/history");
  }
}

}  // namespace

void run(BytesView input) {
  Worlds worlds(make_native);
  worlds.send("PUT", "/v1/databases/d");
  worlds.send_lines(input);
  look_around(worlds);
}

}  // namespace mayfly::fuzz
