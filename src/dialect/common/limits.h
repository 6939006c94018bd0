// Bounds that several dialects meet, beside those of base/limits.h; apart from them because every
// file of the program includes those.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// Fields that one request selects: each is looked up in every document of a page, and a thousand
// documents take half a second with as many.
inline constexpr std::size_t selected_fields_max = 256;

// A body that is no longer is read before rights are asked, for it costs less than to ask them
// twice.
inline constexpr std::size_t body_unasked_bytes_max = 16 << 10;
inline constexpr std::size_t bulk_body_bytes_max =
    16 << 20;  // a thousand records of 16 KiB; a transaction holds four times that
// Of a body that comes packed, once it is unpacked: as much as one that does not.
inline constexpr std::size_t unpacked_body_bytes_max = bulk_body_bytes_max;
inline constexpr std::size_t transaction_operations_max =
    1'000;  // of one request; the lock on commits is held for milliseconds

// --- pages of lists ---
// A bookmark at its largest (bookmark_bytes_max) in base64, with its seal; what comes in a header
// is bound to less.
inline constexpr std::size_t page_token_bytes_max = 24 << 10;
// Of an API that says nothing else: long for a user who reads on, short for what lies in a log.
inline constexpr Span page_token_good_for = Span::seconds(86'400);

// --- what goes on ---
inline constexpr std::size_t stream_text_bytes_max =
    64 << 10;  // gathered for one client before it is sent: a quarter of what may wait
inline constexpr std::size_t feed_page_events_max = 256;      // read at once for those who follow
inline constexpr Span stream_age_max = Span::seconds(3'600);  // then a client comes again: keys end
inline constexpr Span keep_alive_every =
    Span::seconds(15);  // half of what proxies commonly take for a dead connection

// Pages that one source keeps in one round for its next subscribers: most stand at the same place,
// and a page can have many megabytes.
inline constexpr std::size_t stream_pages_kept_max = 4;
// What reading for one source's subscribers, and their filters, may take of the thread before all
// others have their turn.
inline constexpr Span stream_turn_max = Span::millis(200);
// What sources that call functions of clients may take for one payer (EventSource::payer) in one
// round: some events, or one that takes long. Then the other payers have their turn, and its source
// that has waited for longest is its next one.
inline constexpr Span stream_payer_turn_max = Span::millis(50);
// A source whose last turn took less is served before those that take longer: a handful of events
// without such functions, or with short ones.
inline constexpr Span stream_quick_turn_max = Span::millis(5);
// A source that has waited for so many rounds is served before the quick ones: they may take all of
// each round.
inline constexpr std::uint64_t stream_rounds_waited_max = 16;

}  // namespace mayfly::limits
