// JsonWriter: appends JSON to a text, with the commas between members and items. The last byte of
// the text says whether a comma is needed. So a writer has no state beside the text, and functions
// that write parts of one object may each make their own.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include "value/value.h"

namespace mayfly {

// Threads: one. The text must outlive the writer. Nothing checks that each begin has its end, or
// that each name has its value.
class JsonWriter {
 public:
  // `out` is empty, ends with a line's end or a space, or lies within an object or array that
  // another writer has begun.
  explicit JsonWriter(std::string& out) : out_(out) {}

  void begin_object() { begin_value() += '{'; }
  void end_object() { out_ += '}'; }
  void begin_array() { begin_value() += '['; }
  void end_array() { out_ += ']'; }

  // A member's name; its value follows.
  JsonWriter& name(std::string_view name);

  // A member's value, or an item. The texts are of any bytes that render_json_text() takes.
  void text(std::string_view text);
  void null() { begin_value() += "null"; }
  void boolean(bool is_true) { begin_value() += is_true ? "true" : "false"; }
  void integer(std::int64_t number);
  void integer(std::uint64_t number);
  void value(const Value& value);
  // JSON that is complete.
  void raw(std::string_view json) { begin_value() += json; }
  // For code that appends one complete JSON value by itself.
  std::string& begin_value();

  // A name and its value.
  template <std::convertible_to<std::string_view> Text>
  void member(std::string_view name, const Text& text) {
    this->name(name).text(text);
  }
  void member(std::string_view name, const Value& value) { this->name(name).value(value); }
  template <std::same_as<bool> Boolean>
  void member(std::string_view name, Boolean is_true) {
    this->name(name).boolean(is_true);
  }
  template <std::integral Integer>
    requires(!std::same_as<Integer, bool>)
  void member(std::string_view name, Integer number) {
    using Widest = std::conditional_t<std::signed_integral<Integer>, std::int64_t, std::uint64_t>;
    this->name(name).integer(static_cast<Widest>(number));
  }
  void raw_member(std::string_view name, std::string_view json) { this->name(name).raw(json); }
  // The text, or null if it is empty.
  void text_or_null(std::string_view name, std::string_view text);
  // The time as render_json() writes it, or null if it is never.
  void time_or_null(std::string_view name, Instant time);
  // The members of an object without its braces. Missing ones are left out.
  void members(const Object& members);

 private:
  std::string& out_;
};

}  // namespace mayfly
