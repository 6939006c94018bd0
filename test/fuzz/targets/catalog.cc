// Catalog rows: any text is refused, or read as a definition that can be stored and read again
// without a change, with a policy that obeys the law of lifetime.
#include "db/catalog/catalog.h"

#include "fuzz.h"
#include "lifetime/lens.h"
#include "value/json/json.h"

namespace mayfly::fuzz {
namespace {

// A policy out of a row is asked by every read; it must answer whatever the row said.
void check_policy(Policy policy, Instant t) {
  CHECK(!policy.timeline.empty());
  for (std::size_t i = 1; i < policy.timeline.size(); ++i) {
    CHECK(policy.timeline[i - 1].from < policy.timeline[i].from);
  }
  const Version versions[] = {{.written_at = t},
                              {.written_at = t, .lifetime = After{Span::seconds(1)}},
                              {.written_at = Instant{0}, .removed_at = t}};
  for (const Version& version : versions) {
    const Instant death = death_of(version, policy);
    const Instant forgettable = forgettable_at(version, policy);
    if (!version.is_removed()) CHECK(sees(Lens::live(t), version, policy) == (t < death));
    if (t >= forgettable) CHECK(!sees(Lens::live(t), version, policy));
    Policy folded = policy;
    folded.fold(t);
    CHECK(std::max(death_of(version, folded), t) == std::max(death, t));
  }
}

}  // namespace

void run(BytesView input) {
  const Instant t{static_cast<std::int64_t>(seed_of(input) >> 12)};
  if (const auto collection = decode_collection(input)) {
    const std::string text = encode(*collection);
    const auto again = decode_collection(text);
    CHECK(again.has_value() && encode(*again) == text);
    CHECK(again->policy == collection->policy && again->facets == collection->facets);
    CHECK(again->name == collection->name && again->id == collection->id);
    // What the row said in numbers is what was read: none has been cut.
    const Value row = *parse_json(input);
    for (const char* name : {"id", "database", "created_at", "next_index"}) {
      CHECK(parse_json(text)->member(name).integer() == row.member(name).integer());
    }
    check_policy(collection->policy, t);
  }
  if (const auto database = decode_database(input)) {
    const std::string text = encode(*database);
    const auto again = decode_database(text);
    CHECK(again.has_value() && encode(*again) == text);
    CHECK(again->id == parse_json(input)->member("id").integer());
  }
}

}  // namespace mayfly::fuzz
