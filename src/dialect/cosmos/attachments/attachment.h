// Attachments of documents, and the bytes of their media, as stored: rows of a private table beside
// their container. They are keyed by the life of their document. So a reader that sees the document
// sees them, and a new document of the same id has none. The collector erases those of documents
// that have expired or been removed (collector.h, docs/decisions/0017).
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

// Identifies a document among others, and among earlier ones of the same id.
struct Life {
  DocumentKey document;
  Instant created_at;
  bool operator==(const Life&) const = default;
};
Life life_of(const Document& document);

struct Attachment {
  Life life;
  std::string id;
  Object declared;           // as its writer sent it; with `media` only if that is external
  std::uint32_t number = 0;  // the end of its rid
  // The size of its own media; nothing: its media is external.
  std::optional<std::size_t> media_bytes = {};
  Instant changed_at = {};

  DocumentKey key() const;
  static PrivateSpec table();  // a part for each container
  static bool is_row(const Document& document);
  static Result<Attachment> decode(const Document& document);
  Result<Value> encode() const;
};
using Attachments = PrivateTable<Attachment>;

// Null if the container has had none yet.
Attachments attachments_of(const Catalog& catalog, const Collection& container);
Result<Attachments> make_attachments_of(Database& database, const Collection& container);
// The container whose attachments the collection holds; nothing if it holds none.
std::optional<CollectionId> container_of_attachments(const Collection& collection);
// Drops the table with all attachments, if there is one. The caller has dropped the container
// before, which hides them. It is no error if another request has dropped the table meanwhile.
Result<void> drop_attachments(Database& database, const Attachments& attachments);

// All stored attachments of any life, also those of expired documents. `from` is empty, or the
// `next` of the previous page.
Result<Attachments::Page> scan_attachments(const Attachments& attachments, const Bytes& from,
                                           std::size_t rows_max, View& view);

// The query for the attachments of one life, by id. There must be a table.
query::QueryPtr attachments_of_life(const Attachments& attachments, const Life& life,
                                    const View& view);
// Reads the attachments of one life; none if there is no table.
Result<std::vector<Attachment>> list_attachments(const Attachments& attachments, const Life& life,
                                                 View& view);

Result<void> put_attachment(Transaction& transaction, const Attachments& attachments,
                            const Attachment& attachment, PutOptions options);
// Removes the attachment with its media. Fails with not_found, and with stale if the condition in
// the options does not hold.
Result<void> remove_attachment(Transaction& transaction, const Attachments& attachments,
                               const Attachment& attachment, RemoveOptions options);

// Replaces the media of the attachment, whose `media_bytes` are still those before. The caller sets
// the new `media_bytes` and calls put_attachment().
Result<void> put_media(Transaction& transaction, const Attachments& attachments,
                       const Attachment& attachment, std::string_view media);
Result<void> remove_media(Transaction& transaction, const Attachments& attachments,
                          const Attachment& attachment);
// The attachment must have media of its own. Fails with corrupt if a piece is missing or damaged.
Result<std::string> read_media(const Attachments& attachments, const Attachment& attachment,
                               View& view);

// Whether the document lives, that is, has neither expired nor been removed.
Result<bool> is_alive(const Collection& container, const Life& life, View& view);
// The sum of the bytes of media of the account's attachments whose documents live. Reads at most
// `attachments_max` of them, so the sum of a larger account is too small.
Result<std::uint64_t> media_bytes_of_account(View& view, std::size_t attachments_max);

}  // namespace mayfly::cosmos
