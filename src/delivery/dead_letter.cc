#include "delivery/dead_letter.h"

#include "base/crypto.h"
#include "db/keys.h"
#include "delivery/stored_members.h"

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
  row.message.id = in.text("id");
  row.message.position = in.position("position");
  row.message.database = in.text("database");
  row.message.collection = in.text("collection");
  row.message.event = in.text("event");
  row.message.document = decode_hex(in.text("document")).value_or(Bytes());
  row.message.payload = in.text("payload");
  row.attempts = in.integer("attempts");
  row.error = in.text("error");
  TRY(in.finish());
  row.died_at = document.created_at;
  return row;
}

Result<Value> DeadLetter::encode() const {
  return Value(Object{{"subscription", subscription},
                      {"id", message.id},
                      {"position", stored_position(message.position)},
                      {"database", message.database},
                      {"collection", message.collection},
                      {"event", message.event},
                      {"document", encode_hex(message.document)},
                      {"payload", message.payload},
                      {"attempts", attempts},
                      {"error", error}});
}

}  // namespace mayfly::delivery
