// Bounds that several dialects share, in addition to those of base/limits.h. They are separate
// because every file of the program includes base/limits.h.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// Fields that one request selects: each is looked up in every document of a page, and a thousand
// documents take half a second with as many.
inline constexpr std::size_t selected_fields_max = 256;

// A body up to this size is read before rights are checked, because that costs less than checking
// them twice.
inline constexpr std::size_t body_unauthenticated_bytes_max = 16 << 10;
inline constexpr std::size_t bulk_body_bytes_max =
    16 << 20;  // a thousand records of 16 KiB; a transaction holds four times that
// Bytes of a compressed body after decompression: the same as for an uncompressed one.
inline constexpr std::size_t unpacked_body_bytes_max = bulk_body_bytes_max;
inline constexpr std::size_t transaction_operations_max =
    1'000;  // in one request; the commit lock is held for milliseconds

// --- pages of lists ---
// A bookmark of maximal size (bookmark_bytes_max) in base64, with its seal. Tokens in headers have
// a smaller bound.
inline constexpr std::size_t page_token_bytes_max = 24 << 10;
// For APIs that define nothing else: long enough for a user who reads on, short for a token that
// ends up in a log.
inline constexpr Span page_token_good_for = Span::seconds(86'400);

// --- event streams ---
inline constexpr std::size_t stream_text_bytes_max =
    64 << 10;  // collected for one client before it is sent: a quarter of what may wait
inline constexpr std::size_t feed_page_events_max = 256;      // read at once for subscribers
inline constexpr Span stream_age_max = Span::seconds(3'600);  // then the client must reconnect,
                                                              // because keys expire
inline constexpr Span keep_alive_every =
    Span::seconds(15);  // half of the idle time after which proxies commonly close connections

// Pages that one source keeps in one round for its next subscribers: most are at the same position,
// and a page can have many megabytes.
inline constexpr std::size_t stream_pages_kept_max = 4;
// The thread's time for reading for one source's subscribers, and for their filters, before all
// other sources are served.
inline constexpr Span stream_turn_max = Span::millis(200);
// The time of one payer's (EventSource::payer) sources in one round: some events, or one that takes
// long. Then the other payers are served. Of the payer's own sources, the one that has waited
// longest is next.
inline constexpr Span stream_payer_turn_max = Span::millis(50);
// A source whose last turn took less is served before slower ones: a handful of events without such
// functions, or with short ones.
inline constexpr Span stream_quick_turn_max = Span::millis(5);
// A source that has waited for this many rounds is served before the quick ones, which may take all
// of each round.
inline constexpr std::uint64_t stream_rounds_waited_max = 16;

}  // namespace mayfly::limits
