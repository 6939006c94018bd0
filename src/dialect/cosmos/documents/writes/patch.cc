#include "dialect/cosmos/documents/writes/patch.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/limits.h"

namespace mayfly::cosmos {
namespace {

using PatchKind = PatchOperation::Kind;
using Steps = std::vector<std::string>;

struct PatchName {
  std::string_view name;
  PatchKind kind;
};
constexpr PatchName patch_names[] = {{"add", PatchKind::add},         {"set", PatchKind::set},
                                     {"replace", PatchKind::replace}, {"remove", PatchKind::remove},
                                     {"incr", PatchKind::increment},  {"move", PatchKind::move}};

std::string_view wire_name(PatchKind kind) {
  for (const PatchName& row : patch_names) {
    if (row.kind == kind) return row.name;
  }
  return {};
}

// --- parsing ---

Result<Steps> parse_pointer(const Value& text) {
  if (!text.is(mayfly::Kind::text) || !text.text().starts_with('/')) {
    return tl::unexpected(bad_request("A patch operation's path must begin with a slash.", "path"));
  }
  Steps steps;
  std::string step;
  const std::string& pointer = text.text();
  for (std::size_t i = 1; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      steps.push_back(std::exchange(step, {}));
    } else if (pointer[i] == '~' && i + 1 < pointer.size() &&
               (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
      step += pointer[++i] == '0' ? '~' : '/';
    } else {
      step += pointer[i];
    }
  }
  steps.push_back(std::move(step));
  return steps;
}

// Whether a change at `path` changes the value of the key: at its path, above or below.
bool touches(const Steps& path, const Path& key) {
  const std::size_t common = std::min(path.size(), key.steps.size());
  return std::equal(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(common),
                    key.steps.begin(),
                    [](const std::string& a, const Step& b) { return Step(a) == b; });
}

Result<void> check_may_change(const Steps& path, const PartitionKey& key) {
  const bool is_system = path.front() == "id" || is_system_property(path.front());
  const bool is_key = std::any_of(key.paths.begin(), key.paths.end(),
                                  [&](const Path& p) { return touches(path, p); });
  if (!is_system && !is_key) return {};
  return tl::unexpected(bad_request(
      "Cannot patch a system property or the partition key: '/" + path.front() + "'.", "path"));
}

Result<PatchOperation> parse_patch_operation(const Value& row, const PartitionKey& key) {
  PatchOperation operation;
  const Value name = row.member("op");
  const auto* known = std::find_if(
      std::begin(patch_names), std::end(patch_names),
      [&](const PatchName& k) { return name.is(mayfly::Kind::text) && name.text() == k.name; });
  if (known == std::end(patch_names)) {
    return tl::unexpected(
        bad_request("A patch operation is one of add, set, replace, remove, incr and "
                    "move.",
                    "op"));
  }
  operation.kind = known->kind;
  operation.path = TRY(parse_pointer(row.member("path")));
  TRY(check_may_change(operation.path, key));
  operation.value = row.member("value");
  if (operation.kind == PatchKind::move) {
    operation.from = TRY(parse_pointer(row.member("from")));
    TRY(check_may_change(operation.from, key));
  }
  const bool takes_value = operation.kind != PatchKind::move && operation.kind != PatchKind::remove;
  if (takes_value && operation.value.is_missing()) {
    return tl::unexpected(bad_request("A patch operation lacks its value.", "value"));
  }
  if (operation.kind == PatchKind::increment && !operation.value.is_number()) {
    return tl::unexpected(bad_request("An increment is a number.", "value"));
  }
  return operation;
}

// --- applying ---

Error not_applicable(const PatchOperation& operation, std::string_view why) {
  std::string name(wire_name(operation.kind));
  name.front() = static_cast<char>(name.front() - 'a' + 'A');
  return bad_request("For " + name + " Operation, " + std::string(why));
}

// The index of an item; nothing if the step is no number.
std::optional<std::size_t> index_of(const std::string& step) {
  std::size_t index = 0;
  const auto read = std::from_chars(step.data(), step.data() + step.size(), index);
  if (step.empty() || read.ec != std::errc() || read.ptr != step.data() + step.size()) {
    return std::nullopt;
  }
  return index;
}

Value* child_of(Value& parent, const std::string& step) {
  if (parent.is(mayfly::Kind::object)) return parent.mutable_object().find(step);
  if (!parent.is(mayfly::Kind::array)) return nullptr;
  const auto index = index_of(step);
  Array& items = parent.mutable_array();
  return index && *index < items.size() ? &items[*index] : nullptr;
}

Value* find(Value& document, const Steps& path, std::size_t steps) {
  Value* at = &document;
  for (std::size_t i = 0; at != nullptr && i < steps; ++i) at = child_of(*at, path[i]);
  return at;
}

Result<void> put_item(const PatchOperation& operation, Array& items, Value value) {
  const std::string& step = operation.path.back();
  const auto index = step == "-" ? std::optional(items.size()) : index_of(step);
  if (!index || *index > items.size()) {
    return tl::unexpected(not_applicable(operation, "the array index is out of bounds."));
  }
  if (operation.kind == PatchKind::set && *index < items.size()) {
    items[*index] = std::move(value);
  } else {
    items.insert(items.begin() + static_cast<std::ptrdiff_t>(*index), std::move(value));
  }
  return {};
}

Result<void> put(const PatchOperation& operation, Value& document, Value value) {
  Value* parent = find(document, operation.path, operation.path.size() - 1);
  if (parent != nullptr && parent->is(mayfly::Kind::object)) {
    parent->mutable_object().set(operation.path.back(), std::move(value));
    return {};
  }
  if (parent != nullptr && parent->is(mayfly::Kind::array)) {
    return put_item(operation, parent->mutable_array(), std::move(value));
  }
  return tl::unexpected(
      not_applicable(operation, "the path leads through a node that the document does not have."));
}

Result<Value> remove_at(const PatchOperation& operation, Value& document, const Steps& path) {
  Value* parent = find(document, path, path.size() - 1);
  Value* target = parent == nullptr ? nullptr : child_of(*parent, path.back());
  if (target == nullptr) {
    return tl::unexpected(
        not_applicable(operation, "the object to be removed doesn't exist in the document."));
  }
  Value taken = std::move(*target);
  if (parent->is(mayfly::Kind::object)) {
    parent->mutable_object().remove(path.back());
  } else {
    Array& items = parent->mutable_array();
    items.erase(items.begin() + static_cast<std::ptrdiff_t>(*index_of(path.back())));
  }
  return taken;
}

Value sum_of(const Value& a, const Value& b) {
  std::int64_t whole = 0;
  const bool are_whole = a.is(mayfly::Kind::integer) && b.is(mayfly::Kind::integer);
  if (are_whole && !__builtin_add_overflow(a.integer(), b.integer(), &whole)) return whole;
  return a.number() + b.number();
}

Result<void> increment(const PatchOperation& operation, Value& document) {
  Value* target = find(document, operation.path, operation.path.size());
  if (target == nullptr) return put(operation, document, operation.value);
  if (!target->is_number()) {
    return tl::unexpected(not_applicable(operation, "the node to be incremented is not a number."));
  }
  Value sum = sum_of(*target, operation.value);
  if (!sum.is(mayfly::Kind::integer) && !std::isfinite(sum.number())) {
    return tl::unexpected(not_applicable(operation, "the sum is no number that JSON can hold."));
  }
  *target = std::move(sum);
  return {};
}

Result<void> move(const PatchOperation& operation, Value& document) {
  const bool is_inside =
      operation.from.size() < operation.path.size() &&
      std::equal(operation.from.begin(), operation.from.end(), operation.path.begin());
  if (is_inside) {
    return tl::unexpected(not_applicable(operation, "the path cannot be a child of from."));
  }
  return put(operation, document, TRY(remove_at(operation, document, operation.from)));
}

Result<void> apply(const PatchOperation& operation, Value& document) {
  switch (operation.kind) {
    case PatchKind::add:
    case PatchKind::set: return put(operation, document, operation.value);
    case PatchKind::replace: {
      Value* target = find(document, operation.path, operation.path.size());
      if (target == nullptr) {
        return tl::unexpected(
            not_applicable(operation, "the node to be replaced doesn't exist in the document."));
      }
      *target = operation.value;
      return {};
    }
    case PatchKind::remove:
      return remove_at(operation, document, operation.path).map([](const Value&) {});
    case PatchKind::increment: return increment(operation, document);
    case PatchKind::move: return move(operation, document);
  }
  return {};
}

}  // namespace

Result<Patch> parse_patch(const Value& body, const PartitionKey& key) {
  Patch patch;
  const Value operations = body.is(mayfly::Kind::array) ? body : body.member("operations");
  if (!operations.is(mayfly::Kind::array) || operations.array().empty()) {
    return tl::unexpected(bad_request("A patch needs at least one operation.", "operations"));
  }
  if (operations.array().size() > limits::patch_operations_max) {
    return tl::unexpected(
        bad_request("The number of patch operations can't exceed '10'.", "operations"));
  }
  for (const Value& row : operations.array()) {
    patch.operations.push_back(TRY(parse_patch_operation(row, key)));
  }
  const Value condition = body.member("condition");
  if (condition.is_missing() || condition.is_null()) return patch;
  if (!condition.is(mayfly::Kind::text)) {
    return tl::unexpected(bad_request("The condition of a patch is a text.", "condition"));
  }
  patch.condition = condition.text();
  return patch;
}

Result<void> apply(const Patch& patch, Value& document) {
  for (const PatchOperation& operation : patch.operations) TRY(apply(operation, document));
  return {};
}

bool may_hold_condition(std::string_view body) {
  // The name may also contain escapes.
  return body.find("condition") != std::string_view::npos ||
         body.find("\\u") != std::string_view::npos;
}

}  // namespace mayfly::cosmos
