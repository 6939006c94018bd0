// Conversations with the Centrali API: no answer is our fault, every listed record can be read, and
// housekeeping changes nothing.
#include "api.h"
#include "dialect/centrali/centrali.h"

namespace mayfly::fuzz {
namespace {

const std::string place = "/data/workspace/w/api/v1";

std::vector<std::string> targets_of(Api& api) {
  std::vector<std::string> targets = {
      place + "/structures",
      place + "/records?structureId=S&pageSize=1000&sort=createdAt,id&includeTotal=true",
      place + "/records?structureId=S&pageSize=1000&sort=-updatedAt&includeArchived=true",
      place + "/records/slug/s/count",
      place + "/records/slug/s?status=archived&includeArchived=true",
  };
  const auto listed = parse_json(api.send("GET", targets[1]).body);
  const Value rows = listed ? listed->member("data") : Value();
  if (!rows.is(Kind::array)) return targets;
  for (const Value& row : rows.array()) {
    const std::string one = place + "/records/" + escaped(row.member("id").text());
    CHECK(api.send("GET", one).status == 200);
    targets.push_back(one);
  }
  return targets;
}

// Each answer with its own number would differ from itself.
void strip_request_ids(std::vector<std::string>& all) {
  for (std::string& answer : all) {
    const std::size_t at = answer.find(R"("requestId":")");
    if (at != std::string::npos) answer.erase(at, 13 + 36);
  }
}

}  // namespace

void run(BytesView input) {
  Api api(make_centrali);
  api.send("POST", place + "/structures", R"({"id":"S","name":"S"})");
  std::size_t requests = 0;
  for (const BytesView line : split(input, '\n')) {
    if (++requests > requests_max) break;
    api.send_line(line);
  }
  const std::vector<std::string> targets = targets_of(api);
  std::vector<std::string> before = answers(api, targets);
  api.sweep();
  std::vector<std::string> after = answers(api, targets);
  strip_request_ids(before);
  strip_request_ids(after);
  CHECK(before == after);
}

}  // namespace mayfly::fuzz
