// Commands that iterate over all keys, or over the members of one.
#include <fmt/format.h>

#include "dialect/kuzzle/memory/command.h"
#include "dialect/kuzzle/memory/glob.h"
#include "dialect/kuzzle/memory/limits.h"

namespace mayfly::kuzzle::memory {
namespace {

constexpr std::uint64_t hash_end = std::uint64_t{1} << 52;

struct Scan {
  std::uint64_t cursor = 0;
  std::string pattern = "*";
  std::size_t count = 10;
};

Result<Scan> scan_of(const Arguments& arguments) {
  const auto cursor = integer_of(arguments.text("cursor"));
  if (!cursor || *cursor < 0) return refused("ERR invalid cursor");
  Scan scan{.cursor = static_cast<std::uint64_t>(*cursor)};
  if (arguments.has("match")) scan.pattern = arguments.text("match");
  TRY(check_pattern(scan.pattern));
  if (!arguments.has("count")) return scan;
  const std::int64_t count = arguments.integer("count");
  if (count < 1) return syntax_error();
  if (count > limits::memory_scan_count_max) {
    return fail(Code::too_large,
                fmt::format("\"count\" is at most {}", limits::memory_scan_count_max), "count");
  }
  scan.count = static_cast<std::size_t>(count);
  return scan;
}

Result<bool> fits_pattern(Space& space, const std::string& pattern, std::string_view text) {
  constexpr std::size_t steps_per_tick = 64;
  TRY(space.tick(1 + pattern.size() * text.size() / steps_per_tick));
  return matches(pattern, text);
}

// The page ends before the first key whose hash differs from that of the last counted key.
Result<Value> scan_keys(Space& space, const Arguments& arguments) {
  const Scan scan = TRY(scan_of(arguments));
  Array keys;
  std::size_t seen = 0;
  std::uint64_t last = 0;
  std::uint64_t next = 0;
  const auto visit = [&](std::string_view key, std::uint64_t hash) -> Result<bool> {
    if (seen >= scan.count && hash != last) {
      next = hash;
      return false;
    }
    ++seen;
    last = hash;
    if (!TRY(fits_pattern(space, scan.pattern, key))) return true;
    TRY(space.charge(key.size() + sizeof(Value)));
    keys.emplace_back(key);
    return true;
  };
  if (scan.cursor < hash_end) TRY(space.each_from(scan.cursor, scan.count + 1, visit));
  return Value(Array{std::to_string(next), std::move(keys)});
}

Result<Value> find_keys(Space& space, const Arguments& arguments) {
  const std::string& pattern = arguments.text("pattern");
  TRY(check_pattern(pattern));
  Array keys;
  const auto visit = [&](std::string_view key, std::uint64_t) -> Result<bool> {
    if (!TRY(fits_pattern(space, pattern, key))) return true;
    TRY(space.charge(key.size() + sizeof(Value)));
    keys.emplace_back(key);
    return true;
  };
  TRY(space.each_from(0, limits::store_page_rows_max, visit));
  return Value(std::move(keys));
}

Result<Value> count_keys(Space& space, const Arguments&) {
  std::int64_t keys = 0;
  const auto visit = [&](std::string_view, std::uint64_t) -> Result<bool> {
    ++keys;
    return true;
  };
  TRY(space.each_from(0, limits::store_page_rows_max, visit));
  return Value(keys);
}

// The first key from a random hash on, or if there is none, the first of all.
Result<Value> random_key(Space& space, const Arguments&) {
  Value found = nullptr;
  const auto visit = [&](std::string_view key, std::uint64_t) -> Result<bool> {
    found = key;
    return false;
  };
  for (const std::uint64_t from : {space.random().below(hash_end), std::uint64_t{0}}) {
    if (found.is_null()) TRY(space.each_from(from, 1, visit));
  }
  return found;
}

// A value is one document: its first page has everything, as in Redis for a small value.
Result<Value> whole_scan(Array members) {
  return Value(Array{"0", std::move(members)});
}

Result<Value> scan_set(Space& space, const Arguments& arguments) {
  const Scan scan = TRY(scan_of(arguments));
  Array members;
  for (const std::string& member : TRY(space.read<Set>(arguments.key()))) {
    if (TRY(fits_pattern(space, scan.pattern, member))) members.push_back(shown(member));
  }
  return whole_scan(std::move(members));
}

Result<Value> scan_hash(Space& space, const Arguments& arguments) {
  const Scan scan = TRY(scan_of(arguments));
  Array members;
  for (const auto& [field, text] : TRY(space.read<Hash>(arguments.key()))) {
    if (!TRY(fits_pattern(space, scan.pattern, field))) continue;
    members.push_back(shown(field));
    members.push_back(shown(text));
  }
  return whole_scan(std::move(members));
}

Result<Value> scan_sorted_set(Space& space, const Arguments& arguments) {
  const Scan scan = TRY(scan_of(arguments));
  Array members;
  const SortedSet set = TRY(space.read<SortedSet>(arguments.key()));
  for (const Ranked& item : ranked(set)) {
    if (!TRY(fits_pattern(space, scan.pattern, item.member))) continue;
    members.push_back(shown(std::string(item.member)));
    members.emplace_back(render_score(item.score));
  }
  return whole_scan(std::move(members));
}

constexpr Argument cursor_argument{"cursor"};
constexpr Argument match_argument{"match", From::query, Type::text, Need::optional};
constexpr Argument count_argument{"count", From::query, Type::integer, Need::optional};

// clang-format off: one row a line
constexpr Command scan_rows[] = {
    {"scan", "GET /ms/_scan", slow, reads, scan_keys,
     {{cursor_argument, match_argument, count_argument}}},
    {"keys", "GET /ms/_keys/:pattern", slow, reads, find_keys, {{{"pattern"}}}},
    {"dbsize", "GET /ms/_dbsize", slow, reads, count_keys, {}},
    {"randomkey", "GET /ms/_randomkey", slow, reads, random_key, {}},
    {"sscan", "GET /ms/_sscan/:_id", slow, reads, scan_set,
     {{key_argument, cursor_argument, match_argument, count_argument}}},
    {"hscan", "GET /ms/_hscan/:_id", slow, reads, scan_hash,
     {{key_argument, cursor_argument, match_argument, count_argument}}},
    {"zscan", "GET /ms/_zscan/:_id", slow, reads, scan_sorted_set,
     {{key_argument, cursor_argument, match_argument, count_argument}}},
};
// clang-format on

}  // namespace

std::span<const Command> scan_commands() {
  return scan_rows;
}

}  // namespace mayfly::kuzzle::memory
