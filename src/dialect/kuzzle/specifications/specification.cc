#include "dialect/kuzzle/specifications/specification.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dialect/kuzzle/specifications/limits.h"
#include "value/json.h"

namespace mayfly::kuzzle::specifications {
namespace {

using Errors = std::vector<std::string>;
using Names = std::initializer_list<std::string_view>;

bool has_only(const Value& object, Names known) {
  if (!object.is(Kind::object)) return false;
  return std::all_of(object.object().begin(), object.object().end(), [&](const auto& member) {
    return std::find(known.begin(), known.end(), member.first) != known.end();
  });
}

std::vector<std::string> path_steps(std::string_view name) {
  std::vector<std::string> steps;
  while (true) {
    const std::size_t slash = name.find('/');
    steps.emplace_back(name.substr(0, slash));
    if (slash == std::string_view::npos) return steps;
    name.remove_prefix(slash + 1);
  }
}

// --- one field ---

void read_multivalued(const Value& wanted, const std::string& name, FieldRule& rule,
                      Errors& errors) {
  if (wanted.is_missing()) return;
  const auto say = [&](std::string_view what) {
    errors.push_back(fmt::format("In {}, {}", name, what));
  };
  if (!has_only(wanted, {"value", "minCount", "maxCount"})) {
    return say("the multivalued field specification has invalid properties.");
  }
  const Value value = wanted.member("value");
  rule.count_min = wanted.member("minCount");
  rule.count_max = wanted.member("maxCount");
  const bool has_min = !rule.count_min.is_missing();
  const bool has_max = !rule.count_max.is_missing();
  if (value.is_missing()) {
    return say("\"value\" is a mandatory property for multivalued field specification.");
  }
  const bool has_wrong_type = !value.is(Kind::boolean) ||
                              (has_min && !rule.count_min.is_number()) ||
                              (has_max && !rule.count_max.is_number());
  if (has_wrong_type) return say("the multivalued field specification has values of wrong types.");
  rule.is_multivalued = value.boolean();
  if (!rule.is_multivalued && has_min) {
    say("\"minCount\" is not valid when multivalued field is disabled.");
  }
  if (!rule.is_multivalued && has_max) {
    say("\"maxCount\" is not valid when multivalued field is disabled.");
  }
  if (has_min && has_max && rule.count_min.number() > rule.count_max.number()) {
    say("\"minCount\" can not be greater than \"maxCount\".");
  }
}

void read_options(const Value& wanted, const std::string& name, FieldRule& rule, Errors& errors) {
  if (wanted.is(Kind::object)) rule.options = wanted.object();
  const auto& known = rule.type->options;
  const bool are_known = wanted.is_missing() || has_only(wanted, {known[0], known[1]});
  if (!are_known) {
    errors.push_back(
        fmt::format("Field {} of type {} is not specified properly", name, rule.type->name));
    return;
  }
  if (rule.type->complaint_about_options == nullptr) return;
  std::string complaint = rule.type->complaint_about_options(rule.options);
  if (!complaint.empty()) errors.push_back(std::move(complaint));
}

// `name`: with its place.
FieldRule read_field(const Value& wanted, const std::string& name, Errors& errors) {
  FieldRule rule;
  if (!has_only(wanted, {"mandatory", "type", "defaultValue", "description", "multivalued",
                         "typeOptions"})) {
    errors.push_back(fmt::format("The field {} specification has invalid properties.", name));
    return rule;
  }
  const Value type = wanted.member("type");
  if (type.is_missing()) {
    errors.push_back(fmt::format("In {}, type is a mandatory field specification property.", name));
    return rule;
  }
  rule.type = type.is(Kind::text) ? find_type(type.text()) : nullptr;
  if (rule.type == nullptr) {
    errors.push_back(fmt::format("In {}: {} is not a recognized type.", name,
                                 type.is(Kind::text) ? type.text() : render_json(type)));
    return rule;
  }
  const Value mandatory = wanted.member("mandatory");
  if (!mandatory.is_missing() && !mandatory.is(Kind::boolean)) {
    errors.push_back(fmt::format("In {}, \"mandatory\" is a boolean.", name));
  }
  rule.is_mandatory = mandatory.is_true();
  rule.default_value = wanted.member("defaultValue");
  read_multivalued(wanted.member("multivalued"), name, rule, errors);
  read_options(wanted.member("typeOptions"), name, rule, errors);
  return rule;
}

// --- all fields: what lies deeper goes into what lies above ---

FieldRule* find_child(std::vector<FieldRule>& rules, const std::string& name) {
  for (FieldRule& rule : rules) {
    if (rule.name() == name) return &rule;
  }
  return nullptr;
}

void put_in_place(FieldRule rule, Specification& into, Errors& errors) {
  std::vector<FieldRule>* siblings = &into.fields;
  for (std::size_t i = 0; i + 1 < rule.path.size(); ++i) {
    FieldRule* parent = find_child(*siblings, rule.path[i]);
    if (parent == nullptr) {
      errors.push_back(fmt::format("The parent field of the field \"{}\" is not defined.",
                                   fmt::join(rule.path, ".")));
      return;
    }
    if (!parent->type->has_children) {
      errors.push_back(fmt::format("The field type {} is not allowed to have children fields.",
                                   parent->type->name));
      return;
    }
    siblings = &parent->children;
  }
  siblings->push_back(std::move(rule));
}

void read_fields(const Value& wanted, const std::string& place, Parsed& parsed) {
  if (wanted.is_missing() || wanted.is_null()) return;
  Errors& errors = parsed.errors;
  if (!wanted.is(Kind::object) || wanted.object().size() > limits::specification_fields_max) {
    errors.push_back(fmt::format("{}: the fields are an object of at most {}.", place,
                                 limits::specification_fields_max));
    return;
  }
  std::map<std::size_t, std::vector<FieldRule>> by_depth;
  for (const auto& [name, field] : wanted.object()) {
    FieldRule rule = read_field(field, place + "." + name, errors);
    rule.path = path_steps(name);
    by_depth[rule.path.size()].push_back(std::move(rule));
  }
  if (!errors.empty() || by_depth.empty()) return;
  const std::size_t deepest = by_depth.rbegin()->first;
  if (deepest > limits::specification_depth_max) {
    errors.push_back(fmt::format("{}: the fields are nested too deep.", place));
  } else if (by_depth.size() != deepest) {
    errors.emplace_back("All levels of an object have to be defined in the specification.");
  }
  if (!errors.empty()) return;
  for (auto& [depth, rules] : by_depth) {
    for (FieldRule& rule : rules) put_in_place(std::move(rule), parsed.specification, errors);
  }
}

void read_validators(const Value& wanted, const std::string& place, Parsed& parsed) {
  if (!wanted.is(Kind::array) || wanted.array().empty()) return;
  auto filter = koncorde::Filter::parse(Object{{"bool", Object{{"must", wanted}}}});
  if (filter) {
    parsed.specification.validators = *std::move(filter);
    return;
  }
  parsed.errors.push_back(
      fmt::format("Validator specification of the collection {} triggered an error: {}", place,
                  filter.error().message));
}

}  // namespace

Parsed parse(const Value& wanted, const std::string& place) {
  Parsed parsed;
  const Value strict = wanted.member("strict");
  const bool is_known = has_only(wanted, {"strict", "fields", "validators"}) &&
                        (strict.is_missing() || strict.is(Kind::boolean));
  if (!is_known) {
    parsed.errors.push_back(
        fmt::format("{}: the collection specification has invalid properties.", place));
    return parsed;
  }
  if (render_json(wanted).size() > limits::specification_bytes_max) {
    parsed.errors.push_back(fmt::format("{}: the collection specification is longer than {} bytes.",
                                        place, limits::specification_bytes_max));
    return parsed;
  }
  parsed.specification.is_strict = strict.is_true();
  read_fields(wanted.member("fields"), place, parsed);
  read_validators(wanted.member("validators"), place, parsed);
  return parsed;
}

Value given(const Collection& collection) {
  const auto text = collection.facets.find(facet);
  if (text == collection.facets.end()) return {};
  auto parsed = parse_json(text->second);
  return parsed ? *std::move(parsed) : Value();
}

Result<std::shared_ptr<const Specification>> specification_of(const Collection& collection) {
  using Pointer = std::shared_ptr<const Specification>;
  const auto text = collection.facets.find(facet);
  if (text == collection.facets.end()) return Pointer();
  // Requests write many documents of one collection one after the other.
  thread_local std::string last_text;
  thread_local Pointer last;
  if (last && last_text == text->second) return last;
  Parsed parsed = parse(given(collection), collection.name);
  if (!parsed.errors.empty()) {
    return fail(Code::corrupt, "the specification of " + collection.name +
                                   " cannot be read: " + parsed.errors.front());
  }
  last = std::make_shared<const Specification>(std::move(parsed.specification));
  last_text = text->second;
  return last;
}

}  // namespace mayfly::kuzzle::specifications
