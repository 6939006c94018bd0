// Commands on keys, whatever they hold: expirations, names and types.
#include <fmt/format.h>

#include "dialect/kuzzle/memory/command.h"

namespace mayfly::kuzzle::memory {
namespace {

constexpr std::int64_t no_key = -2;  // the answer of ttl and pttl
constexpr std::int64_t no_end = -1;

// An expiration that has passed removes the key.
Result<Value> end_key_at(Space& space, const std::string& key, Instant ends_at) {
  if (ends_at <= space.now()) return Value(TRY(space.remove(key)) ? 1 : 0);
  if (!TRY(space.find_end(key))) return Value(0);
  TRY(space.put_end(key, ends_at));
  return Value(1);
}

Result<Value> end_after_seconds(Space& space, const Arguments& arguments) {
  const Instant ends_at =
      TRY(end_after(space, arguments.integer("seconds"), Span::seconds(1), "expire"));
  return end_key_at(space, arguments.key(), ends_at);
}
Result<Value> end_after_millis(Space& space, const Arguments& arguments) {
  const Instant ends_at =
      TRY(end_after(space, arguments.integer("milliseconds"), Span::millis(1), "pexpire"));
  return end_key_at(space, arguments.key(), ends_at);
}
Result<Value> end_at_second(Space& space, const Arguments& arguments) {
  return end_key_at(space, arguments.key(),
                    TRY(end_at(arguments.integer("timestamp"), Span::seconds(1), "expireat")));
}
Result<Value> end_at_milli(Space& space, const Arguments& arguments) {
  return end_key_at(space, arguments.key(),
                    TRY(end_at(arguments.integer("timestamp"), Span::millis(1), "pexpireat")));
}

Result<Value> keep_for_good(Space& space, const Arguments& arguments) {
  const auto ends_at = TRY(space.find_end(arguments.key()));
  if (!ends_at || ends_at->is_never()) return Value(0);
  TRY(space.put_end(arguments.key(), Instant::never()));
  return Value(1);
}

// Rounded up, because an existing key has some time left.
Result<std::int64_t> millis_left(Space& space, const std::string& key) {
  const auto ends_at = TRY(space.find_end(key));
  if (!ends_at) return no_key;
  if (ends_at->is_never()) return no_end;
  return ((*ends_at - space.now()).micros + 999) / 1'000;
}

Result<Value> time_left_in_millis(Space& space, const Arguments& arguments) {
  return Value(TRY(millis_left(space, arguments.key())));
}

// To the nearest second, as in Redis.
Result<Value> time_left_in_seconds(Space& space, const Arguments& arguments) {
  const std::int64_t left = TRY(millis_left(space, arguments.key()));
  return Value(left < 0 ? left : (left + 500) / 1'000);
}

Result<Value> remove_keys(Space& space, const Arguments& arguments) {
  std::int64_t removed = 0;
  for (const std::string& key : arguments.texts("keys")) {
    removed += TRY(space.remove(key)) ? 1 : 0;
  }
  return Value(removed);
}

Result<Value> count_existing(Space& space, const Arguments& arguments) {
  std::int64_t found = 0;
  for (const std::string& key : arguments.texts("keys")) found += TRY(space.has(key)) ? 1 : 0;
  return Value(found);
}

// Written again to reset `object idletime`.
Result<Value> touch_keys(Space& space, const Arguments& arguments) {
  std::int64_t found = 0;
  for (const std::string& key : arguments.texts("keys")) {
    const auto ends_at = TRY(space.find_end(key));
    if (!ends_at) continue;
    TRY(space.put_end(key, *ends_at));
    ++found;
  }
  return Value(found);
}

// The value is moved with its expiration.
Result<void> move_key(Space& space, const std::string& from, const std::string& to) {
  const auto entry = TRY(space.find(from));
  if (!entry) return no_such_key();
  if (from == to) return {};
  TRY(space.remove(from));
  return space.put(to, *entry);
}

Result<Value> rename_key(Space& space, const Arguments& arguments) {
  TRY(move_key(space, arguments.key(), arguments.text("newkey")));
  return ok();
}

Result<Value> rename_to_new(Space& space, const Arguments& arguments) {
  if (!TRY(space.has(arguments.key()))) return no_such_key();
  if (TRY(space.has(arguments.text("newkey")))) return Value(0);
  TRY(move_key(space, arguments.key(), arguments.text("newkey")));
  return Value(1);
}

Result<Value> type_of_key(Space& space, const Arguments& arguments) {
  const auto entry = TRY(space.find(arguments.key()));
  return Value(entry ? type_of(entry->content) : std::string_view("none"));
}

// The encoding that Redis 5 would use for a value of this size.
struct EncodingOf {
  std::string_view operator()(const Text& text) const {
    constexpr std::size_t embedded_bytes_max = 44;
    if (integer_of(text)) return "int";
    return text.size() <= embedded_bytes_max ? "embstr" : "raw";
  }
  std::string_view operator()(const List&) const { return "quicklist"; }
  std::string_view operator()(const Set& set) const {
    for (const std::string& member : set) {
      if (!integer_of(member)) return "hashtable";
    }
    return set.size() <= 512 ? "intset" : "hashtable";
  }
  std::string_view operator()(const Hash& hash) const {
    for (const auto& [field, text] : hash) {
      if (field.size() > small_bytes_max || text.size() > small_bytes_max) return "hashtable";
    }
    return hash.size() <= 512 ? "ziplist" : "hashtable";
  }
  std::string_view operator()(const SortedSet& set) const {
    for (const auto& [member, score] : set) {
      if (member.size() > small_bytes_max) return "skiplist";
    }
    return set.size() <= 128 ? "ziplist" : "skiplist";
  }
  std::string_view operator()(const Elements&) const { return "raw"; }
  static constexpr std::size_t small_bytes_max = 64;
};

Result<Value> describe_object(Space& space, const Arguments& arguments) {
  const std::vector<std::string> words = arguments.texts("subcommand");
  const std::string name = words.empty() ? "" : words.front();
  if (name != "REFCOUNT" && name != "ENCODING" && name != "IDLETIME") return syntax_error();
  const auto entry = TRY(space.find(arguments.key()));
  if (!entry) return Value(nullptr);
  if (name == "REFCOUNT") return Value(1);
  if (name == "ENCODING") return Value(std::visit(EncodingOf(), entry->content));
  return Value((space.now() - entry->written_at).whole_seconds());
}

Result<Value> answer_ping(Space&, const Arguments&) {
  return Value("PONG");
}

Result<Value> remaining_time(Space& space, const Arguments&) {
  const std::int64_t seconds = space.now().whole_seconds();
  const std::int64_t micros = space.now().micros - Span::seconds(seconds).micros;
  return Value(Array{std::to_string(seconds), std::to_string(micros)});
}

constexpr Argument newkey_argument{"newkey", From::body, Type::text};
constexpr Argument timestamp_argument{"timestamp", From::body, Type::integer};

// clang-format off: one row a line
constexpr Command key_rows[] = {
    {"expire", "POST /ms/_expire/:_id", quick, writes, end_after_seconds,
     {{key_argument, {"seconds", From::body, Type::integer}}}},
    {"pexpire", "POST /ms/_pexpire/:_id", quick, writes, end_after_millis,
     {{key_argument, {"milliseconds", From::body, Type::integer}}}},
    {"expireat", "POST /ms/_expireat/:_id", quick, writes, end_at_second,
     {{key_argument, timestamp_argument}}},
    {"pexpireat", "POST /ms/_pexpireat/:_id", quick, writes, end_at_milli,
     {{key_argument, timestamp_argument}}},
    {"persist", "POST /ms/_persist/:_id", quick, writes, keep_for_good, {{key_argument}}},
    {"ttl", "GET /ms/_ttl/:_id", quick, reads, time_left_in_seconds, {{key_argument}}},
    {"pttl", "GET /ms/_pttl/:_id", quick, reads, time_left_in_millis, {{key_argument}}},
    {"del", "DELETE /ms", slow, writes, remove_keys, {{body_keys}}},
    {"exists", "GET /ms/_exists", slow, reads, count_existing, {{query_keys}}},
    {"touch", "POST /ms/_touch", slow, writes, touch_keys, {{body_keys}}},
    {"rename", "POST /ms/_rename/:_id", slow, writes, rename_key,
     {{key_argument, newkey_argument}}},
    {"renamenx", "POST /ms/_renamenx/:_id", slow, writes, rename_to_new,
     {{key_argument, newkey_argument}}},
    {"type", "GET /ms/_type/:_id", slow, reads, type_of_key, {{key_argument}}},
    {"object", "GET /ms/_object/:_id", slow, reads, describe_object,
     {{key_argument, {"subcommand", From::query, Type::words}}}},
    {"ping", "GET /ms/_ping", quick, reads, answer_ping, {}},
    {"time", "GET /ms/_time", quick, reads, remaining_time, {}},
};
// clang-format on

}  // namespace

std::span<const Command> key_commands() {
  return key_rows;
}

}  // namespace mayfly::kuzzle::memory
