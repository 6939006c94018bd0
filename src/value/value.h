// Value: one JSON-like value, or Missing. Missing is not null: an absent field has no value, a null
// field has the value null. A whole number stays int64 if it was written as one. Times, dates,
// bytes and references are separate kinds, so that storage loses no type of any dialect.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"

namespace mayfly {

class Value;

struct Missing {
  bool operator==(const Missing&) const = default;
};
struct Null {
  bool operator==(const Null&) const = default;
};
// A calendar day without a time zone: days since 1970-01-01.
struct Date {
  std::int32_t days = 0;
  auto operator<=>(const Date&) const = default;
};
struct Binary {
  Bytes bytes;
  auto operator<=>(const Binary&) const = default;
};
// A reference to a document by name: collection and id.
struct Reference {
  std::string collection;
  std::string id;
  auto operator<=>(const Reference&) const = default;
};

using Array = std::vector<Value>;
// Members in the order of insertion; names are unique. find() and set() search one by one: for many
// names use a NameTable (packed/name_table.h).
class Object {
 public:
  using Member = std::pair<std::string, Value>;
  Object() = default;
  Object(std::initializer_list<Member> members);

  // The member's value, or a null pointer.
  const Value* find(std::string_view name) const;
  Value* find(std::string_view name);
  // Replaces the value of the member of that name in place, or appends a member.
  void set(std::string_view name, Value value);
  // Appends without a search: the caller knows that the name is new.
  void append(std::string name, Value value);
  bool remove(std::string_view name);
  void reserve(std::size_t size);
  std::size_t size() const;
  bool empty() const;
  const Member* begin() const;
  const Member* end() const;
  Member* begin();
  Member* end();

 private:
  std::vector<Member> members_;
};

// The kinds in the order in which order/order.h sorts them, except that int64 and real sort
// together as numbers.
enum class Kind : std::uint8_t {
  missing,
  null,
  boolean,
  integer,
  real,
  text,
  time,
  date,
  binary,
  reference,
  array,
  object
};
std::string_view name_of(Kind kind);

// Copies are independent, but share their arrays and objects until one of them is changed through
// mutable_*. So a copy is cheap. Threads: a value is used by one thread at a time, or read by many;
// its copies may be used, and changed, by other threads at the same time.
class Value {
 public:
  Value() = default;  // missing
  Value(Missing) {}
  Value(Null) : held_(Null{}) {}
  Value(std::nullptr_t) : held_(Null{}) {}
  Value(bool b) : held_(b) {}
  Value(std::int64_t n) : held_(n) {}
  Value(int n) : held_(std::int64_t{n}) {}
  Value(double d) : held_(d) {}
  Value(std::string s) : held_(std::move(s)) {}
  Value(std::string_view s) : held_(std::string(s)) {}
  Value(const char* s) : held_(std::string(s)) {}
  Value(Instant t) : held_(t) {}
  Value(Date d) : held_(d) {}
  Value(Binary b) : held_(std::move(b)) {}
  Value(Reference r) : held_(std::move(r)) {}
  Value(Array a) : held_(std::make_shared<Array>(std::move(a))) {}
  Value(Object o) : held_(std::make_shared<Object>(std::move(o))) {}

  Kind kind() const { return static_cast<Kind>(held_.index()); }
  bool is(Kind k) const { return kind() == k; }
  bool is_missing() const { return is(Kind::missing); }
  bool is_null() const { return is(Kind::null); }
  bool is_number() const { return is(Kind::integer) || is(Kind::real); }
  bool is_true() const { return is(Kind::boolean) && boolean(); }

  // Each may be called only if kind() is the matching kind.
  bool boolean() const { return std::get<bool>(held_); }
  std::int64_t integer() const { return std::get<std::int64_t>(held_); }
  double real() const { return std::get<double>(held_); }
  const std::string& text() const { return std::get<std::string>(held_); }
  Instant time() const { return std::get<Instant>(held_); }
  Date date() const { return std::get<Date>(held_); }
  const Binary& binary() const { return std::get<Binary>(held_); }
  const Reference& reference() const { return std::get<Reference>(held_); }
  const Array& array() const { return *std::get<std::shared_ptr<Array>>(held_); }
  const Object& object() const { return *std::get<std::shared_ptr<Object>>(held_); }
  // A reference is valid until this value is copied or assigned.
  Array& mutable_array();
  Object& mutable_object();
  // The number as a double; only if is_number().
  double number() const { return is(Kind::integer) ? static_cast<double>(integer()) : real(); }

  // The member of an object, or missing; missing also if this is not an object.
  Value member(std::string_view name) const;

 private:
  std::variant<Missing, Null, bool, std::int64_t, double, std::string, Instant, Date, Binary,
               Reference, std::shared_ptr<Array>, std::shared_ptr<Object>>
      held_;
};

// Defined here, because Member needs a complete Value.
inline std::size_t Object::size() const {
  return members_.size();
}
inline bool Object::empty() const {
  return members_.empty();
}
inline const Object::Member* Object::begin() const {
  return members_.data();
}
inline const Object::Member* Object::end() const {
  return members_.data() + members_.size();
}
inline Object::Member* Object::begin() {
  return members_.data();
}
inline Object::Member* Object::end() {
  return members_.data() + members_.size();
}

}  // namespace mayfly
