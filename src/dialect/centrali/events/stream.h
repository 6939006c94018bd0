// GET /realtime/workspace/{workspace}/events: a stream of server-sent events.
#pragma once

#include "dialect/centrali/call.h"
#include "dialect/centrali/events/notice_filter.h"
#include "dialect/centrali/events/source.h"

namespace mayfly::centrali {

// The token is in the header or in the query string as access_token, because the browser's
// EventSource sends no headers. Errors have codes of their own: MISSING_TOKEN, INVALID_TOKEN,
// TOKEN_EXPIRED, WORKSPACE_MISMATCH and RATE_LIMIT_EXCEEDED.
net::Response open_event_stream(CentraliCall& call, std::shared_ptr<Directory> directory,
                                std::string_view request_id);
// The subscription to a workspace, without the client and its position.
Subscription subscription_of(std::shared_ptr<EventSource> source, NoticeFilter filter);

}  // namespace mayfly::centrali
