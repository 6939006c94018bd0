// Koncorde filters: one is refused with a message, or has a normal form, which its double negation
// has, too. A document matches either a filter or its negation, and the matcher agrees with the
// condition.
//
// The input is a filter and, after the first line feed, a document.
#include "dialect/kuzzle/koncorde/filter.h"

#include <algorithm>

#include "dialect/kuzzle/koncorde/matcher.h"
#include "expr/evaluation/evaluate.h"
#include "expr/testing.h"
#include "fuzz.h"
#include "value/json/json.h"
#include "value/json/tokens.h"

namespace mayfly::fuzz {
namespace {

using namespace kuzzle::koncorde;

constexpr std::string_view documents[] = {
    R"({"a":1,"b":"x","c":{"d":[1,"x",{"e":2}]},"p":{"lat":1,"lon":2}})",
    R"({"a":2.5,"b":null,"c":{"d":"x"},"p":[91,2]})",
    R"({"a":"1","b":["x"],"p":"1, 2"})",
    R"({})",
};

class BodyScope final : public Scope {
 public:
  explicit BodyScope(const Value& body) : body_(body) {}
  Value field(Slot slot, const Field& field) const override {
    if (slot != 0) return {};
    if (field.part == Part::body) return at(body_, field.path);
    return field == Field::metadata("id") ? Value("d1") : Value();
  }

 private:
  const Value& body_;
};

void check_document(const Filter& filter, const Filter& opposite, const Value& body) {
  const auto condition = truth(*filter.condition(), BodyScope(body), unbounded());
  const auto other = truth(*opposite.condition(), BodyScope(body), unbounded());
  if (!condition || !other) return;
  CHECK(*condition != Truth::unknown && *other != Truth::unknown && *condition != *other);
  Matcher matcher;
  const FilterId first = matcher.add(filter);
  const FilterId second = matcher.add(opposite);
  const FilterId expected = *condition == Truth::yes ? first : second;
  CHECK(matcher.match({"d1", body}) == std::vector<FilterId>{expected});
  matcher.remove(first);
  matcher.remove(second);
  CHECK(matcher.match({"d1", body}).empty());
}

}  // namespace

void run(BytesView input) {
  const std::size_t end = std::min(input.find('\n'), input.size());
  const auto asked = parse_json(input.substr(0, end));
  if (!asked) return;
  const auto filter = Filter::parse(*asked);
  if (!filter) {
    const Error& error = filter.error();
    CHECK(error.code == Code::invalid || error.code == Code::unsupported ||
          error.code == Code::too_large);
    CHECK(!error.message.empty() && is_utf8(error.message));
    return;
  }
  if (!asked->is(Kind::object) || asked->object().empty()) return;
  const auto opposite = Filter::parse(Object{{"not", *asked}});
  const auto again = Filter::parse(Object{{"not", Object{{"not", *asked}}}});
  if (!opposite || !again) return;  // one level too deep
  CHECK(again->text() == filter->text() && opposite->text() != filter->text());
  CHECK(room_id("i", "c", *again) == room_id("i", "c", *filter));
  for (const std::string_view json : documents) {
    check_document(*filter, *opposite, parse_json(json).value());
  }
  const auto given = parse_json(input.substr(std::min(end + 1, input.size())));
  if (given && given->is(Kind::object)) check_document(*filter, *opposite, *given);
}

}  // namespace mayfly::fuzz
