#include "dialect/kuzzle/specifications/specification.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "dialect/kuzzle/specifications/limits.h"
#include "value/json/json.h"

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

// Turns it into a field of several values if required.
void read_multivalued(const Value& body, const std::string& name, FieldShape& field,
                      Errors& errors) {
  field.is_single = true;
  if (body.is_missing()) return;
  const auto add_error = [&](std::string_view what) {
    errors.push_back(fmt::format("In {}, {}", name, what));
  };
  if (!has_only(body, {"value", "minCount", "maxCount"})) {
    return add_error("the multivalued field specification has invalid properties.");
  }
  const Value value = body.member("value");
  const FieldShape::MinMax count{body.member("minCount"), body.member("maxCount")};
  const bool has_min = !count.min.is_missing();
  const bool has_max = !count.max.is_missing();
  if (value.is_missing()) {
    return add_error("\"value\" is a mandatory property for multivalued field specification.");
  }
  const bool has_wrong_type = !value.is(Kind::boolean) || (has_min && !count.min.is_number()) ||
                              (has_max && !count.max.is_number());
  if (has_wrong_type)
    return add_error("the multivalued field specification has values of wrong types.");
  field.is_single = !value.boolean();
  if (field.is_single && has_min) {
    add_error("\"minCount\" is not valid when multivalued field is disabled.");
  }
  if (field.is_single && has_max) {
    add_error("\"maxCount\" is not valid when multivalued field is disabled.");
  }
  if (has_min && has_max && count.min.number() > count.max.number()) {
    add_error("\"minCount\" can not be greater than \"maxCount\".");
  }
  if (!field.is_single) field = several_of(std::move(field), count);
}

FieldShape read_options(const Value& body, const std::string& name, const FieldType& type,
                        Errors& errors) {
  FieldShape field = shape_of(type, body.is(Kind::object) ? body.object() : Object());
  const auto& known = type.options;
  if (!body.is_missing() && !has_only(body, {known[0], known[1]})) {
    errors.push_back(
        fmt::format("Field {} of type {} is not specified properly", name, type.type.name));
  } else if (type.check_options != nullptr) {
    std::string complaint = type.check_options(field.options.object());
    if (!complaint.empty()) errors.push_back(std::move(complaint));
  }
  return field;
}

// `name`: with the name of its collection.
FieldShape read_field(const Value& body, const std::string& name, Errors& errors) {
  if (!has_only(body, {"mandatory", "type", "defaultValue", "description", "multivalued",
                       "typeOptions"})) {
    errors.push_back(fmt::format("The field {} specification has invalid properties.", name));
    return {};
  }
  const Value type = body.member("type");
  if (type.is_missing()) {
    errors.push_back(fmt::format("In {}, type is a mandatory field specification property.", name));
    return {};
  }
  const FieldType* found = type.is(Kind::text) ? find_type(type.text()) : nullptr;
  if (found == nullptr) {
    errors.push_back(fmt::format("In {}: {} is not a recognized type.", name,
                                 type.is(Kind::text) ? type.text() : render_json(type)));
    return {};
  }
  const Value mandatory = body.member("mandatory");
  if (!mandatory.is_missing() && !mandatory.is(Kind::boolean)) {
    errors.push_back(fmt::format("In {}, \"mandatory\" is a boolean.", name));
  }
  FieldShape field = read_options(body.member("typeOptions"), name, *found, errors);
  read_multivalued(body.member("multivalued"), name, field, errors);
  field.null = FieldShape::Null::absent;
  field.initial = body.member("defaultValue");
  field.is_required = mandatory.is_true() && field.initial.is_missing();
  return field;
}

// --- all fields: what lies deeper goes into what lies above ---

using Steps = std::vector<std::string>;  // from the document down

void put_in_place(const Steps& path, FieldShape field, FieldShape& document, Errors& errors) {
  FieldShape* parent = &document;
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    const auto child = std::find_if(parent->children.begin(), parent->children.end(),
                                    [&](const FieldShape& one) { return one.name == path[i]; });
    if (child == parent->children.end()) {
      errors.push_back(fmt::format("The parent field of the field \"{}\" is not defined.",
                                   fmt::join(path, ".")));
      return;
    }
    parent = child->items.empty() ? &*child : &child->items.front();
    if (!find_type(parent->type->name)->has_children) {
      errors.push_back(fmt::format("The field type {} is not allowed to have children fields.",
                                   parent->type->name));
      return;
    }
  }
  // An object without declared fields accepts all, even if strict.
  const Value strict = parent->options.member("strict");
  if (!strict.is_missing()) {
    parent->unknown =
        strict.is_true() ? FieldShape::Unknown::refused : FieldShape::Unknown::accepted;
  }
  field.name = path.back();
  parent->children.push_back(std::move(field));
}

void read_fields(const Value& body, const std::string& place, ParsedSpecification& parsed) {
  if (body.is_missing() || body.is_null()) return;
  Errors& errors = parsed.errors;
  if (!body.is(Kind::object) || body.object().size() > limits::specification_fields_max) {
    errors.push_back(fmt::format("{}: the fields are an object of at most {}.", place,
                                 limits::specification_fields_max));
    return;
  }
  std::map<std::size_t, std::vector<std::pair<Steps, FieldShape>>> by_depth;
  for (const auto& [name, field] : body.object()) {
    FieldShape shape = read_field(field, place + "." + name, errors);
    Steps path = path_steps(name);
    by_depth[path.size()].emplace_back(std::move(path), std::move(shape));
  }
  if (!errors.empty() || by_depth.empty()) return;
  const std::size_t deepest = by_depth.rbegin()->first;
  if (deepest > limits::specification_depth_max) {
    errors.push_back(fmt::format("{}: the fields are nested too deep.", place));
  } else if (by_depth.size() != deepest) {
    errors.emplace_back("All levels of an object have to be defined in the specification.");
  }
  if (!errors.empty()) return;
  for (auto& [depth, fields] : by_depth) {
    for (auto& [path, field] : fields) {
      put_in_place(path, std::move(field), parsed.specification.document, errors);
    }
  }
}

void read_validators(const Value& body, const std::string& place, ParsedSpecification& parsed) {
  if (!body.is(Kind::array) || body.array().empty()) return;
  auto filter = koncorde::Filter::parse(Object{{"bool", Object{{"must", body}}}});
  if (filter) {
    parsed.specification.validators = *std::move(filter);
    return;
  }
  parsed.errors.push_back(
      fmt::format("Validator specification of the collection {} triggered an error: {}", place,
                  filter.error().message));
}

}  // namespace

ParsedSpecification parse(const Value& body, const std::string& place) {
  ParsedSpecification parsed;
  const Value strict = body.member("strict");
  const bool is_known = has_only(body, {"strict", "fields", "validators"}) &&
                        (strict.is_missing() || strict.is(Kind::boolean));
  if (!is_known) {
    parsed.errors.push_back(
        fmt::format("{}: the collection specification has invalid properties.", place));
    return parsed;
  }
  if (render_json(body).size() > limits::specification_bytes_max) {
    parsed.errors.push_back(fmt::format("{}: the collection specification is longer than {} bytes.",
                                        place, limits::specification_bytes_max));
    return parsed;
  }
  FieldShape& document = parsed.specification.document;
  document.is_brief = true;
  document.options = Object{{"strict", strict.is_true()}};
  read_fields(body.member("fields"), place, parsed);
  read_validators(body.member("validators"), place, parsed);
  return parsed;
}

Value specification_json(const Collection& collection) {
  const auto text = collection.facets.find(facet);
  if (text == collection.facets.end()) return {};
  auto parsed = parse_json(text->second);
  return parsed ? *std::move(parsed) : Value();
}

Result<std::shared_ptr<const Specification>> specification_of(const Collection& collection) {
  using Pointer = std::shared_ptr<const Specification>;
  const auto text = collection.facets.find(facet);
  if (text == collection.facets.end()) return Pointer();
  // Cached with the collection: requests write many documents of one collection.
  return collection.derived.get<Specification>([&]() -> Result<Pointer> {
    ParsedSpecification parsed = parse(specification_json(collection), collection.name);
    if (parsed.errors.empty()) {
      return std::make_shared<const Specification>(std::move(parsed.specification));
    }
    return fail(Code::corrupt, "the specification of " + collection.name +
                                   " cannot be read: " + parsed.errors.front());
  });
}

}  // namespace mayfly::kuzzle::specifications
