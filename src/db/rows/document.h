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

// Identifies a document within its collection: the id, and before it the routing bytes of its
// partition (partition.h). The routing is empty in a collection without partitions, and for the
// partition of documents without a partition key. In a collection with partitions, an empty routing
// also means that the caller does not name the partition. Ids are UTF-8 without NUL, 1 to
// limits::document_id_bytes_max bytes.
struct DocumentKey {
  Bytes routing;
  std::string id;
  auto operator<=>(const DocumentKey&) const = default;

  static DocumentKey of(std::string id) { return {{}, std::move(id)}; }
};
// Fails with invalid, and with too_large if the routing has more than limits::routing_bytes_max
// bytes. Whether the id is UTF-8 is not checked.
Result<void> check(const DocumentKey& key);

// Values of the expressions that indexes hold, by the text of each expression.
using ComputedValues = std::map<std::string, Value>;

// Views into rows that `keeps` keeps alive; copying a document is cheap.
struct Document {
  BytesView key;  // encoded, as in the row (keys.h)
  std::string_view id;
  Version version;
  Instant death;       // of this version, by the policy that the reader saw; never() if it has none
  Instant created_at;  // of the first version of this life
  std::uint64_t revision = 1;           // counts the versions of this life
  std::string_view author;              // the user who created it; empty: unknown
  std::string_view updater;             // the user who wrote this version
  BytesView facet;                      // metadata of the dialect that wrote it; opaque
  BytesView hold;                       // encoded (records.h); empty: it is not held
  bool lifetime_is_requested = false;   // requested by the writer, not by the body
  bool has_expired = false;             // for one in the trash: it expired and was not removed
  bool specified_its_lifetime = false;  // for an expired one: its body specified that lifetime
  Packed body;
  std::shared_ptr<const void> keeps;
  // Values computed from the body; null: none are kept. Used by one thread only.
  std::shared_ptr<ComputedValues> computed = nullptr;

  DocumentKey document_key() const;
  // Whether this version is not the one with which its life began.
  bool has_been_updated() const { return created_at < version.written_at; }
};

// Metadata of a document that expressions, indexes and sorts can name, as Field::metadata(name):
//   id, id_number (an integer if the id is a nonnegative decimal number that fits and has no
//   leading zeros; else the id), created_at, written_at, updated_at (written_at if it has been
//   updated, else null), expires_at (the death, null if it has none), ends_at (the instant of an At
//   lifetime, else null), removed_at (for the trash, else null), revision, author, updater (null if
//   unknown).
// Missing for any other name.
Value metadata(const Document& document, std::string_view name);
// The value of a field of the body or of the metadata.
Value field(const Document& document, const Field& field);

}  // namespace mayfly
