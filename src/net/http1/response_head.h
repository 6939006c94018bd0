// The first lines of a response.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "net/message.h"

namespace mayfly::net {

// What becomes of the connection after a response.
enum class After {
  close,
  stay,           // as HTTP/1.1 takes for granted
  stay_as_asked,  // an HTTP/1.0 client asked, and must be told
};

// How a client tells where the body ends.
enum class Framing { length, chunked, until_close };

// What the server adds to what a handler says, unless the handler says it.
struct Mark {
  std::string_view date;
  std::string_view id;  // of the request
};

// Appends the status line and the headers to `out`, up to the empty line that ends them. Framing
// headers are ours: the handler's are left out, and so is a header whose name is no token. Control
// characters in a value are left out, so nothing that a request or a document says can end a line.
void render_head(const Response& response, const Mark& mark, After after, Framing framing,
                 std::string& out);

// The same for HTTP/2: names in lower case, `:status` first, and no framing but the length.
std::vector<Pair> headers_of(const Response& response, const Mark& mark);

// Appends one chunk of a chunked body; one without bytes would end it, so it is left out.
void render_chunk(std::string_view bytes, std::string& out);
// Ends a chunked body.
inline constexpr std::string_view last_chunk = "0\r\n\r\n";

// Whether it may be a header's name, or a word of the protocol.
bool is_token(std::string_view text);

// Whether a response of this status carries neither a body nor its length.
bool is_bodiless(int status);

}  // namespace mayfly::net
