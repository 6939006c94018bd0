// Commands on lists.
#include <algorithm>

#include "dialect/kuzzle/memory/command.h"

namespace mayfly::kuzzle::memory {
namespace {

enum class Side : std::uint8_t { left, right };

Value size_of(const List& list) {
  return static_cast<std::int64_t>(list.size());
}

Result<Value> push(Space& space, const std::string& key, const std::vector<std::string>& values,
                   Side side) {
  Entry entry = TRY(space.open<List>(key));
  List& list = std::get<List>(entry.content);
  if (side == Side::left) {
    list.insert(list.begin(), values.rbegin(), values.rend());
  } else {
    list.insert(list.end(), values.begin(), values.end());
  }
  TRY(space.put(key, entry));
  return size_of(list);
}

Result<Value> push_left(Space& space, const Arguments& arguments) {
  return push(space, arguments.key(), arguments.texts("values"), Side::left);
}
Result<Value> push_right(Space& space, const Arguments& arguments) {
  return push(space, arguments.key(), arguments.texts("values"), Side::right);
}

// Only if the list exists.
Result<Value> push_onto(Space& space, const Arguments& arguments, Side side) {
  if (!TRY(space.find_as<List>(arguments.key()))) return Value(0);
  return push(space, arguments.key(), {arguments.text("value")}, side);
}
Result<Value> push_onto_left(Space& space, const Arguments& arguments) {
  return push_onto(space, arguments, Side::left);
}
Result<Value> push_onto_right(Space& space, const Arguments& arguments) {
  return push_onto(space, arguments, Side::right);
}

// The item, or nothing if there is no list.
Result<std::optional<std::string>> pop(Space& space, const std::string& key, Side side) {
  auto entry = TRY(space.find_as<List>(key));
  if (!entry) return std::nullopt;
  List& list = std::get<List>(entry->content);
  const auto at = side == Side::left ? list.begin() : list.end() - 1;
  std::string item = std::move(*at);
  list.erase(at);
  TRY(space.put(key, *entry));
  return item;
}

Result<Value> popped(std::optional<std::string> item) {
  return item ? shown(*std::move(item)) : Value(nullptr);
}
Result<Value> pop_left(Space& space, const Arguments& arguments) {
  return popped(TRY(pop(space, arguments.key(), Side::left)));
}
Result<Value> pop_right(Space& space, const Arguments& arguments) {
  return popped(TRY(pop(space, arguments.key(), Side::right)));
}

Result<Value> pop_and_push(Space& space, const Arguments& arguments) {
  const std::string& destination = arguments.text("destination");
  TRY(space.find_as<List>(destination));
  auto item = TRY(pop(space, arguments.text("source"), Side::right));
  if (item) TRY(push(space, destination, {*item}, Side::left));
  return popped(std::move(item));
}

Result<Value> list_length(Space& space, const Arguments& arguments) {
  return size_of(TRY(space.read<List>(arguments.key())));
}

// The position of an index; negative ones count from the end.
std::optional<std::size_t> position_in(const List& list, std::int64_t index) {
  const ItemRange range = range_within(list.size(), index, index);
  const bool is_in = range.count == 1 && index >= -static_cast<std::int64_t>(list.size());
  return is_in ? std::optional(range.from) : std::nullopt;
}

Result<Value> item_at(Space& space, const Arguments& arguments) {
  const List list = TRY(space.read<List>(arguments.key()));
  const auto at = position_in(list, arguments.integer("idx"));
  return at ? shown(list[*at]) : Value(nullptr);
}

Result<Value> items_between(Space& space, const Arguments& arguments) {
  const List list = TRY(space.read<List>(arguments.key()));
  const auto [from, count] =
      range_within(list.size(), arguments.integer("start"), arguments.integer("stop"));
  Array items;
  for (std::size_t i = from; i < from + count; ++i) items.push_back(shown(list[i]));
  return Value(std::move(items));
}

Result<Value> set_item(Space& space, const Arguments& arguments) {
  auto entry = TRY(space.find_as<List>(arguments.key()));
  if (!entry) return no_such_key();
  List& list = std::get<List>(entry->content);
  const auto at = position_in(list, arguments.integer("index"));
  if (!at) return refused("ERR index out of range");
  list[*at] = arguments.text("value");
  TRY(space.put(arguments.key(), *entry));
  return ok();
}

Result<Value> insert_beside(Space& space, const Arguments& arguments) {
  const std::vector<std::string> words = arguments.texts("position");
  const bool is_before = words == std::vector<std::string>{"BEFORE"};
  if (!is_before && words != std::vector<std::string>{"AFTER"}) return syntax_error();
  auto entry = TRY(space.find_as<List>(arguments.key()));
  if (!entry) return Value(0);
  List& list = std::get<List>(entry->content);
  const auto pivot = std::find(list.begin(), list.end(), arguments.text("pivot"));
  if (pivot == list.end()) return Value(-1);
  list.insert(is_before ? pivot : pivot + 1, arguments.text("value"));
  TRY(space.put(arguments.key(), *entry));
  return size_of(list);
}

// Removes the first `count` items that equal the value; with a negative count the last ones, with 0
// all.
Result<Value> remove_items(Space& space, const Arguments& arguments) {
  const std::int64_t count = arguments.integer("count");
  Entry entry = TRY(space.open<List>(arguments.key()));
  List& list = std::get<List>(entry.content);
  const std::size_t before = list.size();
  if (count < 0) std::reverse(list.begin(), list.end());
  std::uint64_t left = count == 0  ? UINT64_MAX
                       : count < 0 ? 0 - static_cast<std::uint64_t>(count)
                                   : static_cast<std::uint64_t>(count);
  const std::string& value = arguments.text("value");
  std::erase_if(list, [&](const std::string& item) { return item == value && left > 0 && left--; });
  if (count < 0) std::reverse(list.begin(), list.end());
  const std::size_t removed = before - list.size();
  if (removed > 0) TRY(space.put(arguments.key(), entry));
  return Value(static_cast<std::int64_t>(removed));
}

Result<Value> trim_list(Space& space, const Arguments& arguments) {
  auto entry = TRY(space.find_as<List>(arguments.key()));
  if (!entry) return ok();
  List& list = std::get<List>(entry->content);
  const auto [from, count] =
      range_within(list.size(), arguments.integer("start"), arguments.integer("stop"));
  const auto begin = list.begin() + static_cast<std::ptrdiff_t>(from);
  list = List(begin, begin + static_cast<std::ptrdiff_t>(count));
  TRY(space.put(arguments.key(), *entry));
  return ok();
}

constexpr Argument values_argument{"values", From::body, Type::texts};

// clang-format off: one row a line
constexpr Command list_rows[] = {
    {"lpush", "POST /ms/_lpush/:_id", slow, writes, push_left, {{key_argument, values_argument}}},
    {"rpush", "POST /ms/_rpush/:_id", slow, writes, push_right, {{key_argument, values_argument}}},
    {"lpushx", "POST /ms/_lpushx/:_id", slow, writes, push_onto_left, {{key_argument, body_value}}},
    {"rpushx", "POST /ms/_rpushx/:_id", slow, writes, push_onto_right,
     {{key_argument, body_value}}},
    {"lpop", "POST /ms/_lpop/:_id", slow, writes, pop_left, {{key_argument}}},
    {"rpop", "POST /ms/_rpop/:_id", slow, writes, pop_right, {{key_argument}}},
    {"rpoplpush", "POST /ms/_rpoplpush", slow, writes, pop_and_push,
     {{{"source", From::body}, {"destination", From::body}}}},
    {"llen", "GET /ms/_llen/:_id", slow, reads, list_length, {{key_argument}}},
    {"lindex", "GET /ms/_lindex/:_id/:idx", slow, reads, item_at,
     {{key_argument, {"idx", From::query, Type::integer}}}},
    {"lrange", "GET /ms/_lrange/:_id", slow, reads, items_between,
     {{key_argument, {"start", From::query, Type::integer}, {"stop", From::query, Type::integer}}}},
    {"lset", "POST /ms/_lset/:_id", slow, writes, set_item,
     {{key_argument, {"index", From::body, Type::integer}, body_value}}},
    {"linsert", "POST /ms/_linsert/:_id", slow, writes, insert_beside,
     {{key_argument, {"position", From::body, Type::words}, {"pivot", From::body}, body_value}}},
    {"lrem", "DELETE /ms/_lrem/:_id", slow, writes, remove_items,
     {{key_argument, {"count", From::body, Type::integer}, body_value}}},
    {"ltrim", "POST /ms/_ltrim/:_id", slow, writes, trim_list,
     {{key_argument, {"start", From::body, Type::integer}, {"stop", From::body, Type::integer}}}},
};
// clang-format on

}  // namespace

std::span<const Command> list_commands() {
  return list_rows;
}

}  // namespace mayfly::kuzzle::memory
