// Bookmark: where a stream of rows stopped, so that the next page goes on there. It holds a
// position in an order, not a count, wherever the plan allows it: documents that die, come or
// change between pages move no other row onto a second page or past one. Groups stand in the order
// of their keys; distinct values stand where their rows do, and the bookmark remembers which were
// given. Only rows that have no identity of their own (concatenations, plain values) are counted.
//
//   bookmark := 2 (format) fingerprint(u64) snapshot(i64) index(u32) ties(u8) given(varint)
//   sliced(varint) position
//               ordinals values
//   position := 'k' text(document key)         a scan or sorted points: the key of the last row
//             | 'e' text(position in the index)
//             | 's' count(varint) sort_key* text(document key)
//             | 'g' count(varint) sort_key*    the keys of the last group
//             | 'l' done(varint)               a list of keys: how many of them
//             | 'n'                            anything else: as many rows as were given
//   ordinals := count(varint) varint*          of each Unnest: the item of the last row
//   values   := count(varint) u64*             of a Distinct: hashes of the values given
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
  std::vector<Bytes> keys;  // a sort key each, as put_sort_key writes it ascending
  Bytes key;
  bool operator==(const AtSorted&) const = default;
};
struct AtGroup {
  std::vector<Bytes> keys;  // as those of AtSorted
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

// Clients carry bookmarks in a header, as base64, and read 16 KiB of headers at most. So more
// distinct values than that are not remembered, and a place that takes more bytes is given up for
// the count of rows.
inline constexpr std::size_t values_told_max = 900;
inline constexpr std::size_t place_bytes_max = 9 << 10;

struct Bookmark {
  std::uint64_t query = 0;  // fingerprint() of what was asked
  Instant snapshot;  // the now of the first page; a dialect that pins snapshots looks through it
  Choice choice;     // for Planning::keep
  std::uint64_t given = 0;   // rows on all pages so far
  std::uint64_t sliced = 0;  // rows that the query's Slice let through, on all pages so far
  Position position = AtCount{};
  std::vector<std::uint32_t> ordinals;
  std::vector<std::uint64_t> values;
  bool operator==(const Bookmark&) const = default;
};

// Bytes; who sends them over a wire seals them first.
Bytes encode(const Bookmark& bookmark);
// Fails with invalid: an earlier version may have written it, so nothing in it is believed before
// it is checked.
Result<Bookmark> decode_bookmark(BytesView bytes);

}  // namespace mayfly::query
