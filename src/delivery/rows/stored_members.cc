#include "delivery/rows/stored_members.h"

#include <algorithm>

#include "base/crypto/crypto.h"
#include "db/rows/malformed.h"

namespace mayfly::delivery {

Value StoredMembers::take(std::string_view member, Kind kind) {
  Value value = body_.is(Kind::object) ? body_.member(member) : Value();
  if (value.is(kind)) return value;
  refuse(member);
  return Value();
}

bool StoredMembers::has(std::string_view member) const {
  return body_.is(Kind::object) && !body_.member(member).is_missing();
}

void StoredMembers::refuse(std::string_view member) {
  if (wrong_.empty()) wrong_ = member;
}

std::string StoredMembers::text(std::string_view member) {
  const Value value = take(member, Kind::text);
  return value.is(Kind::text) ? value.text() : std::string();
}

std::int64_t StoredMembers::integer(std::string_view member) {
  const Value value = take(member, Kind::integer);
  return value.is(Kind::integer) ? value.integer() : 0;
}

bool StoredMembers::flag(std::string_view member) {
  return take(member, Kind::boolean).is_true();
}

// A position is an array of the instant and the number; an empty one is the position before all
// events.
FeedPosition StoredMembers::position(std::string_view member) {
  const Value value = take(member, Kind::array);
  if (!value.is(Kind::array) || value.array().empty()) return {};
  const Array& parts = value.array();
  const bool is_whole = parts.size() == 2 && parts[0].is(Kind::time) &&
                        parts[1].is(Kind::integer) && parts[1].integer() >= 0 &&
                        parts[1].integer() <= UINT32_MAX;
  if (is_whole) return {parts[0].time(), static_cast<std::uint32_t>(parts[1].integer())};
  refuse(member);
  return {};
}

FeedPosition StoredMembers::position_if_there(std::string_view member) {
  return has(member) ? position(member) : FeedPosition();
}

// Positions are an array with two numbers for each: the microseconds since the instant of the one
// before, and its number.
std::vector<FeedPosition> StoredMembers::positions_if_there(std::string_view member) {
  std::vector<FeedPosition> positions;
  if (!has(member)) return positions;
  const Value value = take(member, Kind::array);
  if (!value.is(Kind::array)) return positions;
  const Array& parts = value.array();
  bool is_whole = parts.size() % 2 == 0;
  for (std::size_t i = 0; i < parts.size() && is_whole; ++i) {
    const bool is_number = i % 2 == 1;
    is_whole = parts[i].is(Kind::integer) &&
               (!is_number || (parts[i].integer() >= 0 && parts[i].integer() <= UINT32_MAX));
  }
  if (!is_whole) refuse(member);
  Instant at;
  for (std::size_t i = 0; is_whole && i < parts.size(); i += 2) {
    at = at + Span{parts[i].integer()};
    positions.push_back({at, static_cast<std::uint32_t>(parts[i + 1].integer())});
  }
  return positions;
}

Instant StoredMembers::time_or_never(std::string_view member) {
  const Value value = body_.is(Kind::object) ? body_.member(member) : Value();
  if (value.is(Kind::time)) return value.time();
  if (!value.is_null()) refuse(member);
  return Instant::never();
}

Result<void> StoredMembers::finish() const {
  if (wrong_.empty()) return {};
  return not_as_written(wrong_);
}

Value stored_position(const FeedPosition& position) {
  if (position == FeedPosition()) return Value(Array());
  return Value(Array{position.committed_at, static_cast<std::int64_t>(position.number)});
}

Value stored_positions(const std::vector<FeedPosition>& positions) {
  Array parts;
  Instant before;
  for (const FeedPosition& one : positions) {
    parts.emplace_back((one.committed_at - before).micros);
    parts.emplace_back(static_cast<std::int64_t>(one.number));
    before = one.committed_at;
  }
  return Value(std::move(parts));
}

Value stored_time(Instant t) {
  return t.is_never() ? Value(nullptr) : Value(t);
}

// REACHES DISK: the names of the members.
Message stored_message(StoredMembers& in) {
  Message message;
  message.id = in.text("id");
  message.position = in.position("position");
  message.database = in.text("database");
  message.collection = in.text("collection");
  message.event = in.text("event");
  message.document = decode_hex(in.text("document")).value_or(Bytes());
  message.payload = in.text("payload");
  return message;
}

void store_message(const Message& message, Object& body) {
  body.set("id", message.id);
  body.set("position", stored_position(message.position));
  body.set("database", message.database);
  body.set("collection", message.collection);
  body.set("event", message.event);
  body.set("document", encode_hex(message.document));
  body.set("payload", message.payload);
}

}  // namespace mayfly::delivery
