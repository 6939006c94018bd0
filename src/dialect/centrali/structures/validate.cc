// Holding data to properties.
#include <cmath>

#include "dialect/centrali/limits.h"
#include "dialect/centrali/structures/properties.h"
#include "expr/evaluate.h"
#include "value/order.h"
#include "value/rfc3339.h"

namespace mayfly::centrali {
namespace {

using Type = Property::Type;

std::size_t characters_in(std::string_view text) {
  std::size_t count = 0;
  for (const char c : text) count += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  return count;
}

bool is_datetime(const Value& value) {
  return value.is(Kind::time) || value.is(Kind::date) ||
         (value.is(Kind::text) && (parse_rfc3339(value.text()) || parse_date(value.text())));
}

// 0.3 counts as a multiple of 0.1, though no double is either of them.
bool is_multiple(double number, double of) {
  constexpr double tolerance = 1e-9;
  return std::abs(std::remainder(number, of)) <= tolerance * of;
}

struct TypeRow {
  Type type;
  std::string_view claim;
  bool (*fits)(const Value&);
};
constexpr TypeRow type_rows[] = {
    {Type::string, "must be a string", [](const Value& v) { return v.is(Kind::text); }},
    {Type::number, "must be a number", [](const Value& v) { return v.is_number(); }},
    {Type::boolean, "must be a boolean", [](const Value& v) { return v.is(Kind::boolean); }},
    {Type::datetime, "must be an ISO 8601 date or time", is_datetime},
    {Type::array, "must be an array", [](const Value& v) { return v.is(Kind::array); }},
    {Type::object, "must be an object", [](const Value& v) { return v.is(Kind::object); }},
    {Type::reference, "must be the id of a record",
     [](const Value& v) { return v.is(Kind::text) || v.is(Kind::reference); }},
};

class Validator {
 public:
  Validator(std::vector<Detail>& details, Meter& meter) : details_(details), meter_(meter) {}

  // Why it went no further, if it did not.
  Result<void> outcome() && { return std::move(outcome_); }

  void check_object(const Object& data, const std::vector<Property>& properties, Unknown unknown,
                    Extent extent, const std::string& prefix) {
    if (extent == Extent::whole) {
      for (const Property& property : properties) {
        if (property.is_required && data.find(property.name) == nullptr) {
          wrong(prefix + property.name, "is required");
        }
      }
    }
    for (const auto& [name, value] : data) {
      const Property* property = Property::find(properties, name);
      if (property != nullptr) {
        check_value(value, *property, unknown, prefix + name);
      } else if (unknown == Unknown::refused) {
        wrong(prefix + name, "is not a property of this structure");
      }
    }
  }

 private:
  void wrong(const std::string& place, std::string message) {
    if (details_.size() < limits::details_max) details_.push_back({place, std::move(message)});
  }

  void check_value(const Value& value, const Property& property, Unknown unknown,
                   const std::string& place) {
    if (outcome_) outcome_ = meter_.tick();
    if (!outcome_) return;
    if (value.is_null()) {
      // An optional field may be emptied; a required one only where it says so.
      if (property.is_required && !property.is_nullable) wrong(place, "must not be null");
      return;
    }
    for (const TypeRow& row : type_rows) {
      if (row.type != property.type) continue;
      if (!row.fits(value)) return wrong(place, std::string(row.claim));
    }
    check_choices(value, property, place);
    if (value.is_number()) check_number(value, property, place);
    if (value.is(Kind::text)) check_text(value, property, place);
    if (value.is(Kind::array)) check_array(value.array(), property, unknown, place);
    if (value.is(Kind::object) && !property.properties.empty()) {
      check_object(value.object(), property.properties, unknown, Extent::whole, place + ".");
    }
  }

  bool is_out_of_time(const Result<Value>& evaluated) {
    if (evaluated || evaluated.error().code != Code::timed_out) return false;
    outcome_ = tl::unexpected(evaluated.error());
    return true;
  }

  void check_choices(const Value& value, const Property& property, const std::string& place) {
    if (property.choices.empty()) return;
    for (const Value& choice : property.choices) {
      if (same(choice, value)) return;
    }
    wrong(place, "is none of the values that the property allows");
  }

  void check_size(std::size_t size, const Property& property, std::string_view unit,
                  const std::string& place) {
    if (property.size_min && size < *property.size_min) {
      wrong(place, "must have at least " + std::to_string(*property.size_min) + std::string(unit));
    }
    if (property.size_max && size > *property.size_max) {
      wrong(place, "must have at most " + std::to_string(*property.size_max) + std::string(unit));
    }
  }

  void check_number(const Value& value, const Property& property, const std::string& place) {
    const double number = value.number();
    if (property.least && number < *property.least) wrong(place, "is less than the minimum");
    if (property.most && number > *property.most) wrong(place, "is greater than the maximum");
    if (property.is_integer && number != std::floor(number)) wrong(place, "must be an integer");
    if (property.multiple_of && !is_multiple(number, *property.multiple_of)) {
      wrong(place, "is not a multiple of what the property asks for");
    }
  }

  void check_text(const Value& value, const Property& property, const std::string& place) {
    check_size(characters_in(value.text()), property, " characters", place);
    for (const ExprPtr& pattern : property.patterns) {
      // A pattern goes over all of the text, and nothing interrupts it.
      outcome_ = meter_.tick(static_cast<std::uint32_t>(value.text().size()));
      if (!outcome_) return;
      const auto matches = evaluate(*pattern, ValueScope(value), meter_);
      if (is_out_of_time(matches)) return;
      if (!matches || !matches->is_true())
        return wrong(place, "does not have the format asked for");
    }
  }

  void check_array(const Array& items, const Property& property, Unknown unknown,
                   const std::string& place) {
    check_size(items.size(), property, " items", place);
    if (property.has_unique_items) {
      const auto distinct = evaluate(*expr::call("array_distinct", {expr::slot(0)}),
                                     ValueScope(Value(items)), meter_);
      if (is_out_of_time(distinct)) return;
      if (distinct && distinct->is(Kind::array) && distinct->array().size() < items.size()) {
        wrong(place, "must not have an item twice");
      }
    }
    if (!property.items) return;
    for (std::size_t i = 0; i < items.size(); ++i) {
      check_value(items[i], *property.items, unknown, place + "." + std::to_string(i));
    }
  }

  std::vector<Detail>& details_;
  Meter& meter_;
  Result<void> outcome_;
};

}  // namespace

void validate_initial(const Property& property, const std::string& place,
                      std::vector<Detail>& details) {
  const Object only{{property.name, property.initial}};
  std::vector<Detail> wrong;
  Meter meter;
  Validator(wrong, meter).check_object(only, {property}, Unknown::accepted, Extent::part, "");
  for (const Detail& detail : wrong) details.push_back({place, detail.message});
}

Result<void> validate(const Object& data, const std::vector<Property>& properties, Unknown unknown,
                      Extent extent, std::vector<Detail>& details, Meter& meter) {
  Validator validator(details, meter);
  validator.check_object(data, properties, unknown, extent, "");
  return std::move(validator).outcome();
}

Value with_defaults(Value data, const std::vector<Property>& properties) {
  for (const Property& property : properties) {
    if (property.initial.is_missing() || !data.member(property.name).is_missing()) continue;
    data.mutable_object().set(property.name, property.initial);
  }
  return data;
}

}  // namespace mayfly::centrali
