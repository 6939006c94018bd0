// Document: one version of a document as a reader sees it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "lifetime/lifetime.h"
#include "store/store.h"
#include "value/packed/packed.h"
#include "value/path.h"

namespace mayfly {

// What tells documents of one collection apart: the id, and before it the routing bytes of dialects
// that have partition keys (empty elsewhere). Ids are UTF-8 without NUL, 1 to
// limits::document_id_bytes_max bytes.
struct DocumentKey {
  Bytes routing;
  std::string id;
  auto operator<=>(const DocumentKey&) const = default;

  static DocumentKey of(std::string id) { return {{}, std::move(id)}; }
};
// Fails with invalid.
Result<void> check(const DocumentKey& key);

// Values of expressions that indexes hold, by the texts of these.
using ComputedValues = std::map<std::string, Value>;

// Views into rows that `keeps` holds; copying one is cheap.
struct Document {
  BytesView key;  // encoded, as in the row (keys.h)
  std::string_view id;
  Version version;
  Instant death;       // of this version, by the policy the reader saw; never() if it has none
  Instant created_at;  // of the first version of this life
  std::uint64_t revision = 1;      // counts the versions of this life
  std::string_view author;         // who created it; empty: unknown
  std::string_view updater;        // who wrote this version
  BytesView facet;                 // what the dialect that wrote it keeps beside it; opaque
  BytesView hold;                  // encoded (records.h); empty: it is not held
  bool lifetime_is_asked = false;  // beside what the body says
  bool has_expired = false;        // of one in the trash: it died, nobody removed it
  bool said_its_lifetime = false;  // of one that has expired: its body said that lifetime
  Packed body;
  std::shared_ptr<const void> keeps;
  // What has been computed of the body; null: nothing is kept. One thread uses it.
  std::shared_ptr<ComputedValues> computed = nullptr;

  DocumentKey document_key() const;
  // Whether this version is another than the one its life began with.
  bool has_been_updated() const { return created_at < version.written_at; }
};

// The facts of a document that expressions, indexes and sorts can name, as Field::metadata(name):
//   id, id_number (an integer where the id is one that fits and is not negative, in decimal without
//   leading zeros; else the id), created_at, written_at, updated_at (written_at if it has been
//   updated, else null), expires_at (the death, null if it has none), removed_at (for the trash,
//   else null), revision, author, updater (null if unknown).
// Missing for any other name.
Value metadata(const Document& document, std::string_view name);
// A field of either part.
Value field(const Document& document, const Field& field);

}  // namespace mayfly
