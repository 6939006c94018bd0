// StoredMembers: reads the members of a stored row one after another. If one is malformed, finish()
// fails.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "delivery/message.h"
#include "value/value.h"

namespace mayfly::delivery {

class StoredMembers {
 public:
  // `body` outlives it.
  explicit StoredMembers(const Value& body) : body_(body) {}

  std::string text(std::string_view member);
  std::int64_t integer(std::string_view member);
  bool flag(std::string_view member);
  FeedPosition position(std::string_view member);
  // Rows of earlier versions lack these members; then they give the position before all events, and
  // an empty list.
  FeedPosition position_if_there(std::string_view member);
  std::vector<FeedPosition> positions_if_there(std::string_view member);
  Instant time_or_never(std::string_view member);  // null: never()
  // Fails with corrupt, naming the first malformed member.
  Result<void> finish() const;

 private:
  Value take(std::string_view member, Kind kind);
  bool has(std::string_view member) const;
  void refuse(std::string_view member);

  const Value& body_;
  std::string_view wrong_;
};

Message stored_message(StoredMembers& in);
void store_message(const Message& message, Object& body);
Value stored_position(const FeedPosition& position);
Value stored_positions(const std::vector<FeedPosition>& positions);
Value stored_time(Instant t);  // null for never()

}  // namespace mayfly::delivery
