// The order is: Content-Type, Content-Length or Transfer-Encoding, the handler's headers in their
// order, Date, X-Request-Id, Connection.
#include "net/http1/response_head.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ostream>  // for Beast's header below, which does not ask for it

#include <boost/beast/http/status.hpp>

namespace mayfly::net {
namespace {

std::string_view reason_of(int status) {
  const auto known = boost::beast::http::int_to_status(static_cast<unsigned>(status));
  if (known == boost::beast::http::status::unknown) return {};
  const auto reason = boost::beast::http::obsolete_reason(known);
  return {reason.data(), reason.size()};
}

void append_number(std::size_t n, std::string& out, int base = 10) {
  char digits[20];
  const auto end = std::to_chars(digits, digits + sizeof digits, n, base).ptr;
  out.append(digits, static_cast<std::size_t>(end - digits));
}

std::size_t sent_status(const Response& response) {
  return static_cast<std::size_t>(std::clamp(response.status, 100, 999));
}

bool is_same_name(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return (x | 0x20) == (y | 0x20); });
}

bool is_framing(std::string_view name) {
  for (const std::string_view ours :
       {"connection", "content-length", "transfer-encoding", "keep-alive", "upgrade", "trailer"}) {
    if (is_same_name(name, ours)) return true;
  }
  return false;
}

// An object and not a function, because any_of() inlines it.
constexpr auto is_control = [](char c) {
  return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
};

// Checks eight bytes at a time; a tab counts as a control character.
bool may_have_control(std::string_view text) {
  constexpr std::uint64_t ones = 0x0101010101010101U;
  constexpr std::uint64_t high_bits = 0x80 * ones;
  std::size_t i = 0;
  std::uint64_t found = 0;
  for (std::uint64_t word = 0; i + sizeof word <= text.size(); i += sizeof word) {
    std::memcpy(&word, text.data() + i, sizeof word);
    const std::uint64_t zero_where_del = word ^ (0x7F * ones);
    found |= (word - 0x20 * ones) & ~word;
    found |= (zero_where_del - ones) & ~zero_where_del;
  }
  return (found & high_bits) != 0 ||
         std::any_of(text.begin() + static_cast<std::ptrdiff_t>(i), text.end(), is_control);
}

std::string without_control(std::string_view value) {
  std::string kept;
  kept.reserve(value.size());
  std::copy_if(value.begin(), value.end(), std::back_inserter(kept),
               [](char c) { return !is_control(c); });
  return kept;
}

// Calls `put` for each header, in their order.
template <class Put>
void put_headers(const Response& response, const ResponseStamp& stamp, Framing framing,
                 const Put& put) {
  const auto put_any = [&put](std::string_view name, std::string_view value) {
    may_have_control(value) ? put(name, without_control(value)) : put(name, value);
  };
  if (!is_bodiless(response.status)) {
    if (!response.bytes().empty() || framing != Framing::length) {
      put_any("Content-Type", response.content_type);
    }
    if (framing == Framing::length) {
      char digits[20];
      const auto end = std::to_chars(digits, digits + sizeof digits, response.bytes().size()).ptr;
      put("Content-Length", {digits, static_cast<std::size_t>(end - digits)});
    } else if (framing == Framing::chunked) {
      put("Transfer-Encoding", "chunked");
    }
  }
  bool has_date = false;
  bool has_id = false;
  for (const Pair& header : response.headers) {
    if (is_token(header.first) && !is_framing(header.first)) put_any(header.first, header.second);
    has_date |= is_same_name(header.first, "date");
    has_id |= is_same_name(header.first, "x-request-id");
  }
  // Neither can hold a control character.
  if (!has_date) put("Date", stamp.date);
  if (!has_id) put("X-Request-Id", stamp.id);
}

}  // namespace

void render_chunk(std::string_view bytes, std::string& out) {
  if (bytes.empty()) return;
  append_number(bytes.size(), out, 16);
  out.append("\r\n").append(bytes).append("\r\n");
}

bool is_token(std::string_view text) {
  static constexpr auto is_in_tokens = [] {
    std::array<bool, 256> is_in = {};
    for (int c = 'a'; c <= 'z'; ++c) is_in[c] = is_in[c - 'a' + 'A'] = true;
    for (int c = '0'; c <= '9'; ++c) is_in[c] = true;
    for (const char c : std::string_view("!#$%&'*+-.^_`|~")) is_in[c] = true;
    return is_in;
  }();
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_in_tokens[static_cast<unsigned char>(c)];
  });
}

bool is_bodiless(int status) {
  return status < 200 || status == 204 || status == 304;
}

std::vector<Pair> headers_of(const Response& response, const ResponseStamp& stamp) {
  std::vector<Pair> headers;
  headers.reserve(response.headers.size() + 5);
  headers.emplace_back(":status", std::to_string(sent_status(response)));
  const Framing framing = response.stream ? Framing::until_close : Framing::length;
  put_headers(response, stamp, framing, [&](std::string_view name, std::string_view value) {
    Pair& header = headers.emplace_back(name, value);
    std::transform(name.begin(), name.end(), header.first.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
  });
  return headers;
}

void render_head(const Response& response, const ResponseStamp& stamp, Persistence persistence,
                 Framing framing, std::string& out) {
  out.append("HTTP/1.1 ");
  append_number(sent_status(response), out);
  out.append(" ").append(reason_of(response.status)).append("\r\n");
  put_headers(response, stamp, framing, [&out](std::string_view name, std::string_view value) {
    out.append(name).append(": ").append(value).append("\r\n");
  });
  if (persistence == Persistence::close) out.append("Connection: close\r\n");
  if (persistence == Persistence::keep_alive_explicitly) out.append("Connection: keep-alive\r\n");
  out.append("\r\n");
}

}  // namespace mayfly::net
