// Reads the request for a new subscription.
#pragma once

#include "delivery/deliveries.h"
#include "dialect/common/requests/json_body.h"

namespace mayfly::native {

// Gives all but the id. Fails with invalid, naming the member.
Result<delivery::Subscription> read_subscription(const Object& body,
                                                 const delivery::Deliveries& deliveries,
                                                 Instant now);
// The member "from": "now", "beginning" or a time; `initial` if it is missing.
Result<FeedPosition> read_from(MemberReader& members, Instant now, FeedPosition initial);

}  // namespace mayfly::native
