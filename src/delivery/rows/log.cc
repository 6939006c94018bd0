#include "delivery/rows/log.h"

#include <algorithm>
#include <array>

#include "delivery/limits.h"
#include "delivery/rows/dead_letter.h"
#include "delivery/rows/stored_members.h"

namespace mayfly::delivery {
namespace {

using Status = LogRow::Status;
constexpr std::array all_statuses{Status::pending, Status::delivered, Status::failed,
                                  Status::cancelled};

}  // namespace

std::string_view word_of(LogRow::Status status) {
  switch (status) {
    case Status::pending: return "pending";
    case Status::delivered: return "delivered";
    case Status::failed: return "failed";
    case Status::cancelled: return "cancelled";
  }
  return "failed";
}

void LogRow::cancel() {
  if (status != Status::pending) return;
  status = Status::cancelled;
  next_at = Instant::never();
}

DocumentKey LogRow::key_of(const std::string& subscription, const std::string& message) {
  return DeadLetter::key_of(subscription, message);
}

DocumentRange LogRow::of(const std::string& subscription) {
  return DeadLetter::of(subscription);
}

PutOptions LogRow::kept_from(Instant now) {
  return {.lifetime = Lifetime{At{now + limits::log_kept_for}}};
}

// REACHES DISK: the names of the table and of the members.
PrivateSpec LogRow::table() {
  return {.name = "#subscriptions.log"};
}

Result<LogRow> LogRow::decode(const Document& document) {
  const Value body = document.body.unpack();
  StoredMembers in(body);
  LogRow row;
  row.subscription = in.text("subscription");
  row.message = stored_message(in);
  const std::string status = in.text("status");
  row.attempts = in.integer("attempts");
  row.next_at = in.time_or_never("next_at");
  row.last_at = in.time_or_never("last_at");
  row.code = in.integer("code");
  row.error = in.text("error");
  const Instant asked_at = in.time_or_never("asked_at");
  TRY(in.finish());
  row.asked_at = asked_at.is_never() ? Instant::beginning() : asked_at;
  const auto found = std::ranges::find(all_statuses, status, word_of);
  if (found == all_statuses.end()) return not_as_written("status");
  row.status = *found;
  return row;
}

Result<Value> LogRow::encode() const {
  Object body{{"subscription", subscription}};
  store_message(message, body);
  body.set("status", word_of(status));
  body.set("attempts", attempts);
  body.set("next_at", stored_time(next_at));
  body.set("last_at", stored_time(last_at));
  body.set("code", code);
  body.set("error", error);
  const bool was_asked = asked_at != Instant::beginning();
  body.set("asked_at", stored_time(was_asked ? asked_at : Instant::never()));
  return Value(std::move(body));
}

}  // namespace mayfly::delivery
