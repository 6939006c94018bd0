// Questions that are put to product and model alike, and their answers as text.
#pragma once

#include <string>

#include "simulate/model.h"

namespace mayfly::simulate {

struct Question {
  enum class Kind {
    point,            // Database::get
    get,              // View::get and get_many
    scan,             // documents in pages
    index_scan,       // entries of one index in pages
    query,            // filtered and sorted, in pages of the query layer
    count,            // of a filter
    living,           // how many documents there are
    group,            // counted and summed by n
    get_as_of,        // one document at an earlier instant
    scan_as_of,       // all of them
    scan_pinned,      // versions of an earlier instant, without those that have expired since
    query_as_of,      // filtered at an earlier instant
    index_as_of,      // as index_scan, at an earlier instant
    index_pinned,     // as scan_pinned, by an index
    history,          // all versions of one document
    trash,            // removed documents, the longest removed first
    get_removed,      // the last removed document of an id
    scan_with_trash,  // the living and the removed
    holds,            // what is held, living and removed
    forecast,         // how many expire in each stretch of time to come
    preview           // how many would expire under another default
  };
  static constexpr int kinds = static_cast<int>(Kind::preview) + 1;

  Kind kind = Kind::point;
  std::string collection;
  std::string id;
  std::string to;  // for scans: id <= documents < to; empty: no bound
  std::string index;
  Instant at;
  int n = 0;
  std::size_t page = 1;
  bool reverse = false;

  bool is_of_the_past() const {
    return kind == Kind::get_as_of || kind == Kind::scan_as_of || kind == Kind::scan_pinned ||
           kind == Kind::query_as_of || kind == Kind::index_as_of || kind == Kind::index_pinned;
  }
  bool is_of_index() const {
    return kind == Kind::index_scan || kind == Kind::index_as_of || kind == Kind::index_pinned;
  }
  bool is_of_trash() const {
    return kind == Kind::trash || kind == Kind::get_removed || kind == Kind::scan_with_trash;
  }
  // Whether it is put to the database, which has its own now.
  bool has_own_now() const {
    return kind == Kind::point || kind == Kind::forecast || kind == Kind::preview;
  }
  // What a forecast and a preview ask about.
  Span width() const;
  Default changed_default() const;
};
// Stretches of time in a forecast.
inline constexpr std::size_t forecast_slots = 4;
// For stretches of time or for a preview: until when, and how many deaths.
std::string render(Instant until, std::uint64_t deaths);

std::string render(const Question& question);

// The model's answer at `now`. With `at`, and for a question about living documents: for the
// versions that were valid then; deaths are judged at `now`.
std::string expected(const Model& model, const Question& question, Instant now,
                     std::optional<Instant> at = {});

// The product's answer through the view; a point read uses the database itself.
std::string answer_of(Database& database, View& view, const Question& question);

// --- the feed, where some events appear when the sweeper records them ---

// One event, as both sides format it.
std::string render(Event::Kind kind, Instant at, const std::string& id, Instant version_at);
// The events of the foreground after `after` that are still kept; "unsupported" without a feed.
std::string expected_feed(const Model& model, const std::string& collection, Instant after,
                          Instant now);
// The same from the product. Fails (with text that begins with "broken") if instants decrease.
std::string feed_answer(Database& database, const CollectionModel& model, Instant after,
                        std::size_t page);

// --- which rows must be on disk, and no others ---

struct RowCounts {
  std::size_t heads = 0, history = 0, trash = 0, entries = 0, past = 0, queue = 0, holds = 0;
  bool operator==(const RowCounts&) const = default;
};
// The rows after everything due has been swept and compacted. `spare`: rows that may also be there.
// If expired documents go to the trash first, the heads of some that have gone there may stay for
// as long as the trash would keep them; and rows of an index may depend on when it was filled, or
// when something was compacted.
RowCounts expected_rows(const CollectionModel& collection, Instant now, RowCounts& spare);
RowCounts counted_rows(Database& database, CollectionId collection);
std::string render(const RowCounts& counts);

}  // namespace mayfly::simulate
