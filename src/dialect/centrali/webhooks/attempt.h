// One attempt to bring a delivery to its webhook: what is sent, and what an answer makes of the
// delivery.
#pragma once

#include <cstdint>
#include <optional>

#include "dialect/centrali/webhooks/webhooks.h"
#include "net/calls/caller.h"

namespace mayfly::centrali {

// How long after the attempt of that number (from 1) the next one comes; nothing where there is
// none.
std::optional<Span> wait_after(std::int64_t attempt);

// Signed for an attempt that begins at `now`.
net::Call call_of(const Webhook& webhook, const Delivery& delivery, Instant now);

// What the delivery has become by an attempt that began at `begun_at`.
void note_outcome(const Result<net::Response>& answer, Instant begun_at, Delivery& delivery);

}  // namespace mayfly::centrali
