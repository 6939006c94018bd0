// Reading an index. Its entries belong to the newest versions; for an earlier instant, the entries
// that have left since then are read beside them. Either may belong to a version other than the one
// visible at that instant: if an entry does not prove that it belongs to the visible version, that
// version itself is read (docs/decisions/0030).
#include <algorithm>

#include "base/check.h"
#include "db/read/view_state.h"
#include "db/rows/keys.h"
#include "db/write/transaction_state.h"

namespace mayfly {

struct View::IndexScanState {
  const Collection& collection;
  const Index& index;
  const Lens& lens;
  bool reverse;
  std::optional<Bytes> end = {};  // up to where everything has been read; nothing: all of it

  // Whether the position belongs to a later page.
  bool is_behind_end(BytesView position) const {
    return end && (reverse ? position < *end : position >= *end);
  }
};

struct View::Candidate {
  IndexEntry entry;
  bool is_certain;
};

namespace {

store::Range rows_of(Bytes prefix, const IndexRange& range) {
  return {.lo = prefix + range.from,
          .hi = range.to.empty() ? after_prefix(prefix) : prefix + range.to,
          .rows_max = range.rows_max,
          .reverse = range.reverse};
}

// Up to where all of the pages reach.
std::optional<Bytes> common_end(const std::vector<store::Page>& pages, bool reverse,
                                std::size_t prefix_bytes) {
  std::optional<Bytes> end;
  for (const store::Page& page : pages) {
    if (!page.next) continue;
    Bytes next = page.next->substr(std::min(prefix_bytes, page.next->size()));
    if (!end || (reverse ? next > *end : next < *end)) end = std::move(next);
  }
  return end;
}

// The version that an entry describes.
Result<Document> version_of(const store::Row& row, const Policy& policy) {
  const records::Entry entry = TRY(records::decode_entry(row.value, row.version));
  Document document;
  document.version = {.written_at = entry.written_at, .lifetime = entry.lifetime};
  document.death = death_of(document.version, policy);
  return document;
}

bool is_at(const Index& index, const Document& document, const Bytes& position) {
  const std::vector<Bytes> positions = positions_in(index, document);
  return std::binary_search(positions.begin(), positions.end(), position);
}

}  // namespace

Result<std::vector<View::Candidate>> View::candidates_of(const store::Rows& rows,
                                                         const IndexScanState& reading) {
  std::vector<Candidate> candidates;
  candidates.reserve(rows.size());
  const Policy& policy = reading.collection.policy;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const store::Row row = rows[i];
    const auto key = keys::decode_index(row.key, reading.index);
    if (!key) return fail(Code::corrupt, "an index key in the store is damaged");
    if (reading.is_behind_end(key->position)) break;
    bool is_certain = false;
    if (row.key[0] == static_cast<char>(keys::Table::past)) {
      if (records::to_instant(row.version) <= reading.lens.at) continue;
    } else {
      const Document version = TRY(version_of(row, policy));
      // An entry written later may have replaced that of an earlier version with the same values.
      is_certain = version.version.written_at <= reading.lens.at;
      if (is_certain && !state_->shows(reading.lens, version, policy)) continue;
    }
    candidates.push_back({{Bytes(key->position), key->sort_key.size()}, is_certain});
  }
  return candidates;
}

// The candidates that the lens shows.
Result<std::vector<IndexEntry>> View::visible_entries(std::vector<Candidate> candidates,
                                                      const IndexScanState& reading) {
  std::vector<Bytes> keys;
  for (const Candidate& c : candidates) {
    if (!c.is_certain) keys.emplace_back(c.entry.key());
  }
  std::vector<std::optional<Document>> stood;
  std::vector<IndexEntry> shown;
  shown.reserve(candidates.size());
  std::size_t asked = 0;
  std::size_t first = 0;  // of the candidates that `stood` answers for
  for (Candidate& c : candidates) {
    if (!c.is_certain) {
      if (asked == first + stood.size()) {
        first = asked;
        const auto left = std::span<const Bytes>(keys).subspan(asked);
        stood = TRY(get_many(reading.collection, left, reading.lens));
      }
      const std::optional<Document>& document = stood[asked++ - first];
      if (!document || !is_at(reading.index, *document, c.entry.position)) continue;
    }
    shown.push_back(std::move(c.entry));
  }
  return shown;
}

// Merges the candidates of both tables into one order, each position once: certain if one of them
// is.
void View::merge(std::vector<Candidate>& candidates, bool reverse) {
  std::stable_sort(candidates.begin(), candidates.end(),
                   [reverse](const Candidate& a, const Candidate& b) {
                     if (a.entry.position == b.entry.position) return a.is_certain && !b.is_certain;
                     return (a.entry.position < b.entry.position) != reverse;
                   });
  const auto is_same = [](const Candidate& a, const Candidate& b) {
    return a.entry.position == b.entry.position;
  };
  candidates.erase(std::unique(candidates.begin(), candidates.end(), is_same), candidates.end());
}

Result<IndexPage> View::scan_index(const Collection& collection, const Index& index,
                                   const IndexRange& range, const Lens& lens) {
  const bool is_past = !lens.is_current(now());
  CHECK(index.is_ready && !lens.shows_trash && (!is_past || index.past_since <= lens.at));
  state_->uses(collection);
  const Bytes prefix = keys::index(collection.id, index.id);
  store::ReadBatch batch{{}, {rows_of(prefix, range)}};
  if (is_past) batch.scans.push_back(rows_of(keys::past(collection.id, index.id), range));
  const std::vector<store::Page> pages = std::move(TRY(read(batch)).scans);
  IndexScanState reading{collection, index, lens, range.reverse};
  reading.end = common_end(pages, range.reverse, prefix.size());
  IndexPage page;
  std::vector<Candidate> candidates;
  for (const store::Page& rows : pages) {
    page.rows_read += rows.rows.size();
    auto some = TRY(candidates_of(rows.rows, reading));
    std::move(some.begin(), some.end(), std::back_inserter(candidates));
  }
  if (is_past) merge(candidates, range.reverse);
  page.entries = TRY(visible_entries(std::move(candidates), reading));
  page.next = std::move(reading.end);
  return page;
}

}  // namespace mayfly
