// Bounds of this dialect alone, each with its reason. base/limits.h has those of all parts.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"

namespace mayfly::limits {

// Elements of an array, or of a set that is converted to one: the service's own bound, which
// clients know.
inline constexpr std::size_t fql_elements_max = 16'000;
// Calls within calls: the service's own bound.
inline constexpr std::size_t fql_frames_max = 2'048;
// Bytes that one query may make in total, freed or not. Stops texts that double in a loop.
inline constexpr std::size_t fql_made_bytes_max = std::size_t{512} << 20;
// Bytes of one text: the service's own bound.
inline constexpr std::size_t fql_text_bytes_max = std::size_t{16} << 20;
// Bytes that log() and dbg() add to the summary of one query: more than any reader needs.
inline constexpr std::size_t fql_logs_bytes_max = std::size_t{1} << 20;
// Bytes of a set in a cursor, which comes back in a request's body: room for an array of some
// thousand elements and for long lambdas.
inline constexpr std::size_t fql_cursor_bytes_max = std::size_t{1} << 20;
// Documents that one query caches: their number, and their bytes.
inline constexpr std::size_t fql_cached_documents_max = 2'000;
inline constexpr std::size_t fql_cached_document_bytes_max = std::size_t{16} << 20;
// Values of one list or frame up to this number do not count as made. With this many in each nested
// call, they take a few megabytes.
inline constexpr std::size_t fql_uncounted_values_max = 64;
// Arrays and objects within each other: going through them is recursive, and so is freeing them.
inline constexpr std::size_t fql_value_depth_max = 1'000;

// Bytes of a thread's stack that evaluation must leave free: for the functions that it calls, and
// for freeing deep values.
inline constexpr std::size_t fql_stack_left_min = std::size_t{1} << 20;

// Bytes that a result may take in memory. Shared parts of a value are counted every time they are
// shown.
inline constexpr std::size_t fql_result_bytes_max = std::size_t{32} << 20;
// Nesting depth of the values that a result shows: about what JSON parsers of clients accept.
inline constexpr int fql_shown_depth_max = 128;

// No query can finish in so short a time. With such a deadline, the query is not run and the
// response waits until the deadline has passed. Waiting costs a worker less than the shortest
// query.
inline constexpr Span fql_deadline_waited_for_max = Span::millis(2);

// The service's own: elements of a page, and the number of nested sets that are shown with their
// elements.
inline constexpr std::size_t fql_page_default = 16;
inline constexpr int fql_shown_sets_max = 10;
// Bytes of sorted elements that a cursor holds; with more, later pages sort again.
inline constexpr std::size_t fql_cursor_elements_bytes_max = std::size_t{256} << 10;
// --- streams of events ---
//
// Time for the lambdas of one event, on the thread shared by all streams that call some; and for
// those of one page of events, after which the other streams continue (stream_payer_turn_max).
inline constexpr Span fql_event_time_max = Span::millis(200);
inline constexpr Span fql_events_time_max = Span::millis(50);
// The service's own: after so long without an event, a stream sends its position.
inline constexpr Span fql_stream_status_every = Span::seconds(300);
// How often secrets of dropped databases are removed. They grant no access meanwhile.
inline constexpr Span fql_orphaned_secrets_every = Span::seconds(60);
// A stream has no maximum age. A client that reconnects would miss nothing.
inline constexpr Span fql_stream_age_max = Span::seconds(std::int64_t{100} * 365 * 86'400);

// Documents of one batch of an import, which is one transaction.
inline constexpr std::size_t import_documents_max = 1'000;
// Bytes of one page of an export: a page ends with the line that exceeds it. Escaped as JSON, and
// with a line of the largest document, a page stays below what a client accepts
// (client_answer_bytes_max).
inline constexpr std::size_t exported_page_bytes_max = std::size_t{4} << 20;
// Pages of the store that are read for one page of an export. If much was written since its
// instant, few of the rows are shown.
inline constexpr int exported_page_scans_max = 32;
// Bytes of a line of an export: what `mayfly import` accepts.
inline constexpr std::size_t exported_document_bytes_max = std::size_t{6} << 20;

// Passwords hashed in one query: half a second of one processor. Users log in one by one.
inline constexpr std::uint64_t fql_passwords_max = 10;
// Bytes of the schema documents whose parsed definitions are cached by version. The parsed
// definitions take at most some fifty times as much memory.
inline constexpr std::size_t fql_cached_schema_bytes_max = std::size_t{1} << 20;

// --- source text: a query in FQL, or a schema in FSL ---
inline constexpr std::size_t fql_bytes_max = 8 << 20;  // Fauna's bound on a whole request
inline constexpr std::size_t fql_depth_max =
    300;  // recursion of the parser, which takes less than a megabyte of stack, and over the tree
inline constexpr std::size_t fql_nodes_max = 400'000;  // some 64 MB of a tree
// Captured variables of all lambdas of a text, counted in each lambda in between: 5 MB. A text may
// have as many as it has bytes, plus a constant, so that no short text makes a large tree.
inline constexpr std::size_t fql_captures_max = 400'000;
inline constexpr std::size_t fql_captures_of_any_text = 1'000;
// Additional ones for each argument. A lambda in a cursor has arguments for its captured variables,
// which the text of its query had declared.
inline constexpr std::size_t fql_captures_of_argument = 16;
inline constexpr std::size_t fql_errors_max = 20;  // a reader needs no more

// Constraint failures that are listed for one write: a reader needs no more.
inline constexpr std::size_t fql_failures_max = 1'000;
// Bytes of the type that a failure says was provided, for each array: the same.
inline constexpr std::size_t fql_type_text_max = 1'000;
// How long a query waits for another one that applies a schema, before it continues without it.
inline constexpr mayfly::Span fql_apply_wait_max = mayfly::Span::millis(100);

// --- types of one query ---
//
// Values sent along with a query: beyond this number their types are not inferred.
inline constexpr std::size_t fql_typed_values_max = 10'000;
inline constexpr std::size_t fql_type_size_max = 500;    // parts of one: a reader needs no more
inline constexpr std::size_t fql_type_members_max = 32;  // of `A | B`, and of `[A, B]`: the same

// --- how much of a source a diagnostic shows ---
inline constexpr std::size_t diagnostic_line_bytes_max = 2 << 10;  // a longer line is not read
inline constexpr std::size_t diagnostic_lines_max = 60;            // a screen
inline constexpr std::size_t diagnostic_frames_max = 20;           // calls that led to an error

}  // namespace mayfly::limits
