// The head of a response.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/message.h"

namespace mayfly::net {

// Whether the connection stays open after a response.
enum class Persistence {
  close,
  keep_alive,             // the default of HTTP/1.1
  keep_alive_explicitly,  // requested by an HTTP/1.0 client, which needs a header for it
};

// How a client recognizes the end of the body.
enum class Framing { length, chunked, until_close };

// Headers that the server adds, unless the handler sets them.
struct ResponseStamp {
  std::string_view date;
  std::string_view id;  // of the request
};

// Appends the status line and the headers to `out`, up to and with the empty line. The server sets
// framing headers: those of the handler are left out, and so is a header with an invalid name.
// Control characters in a value are left out, so no text of a request or a document can end a line.
void render_head(const Response& response, const ResponseStamp& stamp, Persistence persistence,
                 Framing framing, std::string& out);

// The same for HTTP/2: names in lower case, `:status` first, and no framing but the length.
std::vector<Pair> headers_of(const Response& response, const ResponseStamp& stamp);

// Appends one chunk of a chunked body. An empty one is left out, because it would end the body.
void render_chunk(std::string_view bytes, std::string& out);
// Ends a chunked body.
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

// Whether it is a valid header name or token.
bool is_token(std::string_view text);

// Whether a response of this status carries neither a body nor its length.
bool is_bodiless(int status);

}  // namespace mayfly::net
