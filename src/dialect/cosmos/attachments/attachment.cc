#include "dialect/cosmos/attachments/attachment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/crypto.h"
#include "base/logging.h"
#include "db/keys.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/stored/stored.h"
#include "value/packed.h"

namespace mayfly::cosmos {
namespace {

// Of what an internal collection holds attachments.
constexpr std::string_view container_facet = "cosmos.attachments_of";

constexpr char attachment_kind = 'a';
constexpr char piece_kind = 'm';
constexpr std::size_t digest_bytes = 16;

std::string name_of_attachments(const Collection& container) {
  return fmt::format("#attachments.{}", container.id);
}

Bytes routing_of(char kind, const Life& life) {
  Bytes routing(1, kind);
  routing += sha256(keys::encode(life.document)).substr(0, digest_bytes);
  put_i64(routing, life.created_at.micros);
  return routing;
}

std::size_t pieces_of(std::size_t bytes) {
  return (bytes + limits::media_piece_bytes_max - 1) / limits::media_piece_bytes_max;
}

DocumentKey piece_key(const Attachment& attachment, std::size_t piece) {
  return {routing_of(piece_kind, attachment.life),
          fmt::format("{:08x}.{}", attachment.number, piece)};
}

Result<Bytes> encode(const Attachment& attachment) {
  Object row{{"told", attachment.told},
             {"number", static_cast<std::int64_t>(attachment.number)},
             {"document", attachment.life.document.id},
             {"routing", Binary{attachment.life.document.routing}},
             {"created_at", attachment.life.created_at}};
  if (attachment.media_bytes) {
    row.append("bytes", static_cast<std::int64_t>(*attachment.media_bytes));
  }
  return pack(row);
}

Result<void> remove_pieces(Transaction& transaction, const CollectionPtr& collection,
                           const Attachment& attachment, std::size_t from) {
  for (std::size_t i = from; i < pieces_of(attachment.media_bytes.value_or(0)); ++i) {
    TRY(transaction.remove(collection, piece_key(attachment, i), {.is_final = true}));
  }
  return {};
}

struct MediaSum {
  std::uint64_t bytes = 0;
  std::size_t damaged = 0;
};

// Of those whose document lives.
Result<void> add_media(const AttachmentPage& page, const Collection& container, View& view,
                       MediaSum& sum) {
  sum.damaged += page.damaged;
  for (const Attachment& attachment : page.attachments) {
    if (!attachment.media_bytes) continue;
    const auto lives = is_alive(container, attachment.life, view);
    if (lives && *lives) sum.bytes += *attachment.media_bytes;
    if (lives) continue;
    if (lives.error().code != Code::corrupt) return tl::unexpected(lives.error());
    ++sum.damaged;
  }
  return {};
}

}  // namespace

Life life_of(const Document& document) {
  return {document.document_key(), document.created_at};
}

CollectionPtr attachments_of(const Catalog& catalog, const Collection& container) {
  return catalog.find_internal(container.database, name_of_attachments(container));
}

Result<CollectionPtr> make_attachments_of(Database& database, const Collection& container) {
  CollectionSpec spec{
      .name = name_of_attachments(container), .promises = {}, .indexes = {}, .is_internal = true};
  spec.promises.facets[std::string(container_facet)] = std::to_string(container.id);
  return database.ensure_collection(container.database, spec);
}

std::optional<CollectionId> container_of_attachments(const Collection& collection) {
  const auto facet = collection.facets.find(container_facet);
  if (facet == collection.facets.end()) return std::nullopt;
  const std::string& text = facet->second;
  CollectionId id = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), id);
  return read.ec == std::errc() ? std::optional(id) : std::nullopt;
}

Result<void> drop_attachments(Database& database, const CollectionPtr& collection) {
  if (!collection) return {};
  auto dropped = database.drop_collection(collection->id);
  if (!dropped && dropped.error().code == Code::not_found) return {};
  return dropped;
}

DocumentKey attachment_key(const Life& life, const std::string& id) {
  return {routing_of(attachment_kind, life), id};
}

Result<Attachment> decode_attachment(const Document& row) {
  const Value body = row.body.unpack();
  const Value told = body.member("told");
  const Value number = body.member("number");
  const Value document = body.member("document");
  const Value routing = body.member("routing");
  const Value created_at = body.member("created_at");
  const Value bytes = body.member("bytes");
  const bool is_whole = told.is(Kind::object) && number.is(Kind::integer) &&
                        document.is(Kind::text) && routing.is(Kind::binary) &&
                        created_at.is(Kind::time) &&
                        (bytes.is_missing() || bytes.is(Kind::integer));
  if (!is_whole) return fail(Code::corrupt, "an attachment in the store is damaged");
  Attachment attachment;
  attachment.life = {{routing.binary().bytes, document.text()}, created_at.time()};
  attachment.id = row.id;
  attachment.told = told.object();
  attachment.number = static_cast<std::uint32_t>(number.integer());
  if (bytes.is(Kind::integer)) {
    attachment.media_bytes = static_cast<std::size_t>(bytes.integer());
  }
  attachment.changed_at = row.version.written_at;
  return attachment;
}

Result<AttachmentPage> scan_attachments(const Collection& collection, const Bytes& from,
                                        std::size_t rows_max, View& view) {
  const Bytes first(1, attachment_kind);  // encoded keys begin with their routing
  DocumentRange range{.from = from.empty() ? first : from, .to = after_prefix(first)};
  range.rows_max = rows_max;
  const DocumentPage rows = TRY(view.scan(collection, range, view.live()));
  AttachmentPage page{.attachments = {}, .next = rows.next};
  for (const Document& row : rows.documents) {
    if (auto attachment = decode_attachment(row)) {
      page.attachments.push_back(*std::move(attachment));
    } else {
      ++page.damaged;
    }
  }
  return page;
}

query::QueryPtr attachments_of_life(const CollectionPtr& collection, const Life& life,
                                    const View& view) {
  return query::scan(collection, view.live(), routing_of(attachment_kind, life));
}

Result<std::vector<Attachment>> list_attachments(const CollectionPtr& collection, const Life& life,
                                                 View& view) {
  std::vector<Attachment> attachments;
  if (!collection) return attachments;
  for (const Document& row : TRY(read_all(attachments_of_life(collection, life, view), view))) {
    attachments.push_back(TRY(decode_attachment(row)));
  }
  return attachments;
}

Result<void> put_attachment(Transaction& transaction, const CollectionPtr& collection,
                            const Attachment& attachment, PutOptions options) {
  options.lifetime = Lifetime(Never{});
  Bytes packed = TRY(encode(attachment));
  return transaction
      .put(collection, attachment_key(attachment.life, attachment.id), std::move(packed), options)
      .map([](bool) {});
}

Result<void> remove_attachment(Transaction& transaction, const CollectionPtr& collection,
                               const Attachment& attachment, RemoveOptions options) {
  options.is_final = true;
  TRY(transaction.remove(collection, attachment_key(attachment.life, attachment.id), options));
  return remove_media(transaction, collection, attachment);
}

Result<void> put_media(Transaction& transaction, const CollectionPtr& collection,
                       const Attachment& attachment, std::string_view media) {
  const std::size_t pieces = pieces_of(media.size());
  TRY(remove_pieces(transaction, collection, attachment, pieces));
  for (std::size_t i = 0; i < pieces; ++i) {
    const std::string_view piece =
        media.substr(i * limits::media_piece_bytes_max, limits::media_piece_bytes_max);
    Bytes packed = TRY(pack(Object{{"bytes", Binary{Bytes(piece)}}}));
    TRY(transaction.put(collection, piece_key(attachment, i), std::move(packed),
                        {.lifetime = Lifetime(Never{})}));
  }
  return {};
}

Result<void> remove_media(Transaction& transaction, const CollectionPtr& collection,
                          const Attachment& attachment) {
  return remove_pieces(transaction, collection, attachment, 0);
}

Result<std::string> read_media(const Collection& collection, const Attachment& attachment,
                               View& view) {
  const std::size_t bytes = attachment.media_bytes.value_or(0);
  std::string media;
  media.reserve(bytes);
  for (std::size_t i = 0; i < pieces_of(bytes); ++i) {
    const auto row = TRY(view.get(collection, piece_key(attachment, i), view.live()));
    const Value piece = row ? row->body.member("bytes") : Value();
    if (!piece.is(Kind::binary)) return fail(Code::corrupt, "a piece of media is not there");
    media += piece.binary().bytes;
  }
  if (media.size() != bytes) return fail(Code::corrupt, "a piece of media is damaged");
  return media;
}

Result<bool> is_alive(const Collection& container, const Life& life, View& view) {
  const auto document = TRY(view.get(container, life.document, view.live()));
  return document && document->created_at == life.created_at;
}

Result<std::uint64_t> media_bytes_of_account(View& view, std::size_t attachments_max) {
  MediaSum sum;
  std::size_t left = attachments_max;
  for (const auto& [id, collection] : view.catalog().all_collections()) {
    const auto container_id = container_of_attachments(*collection);
    const CollectionPtr container =
        container_id ? view.catalog().collection(*container_id) : nullptr;
    if (!container) continue;
    AttachmentPage page;
    for (bool more = left > 0; more; more = page.next && left > 0) {
      const std::size_t some = std::min(left, limits::attachments_judged_at_once);
      page = TRY(scan_attachments(*collection, page.next.value_or(Bytes()), some, view));
      TRY(add_media(page, *container, view, sum));
      left -= some;
    }
  }
  if (sum.damaged > 0) {
    log(LogLevel::warn, "attachments are damaged; their media is not counted",
        {{"attachments", std::to_string(sum.damaged)}});
  }
  return sum.bytes;
}

}  // namespace mayfly::cosmos
