// DeliveryLog: what has become of each message of a subscription that is logged, once its first
// attempt has ended. It is kept for a week, and says what is not to be sent once more after a
// start.
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
  Instant last_at = Instant::never();  // the last attempt; never(): there was none
  std::int64_t code = 0;               // Outcome::code of it
  std::string error = {};
  // When a client asked for another end of it, cancelling it or sending it sooner; what the engine
  // has to say of an attempt from before that says nothing any more.
  Instant asked_at = Instant::beginning();

  void cancel();  // if it is pending

  DocumentKey key() const { return key_of(subscription, message.id); }
  static DocumentKey key_of(const std::string& subscription, const std::string& message);
  static DocumentRange of(const std::string& subscription);
  // How long a row is kept, from the first one of its message on.
  static PutOptions kept_from(Instant now);

  static PrivateSpec table();
  static Result<LogRow> decode(const Document& document);
  Result<Value> encode() const;
};
std::string_view word_of(LogRow::Status status);

}  // namespace mayfly::delivery
