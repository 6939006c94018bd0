// Bounds that only this dialect meets, beside those of base/limits.h.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/limits.h"
#include "net/calls/limits.h"

namespace mayfly::limits {

inline constexpr std::size_t bulk_records_max = 1'000;  // the service's bound on one bulk or batch
inline constexpr std::size_t expand_depth_max = 3;      // Centrali's bound
inline constexpr std::size_t expanded_records_max = 10'000;  // a page of records, ten each
inline constexpr std::size_t cascade_records_max = 1'000;    // that refer to one that is deleted
inline constexpr std::size_t cascade_depth_max = 8;          // deletions that lead to further ones
inline constexpr std::size_t page_offset_max = 100'000;      // further on, use a bookmark

// --- what is told of events, in notices and to webhooks ---
inline constexpr std::size_t event_listeners_max =
    1'000;                                            // of one workspace: Centrali's largest plan
inline constexpr std::size_t event_page_max = 1'000;  // read of one feed at a time
inline constexpr std::size_t event_bytes_max =
    1 << 20;  // of what one tells; a delivery must fit a document
inline constexpr std::size_t event_page_bytes_max =
    32 << 20;  // of all that is told at once; a commit that does more is told without its data
inline constexpr std::size_t webhooks_max = 100;  // of one workspace: each event is matched to all
inline constexpr std::size_t webhook_bytes_max = 32 << 10;     // of one as JSON
inline constexpr std::size_t webhook_url_bytes_max = 8 << 10;  // what servers take in a request
inline constexpr std::size_t webhook_attempts_max = 10;        // of one message, in three days
inline constexpr std::size_t deliveries_listed_max = 100;
inline constexpr std::size_t deliveries_listed_bytes_max = 16 << 20;    // of their payloads
inline constexpr Span webhook_time_max = Span::seconds(10);             // one attempt, all in all
inline constexpr std::size_t webhook_answer_bytes_max = 64 << 10;       // nothing reads it
inline constexpr Span webhook_two_secrets_for = Span::seconds(86'400);  // Centrali's bound

// Of one stream of events: a subscription to one form's fields has fewer.
inline constexpr std::size_t event_filters_max = 16;
// What the filters of one stream may take of the hub's thread for one event; ordinary ones
// take microseconds. A stream whose filters take more ends.
inline constexpr Span event_filter_time_max = Span::millis(20);

// A batch does no further record once its answer has so many bytes: as many as a page of a query.
inline constexpr std::size_t batch_answer_bytes = query_bytes_max / 4;
// A response names at most so many places of one record that are wrong.
inline constexpr std::size_t details_max = 1'000;

// A record that a thread of connections writes itself; larger ones are a worker's, as the patterns
// of their structure go over all their texts.
inline constexpr std::size_t quick_record_bytes_max = 16 << 10;

// The body of a request for a token, which is read before anything is known of its client: a form
// of four short texts. A form takes up to twenty times its bytes once it is decoded.
inline constexpr std::size_t token_request_bytes_max = 64 << 10;
inline constexpr std::size_t signing_key_bytes = 32;     // of the tokens: as long as SHA-256
inline constexpr std::size_t token_parameters_max = 32;  // OAuth 2 and its extensions have half

// Of a member that a hint names: no spelling of a lifetime is longer.
inline constexpr std::size_t hinted_name_bytes_max = 64;

}  // namespace mayfly::limits
