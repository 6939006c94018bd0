// Commands on hashes.
#include "dialect/kuzzle/memory/command.h"

namespace mayfly::kuzzle::memory {
namespace {

// The text of a field, or null.
Value field_or_null(const Hash& hash, const std::string& field) {
  const auto found = hash.find(field);
  return found == hash.end() ? Value(nullptr) : shown(found->second);
}

Result<Value> get_field(Space& space, const Arguments& arguments) {
  return field_or_null(TRY(space.read<Hash>(arguments.key())), arguments.text("field"));
}

Result<Value> get_fields(Space& space, const Arguments& arguments) {
  const Hash hash = TRY(space.read<Hash>(arguments.key()));
  Array texts;
  for (const std::string& field : arguments.texts("fields")) {
    texts.push_back(field_or_null(hash, field));
    TRY(space.charge(texts.back().is(Kind::text) ? texts.back().text().size() : 0));
  }
  return Value(std::move(texts));
}

Result<Value> has_field(Space& space, const Arguments& arguments) {
  return Value(TRY(space.read<Hash>(arguments.key())).contains(arguments.text("field")) ? 1 : 0);
}

Result<Value> field_length(Space& space, const Arguments& arguments) {
  const Hash hash = TRY(space.read<Hash>(arguments.key()));
  const auto found = hash.find(arguments.text("field"));
  return Value(static_cast<std::int64_t>(found == hash.end() ? 0 : found->second.size()));
}

Result<Value> count_fields(Space& space, const Arguments& arguments) {
  return Value(static_cast<std::int64_t>(TRY(space.read<Hash>(arguments.key())).size()));
}

Result<Value> all_fields(Space& space, const Arguments& arguments) {
  Object fields;
  for (const auto& [field, text] : TRY(space.read<Hash>(arguments.key()))) {
    fields.append(field, shown(text));
  }
  return Value(std::move(fields));
}

Result<Value> field_names(Space& space, const Arguments& arguments) {
  Array names;
  for (const auto& [field, text] : TRY(space.read<Hash>(arguments.key()))) {
    names.push_back(shown(field));
  }
  return Value(std::move(names));
}

Result<Value> field_values(Space& space, const Arguments& arguments) {
  Array texts;
  for (const auto& [field, text] : TRY(space.read<Hash>(arguments.key()))) {
    texts.push_back(shown(text));
  }
  return Value(std::move(texts));
}

Result<Value> set_field(Space& space, const Arguments& arguments) {
  Entry entry = TRY(space.open<Hash>(arguments.key()));
  const bool is_new = std::get<Hash>(entry.content)
                          .insert_or_assign(arguments.text("field"), arguments.text("value"))
                          .second;
  TRY(space.put(arguments.key(), entry));
  return Value(is_new ? 1 : 0);
}

Result<Value> set_new_field(Space& space, const Arguments& arguments) {
  Entry entry = TRY(space.open<Hash>(arguments.key()));
  const bool is_new = std::get<Hash>(entry.content)
                          .emplace(arguments.text("field"), arguments.text("value"))
                          .second;
  if (is_new) TRY(space.put(arguments.key(), entry));
  return Value(is_new ? 1 : 0);
}

Result<Value> set_fields(Space& space, const Arguments& arguments) {
  const Array& items = arguments.items("entries");
  if (items.empty()) return wrong_number_of_arguments("hmset");
  Entry entry = TRY(space.open<Hash>(arguments.key()));
  for (const Value& item : items) {
    std::get<Hash>(entry.content)
        .insert_or_assign(TRY(member_text(item, "field")), TRY(member_text(item, "value")));
  }
  TRY(space.put(arguments.key(), entry));
  return ok();
}

Result<Value> remove_fields(Space& space, const Arguments& arguments) {
  Entry entry = TRY(space.open<Hash>(arguments.key()));
  std::size_t removed = 0;
  for (const std::string& field : arguments.texts("fields")) {
    removed += std::get<Hash>(entry.content).erase(field);
  }
  if (removed > 0) TRY(space.put(arguments.key(), entry));
  return Value(static_cast<std::int64_t>(removed));
}

// A missing field counts as zero.
std::string& number_in(Entry& entry, const std::string& field) {
  return std::get<Hash>(entry.content).try_emplace(field, "0").first->second;
}

Result<Value> add_to_field(Space& space, const Arguments& arguments) {
  Entry entry = TRY(space.open<Hash>(arguments.key()));
  std::string& text = number_in(entry, arguments.text("field"));
  const auto before = integer_of(text);
  if (!before) return refused("ERR hash value is not an integer");
  std::int64_t sum = 0;
  if (__builtin_add_overflow(*before, arguments.integer("value"), &sum)) {
    return refused("ERR increment or decrement would overflow");
  }
  text = std::to_string(sum);
  TRY(space.put(arguments.key(), entry));
  return Value(sum);
}

Result<Value> add_real_to_field(Space& space, const Arguments& arguments) {
  Entry entry = TRY(space.open<Hash>(arguments.key()));
  std::string& text = number_in(entry, arguments.text("field"));
  text = TRY(sum_of_reals(text, arguments.text("value"), "ERR hash value is not a float"));
  TRY(space.put(arguments.key(), entry));
  return Value(text);
}

constexpr Argument query_field{"field"};
constexpr Argument body_field{"field", From::body};

// clang-format off: one row a line
constexpr Command hash_rows[] = {
    {"hget", "GET /ms/_hget/:_id/:field", slow, reads, get_field, {{key_argument, query_field}}},
    {"hmget", "GET /ms/_hmget/:_id", slow, reads, get_fields,
     {{key_argument, {"fields", From::query, Type::texts}}}},
    {"hexists", "GET /ms/_hexists/:_id/:field", slow, reads, has_field,
     {{key_argument, query_field}}},
    {"hstrlen", "GET /ms/_hstrlen/:_id/:field", slow, reads, field_length,
     {{key_argument, query_field}}},
    {"hlen", "GET /ms/_hlen/:_id", slow, reads, count_fields, {{key_argument}}},
    {"hgetall", "GET /ms/_hgetall/:_id", slow, reads, all_fields, {{key_argument}}},
    {"hkeys", "GET /ms/_hkeys/:_id", slow, reads, field_names, {{key_argument}}},
    {"hvals", "GET /ms/_hvals/:_id", slow, reads, field_values, {{key_argument}}},
    {"hset", "POST /ms/_hset/:_id", slow, writes, set_field,
     {{key_argument, body_field, body_value}}},
    {"hsetnx", "POST /ms/_hsetnx/:_id", slow, writes, set_new_field,
     {{key_argument, body_field, body_value}}},
    {"hmset", "POST /ms/_hmset/:_id", slow, writes, set_fields,
     {{key_argument, {"entries", From::body, Type::items}}}},
    {"hdel", "DELETE /ms/_hdel/:_id", slow, writes, remove_fields,
     {{key_argument, {"fields", From::body, Type::texts}}}},
    {"hincrby", "POST /ms/_hincrby/:_id", slow, writes, add_to_field,
     {{key_argument, body_field, {"value", From::body, Type::integer}}}},
    {"hincrbyfloat", "POST /ms/_hincrbyfloat/:_id", slow, writes, add_real_to_field,
     {{key_argument, body_field, {"value", From::body, Type::number}}}},
};
// clang-format on

}  // namespace

std::span<const Command> hash_commands() {
  return hash_rows;
}

}  // namespace mayfly::kuzzle::memory
