// DeadLetter: a message that a subscription has given up. It is kept for a month. If it is to be
// sent again, it is in a second table until it was taken or given up again.
#pragma once

#include <string>

#include "db/private_table.h"
#include "delivery/message.h"

namespace mayfly::delivery {

struct DeadLetter {
  std::string subscription;
  Message message;
  std::int64_t attempts = 0;
  std::string error;
  Instant died_at;

  DocumentKey key() const { return key_of(subscription, message.id); }
  static DocumentKey key_of(const std::string& subscription, const std::string& message);
  // All dead letters of one subscription, the oldest events of each collection first.
  static DocumentRange of(const std::string& subscription);

  static constexpr std::string_view again = ".again";  // the second table
  static PrivateSpec table();
  static Result<DeadLetter> decode(const Document& document);
  Result<Value> encode() const;
};

}  // namespace mayfly::delivery
