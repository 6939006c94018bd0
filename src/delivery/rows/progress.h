// Progress: how far a subscription has come, and what it has met on the way.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/feed/feed.h"
#include "db/private_table.h"

namespace mayfly::delivery {

struct Progress {
  FeedPosition place;      // all events up to and with this have been delivered or given up
  FeedPosition read = {};  // so have those up to it, but for these, in their order:
  std::vector<FeedPosition> left = {};
  std::int64_t round = 0;      // of the subscription, that it belongs to
  std::int64_t delivered = 0;  // messages that the target has taken
  std::int64_t dead = 0;       // that were given up
  bool has_gap = false;        // events were no longer kept when they were to be read
  std::string last_error = {};
  Instant failed_at = Instant::never();
  Instant delivered_at = Instant::never();

  static PrivateSpec table();
  static Result<Progress> decode(const Document& document);
  Result<Value> encode() const;
};

}  // namespace mayfly::delivery
