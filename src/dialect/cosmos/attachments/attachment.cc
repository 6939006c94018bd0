#include "dialect/cosmos/attachments/attachment.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/crypto/crypto.h"
#include "db/rows/keys.h"
#include "dialect/cosmos/limits.h"
#include "query/planning/access.h"

namespace mayfly::cosmos {
namespace {

// REACHES DISK: a prefix; the id of the container follows.
constexpr std::string_view table_name = "#attachments.";

constexpr char attachment_kind = 'a';
constexpr char piece_kind = 'm';
constexpr std::size_t digest_bytes = 16;

// A part of media.
struct MediaPiece {
  Bytes bytes;

  static PrivateSpec table() { return Attachment::table(); }
  static bool is_row(const Document& document) { return document.key.starts_with(piece_kind); }
  static Result<MediaPiece> decode(const Document& document) {
    const Value bytes = document.body.member("bytes");
    if (!bytes.is(Kind::binary)) return not_as_written("bytes");
    return MediaPiece{bytes.binary().bytes};
  }
  Result<Value> encode() const { return Value(Object{{"bytes", Binary{bytes}}}); }
};
using Pieces = PrivateTable<MediaPiece>;

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

Result<void> remove_pieces(Transaction& transaction, const Pieces& pieces,
                           const Attachment& attachment, std::size_t from) {
  for (std::size_t i = from; i < pieces_of(attachment.media_bytes.value_or(0)); ++i) {
    TRY(pieces.remove(transaction, piece_key(attachment, i)));
  }
  return {};
}

// Whether its document lives; false if the document cannot be read.
Result<bool> is_counted(const Collection& container, const Attachment& attachment, View& view) {
  if (!attachment.media_bytes) return false;
  const auto lives = is_alive(container, attachment.life, view);
  if (!lives && lives.error().code == Code::corrupt) return false;
  return lives;
}

bool is_natural(const Value& value, std::int64_t most) {
  return value.is(Kind::integer) && value.integer() >= 0 && value.integer() <= most;
}

}  // namespace

DocumentKey Attachment::key() const {
  return {routing_of(attachment_kind, life), id};
}

PrivateSpec Attachment::table() {
  return {.name = table_name};
}

bool Attachment::is_row(const Document& document) {
  return document.key.starts_with(attachment_kind);  // encoded keys begin with their routing
}

Result<Attachment> Attachment::decode(const Document& document) {
  const Value body = document.body.unpack();
  const Value declared = body.member("told");
  const Value number = body.member("number");
  const Value of = body.member("document");
  const Value routing = body.member("routing");
  const Value created_at = body.member("created_at");
  const Value bytes = body.member("bytes");
  if (!declared.is(Kind::object)) return not_as_written("told");
  if (!is_natural(number, UINT32_MAX)) return not_as_written("number");
  if (!of.is(Kind::text)) return not_as_written("document");
  if (!routing.is(Kind::binary)) return not_as_written("routing");
  if (!created_at.is(Kind::time)) return not_as_written("created_at");
  if (!bytes.is_missing() && !is_natural(bytes, INT32_MAX)) return not_as_written("bytes");
  Attachment attachment;
  attachment.life = {{routing.binary().bytes, of.text()}, created_at.time()};
  attachment.id = document.id;
  attachment.declared = declared.object();
  attachment.number = static_cast<std::uint32_t>(number.integer());
  if (!bytes.is_missing()) attachment.media_bytes = static_cast<std::size_t>(bytes.integer());
  attachment.changed_at = document.version.written_at;
  return attachment;
}

Result<Value> Attachment::encode() const {
  Object row{{"told", declared},
             {"number", static_cast<std::int64_t>(number)},
             {"document", life.document.id},
             {"routing", Binary{life.document.routing}},
             {"created_at", life.created_at}};
  if (media_bytes) row.append("bytes", static_cast<std::int64_t>(*media_bytes));
  return Value(std::move(row));
}

Life life_of(const Document& document) {
  return {document.document_key(), document.created_at};
}

Attachments attachments_of(const Catalog& catalog, const Collection& container) {
  return Attachments::find(catalog, container.database, std::to_string(container.id));
}

Result<Attachments> make_attachments_of(Database& database, const Collection& container) {
  return Attachments::ensure(database, container.database, std::to_string(container.id));
}

std::optional<CollectionId> container_of_attachments(const Collection& collection) {
  if (!collection.name.starts_with(table_name)) return std::nullopt;
  const std::string_view text = std::string_view(collection.name).substr(table_name.size());
  CollectionId id = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), id);
  return read.ec == std::errc() ? std::optional(id) : std::nullopt;
}

Result<void> drop_attachments(Database& database, const Attachments& attachments) {
  if (!attachments) return {};
  auto dropped = database.drop_collection(attachments.collection()->id);
  if (!dropped && dropped.error().code == Code::not_found) return {};
  return dropped;
}

Result<Attachments::Page> scan_attachments(const Attachments& attachments, const Bytes& from,
                                           std::size_t rows_max, View& view) {
  const Bytes first(1, attachment_kind);
  DocumentRange range{.from = from.empty() ? first : from, .to = after_prefix(first)};
  range.rows_max = rows_max;
  return attachments.page(view, range);
}

query::QueryPtr attachments_of_life(const Attachments& attachments, const Life& life,
                                    const View& view) {
  return query::scan(attachments.collection(), view.live(), routing_of(attachment_kind, life));
}

Result<std::vector<Attachment>> list_attachments(const Attachments& attachments, const Life& life,
                                                 View& view) {
  const query::ByteRange keys = query::keys_of_routing(routing_of(attachment_kind, life));
  return attachments.list(view, {.from = keys.from, .to = keys.to});
}

Result<void> put_attachment(Transaction& transaction, const Attachments& attachments,
                            const Attachment& attachment, PutOptions options) {
  options.lifetime = Lifetime(Never{});
  return attachments.put(transaction, attachment.key(), attachment, options);
}

Result<void> remove_attachment(Transaction& transaction, const Attachments& attachments,
                               const Attachment& attachment, RemoveOptions options) {
  TRY(attachments.remove(transaction, attachment.key(), std::move(options)));
  return remove_media(transaction, attachments, attachment);
}

Result<void> put_media(Transaction& transaction, const Attachments& attachments,
                       const Attachment& attachment, std::string_view media) {
  const Pieces pieces(attachments.collection());
  const std::size_t count = pieces_of(media.size());
  TRY(remove_pieces(transaction, pieces, attachment, count));
  for (std::size_t i = 0; i < count; ++i) {
    const std::string_view bytes =
        media.substr(i * limits::media_piece_bytes_max, limits::media_piece_bytes_max);
    TRY(pieces.put(transaction, piece_key(attachment, i), {Bytes(bytes)},
                   {.lifetime = Lifetime(Never{})}));
  }
  return {};
}

Result<void> remove_media(Transaction& transaction, const Attachments& attachments,
                          const Attachment& attachment) {
  return remove_pieces(transaction, Pieces(attachments.collection()), attachment, 0);
}

Result<std::string> read_media(const Attachments& attachments, const Attachment& attachment,
                               View& view) {
  const Pieces pieces(attachments.collection());
  const std::size_t bytes = attachment.media_bytes.value_or(0);
  std::string media;
  media.reserve(bytes);
  for (std::size_t i = 0; i < pieces_of(bytes); ++i) {
    const auto piece = TRY(pieces.get(view, piece_key(attachment, i)));
    if (!piece) return fail(Code::corrupt, "a piece of media is not there");
    media += piece->bytes;
  }
  if (media.size() != bytes) return fail(Code::corrupt, "a piece of media is damaged");
  return media;
}

Result<bool> is_alive(const Collection& container, const Life& life, View& view) {
  const auto document = TRY(view.get(container, life.document, view.live()));
  return document && document->created_at == life.created_at;
}

Result<std::uint64_t> media_bytes_of_account(View& view, std::size_t attachments_max) {
  std::uint64_t sum = 0;
  std::size_t left = attachments_max;
  for (const auto& [id, collection] : view.catalog().all_collections()) {
    const auto container_id = container_of_attachments(*collection);
    const CollectionPtr container =
        container_id ? view.catalog().collection(*container_id) : nullptr;
    if (!container) continue;
    const Attachments attachments(collection);
    Attachments::Page page;
    for (bool more = left > 0; more; more = page.next && left > 0) {
      const std::size_t some = std::min(left, limits::attachments_judged_at_once);
      page = TRY(scan_attachments(attachments, page.next.value_or(Bytes()), some, view));
      for (const Attachment& one : page.rows) {
        if (TRY(is_counted(*container, one, view))) sum += *one.media_bytes;
      }
      left -= some;
    }
  }
  return sum;
}

}  // namespace mayfly::cosmos
