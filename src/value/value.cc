// Values: members, and copies of shared containers on write.
#include "value/value.h"

#include <algorithm>
#include <atomic>

namespace mayfly {

Object::Object(std::initializer_list<Member> members) {
  for (const Member& member : members) set(member.first, member.second);
}

const Value* Object::find(std::string_view name) const {
  for (const Member& member : members_) {
    if (member.first == name) return &member.second;
  }
  return nullptr;
}

Value* Object::find(std::string_view name) {
  return const_cast<Value*>(std::as_const(*this).find(name));
}

void Object::set(std::string_view name, Value value) {
  if (Value* found = find(name)) {
    *found = std::move(value);
  } else {
    append(std::string(name), std::move(value));
  }
}

void Object::append(std::string name, Value value) {
  members_.emplace_back(std::move(name), std::move(value));
}

void Object::reserve(std::size_t size) {
  members_.reserve(size);
}

bool Object::remove(std::string_view name) {
  const auto found = std::find_if(members_.begin(), members_.end(),
                                  [&](const Member& member) { return member.first == name; });
  if (found == members_.end()) return false;
  members_.erase(found);
  return true;
}

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::missing: return "missing";
    case Kind::null: return "null";
    case Kind::boolean: return "boolean";
    case Kind::integer: return "integer";
    case Kind::real: return "real";
    case Kind::text: return "text";
    case Kind::time: return "time";
    case Kind::date: return "date";
    case Kind::binary: return "binary";
    case Kind::reference: return "reference";
    case Kind::array: return "array";
    case Kind::object: return "object";
  }
  return "unknown";
}

namespace {

// The container for writing; a shared one is copied first.
template <class T>
T& owned(std::shared_ptr<T>& held) {
  if (held.use_count() != 1) {
    held = std::make_shared<T>(*held);
  } else {
    // Another thread may just have released its share: its reads must happen before the following
    // writes.
    std::atomic_thread_fence(std::memory_order_acquire);
  }
  return *held;
}

}  // namespace

Array& Value::mutable_array() {
  return owned(std::get<std::shared_ptr<Array>>(held_));
}

Object& Value::mutable_object() {
  return owned(std::get<std::shared_ptr<Object>>(held_));
}

Value Value::member(std::string_view name) const {
  if (!is(Kind::object)) return {};
  const Value* found = object().find(name);
  return found ? *found : Value();
}

}  // namespace mayfly
