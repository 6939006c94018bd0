// Bounds that only this dialect meets, beside those of base/limits.h.
#pragma once

#include <cstddef>

namespace mayfly::limits {

// A record that a thread of connections writes itself; larger ones are a worker's, as the patterns
// of
// their structure go over all their texts.
inline constexpr std::size_t quick_record_bytes_max = 16 << 10;

// The body of a request for a token, which is read before anything is known of its client: a form
// of four short texts. A form takes up to twenty times its bytes once it is decoded.
inline constexpr std::size_t token_request_bytes_max = 64 << 10;
inline constexpr std::size_t token_parameters_max = 32;  // OAuth 2 and its extensions have half

// Of a member that a hint names: no spelling of a lifetime is longer.
inline constexpr std::size_t hinted_name_bytes_max = 64;

}  // namespace mayfly::limits
