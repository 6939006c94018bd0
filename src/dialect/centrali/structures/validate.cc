// Validation of data by properties.
#include <fmt/format.h>

#include "dialect/centrali/limits.h"
#include "dialect/centrali/structures/properties.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::centrali {
namespace {

using What = Violation::What;

bool is_datetime(const Value& value) {
  return value.is(Kind::time) || value.is(Kind::date) ||
         (value.is(Kind::text) && (parse_rfc3339(value.text()) || parse_date(value.text())));
}

constexpr ShapeType types[] = {
    {"string", "must be a string", is_a<Kind::text>},
    {"number", "must be a number", [](const Value& v) { return v.is_number(); }},
    {"boolean", "must be a boolean", is_a<Kind::boolean>},
    {"datetime", "must be an ISO 8601 date or time", is_datetime},
    {"array", "must be an array", is_a<Kind::array>},
    {"object", "must be an object", is_a<Kind::object>},
    {"reference", "must be the id of a record",
     [](const Value& v) { return v.is(Kind::text) || v.is(Kind::reference); }},
};

constexpr std::pair<What, std::string_view> words[] = {
    {What::missing, "is required"},
    {What::null, "must not be null"},
    {What::unknown, "is not a property of this structure"},
    {What::choice, "is none of the values that the property allows"},
    {What::least, "is less than the minimum"},
    {What::most, "is greater than the maximum"},
    {What::fraction, "must be an integer"},
    {What::multiple, "is not a multiple of what the property asks for"},
    {What::pattern, "does not have the format asked for"},
    {What::repeated, "must not have an item twice"},
};

std::string words_of(const Violation& violation) {
  if (violation.what == What::type) return violation.claim;
  for (const auto& [what, said] : words) {
    if (what == violation.what) return std::string(said);
  }
  return fmt::format("must have at {} {} {}", violation.what == What::size_min ? "least" : "most",
                     render_json(violation.limit),
                     violation.value->is(Kind::array) ? "items" : "characters");
}

// "a.0.b"
std::string place_of(const Path& path) {
  std::string place;
  for (const Step& step : path.steps) {
    if (!place.empty()) place += '.';
    const auto* name = std::get_if<std::string>(&step);
    place += name != nullptr ? *name : std::to_string(std::get<std::size_t>(step));
  }
  return place;
}

}  // namespace

const ShapeType* find_property_type(std::string_view name) {
  for (const ShapeType& type : types) {
    if (type.name == name) return &type;
  }
  return nullptr;
}

Result<void> validate(const Value& data, const Shape& shape, Extent extent,
                      std::vector<Detail>& details, Meter& meter) {
  const Inspection inspection{
      .meter = meter, .violations_max = limits::details_max, .extent = extent};
  const auto violations = TRY(inspect(data, shape, inspection));
  for (const Violation& violation : violations) {
    details.push_back({place_of(violation.path), words_of(violation)});
  }
  return {};
}

}  // namespace mayfly::centrali
