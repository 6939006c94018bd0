// Requests as RFC 9113, section 8.3, defines them. The library has already refused headers that it
// forbids.
#include "net/http2/exchange.h"

#include <algorithm>
#include <utility>

#include "base/free_text.h"
#include "base/limits.h"
#include "net/requests/announced_bytes.h"
#include "net/url/target.h"

namespace mayfly::net {
namespace {

// What RFC 9113 adds to the size of each header (section 6.5.2).
constexpr std::size_t header_overhead_bytes = 32;

Refusal malformed_request(std::string message) {
  return {400, {Code::invalid, std::move(message)}, false};
}

// A client of HTTP/2 may split the cookie header into several (RFC 9113, section 8.2.3).
void join_cookies(std::vector<Pair>& headers) {
  const auto is_cookie = [](const Pair& header) { return header.first == "cookie"; };
  const auto first = std::find_if(headers.begin(), headers.end(), is_cookie);
  if (first == headers.end()) return;
  for (auto other = first + 1; other != headers.end(); ++other) {
    if (is_cookie(*other)) first->second.append("; ").append(other->second);
  }
  headers.erase(std::remove_if(first + 1, headers.end(), is_cookie), headers.end());
}

Refusal body_too_large() {
  return {413, {Code::too_large, "the body of the request is too large"}, false};
}

}  // namespace

void Http2Exchange::add_header(std::string_view name, std::string_view value) {
  head_bytes_ += name.size() + value.size() + header_overhead_bytes;
  if (head_bytes_ > limits::request_head_bytes_max) return;
  if (name == ":method") {
    request_.method = value;
  } else if (name == ":path") {
    request_.target = value;
  } else if (name == ":authority") {
    authority_ = value;
  } else if (!name.starts_with(':')) {
    request_.headers.emplace_back(name, value);
  }
}

std::optional<Refusal> Http2Exchange::end_head(bool is_whole) {
  if (auto refusal = check_form()) return refusal;
  const auto announced = content_length_of(request_);
  if (announced && *announced > body_bytes_max()) return body_too_large();
  if (auto done = read_target(request_); !done) {
    return Refusal{400, std::move(done).error(), false};
  }
  begin_request();
  return check_head(is_whole);
}

// Checks the pseudo-headers, and adds the header `host` as in HTTP/1.1.
std::optional<Refusal> Http2Exchange::check_form() {
  if (head_bytes_ > limits::request_head_bytes_max) {
    head_bytes_ = 0;
    request_.headers.clear();
    return Refusal{431, {Code::too_large, "the head of the request is over 16 KiB"}, false};
  }
  if (std::any_of(request_.method.begin(), request_.method.end(),
                  [](char c) { return c >= 'a' && c <= 'z'; })) {
    return malformed_request("a method is written in upper case");
  }
  const std::string* host = request_.header("host");
  if (host == nullptr && authority_.empty()) return malformed_request(":authority is missing");
  if (host == nullptr) {
    request_.headers.emplace(request_.headers.begin(), "host", authority_);
  } else if (!authority_.empty() && *host != authority_) {
    return malformed_request("the header host is not :authority");
  }
  join_cookies(request_.headers);
  const std::string* expected = request_.header("expect");
  if (expected != nullptr && *expected != "100-continue") {
    return Refusal{417, {Code::unsupported, "the only Expect taken is 100-continue"}, false};
  }
  return std::nullopt;
}

void Http2Exchange::add_body(std::string_view bytes) {
  is_too_long_ = is_too_long_ || request_.body.size() + bytes.size() > body_bytes_max();
  if (!is_too_long_) request_.body.append(bytes);
}

std::optional<Refusal> Http2Exchange::refuse_long_body() const {
  if (!is_too_long_) return std::nullopt;
  return body_too_large();
}

bool Http2Exchange::expects_continue() const {
  return request_.body.empty() && request_.header("expect") != nullptr;
}

void Http2Exchange::respond(Response& response) {
  const bool has_body = request_.method != "HEAD" && !is_bodiless(response.status);
  has_more_ = response.stream && has_body;
  head_ = headers_of(response, stamp(response));
  head_bytes_out_ = 0;
  for (const Pair& header : head_) head_bytes_out_ += header.first.size() + header.second.size();
  record_status(response.status);
  sent_ = 0;
  own_ = has_body ? std::move(response.body) : std::string();
  view_ = has_body ? std::move(response.view) : BodyView();
  if (!view_.bytes.empty()) own_.clear();
}

void Http2Exchange::add_piece(SendQueue::Piece piece) {
  has_more_ = !piece.is_end;
  sent_ = 0;
  own_ = std::move(piece.bytes);
  view_ = {};
  if (piece.shared) view_ = {piece.shared->text(), piece.shared};
}

std::size_t Http2Exchange::take(std::span<char> room) {
  std::size_t taken = own_.copy(room.data(), room.size(), std::min(sent_, own_.size()));
  sent_ += taken;
  if (sent_ < own_.size()) return taken;
  const std::size_t of_view =
      view_.bytes.copy(room.data() + taken, room.size() - taken, sent_ - own_.size());
  sent_ += of_view;
  return taken + of_view;
}

void Http2Exchange::rest() {
  free_text(own_);
  free_text(request_.body);
  view_ = {};
  sent_ = 0;
}

}  // namespace mayfly::net
