// Parses the arguments of a request by the types of its command's row.
#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/memory/command.h"
#include "dialect/kuzzle/memory/limits.h"
#include "value/json/json.h"

namespace mayfly::kuzzle::memory {
namespace {

Value value_of(const Argument& argument, const Message& message) {
  if (argument.from == From::id) return message.id ? Value(*message.id) : Value();
  if (argument.from == From::body) return message.body.member(argument.name);
  const Value* found = message.arguments.find(argument.name);
  return found == nullptr ? Value() : *found;
}

Array split(std::string_view text) {
  Array parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

Result<Value> texts_of(const Value& value, const Argument& argument, std::size_t most) {
  const bool is_in_address = argument.from == From::query && value.is(Kind::text);
  const Array parsed_items = is_in_address           ? split(value.text())
                             : value.is(Kind::array) ? value.array()
                                                     : Array{value};
  if (parsed_items.size() > most) {
    return fail(Code::too_large, fmt::format("\"{}\" has at most {} items", argument.name, most));
  }
  Array texts;
  for (const Value& item : parsed_items) texts.push_back(TRY(scalar_text(item, argument.name)));
  return Value(std::move(texts));
}

std::string in_upper_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
  return text;
}

Result<Value> words_of(const Value& value, const Argument& argument) {
  constexpr std::size_t words_max = 16;
  Value words = TRY(texts_of(value, argument, words_max));
  for (Value& word : words.mutable_array()) word = in_upper_case(word.text());
  return words;
}

Result<Value> some_texts(const Value& value, const Argument& argument, std::size_t most,
                         const Command& command) {
  Value texts = TRY(texts_of(value, argument, most));
  if (texts.array().empty()) return wrong_number_of_arguments(command.name);
  return texts;
}

// As in JavaScript: an empty text and zero are false.
Value flag_of(const Value& value) {
  if (value.is(Kind::boolean)) return value;
  if (value.is_number()) return value.number() != 0;
  if (!value.is(Kind::text)) return true;
  const std::string& text = value.text();
  return !(text.empty() || text == "false" || text == "0");
}

Result<Value> integer_value(const Value& value, const Argument& argument) {
  const auto integer = integer_of(TRY(scalar_text(value, argument.name)));
  if (!integer) return not_an_integer();
  return Value(*integer);
}

Result<Value> items_of(const Value& value, const Argument& argument) {
  if (!value.is(Kind::array)) return wrong_type(argument.name, "array");
  if (value.array().size() <= limits::memory_members_max) return value;
  return fail(Code::too_large, fmt::format("\"{}\" has at most {} items", argument.name,
                                           limits::memory_members_max));
}

Result<Value> typed(const Value& value, const Argument& argument, const Command& command) {
  switch (argument.type) {
    case Type::texts: return some_texts(value, argument, limits::memory_members_max, command);
    case Type::keys: return some_texts(value, argument, limits::memory_keys_max, command);
    case Type::words: return words_of(value, argument);
    case Type::integer: return integer_value(value, argument);
    case Type::flag: return flag_of(value);
    case Type::items: return items_of(value, argument);
    case Type::number:
      if (value.is(Kind::boolean)) return wrong_type(argument.name, "string");
      [[fallthrough]];
    case Type::key:
    case Type::text: return Value(TRY(scalar_text(value, argument.name)));
  }
  return Value();
}

}  // namespace

std::vector<std::string> Arguments::texts(std::string_view name) const {
  std::vector<std::string> texts;
  if (!has(name)) return texts;
  for (const Value& text : at(name).array()) texts.push_back(text.text());
  return texts;
}

const Value& Arguments::at(std::string_view name) const {
  const auto found = values_.find(name);
  CHECK(found != values_.end());
  return found->second;
}

Result<std::string> scalar_text(const Value& value, std::string_view name) {
  if (value.is(Kind::text)) return value.text();
  if (value.is_number() || value.is(Kind::boolean)) return render_json(value);
  return wrong_type(name, "string");
}

Result<std::string> member_text(const Value& item, std::string_view name) {
  const Value value = item.member(name);
  if (value.is_missing() || value.is_null()) return missing_argument(name);
  return scalar_text(value, name);
}

Result<Arguments> read_arguments(const Command& command, const Message& message) {
  Arguments arguments;
  for (const Argument& argument : command.arguments) {
    if (argument.name.empty()) break;
    const Value value = value_of(argument, message);
    const bool is_needed = argument.need == Need::needed;
    if (!is_needed && value.is(Kind::array) && value.array().empty()) continue;
    if (!value.is_missing() && !value.is_null()) {
      arguments.set(argument.name, TRY(typed(value, argument, command)));
    } else if (is_needed) {
      return missing_argument(argument.name);
    }
  }
  return arguments;
}

}  // namespace mayfly::kuzzle::memory
