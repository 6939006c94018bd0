// Parsing requests that create or change an attachment. The body is JSON that names external media,
// or the media itself, described by headers.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/cosmos/call.h"
#include "value/value.h"

namespace mayfly::cosmos {

struct IncomingAttachment {
  std::string id;
  Object declared;                        // with `media` if it was sent as JSON
  std::optional<std::string_view> media;  // the bytes, which the request owns
};
// Fails with invalid, too_large.
Result<IncomingAttachment> read_incoming(const CosmosCall& call);
// The same for requests that must be JSON.
Result<IncomingAttachment> read_incoming_json(const CosmosCall& call);

// The media in the body. Fails with too_large.
Result<std::string_view> read_incoming_media(const CosmosCall& call);
// Checks a type such as "image/png", with or without parameters. Its top-level type must be
// registered. Fails with invalid.
Result<void> check_media_type(std::string_view type);

}  // namespace mayfly::cosmos
