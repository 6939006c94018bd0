// Requests over HTTP that compute functions make.
#pragma once

#include "dialect/centrali/options.h"
#include "dialect/centrali/webhooks/target.h"
#include "value/value.h"

namespace mayfly::centrali {

// {"url", "method", "headers", "body"}; a body that is no text is sent as JSON. The call may take
// until `stop_at`, on the scale of monotonic_now(), with its wait in the queue of net::Caller.
// Fails with invalid, naming the member, and with forbidden as net::check_url does.
Result<net::OutgoingCall> http_call_of(const Value& asked, const CentraliOptions& options,
                                       Instant stop_at);
// Blocks until the answer. A failure becomes an error that a function may handle.
Result<net::Response> send_and_wait(const SendCall& send, net::OutgoingCall call);
// {"status", "headers", "body", "data"}; data is the parsed body if it is JSON.
Value http_answer_of(const net::Response& response);

}  // namespace mayfly::centrali
