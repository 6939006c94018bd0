// Signatures of deliveries, as Standard Webhooks has them: base64 of the HMAC-SHA256 of
// "id.seconds.body", under the bytes that stand behind the "whsec_" of the secret.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace mayfly::delivery {

// "whsec_" and text that means the same in base64 and in base64url, without padding: libraries take
// it for either.
std::string new_webhook_secret();
// Whether what stands behind "whsec_" is base64; of a secret without it nothing is asked.
bool is_webhook_secret(std::string_view secret);

// "v1,…", one for each secret, spaces between. A secret that is none of ours is signed with as it
// stands.
std::string sign_delivery(const std::vector<std::string>& secrets, std::string_view id,
                          std::int64_t seconds, std::string_view body);

}  // namespace mayfly::delivery
