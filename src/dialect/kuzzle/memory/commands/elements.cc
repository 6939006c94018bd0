// Counts of distinct elements (pfadd and related commands). They are exact: the elements are stored
// like a set, with its bounds.
#include "dialect/kuzzle/memory/command.h"

namespace mayfly::kuzzle::memory {
namespace {

Result<std::optional<Entry>> find_elements(Space& space, const std::string& key) {
  auto entry = TRY(space.find(key));
  if (!entry || std::holds_alternative<Elements>(entry->content)) return entry;
  if (!std::holds_alternative<Text>(entry->content)) return wrong_type_of_value();
  return refused("WRONGTYPE Key is not a valid HyperLogLog string value.");
}

// May be empty.
Result<std::vector<std::string>> elements_in(const Arguments& arguments) {
  constexpr std::string_view name = "elements";
  std::vector<std::string> texts;
  if (!arguments.has(name)) return texts;
  for (const Value& item : arguments.items(name)) texts.push_back(TRY(scalar_text(item, name)));
  return texts;
}

// 1 if the count has changed, or the key is new.
Result<Value> add_elements(Space& space, const Arguments& arguments) {
  auto found = TRY(find_elements(space, arguments.key()));
  bool has_changed = !found;
  Entry entry = found ? *std::move(found) : Entry{.content = Elements()};
  for (std::string& element : TRY(elements_in(arguments))) {
    const bool is_new = std::get<Elements>(entry.content).members.insert(std::move(element)).second;
    has_changed = has_changed || is_new;
  }
  if (has_changed) TRY(space.put(arguments.key(), entry));
  return Value(has_changed ? 1 : 0);
}

Result<void> take_elements(Space& space, const std::string& key, Set& into) {
  auto entry = TRY(find_elements(space, key));
  if (entry) into.merge(std::get<Elements>(entry->content).members);
  return {};
}

Result<Value> count_elements(Space& space, const Arguments& arguments) {
  Set all;
  for (const std::string& key : arguments.texts("keys")) TRY(take_elements(space, key, all));
  return Value(static_cast<std::int64_t>(all.size()));
}

Result<Value> merge_elements(Space& space, const Arguments& arguments) {
  auto found = TRY(find_elements(space, arguments.key()));
  Entry entry = found ? *std::move(found) : Entry{.content = Elements()};
  for (const std::string& key : arguments.texts("sources")) {
    TRY(take_elements(space, key, std::get<Elements>(entry.content).members));
  }
  TRY(space.put(arguments.key(), entry));
  return ok();
}

// clang-format off: one row a line
constexpr Command element_rows[] = {
    {"pfadd", "POST /ms/_pfadd/:_id", slow, writes, add_elements,
     {{key_argument, {"elements", From::body, Type::items, Need::optional}}}},
    {"pfcount", "GET /ms/_pfcount", slow, reads, count_elements, {{query_keys}}},
    {"pfmerge", "POST /ms/_pfmerge/:_id", slow, writes, merge_elements,
     {{key_argument, {"sources", From::body, Type::keys, Need::optional}}}},
};
// clang-format on

}  // namespace

std::span<const Command> element_commands() {
  return element_rows;
}

}  // namespace mayfly::kuzzle::memory
