// The delivery log: the outcome of each message of a subscription that is logged, from the end of
// its first attempt. A row is kept for a week. After a restart it says which messages are not to be
// sent again.
#pragma once

#include <string>

#include "db/private_table.h"
#include "delivery/message.h"

namespace mayfly::delivery {

struct LogRow {
  // VALUES REACH DISK, as their words.
  enum class Status : std::uint8_t { pending, delivered, failed, cancelled };

  std::string subscription;
  Message message;
  Status status = Status::pending;
  std::int64_t attempts = 0;
  Instant next_at = Instant::never();  // never(): there is no further attempt
  Instant last_at = Instant::never();  // the last attempt; never(): there was no attempt
  std::int64_t code = 0;               // AttemptOutcome::code of the last attempt
  std::string error = {};
  // When a client last cancelled the message or asked to send it sooner. Outcomes of attempts from
  // before that instant are ignored.
  Instant asked_at = Instant::beginning();

  void cancel();  // has an effect only if it is pending

  DocumentKey key() const { return key_of(subscription, message.id); }
  static DocumentKey key_of(const std::string& subscription, const std::string& message);
  static DocumentRange of(const std::string& subscription);
  // Options with which the first row of a message is stored: they say how long it is kept.
  static PutOptions kept_from(Instant now);

  static PrivateSpec table();
  static Result<LogRow> decode(const Document& document);
  Result<Value> encode() const;
};
std::string_view word_of(LogRow::Status status);

}  // namespace mayfly::delivery
