#include "dialect/common/requests/content_coding.h"

#include <zlib.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/common/limits.h"

namespace mayfly {
namespace {

constexpr std::size_t piece_bytes = 64 << 10;  // decompressed at once
constexpr int gzip_frame = 16 + MAX_WBITS;
constexpr int zlib_frame = MAX_WBITS;
constexpr int no_frame = -MAX_WBITS;

// In lower case, without blanks.
std::string plain_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    if (c == ' ' || c == '\t') continue;
    word += c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  }
  return word;
}

std::string coding_of(const net::Request& request) {
  const std::string* named = request.header("content-encoding");
  const std::string coding = named == nullptr ? "" : plain_word(*named);
  return coding == "identity" ? "" : coding;
}

// RFC 1950, 2.2.
bool has_zlib_frame(std::string_view body) {
  if (body.size() < 2) return false;
  const auto method = static_cast<unsigned char>(body[0]);
  const auto flags = static_cast<unsigned char>(body[1]);
  return (method & 0x0F) == Z_DEFLATED && (method * 256U + flags) % 31 == 0;
}

std::optional<int> frame_of(std::string_view coding, std::string_view body) {
  if (coding == "gzip" || coding == "x-gzip") return gzip_frame;
  if (coding == "deflate") return has_zlib_frame(body) ? zlib_frame : no_frame;
  return std::nullopt;
}

// Owns zlib's stream.
class Inflater {
 public:
  Inflater(int frame, std::string_view packed) {
    is_begun_ = inflateInit2(&stream_, frame) == Z_OK;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream_.avail_in = static_cast<uInt>(packed.size());
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() {
    if (is_begun_) inflateEnd(&stream_);
  }

  // Appends the next piece. Gives whether there is more; fails with invalid.
  Result<bool> unpack_piece(std::string& into) {
    stream_.next_out = reinterpret_cast<Bytef*>(piece_.data());
    stream_.avail_out = piece_bytes;
    const int state = is_begun_ ? inflate(&stream_, Z_NO_FLUSH) : Z_MEM_ERROR;
    into.append(piece_.data(), piece_bytes - stream_.avail_out);
    if (state == Z_STREAM_END) return next_member();
    if (state == Z_OK) return true;
    return fail(Code::invalid, "the body is not packed as its Content-Encoding says");
  }

 private:
  // A body may consist of several compressed ones in sequence.
  Result<bool> next_member() {
    if (stream_.avail_in == 0) return false;
    if (inflateReset(&stream_) == Z_OK) return true;
    return fail(Code::invalid, "the body is not packed as its Content-Encoding says");
  }

  z_stream stream_ = {};
  std::vector<char> piece_ = std::vector<char>(piece_bytes);
  bool is_begun_ = false;
};

}  // namespace

bool has_packed_body(const net::Request& request) {
  return !coding_of(request).empty();
}

Result<std::string> unpack_body(const net::Request& request, std::size_t bytes_max) {
  const std::string coding = coding_of(request);
  const auto frame = frame_of(coding, request.body);
  if (!frame) {
    return fail(Code::invalid, "the Content-Encoding \"" + coding +
                                   "\" is not supported: a body comes as it is, or packed once by "
                                   "gzip or deflate");
  }
  const std::size_t most = std::min(bytes_max, limits::unpacked_body_bytes_max);
  std::string body;
  Inflater inflater(*frame, request.body);
  for (bool more = true; more;) {
    more = TRY(inflater.unpack_piece(body));
    if (body.size() > most) {
      return fail(Code::too_large,
                  "a body has at most " + std::to_string(most) + " bytes once it is unpacked");
    }
  }
  return body;
}

}  // namespace mayfly
