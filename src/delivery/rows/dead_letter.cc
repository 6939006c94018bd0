#include "delivery/rows/dead_letter.h"

#include "db/rows/keys.h"
#include "delivery/rows/stored_members.h"

namespace mayfly::delivery {
namespace {

constexpr char parts_end = '/';  // ids of subscriptions are UUIDs

}  // namespace

DocumentKey DeadLetter::key_of(const std::string& subscription, const std::string& message) {
  return DocumentKey::of(subscription + parts_end + message);
}

DocumentRange DeadLetter::of(const std::string& subscription) {
  const Bytes from = keys::encode(DocumentKey::of(subscription + parts_end));
  return {.from = from, .to = after_prefix(from)};
}

// REACHES DISK: the names of the table and of the members.
PrivateSpec DeadLetter::table() {
  return {.name = "#subscriptions.dead"};
}

Result<DeadLetter> DeadLetter::decode(const Document& document) {
  const Value body = document.body.unpack();
  StoredMembers in(body);
  DeadLetter row;
  row.subscription = in.text("subscription");
  row.message = stored_message(in);
  row.attempts = in.integer("attempts");
  row.error = in.text("error");
  TRY(in.finish());
  row.died_at = document.created_at;
  return row;
}

Result<Value> DeadLetter::encode() const {
  Object body{{"subscription", subscription}};
  store_message(message, body);
  body.set("attempts", attempts);
  body.set("error", error);
  return Value(std::move(body));
}

}  // namespace mayfly::delivery
