// The bounds of the Kuzzle dialect alone, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/limits.h"

namespace mayfly::limits {

// Kuzzle's own bounds on one request; the defaults of options.h.
inline constexpr std::size_t documents_fetch_max = 1'000;
inline constexpr std::size_t documents_write_max = 200;
// Documents that one request deletes by query, and one commit of a truncation: its lock is held for
// a part of a second. Large documents count more (transaction_bytes_max).
inline constexpr std::size_t documents_delete_max = 10'000;
// Documents that a bulk change by query changes in one commit, so that other writers can commit in
// between.
inline constexpr std::size_t changed_by_query_at_once = 1'000;
// Bytes of document sources in one answer, not counting the last document: as much as a page of a
// search. Several answers are in memory at once.
inline constexpr std::size_t answer_sources_bytes_max = query_bytes_max / 4;
// Lines of one bulk import, and of all fixtures of one load. The documents are written in one
// transaction, or in as many as their bytes need, and other writers wait a part of a second for
// each. Also the roles, profiles and users of one load, which are written in one transaction.
inline constexpr std::size_t bulk_lines_max = 20'000;
// Collections of one loadMappings or loadFixtures: rights are checked for each, and each new one is
// a commit of its own.
inline constexpr std::size_t collections_load_max = 1'000;
// How long a collection's history is kept, so that later pages of a scroll show the state of the
// first.
inline constexpr Span scroll_history_for = Span::seconds(300);
// How long events are kept in the feed for subscribers; they are normally sent immediately.
inline constexpr Span realtime_feed_for = Span::seconds(600);
// The least time between two warnings about a full request buffer, as in Kuzzle.
inline constexpr Span overload_warning_every = Span::millis(500);
// Frames of statistics that are kept and sent in one answer: some hundred bytes each.
inline constexpr std::size_t statistics_frames_max = 10'000;
// The size of a WebSocket message before login if there are administrators, and of the body of a
// login over HTTP. Names and passwords are far smaller, and a parsed message may take forty times
// its bytes.
inline constexpr std::size_t message_before_login_bytes_max = 64 << 10;
// Exports that are being sent: each keeps a position in a collection.
inline constexpr std::size_t exports_max = 32;
inline constexpr std::size_t exports_of_client_max =
    8;  // so that one client leaves room for others
inline constexpr std::size_t export_page_documents = 500;  // read at once
inline constexpr std::size_t export_fields_max = 256;      // columns of one
// A field separator is normally one or two characters; it is repeated for every column of every
// line.
inline constexpr std::size_t export_separator_bytes_max = 8;
// A page of an export ends once its documents take this many bytes, but has one document at least.
// The whole page is in memory, and is several times as large in the file's format.
inline constexpr std::size_t export_page_bytes = 2 << 20;
// Names in one deleteFields: each is kept as a path while the document is traversed.
inline constexpr std::size_t deleted_fields_max = 1'000;
// Collections of one search: each costs a search of its own.
inline constexpr std::size_t search_targets_max = 32;
// Fields of a form body: each takes many times its bytes in memory.
inline constexpr std::size_t form_fields_max = 1'000;
// The memory of a message's `volatile` and id: every notification that results from the message
// repeats them, to each subscriber.
inline constexpr std::size_t message_volatile_bytes_max = 64 << 10;
inline constexpr std::size_t request_id_bytes_max = 1'024;
// The memory of the changed fields' names in the notifications of one request; if there are more,
// none are listed. They are kept until the feed has been read.
inline constexpr std::size_t updated_fields_bytes_max = 256 << 10;
// The least time between two passes of the trash collector, whatever the settings say.
inline constexpr Span collector_rest_min = Span::seconds(1);
// How often subscriptions with expired tokens are looked for; a subscription may outlive its token
// by this much.
inline constexpr Span ended_tokens_looked_at_every = Span::seconds(1);

}  // namespace mayfly::limits
