#include "delivery/standing.h"

#include "base/service/logging.h"
#include "db/private_table.h"
#include "delivery/rows/dead_letter.h"
#include "delivery/rows/origin.h"
#include "delivery/rows/progress.h"
#include "delivery/rows/stored_members.h"

namespace mayfly::delivery {
namespace {

constexpr std::string_view since_table = "standing subscriptions";  // REACHES DISK

struct StandingSince {
  FeedPosition first;

  static PrivateSpec table() { return {.name = since_table, .database = server_database}; }
  static Result<StandingSince> decode(const Document& document) {
    const Value body = document.body.unpack();
    StoredMembers in(body);
    StandingSince row{in.position("first")};
    TRY(in.finish());
    return row;
  }
  Result<Value> encode() const { return Value(Object{{"first", stored_position(first)}}); }
};

Result<Instant> stored_since(Database& database, const std::string& id) {
  const auto table = TRY(PrivateTable<StandingSince>::ensure(database));
  Instant since;
  TRY(database.transact([&](Transaction& transaction) -> Result<void> {
    const DocumentKey key = DocumentKey::of(id);
    const auto kept = TRY(table.get(transaction.view(), key));
    since = kept ? kept->first.committed_at : transaction.now();
    if (kept) return {};
    return table.put(transaction, key, StandingSince{{since, 0}});
  }));
  return since;
}

}  // namespace

Result<void> ensure_subscription_tables(Database& database, DatabaseId of) {
  TRY(PrivateTable<DeadLetter>::ensure(database, of));
  TRY(PrivateTable<DeadLetter>::ensure(database, of, DeadLetter::again));
  TRY(PrivateTable<SubscriptionProgress>::ensure(database, of));
  TRY(PrivateTable<Subscription>::ensure(database, of));
  return {};
}

Result<void> begin_subscriptions(Database& database, DatabaseId of, Random& random) {
  TRY(ensure_origin(database, random));
  return ensure_subscription_tables(database, of);
}

Subscription standing_in(const DatabaseInfo& database, const Subscription& standing) {
  Subscription own = standing;
  own.id += "." + database.name;
  return own;
}

Instant standing_since(Database& database, const std::string& id) {
  const auto since = stored_since(database, id);
  if (since) return *since;
  log(LogLevel::warn, "a subscription of the server begins with the first events that there are",
      {{"subscription", id}, {"error", since.error().message}});
  return Instant::beginning();
}

}  // namespace mayfly::delivery
