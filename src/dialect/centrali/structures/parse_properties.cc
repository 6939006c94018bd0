// Parsing the definitions of properties.
#include <optional>
#include <set>

#include "base/limits.h"
#include "dialect/centrali/structures/properties.h"

namespace mayfly::centrali {
namespace {

constexpr std::pair<std::string_view, OnDelete> on_delete_words[] = {
    {"restrict", OnDelete::restricted}, {"cascade", OnDelete::cascade},
    {"setNull", OnDelete::emptied},     {"set_null", OnDelete::emptied},
    {"none", OnDelete::nothing},        {"noAction", OnDelete::nothing},
    {"no_action", OnDelete::nothing},
};

// Formats as patterns. They catch a value in the wrong field, but do not fully validate it.
constexpr std::pair<std::string_view, std::string_view> formats[] = {
    {"email", R"(^[^@\s]+@[^@\s]+\.[^@\s]+$)"},
    {"url", R"(^[A-Za-z][A-Za-z0-9+.-]*://\S+$)"},
    {"uuid", R"(^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$)"},
    {"date", R"(^\d{4}-\d{2}-\d{2}$)"},
    {"datetime", R"(^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$)"},
};

std::optional<OnDelete> find_on_delete(const Value& word) {
  for (const auto& [known, meaning] : on_delete_words) {
    if (word.is(Kind::text) && word.text() == known) return meaning;
  }
  return std::nullopt;
}

// Parses one definition; collects its errors with their places.
class DefinitionReader {
 public:
  DefinitionReader(const Value& definition, std::string place, std::vector<Detail>& details,
                   std::size_t depth)
      : definition_(definition), place_(std::move(place)), details_(details), depth_(depth) {}

  Shape read(bool is_named) {
    Shape property{.options = definition_};
    if (!definition_.is(Kind::object)) {
      wrong("", "a property is an object");
      return property;
    }
    if (is_named) read_name(property);
    read_type(property);
    property.is_required = flag("required");
    // An optional field may be null; a required one only if its definition says so.
    const bool is_nullable = flag("nullable") || !property.is_required;
    property.null = is_nullable ? Shape::Null::accepted : Shape::Null::refused;
    flag("isUnique");
    flag("immutable");
    property.is_integer = flag("integer");
    property.has_unique_items = flag("uniqueItems");
    property.initial = definition_.member("default");
    read_choices(property);
    read_bounds(property);
    read_patterns(property);
    read_reference(property);
    read_nested(property);
    check_initial(property);
    // Only top-level fields of the data get a default.
    if (depth_ > 0) property.initial = Value();
    return property;
  }

 private:
  void wrong(std::string_view member, std::string message) {
    details_.push_back(
        {member.empty() ? place_ : place_ + "." + std::string(member), std::move(message)});
  }

  bool flag(std::string_view name) {
    const Value value = definition_.member(name);
    if (value.is_missing() || value.is_null()) return false;
    if (!value.is(Kind::boolean)) wrong(name, "must be true or false");
    return value.is_true();
  }

  // Missing if there is no such member.
  Value number(std::string_view name) {
    const Value value = definition_.member(name);
    if (value.is_missing() || value.is_null()) return {};
    if (value.is_number()) return value;
    wrong(name, "must be a number");
    return {};
  }

  Value size(std::string_view name) {
    const Value value = number(name);
    if (value.is_missing()) return {};
    if (value.number() >= 0 && value.number() <= 1e9) {
      return static_cast<std::int64_t>(value.number());
    }
    wrong(name, "must be a size");
    return {};
  }

  void check_range(const Shape::MinMax& range, std::string_view member) {
    const bool is_range = range.min.is_missing() || range.max.is_missing() ||
                          range.min.number() <= range.max.number();
    if (!is_range) wrong(member, "is greater than the maximum");
  }

  void check_initial(const Shape& property) {
    if (property.initial.is_missing() || property.initial.is_null()) return;
    Meter meter;
    std::vector<Detail> found;
    // It never fails: this meter has no deadline.
    if (!validate(property.initial, property, Extent::whole, found, meter)) return;
    for (Detail& detail : found) wrong("default", std::move(detail.message));
  }

  void read_name(Shape& property) {
    const Value name = definition_.member("name");
    if (!name.is(Kind::text) || name.text().empty()) return wrong("name", "must be a text");
    property.name = name.text();
  }

  void read_type(Shape& property) {
    const Value type = definition_.member("type");
    property.type = type.is(Kind::text) ? find_property_type(type.text()) : nullptr;
    if (property.type != nullptr) return;
    wrong("type", "must be string, number, boolean, datetime, array, object or reference");
  }

  void read_choices(Shape& property) {
    const Value choices = definition_.member("enum");
    if (choices.is_missing() || choices.is_null()) return;
    if (!choices.is(Kind::array) || choices.array().empty()) {
      return wrong("enum", "must be a list of values");
    }
    property.choices = choices.array();
  }

  void read_reference(const Shape& property) {
    if (!is_reference(property)) return;
    const Value target = definition_.member("target");
    if (!target.is(Kind::text) && !target.is_missing() && !target.is_null()) {
      wrong("target", "must name a structure");
    }
    const Value word = definition_.member("onDelete");
    if (word.is_missing() || word.is_null()) return;
    if (!find_on_delete(word)) {
      return wrong("onDelete", "must be restrict, cascade, setNull or none");
    }
    if (depth_ > 0 && on_delete(property) != OnDelete::nothing) {
      wrong("onDelete", "is for references at the top of the data");
    }
    if (target_name(property).empty()) wrong("target", "is required with onDelete");
  }

  void read_bounds(Shape& property) {
    property.range = {number("minimum"), number("maximum")};
    property.multiple_of = number("multipleOf");
    if (property.multiple_of.is_number() && property.multiple_of.number() <= 0) {
      wrong("multipleOf", "must be greater than 0");
      property.multiple_of = Value();
    }
    const bool is_array = property.type != nullptr && property.type->name == "array";
    const std::string_view size_min = is_array ? "minItems" : "minLength";
    property.size = {size(size_min), size(is_array ? "maxItems" : "maxLength")};
    check_range(property.range, "minimum");
    check_range(property.size, size_min);
  }

  void add_pattern(Shape& property, std::string_view member, std::string_view pattern) {
    ExprPtr matches = expr::call("matches", {expr::slot(0), expr::literal(Value(pattern))});
    if (!matches->as<expr::FunctionCall>()->prepared) {
      return wrong(member, "is not a pattern in RE2 syntax");
    }
    property.patterns.push_back(std::move(matches));
  }

  void read_patterns(Shape& property) {
    const Value pattern = definition_.member("pattern");
    if (pattern.is(Kind::text)) {
      add_pattern(property, "pattern", pattern.text());
    } else if (!pattern.is_missing() && !pattern.is_null()) {
      wrong("pattern", "must be a text");
    }
    const Value format = definition_.member("format");
    if (format.is_missing() || format.is_null()) return;
    if (!format.is(Kind::text)) return wrong("format", "must be a text");
    for (const auto& [word, pattern] : formats) {
      if (format.text() == word) return add_pattern(property, "format", pattern);
    }
    wrong("format", "must be email, url, uuid, date or datetime");
  }

  void read_nested(Shape& property) {
    const Value items = definition_.member("items");
    const Value properties = definition_.member("properties");
    if (!items.is(Kind::object) && !properties.is(Kind::array)) return;
    if (depth_ >= limits::document_depth_max) return wrong("", "is nested too deeply");
    if (items.is(Kind::object)) {
      DefinitionReader reader(items, place_ + ".items", details_, depth_ + 1);
      property.items.push_back(reader.read(false));
    }
    if (!properties.is(Kind::array)) return;
    for (std::size_t i = 0; i < properties.array().size(); ++i) {
      DefinitionReader reader(properties.array()[i], place_ + "." + std::to_string(i), details_,
                              depth_ + 1);
      property.children.push_back(reader.read(true));
    }
  }

  const Value& definition_;
  std::string place_;
  std::vector<Detail>& details_;
  std::size_t depth_;
};

}  // namespace

bool is_unique(const Shape& property) {
  return property.options.member("isUnique").is_true();
}
bool is_immutable(const Shape& property) {
  return property.options.member("immutable").is_true();
}
bool is_reference(const Shape& property) {
  return property.type != nullptr && property.type->name == "reference";
}
bool is_textual(const Shape& property) {
  const std::string_view type = property.type != nullptr ? property.type->name : "";
  return type == "string" || type == "datetime" || type == "reference";
}

std::string target_name(const Shape& property) {
  const Value target = property.options.member("target");
  return is_reference(property) && target.is(Kind::text) ? target.text() : std::string();
}

OnDelete on_delete(const Shape& property) {
  if (!is_reference(property)) return OnDelete::nothing;
  return find_on_delete(property.options.member("onDelete")).value_or(OnDelete::nothing);
}

Result<std::vector<Shape>> parse_properties(const Value& definitions,
                                            std::vector<Detail>& details) {
  std::vector<Shape> properties;
  if (definitions.is_missing() || definitions.is_null()) return properties;
  if (!definitions.is(Kind::array)) {
    return fail(Code::invalid, "properties must be an array", "properties");
  }
  std::set<std::string, std::less<>> names;
  for (std::size_t i = 0; i < definitions.array().size(); ++i) {
    const std::string place = "properties." + std::to_string(i);
    DefinitionReader reader(definitions.array()[i], place, details, 0);
    properties.push_back(reader.read(true));
    if (!names.insert(properties.back().name).second) {
      details.push_back({place + ".name", "this name is there twice"});
    }
  }
  if (details.empty()) return properties;
  return fail(Code::invalid, details.front().field + ": " + details.front().message);
}

}  // namespace mayfly::centrali
