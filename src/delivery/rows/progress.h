// SubscriptionProgress: the stored position of a subscription, with counts and the last error.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/feed/feed.h"
#include "db/private_table.h"

namespace mayfly::delivery {

struct SubscriptionProgress {
  FeedPosition position;   // all events up to and including this were delivered or given up
  FeedPosition read = {};  // so were those up to this one, except `left`
  std::vector<FeedPosition> left = {};
  std::int64_t round = 0;      // Subscription::round that the progress belongs to
  std::int64_t delivered = 0;  // messages that the target took
  std::int64_t dead = 0;       // messages that were given up
  bool has_gap = false;  // some events were no longer kept when they were to be read, or unreadable
  std::string last_error = {};
  Instant failed_at = Instant::never();
  Instant delivered_at = Instant::never();

  static PrivateSpec table();
  static Result<SubscriptionProgress> decode(const Document& document);
  Result<Value> encode() const;
};

}  // namespace mayfly::delivery
