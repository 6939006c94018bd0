// Attachments of documents, and the bytes of their media, as they lie in the database: rows of a
// private table beside their container. They are keyed by the life of the document that
// they belong to: whoever sees the document sees them, and a new document of the same id has none.
// Only what is left of the dead is housekeeping (collector.h, docs/decisions/0017).
//
//   attachment := routing 'a' life, its id        {"told", "number", "bytes", and life in plain:
//                                                  "document", "routing", "created_at"}
//   piece      := routing 'm' life, number '.' i  {"bytes"}: a part of media, the first is 0
//   life       := half of SHA-256 of the document's key, created_at of the document (i64)
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "db/private_table.h"
#include "dialect/cosmos/containers/container.h"
#include "query/query.h"
#include "value/value.h"

namespace mayfly::cosmos {

// What tells a document from others, and from those that had its id before.
struct Life {
  DocumentKey document;
  Instant created_at;
  bool operator==(const Life&) const = default;
};
Life life_of(const Document& document);

struct Attachment {
  Life life;
  std::string id;
  Object declared;           // as its writer has said it; `media` only where that is not its own
  std::uint32_t number = 0;  // the end of its rid
  // Of media of its own; nothing: it names some elsewhere.
  std::optional<std::size_t> media_bytes = {};
  Instant changed_at = {};

  DocumentKey key() const;
  static PrivateSpec table();  // a part for each container
  static bool is_row(const Document& document);
  static Result<Attachment> decode(const Document& document);
  Result<Value> encode() const;
};
using Attachments = PrivateTable<Attachment>;

// Null where the container has had none yet.
Attachments attachments_of(const Catalog& catalog, const Collection& container);
Result<Attachments> make_attachments_of(Database& database, const Collection& container);
// The container whose attachments lie there; nothing where none do.
std::optional<CollectionId> container_of_attachments(const Collection& collection);
// All at once, if there are any. The container itself goes before them, and hides them. It is no
// error that somebody else was faster.
Result<void> drop_attachments(Database& database, const Attachments& attachments);

// All that lie there, of whatever life, those of expired documents among them. `from` is empty, or
// the `next` of the page before.
Result<Attachments::Page> scan_attachments(const Attachments& attachments, const Bytes& from,
                                           std::size_t rows_max, View& view);

// Those of one life, by id; there must be a table.
query::QueryPtr attachments_of_life(const Attachments& attachments, const Life& life,
                                    const View& view);
// The same read; none where there is no table of them.
Result<std::vector<Attachment>> list_attachments(const Attachments& attachments, const Life& life,
                                                 View& view);

Result<void> put_attachment(Transaction& transaction, const Attachments& attachments,
                            const Attachment& attachment, PutOptions options);
// With its media. Fails with not_found, stale.
Result<void> remove_attachment(Transaction& transaction, const Attachments& attachments,
                               const Attachment& attachment, RemoveOptions options);

// In place of the media that it has; `media_bytes` is the caller's to keep.
Result<void> put_media(Transaction& transaction, const Attachments& attachments,
                       const Attachment& attachment, std::string_view media);
Result<void> remove_media(Transaction& transaction, const Attachments& attachments,
                          const Attachment& attachment);
// Only where it has media of its own.
Result<std::string> read_media(const Attachments& attachments, const Attachment& attachment,
                               View& view);

// Whether the document lives. Who is dead or removed does not.
Result<bool> is_alive(const Collection& container, const Life& life, View& view);
// The bytes of media that the living attachments of the account have, as far as that many show.
Result<std::uint64_t> media_bytes_of_account(View& view, std::size_t attachments_max);

}  // namespace mayfly::cosmos
