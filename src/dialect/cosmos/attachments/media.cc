// The media of attachments: read and replaced by links of their own.
#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/attachments/incoming.h"
#include "dialect/cosmos/attachments/media_location.h"
#include "dialect/cosmos/documents/writes/write.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/system_properties.h"

namespace mayfly::cosmos {
namespace {

const std::string& media_id_of(const CosmosCall& call) {
  return call.address.name_of(ResourceKind::media);
}

// The content type that the attachment states.
std::string type_of(const Attachment& attachment) {
  const Value* type = attachment.declared.find("contentType");
  return type != nullptr && type->is(Kind::text) ? type->text() : "application/octet-stream";
}

}  // namespace

Result<net::Response> read_media(CosmosCall& call) {
  View view = call.database().view();
  const MediaLocation place = TRY(find_media(call, media_id_of(call), view));
  const Instant changed_at = place.attachment.changed_at;
  const std::string_view known = call.header("if-none-match");
  if (!known.empty() && (known == "*" || parse_etag(known) == changed_at)) {
    return not_modified(etag_of(changed_at));
  }
  std::string media = TRY(read_media(place.owner.attachments, place.attachment, view));
  net::Response response = one_resource(200, std::move(media), etag_of(changed_at));
  response.content_type = type_of(place.attachment);
  return response;
}

Result<net::Response> replace_media(CosmosCall& call) {
  const std::string_view media = TRY(read_incoming_media(call));
  const std::string_view type = call.header("content-type");
  if (!type.empty()) TRY(check_media_type(type));
  const IfMatch if_match = parse_if_match(call.header("if-match"));
  MediaLocation place;
  const auto work = [&](Transaction& transaction) -> Result<void> {
    place = TRY(find_media(call, media_id_of(call), transaction.view()));
    TRY(put_media(transaction, place.owner.attachments, place.attachment, media));
    place.attachment.media_bytes = media.size();
    if (!type.empty()) place.attachment.declared.set("contentType", type);
    PutOptions options{.expect = PutOptions::Expect::present};
    if (if_match.is_given && !if_match.is_any) options.if_written_at = if_match.written_at;
    return put_attachment(transaction, place.owner.attachments, place.attachment, options)
        .map_error(with_service_message);
  };
  place.attachment.changed_at = TRY(call.database().transact(work));
  std::string body;
  render_attachment(place.owner, place.attachment, body);
  return one_resource(200, std::move(body), etag_of(place.attachment.changed_at));
}

}  // namespace mayfly::cosmos
