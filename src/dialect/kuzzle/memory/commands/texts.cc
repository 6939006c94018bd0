// Commands on texts, and numbers in them.
#include <fmt/format.h>

#include "dialect/kuzzle/memory/command.h"
#include "dialect/kuzzle/memory/limits.h"

namespace mayfly::kuzzle::memory {
namespace {

// The text, or null.
Value text_or_null(std::optional<Entry> entry) {
  if (!entry) return nullptr;
  return shown(std::get<Text>(std::move(entry->content)));
}

// A new text removes the old expiration.
Result<void> put_text(Space& space, const std::string& key, std::string text,
                      Instant ends_at = Instant::never()) {
  return space.put(key, {.content = std::move(text), .ends_at = ends_at});
}

Result<Value> get_text(Space& space, const Arguments& arguments) {
  return text_or_null(TRY(space.find_as<Text>(arguments.key())));
}

Result<Value> get_and_set(Space& space, const Arguments& arguments) {
  Value before = text_or_null(TRY(space.find_as<Text>(arguments.key())));
  TRY(put_text(space, arguments.key(), arguments.text("value")));
  return before;
}

Result<Value> append_text(Space& space, const Arguments& arguments) {
  Entry entry = TRY(space.open<Text>(arguments.key()));
  Text& text = std::get<Text>(entry.content);
  text += arguments.text("value");
  TRY(space.put(arguments.key(), entry));
  return Value(static_cast<std::int64_t>(text.size()));
}

Result<Value> text_length(Space& space, const Arguments& arguments) {
  return Value(static_cast<std::int64_t>(TRY(space.read<Text>(arguments.key())).size()));
}

Result<Value> get_range(Space& space, const Arguments& arguments) {
  const Text text = TRY(space.read<Text>(arguments.key()));
  const auto [from, count] =
      range_within(text.size(), arguments.integer("start"), arguments.integer("end"));
  return shown(text.substr(from, count));
}

// A missing key counts as zero.
Result<Entry> open_number(Space& space, const std::string& key) {
  auto entry = TRY(space.find_as<Text>(key));
  return entry ? *std::move(entry) : Entry{.content = Text("0")};
}

Result<Value> add_integer(Space& space, const std::string& key, std::int64_t step) {
  Entry entry = TRY(open_number(space, key));
  Text& text = std::get<Text>(entry.content);
  const auto before = integer_of(text);
  if (!before) return not_an_integer();
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*before, step, &sum)) {
    return refused("ERR increment or decrement would overflow");
  }
  text = std::to_string(sum);
  TRY(space.put(key, entry));
  return Value(sum);
}

Result<Value> increment(Space& space, const Arguments& arguments) {
  return add_integer(space, arguments.key(), 1);
}
Result<Value> decrement(Space& space, const Arguments& arguments) {
  return add_integer(space, arguments.key(), -1);
}
Result<Value> increment_by(Space& space, const Arguments& arguments) {
  return add_integer(space, arguments.key(), arguments.integer("value"));
}
Result<Value> decrement_by(Space& space, const Arguments& arguments) {
  if (arguments.integer("value") == INT64_MIN) return refused("ERR decrement would overflow");
  return add_integer(space, arguments.key(), -arguments.integer("value"));
}

Result<Value> increment_real(Space& space, const Arguments& arguments) {
  Entry entry = TRY(open_number(space, arguments.key()));
  Text& text = std::get<Text>(entry.content);
  text = TRY(sum_of_reals(text, arguments.text("value"), "ERR value is not a valid float"));
  TRY(space.put(arguments.key(), entry));
  return Value(text);
}

Result<Value> get_texts(Space& space, const Arguments& arguments) {
  Array texts;
  for (const std::string& key : arguments.texts("keys")) {
    auto entry = TRY(space.find(key));
    if (entry && !std::holds_alternative<Text>(entry->content)) entry.reset();
    texts.push_back(text_or_null(std::move(entry)));
  }
  return Value(std::move(texts));
}

struct Pair {
  std::string key;
  std::string text;
};
Result<std::vector<Pair>> pairs_of(const Arguments& arguments, std::string_view command) {
  const Array& items = arguments.items("entries");
  if (items.empty()) return wrong_number_of_arguments(command);
  if (items.size() > limits::memory_keys_max) {
    return fail(Code::too_large,
                fmt::format("\"entries\" has at most {} items", limits::memory_keys_max));
  }
  std::vector<Pair> pairs;
  for (const Value& item : items) {
    Pair& pair = pairs.emplace_back();
    pair.key = TRY(member_text(item, "key"));
    pair.text = TRY(member_text(item, "value"));
  }
  return pairs;
}

Result<Value> set_texts(Space& space, const Arguments& arguments) {
  for (const Pair& pair : TRY(pairs_of(arguments, "mset"))) {
    TRY(put_text(space, pair.key, pair.text));
  }
  return ok();
}

Result<Value> set_new_texts(Space& space, const Arguments& arguments) {
  const std::vector<Pair> pairs = TRY(pairs_of(arguments, "msetnx"));
  for (const Pair& pair : pairs) {
    if (TRY(space.has(pair.key))) return Value(0);
  }
  for (const Pair& pair : pairs) TRY(put_text(space, pair.key, pair.text));
  return Value(1);
}

Result<Value> set_new_text(Space& space, const Arguments& arguments) {
  if (TRY(space.has(arguments.key()))) return Value(0);
  TRY(put_text(space, arguments.key(), arguments.text("value")));
  return Value(1);
}

// For a text with an expiration, which must be in the future.
Result<Instant> end_of_text(const Space& space, std::int64_t n, Span unit,
                            std::string_view command) {
  if (n <= 0) return invalid_end(command);
  return end_after(space, n, unit, command);
}

Result<Value> set_for_seconds(Space& space, const Arguments& arguments) {
  const Instant ends_at =
      TRY(end_of_text(space, arguments.integer("seconds"), Span::seconds(1), "setex"));
  TRY(put_text(space, arguments.key(), arguments.text("value"), ends_at));
  return ok();
}

Result<Value> set_for_millis(Space& space, const Arguments& arguments) {
  const Instant ends_at =
      TRY(end_of_text(space, arguments.integer("milliseconds"), Span::millis(1), "psetex"));
  TRY(put_text(space, arguments.key(), arguments.text("value"), ends_at));
  return ok();
}

Result<Value> set_text(Space& space, const Arguments& arguments) {
  const bool has_seconds = arguments.has("ex");
  if (arguments.flag("nx") && arguments.flag("xx")) return excludes("nx", "xx");
  if (has_seconds && arguments.has("px")) return excludes("ex", "px");
  Instant ends_at = Instant::never();
  if (has_seconds || arguments.has("px")) {
    ends_at = TRY(end_of_text(space, arguments.integer(has_seconds ? "ex" : "px"),
                              has_seconds ? Span::seconds(1) : Span::millis(1), "set"));
  }
  if (arguments.flag("nx") || arguments.flag("xx")) {
    if (TRY(space.has(arguments.key())) == arguments.flag("nx")) return Value(nullptr);
  }
  TRY(put_text(space, arguments.key(), arguments.text("value"), ends_at));
  return ok();
}

constexpr Argument whole_value{"value", From::body, Type::integer};
constexpr Argument entries_argument{"entries", From::body, Type::items};

// clang-format off: one row a line
constexpr Command text_rows[] = {
    {"get", "GET /ms/:_id", quick, reads, get_text, {key_argument}},
    {"strlen", "GET /ms/_strlen/:_id", quick, reads, text_length, {key_argument}},
    {"getrange", "GET /ms/_getrange/:_id", quick, reads, get_range,
     {{key_argument, {"start", From::query, Type::integer}, {"end", From::query, Type::integer}}}},
    {"mget", "GET /ms/_mget", slow, reads, get_texts, {{query_keys}}},
    {"set", "POST /ms/_set/:_id", quick, writes, set_text,
     {{key_argument, {"value", From::body, Type::number},
      {"ex", From::body, Type::integer, Need::optional},
      {"px", From::body, Type::integer, Need::optional},
      {"nx", From::body, Type::flag, Need::optional},
      {"xx", From::body, Type::flag, Need::optional}}}},
    {"setnx", "POST /ms/_setnx/:_id", quick, writes, set_new_text, {{key_argument, body_value}}},
    {"setex", "POST /ms/_setex/:_id", quick, writes, set_for_seconds,
     {{key_argument, {"seconds", From::body, Type::integer}, body_value}}},
    {"psetex", "POST /ms/_psetex/:_id", quick, writes, set_for_millis,
     {{key_argument, {"milliseconds", From::body, Type::integer}, body_value}}},
    {"getset", "POST /ms/_getset/:_id", quick, writes, get_and_set, {{key_argument, body_value}}},
    {"append", "POST /ms/_append/:_id", quick, writes, append_text, {{key_argument, body_value}}},
    {"incr", "POST /ms/_incr/:_id", quick, writes, increment, {{key_argument}}},
    {"decr", "POST /ms/_decr/:_id", quick, writes, decrement, {{key_argument}}},
    {"incrby", "POST /ms/_incrby/:_id", quick, writes, increment_by, {{key_argument, whole_value}}},
    {"decrby", "POST /ms/_decrby/:_id", quick, writes, decrement_by, {{key_argument, whole_value}}},
    {"incrbyfloat", "POST /ms/_incrbyfloat/:_id", quick, writes, increment_real,
     {{key_argument, {"value", From::body, Type::number}}}},
    {"mset", "POST /ms/_mset", slow, writes, set_texts, {{entries_argument}}},
    {"msetnx", "POST /ms/_msetnx", slow, writes, set_new_texts, {{entries_argument}}},
};
// clang-format on

}  // namespace

std::span<const Command> text_commands() {
  return text_rows;
}

}  // namespace mayfly::kuzzle::memory
