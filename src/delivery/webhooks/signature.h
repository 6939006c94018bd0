// Signatures of deliveries, as Standard Webhooks defines them: base64 of the HMAC-SHA256 of
// "id.seconds.body", with the bytes after the "whsec_" of the secret as its key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/clock.h"

namespace mayfly::delivery {

// "whsec_" and text that decodes equally as base64 and as base64url, without padding, because
// libraries differ in which they expect.
std::string new_webhook_secret();
// The key of a secret: the bytes after "whsec_", or a secret without it unchanged. Nothing if these
// are not base64.
std::optional<Bytes> webhook_key(std::string_view secret);

// "v1,…", one for each secret, separated by spaces. A secret of another form is used as the key
// unchanged.
std::string sign_delivery(const std::vector<std::string>& secrets, std::string_view id,
                          std::int64_t seconds, std::string_view body);

}  // namespace mayfly::delivery
