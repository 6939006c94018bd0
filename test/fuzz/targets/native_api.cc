// Conversations with the native API: no answer is our fault, lists and single answers agree, and
// housekeeping changes nothing.
#include "api.h"
#include "dialect/native/native.h"

namespace mayfly::fuzz {
namespace {

const std::string place = "/v1/databases/d/collections/c";

Value json_of(Api& api, const std::string& target) {
  const net::Response response = api.send("GET", target);
  const auto body = parse_json(response.body);
  return response.status == 200 && body ? *body : Value();
}

// What a reader may ask about the collection, once for each document that is there.
std::vector<std::string> targets_of(Api& api) {
  std::vector<std::string> targets = {place,
                                      place + "/documents?limit=1000",
                                      place + "/documents?limit=1000&sort=-@written_at,a",
                                      place + "/count",
                                      place + "/trash?limit=1000",
                                      "/v1/databases/d",
                                      "/v1/databases"};
  const Value listed = json_of(api, targets[1]).member("documents");
  if (!listed.is(Kind::array)) return targets;
  CHECK(json_of(api, place + "/count").member("count").integer() ==
        static_cast<std::int64_t>(listed.array().size()));
  for (const Value& document : listed.array()) {
    const std::string one = place + "/documents/" + escaped(document.member("id").text());
    CHECK(render_json(json_of(api, one)) == render_json(document));
    targets.push_back(one);
    targets.push_back(one + "/history");
  }
  return targets;
}

}  // namespace

void run(BytesView input) {
  Api api(make_native);
  api.send("PUT", "/v1/databases/d");
  std::size_t requests = 0;
  for (const BytesView line : split(input, '\n')) {
    if (++requests > requests_max) break;
    api.send_line(line);
  }
  const std::vector<std::string> targets = targets_of(api);
  const std::vector<std::string> before = answers(api, targets);
  api.sweep();
  CHECK(answers(api, targets) == before);
  api.send("GET", place + "/feed?limit=1000");
}

}  // namespace mayfly::fuzz
