#include "dialect/kuzzle/search/mapping.h"

#include "dialect/kuzzle/search/limits.h"

namespace mayfly::kuzzle::search {
namespace {

struct NamedType {
  std::string_view name;
  FieldType type;
};
constexpr NamedType mapping_types[] = {
    {"text", FieldType::text},         {"string", FieldType::text},
    {"keyword", FieldType::keyword},   {"ip", FieldType::keyword},
    {"long", FieldType::number},       {"integer", FieldType::number},
    {"short", FieldType::number},      {"byte", FieldType::number},
    {"double", FieldType::number},     {"float", FieldType::number},
    {"half_float", FieldType::number}, {"scaled_float", FieldType::number},
    {"boolean", FieldType::boolean},   {"date", FieldType::date},
    {"object", FieldType::object},     {"nested", FieldType::object},
};

constexpr const char* nowhere = "\x01";  // the name of no field of a document

FieldType type_named(std::string_view name) {
  for (const NamedType& type : mapping_types) {
    if (type.name == name) return type.type;
  }
  return FieldType::other;
}

Result<FieldType> type_of(const Value& field, const std::string& name) {
  const Value type = field.member("type");
  if (type.is_missing()) return FieldType::object;
  if (type.is(Kind::text)) return type_named(type.text());
  return fail(Code::invalid, "the type of a field is a text", name + ".type");
}

std::vector<std::string> steps_of(std::string_view name) {
  std::vector<std::string> steps;
  while (true) {
    const std::size_t dot = name.find('.');
    steps.emplace_back(name.substr(0, dot));
    if (dot == std::string_view::npos) return steps;
    name.remove_prefix(dot + 1);
  }
}

}  // namespace

Result<Mapping> Mapping::parse(const Value& mapping) {
  Mapping parsed;
  if (mapping.is_missing() || mapping.is_null()) return parsed;
  if (!mapping.is(Kind::object)) return fail(Code::invalid, "a mapping is an object", "mapping");
  parsed.read_dynamic(mapping, "");
  TRY(parsed.add(mapping.member("properties"), "", 0));
  return parsed;
}

void Mapping::read_dynamic(const Value& object, const std::string& name) {
  const Value dynamic = object.member("dynamic");
  if (dynamic.is_missing()) return;
  const bool is_false = dynamic.is(Kind::boolean) && !dynamic.boolean();
  hides_others_[name] = is_false || (dynamic.is(Kind::text) && dynamic.text() == "false");
}

// The nearest enclosing object with `dynamic` decides.
bool Mapping::is_hidden(std::string_view name) const {
  if (hides_others_.empty() || name.starts_with('_')) return false;
  while (!name.empty()) {
    const std::size_t dot = name.rfind('.');
    name = dot == std::string_view::npos ? std::string_view() : name.substr(0, dot);
    const auto found = hides_others_.find(name);
    if (found != hides_others_.end()) return found->second;
  }
  return false;
}

Mapping Mapping::with_all_shown() const {
  Mapping shown = *this;
  shown.hides_others_.clear();
  return shown;
}

std::size_t Mapping::bytes() const {
  constexpr std::size_t node = 96;  // of a map entry, with the name
  std::size_t sum = copied_bytes_ * 2;
  for (const auto& [name, type] : fields_) sum += node + name.size();
  for (const auto& [name, type] : sub_fields_) sum += node + name.size();
  for (const auto& [name, from] : copies_) sum += node * (1 + from.size()) + name.size();
  for (const auto& [name, hides] : hides_others_) sum += node + name.size();
  return sum;
}

Result<void> Mapping::add(const Value& properties, const std::string& prefix, std::size_t depth) {
  if (properties.is_missing()) return {};
  const std::string place = prefix.empty() ? "properties" : prefix;
  if (!properties.is(Kind::object)) return fail(Code::invalid, "properties is an object", place);
  if (depth == limits::mapping_depth_max) {
    return fail(Code::too_large, "a mapping is nested too deep", place);
  }
  for (const auto& [name, field] : properties.object()) {
    const std::string dotted = prefix.empty() ? name : prefix + "." + name;
    if (!field.is(Kind::object)) return fail(Code::invalid, "a field is an object", dotted);
    if (fields_.size() + sub_fields_.size() >= limits::mapping_fields_max) {
      return fail(Code::too_large, "a mapping has too many fields", dotted);
    }
    fields_[dotted] = TRY(type_of(field, dotted));
    read_dynamic(field, dotted);
    TRY(read_copies(field, dotted));
    TRY(add(field.member("properties"), dotted, depth + 1));
    const Value sub_fields = field.member("fields");
    if (sub_fields.is_missing()) continue;
    if (!sub_fields.is(Kind::object)) return fail(Code::invalid, "fields is an object", dotted);
    for (const auto& [sub_name, sub_field] : sub_fields.object()) {
      const std::string whole = dotted + "." + sub_name;
      if (sub_fields_.size() >= limits::mapping_fields_max) {
        return fail(Code::too_large, "a mapping has too many fields", whole);
      }
      if (!sub_field.is(Kind::object)) return fail(Code::invalid, "a field is an object", whole);
      sub_fields_[whole] = TRY(type_of(sub_field, whole));
    }
  }
  return {};
}

MappedField Mapping::find(std::string_view name) const {
  MappedField found = find_alone(name);
  if (copies_.empty()) return found;
  std::string target;
  for (const std::string& step : found.path) target += (target.empty() ? "" : ".") + step;
  if (const auto copies = copies_.find(target); copies != copies_.end()) {
    found.copied_from = copies->second;
  }
  return found;
}

Result<void> Mapping::read_copies(const Value& field, const std::string& name) {
  const Value copy_to = field.member("copy_to");
  if (copy_to.is_missing() || copy_to.is_null()) return {};
  const Array targets = copy_to.is(Kind::array) ? copy_to.array() : Array{copy_to};
  for (const Value& target : targets) {
    if (!target.is(Kind::text) || target.text().empty()) {
      return fail(Code::invalid, "copy_to is the name of a field, or a list of them", name);
    }
    auto& copied = copies_[target.text()];
    // Also for a list that names it twice.
    if (!copied.empty() && copied.back() == steps_of(name)) continue;
    copied_bytes_ += name.size();
    if (copied.size() == limits::mapping_copies_max || copied_bytes_ > limits::mapping_bytes_max) {
      return fail(Code::too_large, "too many fields are copied", target.text());
    }
    copied.push_back(steps_of(name));
  }
  return {};
}

MappedField Mapping::find_alone(std::string_view name) const {
  if (const auto field = fields_.find(name); field != fields_.end()) {
    return {field->second, steps_of(name)};
  }
  const std::size_t dot = name.rfind('.');
  const std::string_view parent = name.substr(0, dot == std::string_view::npos ? 0 : dot);
  const auto parent_field = fields_.find(parent);
  const bool is_sub_field =
      sub_fields_.contains(name) ||
      (parent_field != fields_.end() && parent_field->second != FieldType::object);
  if (!is_sub_field && is_hidden(name)) return {FieldType::dynamic, {nowhere}};
  if (dot == std::string_view::npos) return {FieldType::dynamic, steps_of(name)};
  if (const auto sub_field = sub_fields_.find(name); sub_field != sub_fields_.end()) {
    return {sub_field->second, steps_of(parent)};
  }
  if (name.substr(dot) == ".keyword") return {FieldType::keyword, steps_of(parent)};
  return {FieldType::dynamic, steps_of(name)};
}

}  // namespace mayfly::kuzzle::search
