// Bounds of this dialect alone, beside those of base/limits.h.
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

// --- notices of events, in streams and to webhooks ---
inline constexpr std::size_t event_streams_max =
    1'000;                                            // of one workspace: Centrali's largest plan
inline constexpr std::size_t event_page_max = 1'000;  // events read from one feed at a time
inline constexpr std::size_t event_bytes_max =
    1 << 20;  // of one notice; a delivery must fit a document
inline constexpr std::size_t event_page_bytes_max =
    32 << 20;  // of all notices read at once; a commit with more is published without its data
inline constexpr std::size_t webhooks_max =
    100;  // of one workspace: each event is matched with all of them
inline constexpr std::size_t webhook_bytes_max = 32 << 10;     // of one as JSON
inline constexpr std::size_t webhook_url_bytes_max = 8 << 10;  // what servers take in a request
inline constexpr std::size_t webhook_attempts_max = 10;        // of one message, in some three days
inline constexpr std::size_t deliveries_listed_max = 100;
inline constexpr std::size_t deliveries_listed_bytes_max = 16 << 20;    // of their payloads
inline constexpr Span webhook_time_max = Span::seconds(10);             // one call, once started
inline constexpr std::size_t webhook_answer_bytes_max = 64 << 10;       // nothing reads it
inline constexpr Span webhook_two_secrets_for = Span::seconds(86'400);  // Centrali's bound

// Of one stream of events: a subscription to the fields of one form has fewer.
inline constexpr std::size_t event_filters_max = 16;
// The time that the filters of one stream may take in the hub's thread for one event. Ordinary
// filters take microseconds. A stream whose filters take longer is ended.
inline constexpr Span event_filter_time_max = Span::millis(20);

// A batch stops once its answer has so many bytes, which is as many as a page of a query.
inline constexpr std::size_t batch_answer_bytes = query_bytes_max / 4;
// A response lists at most so many errors of one record.
inline constexpr std::size_t details_max = 1'000;

// The largest record that a connection thread writes itself. A worker writes larger ones, because
// the patterns of their structure are matched against all their texts.
inline constexpr std::size_t quick_record_bytes_max = 16 << 10;

// The body of a token request: a form of four short texts. It is read before the client is
// authenticated. A decoded form takes up to twenty times its bytes.
inline constexpr std::size_t token_request_bytes_max = 64 << 10;
inline constexpr std::size_t signing_key_bytes = 32;     // of the tokens: as long as SHA-256
inline constexpr std::size_t token_parameters_max = 32;  // OAuth 2 and its extensions have half

// Of a member named by a hint: no spelling of a lifetime is longer.
inline constexpr std::size_t hinted_name_bytes_max = 64;

}  // namespace mayfly::limits
