// The values of the rows of documents, index entries, holds, queues and events: each decode
// function stands beside its encode function (of events in feed/feed.h, of queues in
// write/transaction_state.h). A row's store version is its commit instant; what follows from that
// is not written again. Elsewhere are the values of the catalog (catalog/catalog.h), of logged ends
// (feed/logged_ends.h), of the record of purges (purge/purge_log.h), of ledgers (ledger/) and of
// the clock's floor (clock/clock_floor.h).
//
//   head     := lifetime_and_flags created? revision(varint) author? updater? facet? hold(text)?
//               packed
//   history  := end(1 byte: 'r' replaced | 'd' removed) head'   row version: the instant of the end
//   trash    := end(1 byte: 'd' removed | 'x' expired | 's' expired, and its body said that
//                lifetime) written_at(varint) head'   its key has the instant of the end
//   head'    := head, with created always written
//   entry    := lifetime_and_flags written_at?(varint)   of an index; only where not the row's own
//   past     := nothing          of an index; row version: the instant at which the entry left
//   queue    := death(i64)?      only of a version expired when it was written: its key has
//                                the instant of the writing
//   of queue 't' := 01 | queue(1 byte) instant(i64) | nothing
//                                its document is held | the position of its own end | neither
//   event    := kind(1 byte) key(text) version_at(varint) death(i64)?
//   hold     := lifetime_and_flags counted_from(varint)? held_at(varint) by(text) reason(text);
//               counted_from where flag 6 is set, else the row's own instant
//   lifetime_and_flags := flags(1 byte) seconds(varint)? | micros(i64)?
//   flags    := bits 0-1 lifetime (0 inherit, 1 never, 2 after, 3 at) · 2 created is written
//               · 3 author · 4 updater is not the author · 5 facet · 6 written_at is written; of a
//               head: the lifetime was requested by the writer · 7 hold
//
// created, author, updater, facet and hold stand only where their flag is set; created is a varint
// of microseconds.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"
#include "db/rows/document.h"
#include "lifetime/lifetime.h"
#include "store/store.h"

namespace mayfly::records {

// The contents of a head row, except its row version. Views into the bytes that it was made from.
struct Head {
  Lifetime lifetime = Inherit{};
  bool is_asked = false;                  // requested by the writer, not by the body
  Instant created_at = Instant::never();  // never(): the instant of the row itself
  std::uint64_t revision = 1;
  std::string_view author;
  std::string_view updater;
  BytesView facet;
  BytesView hold;  // encoded; empty: it is not held
  BytesView body;  // packed
};
void encode(const Head& head, Bytes& out);
// Fails with corrupt.
Result<Head> decode_head(BytesView value);
// Only the lifetime, which comes first: decides visibility without decoding the rest.
Result<Lifetime> decode_lifetime(BytesView value);

// What a hold stores about the version it is on. The lifetime of that version itself is never.
struct Hold {
  Lifetime lifetime;  // the lifetime without the hold, …
  Instant counted_from =
      Instant::never();  // … counted from this instant; never(): from the version's own instant
  Instant held_at;
  std::string by;
  std::string reason;
};
Bytes encode(const Hold& hold);
Result<Hold> decode_hold(BytesView value);

// expired_as_specified: its body specified the lifetime that has ended.
enum class End : char { replaced = 'r', removed = 'd', expired = 'x', expired_as_specified = 's' };
struct History {
  End end = End::replaced;
  Head head;
};
void encode_history(End end, const Head& head, Bytes& out);
Result<History> decode_history(BytesView value);

struct Trash {
  End end = End::removed;
  Instant written_at;
  Head head;
};
void encode_trash(End end, Instant written_at, const Head& head, Bytes& out);
Result<Trash> decode_trash(BytesView value);

// `written_at` is never() if the entry's own row has that instant.
void encode_entry(const Lifetime& lifetime, Instant written_at, Bytes& out);
struct Entry {
  Lifetime lifetime;
  Instant written_at;
};
Result<Entry> decode_entry(BytesView value, store::Version row_version);

// Documents decoded from rows. `policy` decides the death; `keeps` keeps the row's bytes alive.
Result<Document> head_document(const store::Row& row, const Policy& policy,
                               std::shared_ptr<const void> keeps);
Result<Document> history_document(const store::Row& row, const Policy& policy,
                                  std::shared_ptr<const void> keeps);
Result<Document> trash_document(const store::Row& row, const Policy& policy,
                                std::shared_ptr<const void> keeps);
// The head of a document, to write it again elsewhere.
Head head_of(const Document& document);

inline store::Version to_version(Instant t) {
  return static_cast<store::Version>(t.micros);
}
inline Instant to_instant(store::Version v) {
  return {static_cast<std::int64_t>(v)};
}

}  // namespace mayfly::records
