// What a client sends to make an attachment, or to change one: JSON that tells of media elsewhere,
// or the media itself, with headers that tell of it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/cosmos/call.h"
#include "value/value.h"

namespace mayfly::cosmos {

struct IncomingAttachment {
  std::string id;
  Object declared;                        // with `media` where it came as JSON
  std::optional<std::string_view> media;  // the bytes themselves, of the request
};
// Fails with invalid, too_large.
Result<IncomingAttachment> read_incoming(const Call& call);
// The same where only JSON will do.
Result<IncomingAttachment> read_incoming_json(const Call& call);

// Media as a body. Fails with too_large.
Result<std::string_view> read_incoming_media(const Call& call);
// "image/png", with parameters perhaps; of the types that the world has agreed on. Fails with
// invalid.
Result<void> check_media_type(std::string_view type);

}  // namespace mayfly::cosmos
