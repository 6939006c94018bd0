// Reading the definitions of properties.
#include <set>

#include "base/limits.h"
#include "dialect/centrali/structures/properties.h"

namespace mayfly::centrali {
namespace {

constexpr std::pair<std::string_view, Property::Type> types[] = {
    {"string", Property::Type::string},       {"number", Property::Type::number},
    {"boolean", Property::Type::boolean},     {"datetime", Property::Type::datetime},
    {"array", Property::Type::array},         {"object", Property::Type::object},
    {"reference", Property::Type::reference},
};

constexpr std::pair<std::string_view, Property::OnDelete> on_delete_words[] = {
    {"restrict", Property::OnDelete::restricted}, {"cascade", Property::OnDelete::cascade},
    {"setNull", Property::OnDelete::emptied},     {"set_null", Property::OnDelete::emptied},
    {"none", Property::OnDelete::nothing},        {"noAction", Property::OnDelete::nothing},
    {"no_action", Property::OnDelete::nothing},
};

// Formats as patterns: enough to catch a value in the wrong field, not a proof.
constexpr std::pair<std::string_view, std::string_view> formats[] = {
    {"email", R"(^[^@\s]+@[^@\s]+\.[^@\s]+$)"},
    {"url", R"(^[A-Za-z][A-Za-z0-9+.-]*://\S+$)"},
    {"uuid", R"(^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$)"},
    {"date", R"(^\d{4}-\d{2}-\d{2}$)"},
    {"datetime", R"(^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$)"},
};

// Reads one definition; remembers where it is and what is wrong.
class DefinitionReader {
 public:
  DefinitionReader(const Value& definition, std::string place, std::vector<Detail>& details,
                   std::size_t depth)
      : definition_(definition), place_(std::move(place)), details_(details), depth_(depth) {}

  Property read(bool is_named) {
    Property property;
    if (!definition_.is(Kind::object)) {
      wrong("", "a property is an object");
      return property;
    }
    if (is_named) read_name(property);
    read_type(property);
    property.is_required = flag("required");
    property.is_nullable = flag("nullable");
    property.is_unique = flag("isUnique");
    property.is_immutable = flag("immutable");
    property.is_integer = flag("integer");
    property.has_unique_items = flag("uniqueItems");
    property.initial = definition_.member("default");
    read_choices(property);
    read_bounds(property);
    read_patterns(property);
    read_reference(property);
    read_nested(property);
    const bool has_initial = !property.initial.is_missing() && !property.initial.is_null();
    if (has_initial) validate_initial(property, place_ + ".default", details_);
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

  std::optional<double> number(std::string_view name) {
    const Value value = definition_.member(name);
    if (value.is_missing() || value.is_null()) return std::nullopt;
    if (value.is_number()) return value.number();
    wrong(name, "must be a number");
    return std::nullopt;
  }

  std::optional<std::size_t> size(std::string_view name) {
    const auto given = number(name);
    if (!given) return std::nullopt;
    if (*given >= 0 && *given <= 1e9) return static_cast<std::size_t>(*given);
    wrong(name, "must be a size");
    return std::nullopt;
  }

  void read_name(Property& property) {
    const Value name = definition_.member("name");
    if (!name.is(Kind::text) || name.text().empty()) return wrong("name", "must be a text");
    property.name = name.text();
  }

  void read_type(Property& property) {
    const Value type = definition_.member("type");
    for (const auto& [word, meaning] : types) {
      if (type.is(Kind::text) && type.text() == word) {
        property.type = meaning;
        return;
      }
    }
    wrong("type", "must be string, number, boolean, datetime, array, object or reference");
  }

  void read_choices(Property& property) {
    const Value choices = definition_.member("enum");
    if (choices.is_missing() || choices.is_null()) return;
    if (!choices.is(Kind::array) || choices.array().empty()) {
      return wrong("enum", "must be a list of values");
    }
    property.choices = choices.array();
  }

  void read_reference(Property& property) {
    if (property.type != Property::Type::reference) return;
    const Value target = definition_.member("target");
    if (target.is(Kind::text)) {
      property.target = target.text();
    } else if (!target.is_missing() && !target.is_null()) {
      wrong("target", "must name a structure");
    }
    const Value word = definition_.member("onDelete");
    if (word.is_missing() || word.is_null()) return;
    for (const auto& [known, meaning] : on_delete_words) {
      if (!word.is(Kind::text) || word.text() != known) continue;
      property.on_delete = meaning;
      if (depth_ > 0 && meaning != Property::OnDelete::nothing) {
        wrong("onDelete", "is for references at the top of the data");
      }
      if (property.target.empty()) wrong("target", "is required with onDelete");
      return;
    }
    wrong("onDelete", "must be restrict, cascade, setNull or none");
  }

  void read_bounds(Property& property) {
    property.least = number("minimum");
    property.most = number("maximum");
    property.multiple_of = number("multipleOf");
    if (property.multiple_of && *property.multiple_of <= 0) {
      wrong("multipleOf", "must be greater than 0");
      property.multiple_of.reset();
    }
    const bool is_array = property.type == Property::Type::array;
    property.size_min = size(is_array ? "minItems" : "minLength");
    property.size_max = size(is_array ? "maxItems" : "maxLength");
    if (property.least && property.most && *property.least > *property.most) {
      wrong("minimum", "is greater than the maximum");
    }
    if (property.size_min && property.size_max && *property.size_min > *property.size_max) {
      wrong(is_array ? "minItems" : "minLength", "is greater than the maximum");
    }
  }

  void add_pattern(Property& property, std::string_view member, std::string_view pattern) {
    ExprPtr matches = expr::call("matches", {expr::slot(0), expr::literal(Value(pattern))});
    if (!matches->as<expr::Call>()->prepared) {
      return wrong(member, "is not a pattern in RE2 syntax");
    }
    property.patterns.push_back(std::move(matches));
  }

  void read_patterns(Property& property) {
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

  void read_nested(Property& property) {
    const Value items = definition_.member("items");
    const Value properties = definition_.member("properties");
    if (!items.is(Kind::object) && !properties.is(Kind::array)) return;
    if (depth_ >= limits::document_depth_max) return wrong("", "is nested too deeply");
    if (items.is(Kind::object)) {
      DefinitionReader reader(items, place_ + ".items", details_, depth_ + 1);
      property.items = std::make_shared<const Property>(reader.read(false));
    }
    if (!properties.is(Kind::array)) return;
    for (std::size_t i = 0; i < properties.array().size(); ++i) {
      DefinitionReader reader(properties.array()[i], place_ + "." + std::to_string(i), details_,
                              depth_ + 1);
      property.properties.push_back(reader.read(true));
    }
  }

  const Value& definition_;
  std::string place_;
  std::vector<Detail>& details_;
  std::size_t depth_;
};

}  // namespace

const Property* Property::find(const std::vector<Property>& properties, std::string_view name) {
  for (const Property& property : properties) {
    if (property.name == name) return &property;
  }
  return nullptr;
}

Result<std::vector<Property>> parse_properties(const Value& definitions,
                                               std::vector<Detail>& details) {
  std::vector<Property> properties;
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
