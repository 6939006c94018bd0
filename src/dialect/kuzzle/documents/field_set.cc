#include "dialect/kuzzle/documents/field_set.h"

#include <fmt/format.h>

#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"

namespace mayfly::kuzzle {

Result<FieldSet> FieldSet::parse(const Array& names) {
  if (names.size() > limits::deleted_fields_max) {
    return fail(Code::too_large, fmt::format("a request deletes at most {} fields of a document",
                                             limits::deleted_fields_max));
  }
  FieldSet fields;
  for (const Value& name : names) {
    if (!name.is(Kind::text)) return wrong_type("fields", "array of strings");
    const Path path = TRY(Path::parse(name.text()));
    if (path.steps.empty()) {
      return problem("api.assert.invalid_argument", "a name in \"fields\" is empty");
    }
    fields.add(path);
  }
  return fields;
}

void FieldSet::add(const Path& path) {
  Node* node = &root_;
  for (const Step& step : path.steps) {
    const auto* name = std::get_if<std::string>(&step);
    auto& below = name != nullptr ? node->members[*name] : node->items[std::get<std::size_t>(step)];
    if (!below) below = std::make_unique<Node>();
    node = below.get();
  }
  node->is_whole = true;
}

Result<void> FieldSet::remove_from(Value& body, Meter& meter) const {
  return remove(root_, body, meter);
}

Result<void> FieldSet::remove(const Node& node, Value& value, Meter& meter) {
  if (value.is(Kind::object) && !node.members.empty()) {
    Object remaining;
    for (auto& [name, member] : value.mutable_object()) {
      TRY(meter.tick());
      const auto found = node.members.find(name);
      if (found != node.members.end() && found->second->is_whole) continue;
      if (found != node.members.end()) TRY(remove(*found->second, member, meter));
      remaining.append(std::move(name), std::move(member));
    }
    value = std::move(remaining);
  } else if (value.is(Kind::array) && !node.items.empty()) {
    Array remaining;
    std::size_t position = 0;
    for (Value& item : value.mutable_array()) {
      TRY(meter.tick());
      const auto found = node.items.find(position++);
      if (found != node.items.end() && found->second->is_whole) continue;
      if (found != node.items.end()) TRY(remove(*found->second, item, meter));
      remaining.push_back(std::move(item));
    }
    value = std::move(remaining);
  }
  return {};
}

}  // namespace mayfly::kuzzle
