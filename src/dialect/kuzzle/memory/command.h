// Command: a row for each action of the controller `ms`, and its parsed arguments.
#pragma once

#include <array>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/kuzzle/memory/space.h"
#include "dialect/kuzzle/requests/routes.h"

namespace mayfly::kuzzle::memory {

// Where an argument is read from. Id: the message's `_id`. Query: a member of a WebSocket message,
// or a parameter of a URL. Body: a member of the body.
enum class From : std::uint8_t { id, query, body };
// Key and text: a text, number or boolean (scalar_text()). Texts: an array of one text at least and
// memory_members_max at most, or a single one; in a URL also separated by commas. Keys: the same,
// with memory_keys_max keys at most. Words: the same, in upper case, 16 at most; may be empty.
// Integer: a number, or a text of one. Number: a text or a number, but no boolean; stored as a
// text. Flag: as in JavaScript, but the texts "false" and "0" are false, too. Items: an array of
// memory_members_max at most, unchanged.
enum class Type : std::uint8_t { key, text, texts, keys, words, integer, number, flag, items };
enum class Need : std::uint8_t { needed, optional };

struct Argument {
  std::string_view name;
  From from = From::query;
  Type type = Type::text;
  Need need = Need::needed;
};

// The arguments of a request, by the names in the row. The accessor must match the argument's type;
// key(), text(), integer() and items() require that the argument is there.
class Arguments {
 public:
  bool has(std::string_view name) const { return values_.find(name) != values_.end(); }
  const std::string& key() const { return text("_id"); }
  const std::string& text(std::string_view name) const { return at(name).text(); }
  std::string text_or(std::string_view name, std::string_view otherwise) const {
    return has(name) ? text(name) : std::string(otherwise);
  }
  std::int64_t integer(std::string_view name) const { return at(name).integer(); }
  bool flag(std::string_view name) const { return has(name) && at(name).boolean(); }
  // Also for keys and words; empty if the argument is missing.
  std::vector<std::string> texts(std::string_view name) const;
  const Array& items(std::string_view name) const { return at(name).array(); }

  void set(std::string_view name, Value value) { values_.insert_or_assign(name, std::move(value)); }

 private:
  const Value& at(std::string_view name) const;

  std::map<std::string_view, Value> values_;
};

struct Command {
  std::string_view name;
  std::string_view url;
  net::Pace pace;
  RouteEffect effect;  // read: it runs in a view, not in a transaction
  Result<Value> (*run)(Space&, const Arguments&);
  std::array<Argument, 7> arguments = {};
};

// Quick: for commands on a text, or on no value. Commands that read many members run on a worker.
inline constexpr net::Pace quick = net::Pace::quick;
inline constexpr net::Pace slow = net::Pace::worker;
inline constexpr RouteEffect reads = RouteEffect::read;
inline constexpr RouteEffect writes = RouteEffect::write;
// Arguments of several commands.
inline constexpr Argument key_argument{"_id", From::id, Type::key};
inline constexpr Argument query_keys{"keys", From::query, Type::keys};
inline constexpr Argument body_keys{"keys", From::body, Type::keys};
inline constexpr Argument query_member{"member"};
inline constexpr Argument body_members{"members", From::body, Type::texts};
inline constexpr Argument body_value{"value", From::body};

// Fails with invalid where an argument is missing or of another type.
Result<Arguments> read_arguments(const Command& command, const Message& message);
// A text, number or boolean as clients send it to Redis. Fails with invalid for other values,
// naming the argument.
Result<std::string> scalar_text(const Value& value, std::string_view name);
// A required member of one of the objects in `items`.
Result<std::string> member_text(const Value& item, std::string_view name);

// The rows, by family.
std::span<const Command> text_commands();
std::span<const Command> bit_commands();
std::span<const Command> key_commands();
std::span<const Command> scan_commands();
std::span<const Command> list_commands();
std::span<const Command> set_commands();
std::span<const Command> hash_commands();
std::span<const Command> sorted_set_commands();
std::span<const Command> sorted_range_commands();
std::span<const Command> position_commands();
std::span<const Command> element_commands();
std::span<const Command> sort_commands();

}  // namespace mayfly::kuzzle::memory
