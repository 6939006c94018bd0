#include "dialect/cosmos/attachments/incoming.h"

#include <algorithm>
#include <iterator>

#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/resources/names.h"
#include "value/json/json.h"
#include "value/json/tokens.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view slug_header = "slug";  // the id of an attachment that is sent as bytes
constexpr std::string_view type_header = "content-type";

// Source: the registry of IANA.
constexpr std::string_view top_level_types[] = {
    "application", "audio", "font", "image", "message", "model", "text", "video", "multipart"};
constexpr std::string_view stored_properties[] = {"_rid", "_self", "_etag", "_ts"};

Error request_is_too_large() {
  return {Code::too_large, "Request size is too large"};
}

Error property_is_missing(const std::string& name) {
  return bad_request("The input content is invalid because the required properties - '" + name +
                         "; ' - are missing.",
                     name);
}

// Whether the text is a token, as both parts of a type without its parameters are.
bool is_token(std::string_view text) {
  constexpr std::string_view others = "!#$&-^_.+";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (c >= '0' && c <= '9') || others.find(c) != std::string_view::npos;
  });
}

bool is_printable(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

std::string_view without_parameters(std::string_view type) {
  type = type.substr(0, type.find(';'));
  while (type.ends_with(' ')) type.remove_suffix(1);
  return type;
}

// Whether the body is the media itself: then the name is in a header; JSON contains it.
bool is_upload(const CosmosCall& call) {
  const std::string_view type = without_parameters(call.header(type_header));
  const bool is_json = type.empty() || equal_in_any_case(type, "application/json");
  return !is_json || !call.header(slug_header).empty();
}

Result<IncomingAttachment> read_upload(const CosmosCall& call) {
  IncomingAttachment incoming;
  incoming.media = TRY(read_incoming_media(call));
  const std::string_view slug = call.header(slug_header);
  if (!is_utf8(slug)) return tl::unexpected(bad_request("The slug is no UTF-8.", "slug"));
  Object named;
  if (!slug.empty()) named.set("id", slug);
  incoming.id = TRY(read_name(named));
  const std::string_view type = call.header(type_header);
  TRY(check_media_type(type));
  incoming.declared = Object{{"id", incoming.id}, {"contentType", type}};
  return incoming;
}

}  // namespace

Result<void> check_media_type(std::string_view type) {
  const std::string_view plain = without_parameters(type);
  const std::size_t slash = plain.find('/');
  const std::string_view top = plain.substr(0, slash);
  const bool is_known =
      slash != std::string_view::npos && is_token(plain.substr(slash + 1)) && is_printable(type) &&
      std::any_of(std::begin(top_level_types), std::end(top_level_types),
                  [&](std::string_view known) { return equal_in_any_case(known, top); });
  if (is_known) return {};
  return tl::unexpected(
      bad_request("The content type of the attachment is no media type.", "contentType"));
}

Result<std::string_view> read_incoming_media(const CosmosCall& call) {
  if (call.request.body.size() <= limits::media_bytes_max) return call.request.body;
  return tl::unexpected(request_is_too_large());
}

Result<IncomingAttachment> read_incoming_json(const CosmosCall& call) {
  const Value body = TRY(parse_json(call.request.body));
  if (!body.is(Kind::object)) return tl::unexpected(bad_request("The body must be an object."));
  IncomingAttachment incoming;
  incoming.id = TRY(read_name(body));
  const Value type = body.member("contentType");
  if (!type.is(Kind::text)) return tl::unexpected(property_is_missing("contentType"));
  TRY(check_media_type(type.text()));
  const Value media = body.member("media");
  if (!media.is(Kind::text) || media.text().empty()) {
    return tl::unexpected(property_is_missing("media"));
  }
  incoming.declared = body.object();
  for (const std::string_view name : stored_properties) incoming.declared.remove(name);
  if (render_json(incoming.declared).size() > limits::attachment_bytes_max) {
    return tl::unexpected(request_is_too_large());
  }
  return incoming;
}

Result<IncomingAttachment> read_incoming(const CosmosCall& call) {
  return is_upload(call) ? read_upload(call) : read_incoming_json(call);
}

}  // namespace mayfly::cosmos
