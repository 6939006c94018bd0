// The bounds that only the Kuzzle dialect meets, each with its reason.
#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/limits.h"

namespace mayfly::limits {

// Kuzzle's own bounds on one request, where nobody chooses others (options.h).
inline constexpr std::size_t documents_fetch_max = 1'000;
inline constexpr std::size_t documents_write_max = 200;
// What one request deletes by a query, and one commit of a truncation: its lock is held for a part
// of a second. Fewer where they are large (transaction_bytes_max).
inline constexpr std::size_t documents_delete_max = 10'000;
// What a bulk change by query changes in one commit, so that others have their turns.
inline constexpr std::size_t changed_by_query_at_once = 1'000;
// What the sources of the documents in one answer hold before its last: as much as a page of a
// search. Several answers are in memory at once.
inline constexpr std::size_t answer_sources_bytes_max = query_bytes_max / 4;
// Of one bulk import, and of all fixtures of one load: its documents are written in one
// transaction, or as many as their bytes need, and other writers wait a part of a second for one.
// Also the roles, profiles and users of one load, which are written in one transaction.
inline constexpr std::size_t bulk_lines_max = 20'000;
// Collections of one loadMappings or loadFixtures: rights are asked in each, and each new one is a
// commit of its own.
inline constexpr std::size_t places_load_max = 1'000;
// How long a collection's past is kept, so that later pages of a scroll show what its first did.
inline constexpr Span scroll_history_for = Span::seconds(300);
// How long events are kept for those who are told of them; they are told at once.
inline constexpr Span realtime_feed_for = Span::seconds(600);
// Between two warnings that the buffer of requests fills, as Kuzzle has it.
inline constexpr Span overload_warning_every = Span::millis(500);
// Frames of statistics that are kept, and told in one answer: some hundred bytes each.
inline constexpr std::size_t statistics_frames_max = 10'000;
// A message on a WebSocket before its client has logged in, where there are administrators, and the
// body of a login over HTTP: names and passwords take far less, and a parsed message may take forty
// times its bytes.
inline constexpr std::size_t message_before_login_bytes_max = 64 << 10;
// Exports that are on their way to clients: each keeps a place in a collection.
inline constexpr std::size_t exports_max = 32;
inline constexpr std::size_t exports_of_client_max = 8;    // so that one leaves places for others
inline constexpr std::size_t export_page_documents = 500;  // read at once
inline constexpr std::size_t export_fields_max = 256;      // columns of one
// A field separator is a character or two; it stands in every line as often as there are columns.
inline constexpr std::size_t export_separator_bytes_max = 8;
// A page of an export ends early, but never empty, once its documents take that much: it lies in
// memory whole, some times as large in the file's own form.
inline constexpr std::size_t export_page_bytes = 2 << 20;
// Names of one deleteFields: each is kept as a path while the document is gone through.
inline constexpr std::size_t deleted_fields_max = 1'000;
// Collections of one search: each is searched as if it were the only one.
inline constexpr std::size_t search_targets_max = 32;
// Fields of a form that is sent in place of JSON: each takes many times its bytes.
inline constexpr std::size_t form_fields_max = 1'000;
// What a message says beside what it asks for, `volatile` and its id, as memory: every notification
// that comes of it repeats them, to each subscriber.
inline constexpr std::size_t message_volatile_bytes_max = 64 << 10;
inline constexpr std::size_t request_id_bytes_max = 1'024;
// Names of fields that the notifications of one request tell as changed, as they lie in memory; of
// more they tell none. They are kept until the feed has been read.
inline constexpr std::size_t updated_fields_bytes_max = 256 << 10;
// Between two passes of the trash collector, whatever the settings say.
inline constexpr Span collector_rest_min = Span::seconds(1);
// Between two looks for subscriptions whose tokens have ended: so long they may go on.
inline constexpr Span ended_tokens_looked_at_every = Span::seconds(1);

}  // namespace mayfly::limits
