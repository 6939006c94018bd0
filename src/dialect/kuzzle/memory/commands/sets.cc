// Commands on sets.
#include <fmt/format.h>

#include <utility>

#include "dialect/kuzzle/memory/command.h"
#include "dialect/kuzzle/memory/limits.h"

namespace mayfly::kuzzle::memory {
namespace {

Value members_in(const Set& set) {
  Array members;
  for (const std::string& member : set) members.push_back(shown(member));
  return members;
}

Value count_of(std::size_t n) {
  return static_cast<std::int64_t>(n);
}

Result<Value> add_members(Space& space, const Arguments& arguments) {
  Entry entry = TRY(space.open<Set>(arguments.key()));
  Set& set = std::get<Set>(entry.content);
  std::size_t added = 0;
  for (std::string& member : arguments.texts("members")) {
    added += set.insert(std::move(member)).second ? 1 : 0;
  }
  if (added > 0) TRY(space.put(arguments.key(), entry));
  return count_of(added);
}

Result<Value> remove_members(Space& space, const Arguments& arguments) {
  Entry entry = TRY(space.open<Set>(arguments.key()));
  Set& set = std::get<Set>(entry.content);
  std::size_t removed = 0;
  for (const std::string& member : arguments.texts("members")) removed += set.erase(member);
  if (removed > 0) TRY(space.put(arguments.key(), entry));
  return count_of(removed);
}

Result<Value> count_members(Space& space, const Arguments& arguments) {
  return count_of(TRY(space.read<Set>(arguments.key())).size());
}

Result<Value> all_members(Space& space, const Arguments& arguments) {
  return members_in(TRY(space.read<Set>(arguments.key())));
}

Result<Value> is_member(Space& space, const Arguments& arguments) {
  return Value(TRY(space.read<Set>(arguments.key())).contains(arguments.text("member")) ? 1 : 0);
}

Result<Value> move_member(Space& space, const Arguments& arguments) {
  const std::string& destination = arguments.text("destination");
  const std::string& member = arguments.text("member");
  Entry from = TRY(space.open<Set>(arguments.key()));
  TRY(space.find_as<Set>(destination));
  if (std::get<Set>(from.content).erase(member) == 0) return Value(0);
  if (destination == arguments.key()) return Value(1);
  TRY(space.put(arguments.key(), from));
  Entry to = TRY(space.open<Set>(destination));
  std::get<Set>(to.content).insert(member);
  TRY(space.put(destination, to));
  return Value(1);
}

// --- several sets ---

Result<Set> union_of(Space& space, const std::vector<std::string>& keys) {
  Set all;
  for (const std::string& key : keys) all.merge(TRY(space.read<Set>(key)));
  return all;
}

Result<Set> intersection_of(Space& space, const std::vector<std::string>& keys) {
  Set common = TRY(space.read<Set>(keys.front()));
  for (std::size_t i = 1; i < keys.size(); ++i) {
    const Set other = TRY(space.read<Set>(keys[i]));
    std::erase_if(common, [&](const std::string& member) { return !other.contains(member); });
  }
  return common;
}

// The first set without the others.
Result<Set> difference_of(Space& space, const std::string& key,
                          const std::vector<std::string>& keys) {
  Set rest = TRY(space.read<Set>(key));
  for (const std::string& other : keys) {
    for (const std::string& member : TRY(space.read<Set>(other))) rest.erase(member);
  }
  return rest;
}

// The destination may have had any type.
Result<Value> store_set(Space& space, const std::string& destination, Set set) {
  const std::size_t count = set.size();
  TRY(space.put(destination, {.content = std::move(set)}));
  return count_of(count);
}

Result<Value> unite(Space& space, const Arguments& arguments) {
  return members_in(TRY(union_of(space, arguments.texts("keys"))));
}
Result<Value> intersect(Space& space, const Arguments& arguments) {
  return members_in(TRY(intersection_of(space, arguments.texts("keys"))));
}
Result<Value> subtract(Space& space, const Arguments& arguments) {
  return members_in(TRY(difference_of(space, arguments.key(), arguments.texts("keys"))));
}
Result<Value> store_union(Space& space, const Arguments& arguments) {
  return store_set(space, arguments.text("destination"),
                   TRY(union_of(space, arguments.texts("keys"))));
}
Result<Value> store_intersection(Space& space, const Arguments& arguments) {
  return store_set(space, arguments.text("destination"),
                   TRY(intersection_of(space, arguments.texts("keys"))));
}
Result<Value> store_difference(Space& space, const Arguments& arguments) {
  return store_set(space, arguments.text("destination"),
                   TRY(difference_of(space, arguments.key(), arguments.texts("keys"))));
}

// --- at random ---

// `count` distinct members.
std::vector<std::string> chosen_once(Space& space, const Set& set, std::size_t count) {
  std::vector<std::string> members(set.begin(), set.end());
  count = std::min(count, members.size());
  for (std::size_t i = 0; i < count; ++i) {
    std::swap(members[i], members[i + space.random().below(members.size() - i)]);
  }
  members.resize(count);
  return members;
}

// `count` members, each chosen among all.
Result<std::vector<std::string>> chosen_freely(Space& space, const Set& set, std::size_t count) {
  const std::vector<std::string> members(set.begin(), set.end());
  std::vector<std::string> chosen;
  for (std::size_t i = 0; i < count && !members.empty(); ++i) {
    chosen.push_back(members[space.random().below(members.size())]);
    TRY(space.charge(chosen.back().size()));
  }
  return chosen;
}

Value members_of_answer(std::vector<std::string> members) {
  Array texts;
  for (std::string& member : members) texts.push_back(shown(std::move(member)));
  return texts;
}

Result<Value> pop_members(Space& space, const Arguments& arguments) {
  const bool has_count = arguments.has("count");
  const std::int64_t count = has_count ? arguments.integer("count") : 1;
  if (count < 0) return refused("ERR value is out of range, must be positive");
  Entry entry = TRY(space.open<Set>(arguments.key()));
  Set& set = std::get<Set>(entry.content);
  std::vector<std::string> members = chosen_once(space, set, static_cast<std::size_t>(count));
  for (const std::string& member : members) set.erase(member);
  if (!members.empty()) TRY(space.put(arguments.key(), entry));
  if (has_count) return members_of_answer(std::move(members));
  return members.empty() ? Value(nullptr) : shown(std::move(members.front()));
}

Result<Value> random_members(Space& space, const Arguments& arguments) {
  const Set set = TRY(space.read<Set>(arguments.key()));
  if (!arguments.has("count")) {
    std::vector<std::string> members = chosen_once(space, set, 1);
    return members.empty() ? Value(nullptr) : shown(std::move(members.front()));
  }
  const std::int64_t count = arguments.integer("count");
  if (count >= 0)
    return members_of_answer(chosen_once(space, set, static_cast<std::size_t>(count)));
  const std::uint64_t repeated = 0 - static_cast<std::uint64_t>(count);
  if (repeated > limits::memory_members_max) {
    return fail(Code::too_large,
                fmt::format("\"count\" is at least -{}", limits::memory_members_max), "count");
  }
  return members_of_answer(TRY(chosen_freely(space, set, repeated)));
}

constexpr Argument destination_argument{"destination", From::body};

// clang-format off: one row a line
constexpr Command set_rows[] = {
    {"sadd", "POST /ms/_sadd/:_id", slow, writes, add_members, {{key_argument, body_members}}},
    {"srem", "DELETE /ms/_srem/:_id", slow, writes, remove_members, {{key_argument, body_members}}},
    {"scard", "GET /ms/_scard/:_id", slow, reads, count_members, {{key_argument}}},
    {"smembers", "GET /ms/_smembers/:_id", slow, reads, all_members, {{key_argument}}},
    {"sismember", "GET /ms/_sismember/:_id/:member", slow, reads, is_member,
     {{key_argument, query_member}}},
    {"smove", "POST /ms/_smove/:_id", slow, writes, move_member,
     {{key_argument, destination_argument, {"member", From::body}}}},
    {"spop", "POST /ms/_spop/:_id", slow, writes, pop_members,
     {{key_argument, {"count", From::body, Type::integer, Need::optional}}}},
    {"srandmember", "GET /ms/_srandmember/:_id", slow, reads, random_members,
     {{key_argument, {"count", From::query, Type::integer, Need::optional}}}},
    {"sunion", "GET /ms/_sunion", slow, reads, unite, {{query_keys}}},
    {"sinter", "GET /ms/_sinter", slow, reads, intersect, {{query_keys}}},
    {"sdiff", "GET /ms/_sdiff/:_id", slow, reads, subtract, {{key_argument, query_keys}}},
    {"sunionstore", "POST /ms/_sunionstore", slow, writes, store_union,
     {{destination_argument, body_keys}}},
    {"sinterstore", "POST /ms/_sinterstore", slow, writes, store_intersection,
     {{destination_argument, body_keys}}},
    {"sdiffstore", "POST /ms/_sdiffstore/:_id", slow, writes, store_difference,
     {{key_argument, destination_argument, body_keys}}},
};
// clang-format on

}  // namespace

std::span<const Command> set_commands() {
  return set_rows;
}

}  // namespace mayfly::kuzzle::memory
