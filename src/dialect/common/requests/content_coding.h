// Compressed bodies: the content codings gzip and deflate of RFC 9110, 8.4.1.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"
#include "net/message.h"

namespace mayfly {

// Whether the request says that its body is compressed.
bool has_packed_body(const net::Request& request);

// Decompresses the body; accepts `deflate` also without the frame of zlib, as some clients send it.
// It takes time, so do not call it on an event loop. Fails with invalid for another coding, more
// than one, and a body that is malformed in its coding; with too_large, as soon as that is known,
// if the result would be larger than `bytes_max` or limits::unpacked_body_bytes_max.
Result<std::string> unpack_body(const net::Request& request, std::size_t bytes_max);

}  // namespace mayfly
