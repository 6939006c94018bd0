// Requests to the Centrali API: no answer is an internal error, every listed record can be read,
// and the sweeper changes no answer (api.h).
#include "api.h"
#include "dialect/centrali/centrali.h"
#include "dialect/centrali/options.h"

namespace mayfly::fuzz {
namespace {

const std::string place = "/data/workspace/w/api/v1";

void look_around(Worlds& worlds) {
  for (const char* target :
       {"/structures", "/records?structureId=S&pageSize=1000&sort=-updatedAt&includeArchived=true",
        "/records/slug/s/count", "/records/slug/s?status=archived&includeArchived=true"}) {
    worlds.send("GET", place + target);
  }
  const net::Response list = worlds.send(
      "GET", place + "/records?structureId=S&pageSize=1000&sort=createdAt,id&includeTotal=true");
  const auto listed = parse_json(list.body);
  const Value rows = listed ? listed->member("data") : Value();
  if (!rows.is(Kind::array)) return;
  for (const Value& row : rows.array()) {
    const std::string one = place + "/records/" + escaped(row.member("id").text());
    CHECK(worlds.send("GET", one).status == 200);
  }
}

}  // namespace

void run(BytesView input) {
  // Both sign their tokens with the same key.
  Worlds worlds([](const Services& services) {
    return make_centrali(services, {.signing_key = "a key for tests"});
  });
  worlds.send("POST", place + "/structures", R"({"id":"S","name":"S"})");
  worlds.send_lines(input);
  look_around(worlds);
}

}  // namespace mayfly::fuzz
