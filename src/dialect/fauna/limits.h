// Bounds that only this dialect meets, each with its reason, beside those of base/limits.h.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// Elements of an array, or of a set that is made one: the service's own bound, which clients know.
inline constexpr std::size_t fql_elements_max = 16'000;
// Calls within calls: the service's own bound.
inline constexpr std::size_t fql_frames_max = 2'048;
// What one query may make in all, freed or not: texts that double in a loop end here.
inline constexpr std::size_t fql_made_bytes_max = std::size_t{512} << 20;
// Of one text: the service's own bound.
inline constexpr std::size_t fql_text_bytes_max = std::size_t{16} << 20;
// What log() and dbg() add to the summary of one query: more than a client reads.
inline constexpr std::size_t fql_logs_bytes_max = std::size_t{1} << 20;
// A set as a cursor holds it, which comes back in a request's body: room for an array of some
// thousand elements and for long lambdas.
inline constexpr std::size_t fql_cursor_bytes_max = std::size_t{1} << 20;
// Documents that one query keeps so as not to read them again: by their number, and by their bytes.
inline constexpr std::size_t fql_kept_documents_max = 2'000;
inline constexpr std::size_t fql_kept_bytes_max = std::size_t{16} << 20;
// Values of one list or frame that count as made only where there are more: so many for each call
// within a call are some megabytes.
inline constexpr std::size_t fql_uncounted_values_max = 64;
// Arrays and objects within each other: going through them is recursive, and so is freeing them.
inline constexpr std::size_t fql_value_depth_max = 1'000;

// Of a thread's stack that evaluation leaves: for what it calls, and for freeing deep values.
inline constexpr std::size_t fql_stack_left_min = std::size_t{1} << 20;

// What a result may take in memory: parts that a value shares are shown each time.
inline constexpr std::size_t fql_result_bytes_max = std::size_t{32} << 20;
// Values within values that a result shows: JSON readers of clients go about as deep.
inline constexpr int fql_shown_depth_max = 128;

// No query is as short: with such a deadline nothing is done, and the answer waits until it has
// passed. The worker that waits has less to do than with the shortest query.
inline constexpr Span fql_deadline_waited_for_max = Span::millis(2);

// The service's own: elements of a page, and sets within sets that are shown by their elements.
inline constexpr std::size_t fql_page_default = 16;
inline constexpr int fql_shown_sets_max = 10;
// What a cursor holds of elements that were sorted; beyond it, later pages sort again.
inline constexpr std::size_t fql_held_bytes_max = std::size_t{256} << 10;
// --- streams of events ---
// Lambdas of one event, on the thread of all streams that call some; and those of one page of
// events, after which the others have their turn (stream_payer_turn_max).
inline constexpr Span fql_event_time_max = Span::millis(200);
inline constexpr Span fql_events_time_max = Span::millis(50);
// The service's own: after so much silence a stream says where it stands.
inline constexpr Span fql_stream_status_every = Span::seconds(300);
// Secrets whose database is gone open nothing; their rows may stay so long.
inline constexpr Span fql_lost_secrets_every = Span::seconds(60);
// A stream has no end of its own; a client that comes again would miss nothing.
inline constexpr Span fql_stream_age_max = Span::seconds(std::int64_t{100} * 365 * 86'400);

// Documents of one batch of an import, which is one transaction.
inline constexpr std::size_t import_documents_max = 1'000;
// Of one page of an export: a page ends with the line that passes it. Escaped as JSON, with a line
// of the largest document, it stays below what a client takes (client_answer_bytes_max).
inline constexpr std::size_t exported_page_bytes_max = std::size_t{4} << 20;
// Pages of the store that are read for it: where much was written since, few rows are shown.
inline constexpr int exported_page_scans_max = 32;
// Of a line: what `mayfly import` takes.
inline constexpr std::size_t exported_document_bytes_max = std::size_t{6} << 20;

// Hashed in one query: half a second of one processor. Users log in one by one.
inline constexpr std::uint64_t fql_passwords_max = 10;
// Of the documents of schemas whose definitions are kept, parsed, by their version; some fifty
// times as much of memory at the very most.
inline constexpr std::size_t fql_known_bytes_max = std::size_t{1} << 20;

// --- what a query in FQL, or a schema in FSL, may be ---
inline constexpr std::size_t fql_bytes_max = 8 << 20;  // Fauna's bound on a whole request
inline constexpr std::size_t fql_depth_max =
    300;  // recursion over the tree, and of the parser, which takes less than a megabyte of stack
inline constexpr std::size_t fql_nodes_max = 400'000;  // some 64 MB of a tree
// Variables that all lambdas of a text take from around them, counted in each lambda in between: 5
// MB. A text may have as many as bytes, and some, but no more: no short text is a large tree.
inline constexpr std::size_t fql_captures_max = 400'000;
inline constexpr std::size_t fql_captures_of_any_text = 1'000;
// More for each argument. A lambda in a cursor has arguments for what it had taken from around it,
// which the text of its query had declared.
inline constexpr std::size_t fql_captures_of_argument = 16;
inline constexpr std::size_t fql_errors_max = 20;  // more help no reader

// Of one write that its collection refuses: more help no reader.
inline constexpr std::size_t fql_failures_max = 1'000;
// Of what a failure says was provided, of each array: the same.
inline constexpr std::size_t fql_type_text_max = 1'000;
// A query waits so long for another one that applies a schema, then goes on without.
inline constexpr mayfly::Span fql_apply_wait_max = mayfly::Span::millis(100);

// --- what the types of one query may be ---
// Of the values that are sent along: of more than so many no type is known.
inline constexpr std::size_t fql_typed_values_max = 10'000;
inline constexpr std::size_t fql_type_size_max = 500;    // parts of one: more help no reader
inline constexpr std::size_t fql_type_members_max = 32;  // of `A | B`, and of `[A, B]`: the same

// --- how much of a source a diagnostic shows ---
inline constexpr std::size_t diagnostic_line_bytes_max = 2 << 10;  // a longer line is not read
inline constexpr std::size_t diagnostic_lines_max = 60;            // a screen
inline constexpr std::size_t diagnostic_frames_max = 20;           // calls that led to an error

}  // namespace mayfly::limits
