// Bookmark: where a stream of rows stopped, so that the next page continues there. Where the plan
// allows it, the bookmark holds a position in an order and not a count. So a document that expires,
// appears or changes between two pages neither repeats nor hides another row. Groups are ordered by
// their keys. Distinct values have the position of their rows, and the bookmark also holds hashes
// of the values that were returned. Only rows without an identity of their own (concatenations,
// plain values) are counted.
//
//   bookmark := 2 (format) fingerprint(u64) snapshot(i64) index(u32) ties(u8) rows(varint)
//               sliced(varint) position ordinals values
//   position := 'k' text(document key)         a scan or sorted points: the key of the last row
//             | 'e' text(position in the index)                  an index
//             | 's' count(varint) sort_key* text(document key)   a sort: the values of the last row
//             | 'g' count(varint) sort_key*    the keys of the last group
//             | 'l' done(varint)               a list of keys: how many of them
//             | 'n'                            anything else: skip the rows so far
//   ordinals := count(varint) varint*          for each Unnest: the item of the last row
//   values   := count(varint) u64*             for a Distinct: hashes of the values returned
#pragma once

#include <cstdint>
#include <variant>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/result.h"
#include "query/plan.h"

namespace mayfly::query {

struct AtKey {
  Bytes key;
  bool operator==(const AtKey&) const = default;
};
struct AtEntry {
  Bytes position;
  bool operator==(const AtEntry&) const = default;
};
struct AtSorted {
  std::vector<Bytes> keys;  // encoded by put_sort_key, ascending
  Bytes key;
  bool operator==(const AtSorted&) const = default;
};
struct AtGroup {
  std::vector<Bytes> keys;  // encoded as in AtSorted
  bool operator==(const AtGroup&) const = default;
};
struct AtListed {
  std::uint64_t done = 0;
  bool operator==(const AtListed&) const = default;
};
struct AtCount {
  bool operator==(const AtCount&) const = default;
};
using Position = std::variant<AtKey, AtEntry, AtSorted, AtGroup, AtListed, AtCount>;

// Clients send bookmarks in a header, as base64, and read 16 KiB of headers at most. So a bookmark
// holds no more distinct values than this. A position that takes more bytes is replaced by the
// count of rows.
inline constexpr std::size_t remembered_values_max = 900;
inline constexpr std::size_t position_bytes_max = 9 << 10;

struct Bookmark {
  std::uint64_t query = 0;  // fingerprint() of the query
  Instant snapshot;   // the now of the first page; a dialect that pins snapshots looks through it
  PlanChoice choice;  // for Planning::keep
  std::uint64_t rows_so_far = 0;  // on all pages
  std::uint64_t sliced = 0;       // rows that the query's Slice returned, on all pages so far
  Position position = AtCount{};
  std::vector<std::uint32_t> ordinals;
  std::vector<std::uint64_t> values;
  bool operator==(const Bookmark&) const = default;
};

// The bytes are not protected: a dialect seals them before it sends them to a client.
Bytes encode(const Bookmark& bookmark);
// Fails with invalid. An earlier version may have written the bytes, so every part is checked
// before use.
Result<Bookmark> decode_bookmark(BytesView bytes);

}  // namespace mayfly::query
