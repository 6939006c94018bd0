#include "delivery/rows/progress.h"

#include "delivery/rows/stored_members.h"

namespace mayfly::delivery {

// REACHES DISK: the names of the table and of the members.
PrivateSpec SubscriptionProgress::table() {
  return {.name = "#subscriptions.progress"};
}

Result<SubscriptionProgress> SubscriptionProgress::decode(const Document& document) {
  const Value body = document.body.unpack();
  StoredMembers in(body);
  SubscriptionProgress row{.position = in.position("place"),
                           .read = in.position_if_there("read"),
                           .left = in.positions_if_there("left"),
                           .round = in.integer("round"),
                           .delivered = in.integer("delivered"),
                           .dead = in.integer("dead"),
                           .has_gap = in.flag("gap"),
                           .last_error = in.text("last_error"),
                           .failed_at = in.time_or_never("failed_at"),
                           .delivered_at = in.time_or_never("delivered_at")};
  TRY(in.finish());
  return row;
}

Result<Value> SubscriptionProgress::encode() const {
  return Value(Object{{"place", stored_position(position)},
                      {"read", stored_position(read)},
                      {"left", stored_positions(left)},
                      {"round", round},
                      {"delivered", delivered},
                      {"dead", dead},
                      {"gap", has_gap},
                      {"last_error", last_error},
                      {"failed_at", stored_time(failed_at)},
                      {"delivered_at", stored_time(delivered_at)}});
}

}  // namespace mayfly::delivery
