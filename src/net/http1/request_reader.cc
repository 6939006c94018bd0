// Fills a Request directly by Beast's incremental parser, and adds checks that Beast omits.

#include "net/http1/request_reader.h"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/rfc7230.hpp>
#include <cctype>
#include <new>
#include <optional>
#include <utility>

#include "base/limits.h"
#include "net/url/target.h"

namespace mayfly::net {
namespace {

namespace http = boost::beast::http;
using boost::beast::error_code;
using boost::beast::string_view;

// Memory that is kept after a large request for the next one on the connection.
constexpr std::size_t kept_bytes_max = 64 << 10;
// Memory that is reserved for a body by its Content-Length alone.
constexpr std::size_t reserved_bytes_max = 64 << 10;
// The longest head of a chunk, and the longest trailers.
constexpr std::size_t chunk_head_bytes_max = limits::request_head_bytes_max;

std::string_view view(string_view text) {
  return {text.data(), text.size()};
}

bool is_digits(std::string_view text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

Refusal malformed(std::string message) {
  return {400, {Code::invalid, std::move(message)}};
}

// Whether the third word of the request line is a well-formed but unsupported version.
bool names_another_version(std::string_view line) {
  for (int words = 0; words < 2; ++words) {
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) return false;
    line.remove_prefix(space + 1);
  }
  return line.size() >= 8 && line.starts_with("HTTP/") && is_digits(line.substr(5, 1)) &&
         line[6] == '.' && is_digits(line.substr(7, 1)) && !line.starts_with("HTTP/1.0") &&
         !line.starts_with("HTTP/1.1");
}

Refusal refusal_of(error_code error, std::string_view bytes) {
  if (error == http::error::header_limit) {
    return {431, {Code::too_large, "the head of the request is over 16 KiB"}};
  }
  if (error == http::error::body_limit) {
    return {413, {Code::too_large, "the body of the request is too large"}};
  }
  if (error == http::error::bad_version && names_another_version(bytes)) {
    return {505, {Code::unsupported, "only HTTP/1.1 and HTTP/1.0 are spoken here"}};
  }
  return malformed("the request is not well-formed HTTP: " + error.message());
}

// The bytes of a chunked body that the parser leaves unread are the head of a chunk. If that line
// is complete and its chunk is not the last, the parser can only be waiting for the end of a quoted
// text behind the line. Each time it looks for it, it subtracts the chunk's size from the body's
// bound.
bool is_open_past_its_line(std::string_view chunk_head) {
  if (chunk_head.starts_with("\r\n")) chunk_head.remove_prefix(2);
  const std::size_t first_digit = chunk_head.find_first_not_of('0');
  return first_digit != std::string_view::npos &&
         std::isxdigit(static_cast<unsigned char>(chunk_head[first_digit])) != 0 &&
         chunk_head.find("\r\n") != std::string_view::npos;
}

template <class T>
void clear(T& container) {
  if (container.capacity() > kept_bytes_max) {
    T().swap(container);  // assigning an empty text would keep the memory
  } else {
    container.clear();
  }
}

}  // namespace

// Beast calls this with each part. To refuse a part, it stops the parser by an error and keeps the
// reason.
class RequestReader::Parser final : public http::basic_parser<true> {
 public:
  Parser(Request& request, std::size_t body_bytes_max) : request_(request) {
    header_limit(limits::request_head_bytes_max);
    body_limit(body_bytes_max);
    eager(true);
  }

  std::optional<Refusal> refusal;
  bool expects_continue = false;
  bool is_http_1_0 = false;

 private:
  void refuse(error_code& error, Refusal why) {
    refusal = std::move(why);
    error = http::error::bad_field;
  }

  void on_request_impl(http::verb, string_view method, string_view target, int version,
                       error_code& error) override {
    request_.method = view(method);
    request_.target = view(target);
    is_http_1_0 = version < 11;
    if (std::any_of(method.begin(), method.end(), [](char c) { return c >= 'a' && c <= 'z'; })) {
      refuse(error, malformed("a method is written in upper case"));
    }
  }

  void on_field_impl(http::field field, string_view name, string_view value,
                     error_code& error) override {
    if (is_header_done()) return;  // trailers are not used
    Pair& header = request_.headers.emplace_back();
    header.first.resize(name.size());
    std::transform(name.begin(), name.end(), header.first.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; });
    header.second = view(value);
    switch (field) {
      case http::field::host: ++hosts_; break;
      case http::field::content_length: check_length(view(value), error); break;
      case http::field::transfer_encoding: check_coding(value, error); break;
      case http::field::expect: expectation_ = &header - request_.headers.data(); break;
      default: break;
    }
  }

  void check_length(std::string_view value, error_code& error) {
    if (++lengths_ > 1) return refuse(error, malformed("Content-Length is given more than once"));
    if (!is_digits(value)) refuse(error, malformed("Content-Length is not one number"));
  }

  void check_coding(string_view value, error_code& error) {
    if (is_http_1_0) return refuse(error, malformed("HTTP/1.0 has no Transfer-Encoding"));
    if (boost::beast::iequals(value, "chunked")) return;
    refuse(error, {501, {Code::unsupported, "the only Transfer-Encoding taken is chunked"}});
  }

  void on_header_impl(error_code& error) override {
    if (hosts_ > 1) return refuse(error, malformed("Host is given more than once"));
    if (hosts_ == 0 && !is_http_1_0) return refuse(error, malformed("the Host header is missing"));
    if (expectation_ < 0 || is_http_1_0) return;
    const std::string& expected = request_.headers[static_cast<std::size_t>(expectation_)].second;
    if (!boost::beast::iequals(expected, "100-continue")) {
      return refuse(error, {417, {Code::unsupported, "the only Expect taken is 100-continue"}});
    }
    expects_continue = true;
  }

  void on_body_init_impl(boost::optional<std::uint64_t> const& length, error_code&) override {
    if (length) request_.body.reserve(std::min<std::size_t>(*length, reserved_bytes_max));
  }

  std::size_t on_body_impl(string_view part, error_code&) override {
    request_.body.append(part.data(), part.size());
    return part.size();
  }

  void on_chunk_header_impl(std::uint64_t, string_view, error_code&) override {}

  std::size_t on_chunk_body_impl(std::uint64_t, string_view part, error_code&) override {
    request_.body.append(part.data(), part.size());
    return part.size();
  }

  void on_finish_impl(error_code&) override {}
  void on_response_impl(int, string_view, int, error_code&) override {}

  Request& request_;
  int hosts_ = 0;
  int lengths_ = 0;
  std::ptrdiff_t expectation_ = -1;
};

RequestReader::RequestReader(Request& request, std::size_t body_bytes_max)
    : request_(request), body_bytes_max_(body_bytes_max) {
  begin();
}

RequestReader::~RequestReader() = default;

void RequestReader::begin() {
  clear(request_.method);
  clear(request_.target);
  clear(request_.path);
  clear(request_.parameters);
  clear(request_.headers);
  clear(request_.body);
  if (parser_ == nullptr) {
    parser_ = std::make_unique<Parser>(request_, body_bytes_max_);
  } else {
    // A parser parses one message; its memory is reused.
    std::destroy_at(parser_.get());
    std::construct_at(parser_.get(), request_, body_bytes_max_);
  }
  state_ = State::head;
  refusal_ = {};
  head_bytes_ = 0;
  has_begun_ = false;
  has_head_ = false;
  target_error_.reset();
  expects_continue_ = false;
}

bool RequestReader::keeps_alive() const {
  return parser_->is_header_done() && parser_->keep_alive();
}

bool RequestReader::is_http_1_0() const {
  return parser_->is_http_1_0;
}

std::size_t RequestReader::read(std::string_view bytes) {
  std::size_t taken = 0;
  // Some clients send an empty line after a body; it is skipped.
  while (!has_begun() && bytes.substr(taken).starts_with("\r\n")) taken += 2;
  if (!has_begun() && bytes.substr(taken) == "\r") return taken;
  needs_more_ = false;
  while ((state_ == State::head || state_ == State::body) && !needs_more_ && taken < bytes.size()) {
    taken += read_some(bytes.substr(taken));
  }
  return taken;
}

std::size_t RequestReader::read_some(std::string_view bytes) {
  const bool in_head = state_ == State::head;
  const std::size_t offered = bytes.size();
  if (in_head) bytes = bytes.substr(0, limits::request_head_bytes_max - head_bytes_);
  error_code error;
  const std::size_t taken = parser_->put({bytes.data(), bytes.size()}, error);
  has_begun_ = true;
  head_bytes_ += in_head ? taken : 0;
  if (error == http::error::need_more) {
    error = {};
    needs_more_ = bytes.size() == offered;
  }
  if (error) {
    refuse(parser_->refusal ? *std::move(parser_->refusal) : refusal_of(error, bytes));
    return taken;
  }
  if (parser_->is_header_done() && !has_head_ && !target_error_) end_head();
  if (parser_->is_done()) {
    finish();
  } else if (parser_->is_header_done()) {
    state_ = State::body;
    expects_continue_ = parser_->expects_continue;
    if (is_open_past_its_line(bytes.substr(taken))) {
      refuse(malformed("the head of a chunk has a quoted text without an end"));
    } else if (bytes.size() - taken >= chunk_head_bytes_max) {
      refuse(malformed("the head of a chunk, or the trailers, are too long"));
    }
  } else if (head_bytes_ + bytes.size() - taken >= limits::request_head_bytes_max) {
    refuse(refusal_of(http::error::header_limit, bytes));
  }
  return taken;
}

void RequestReader::end_head() {
  if (auto done = read_target(request_); !done) {
    target_error_ = std::move(done).error();
  } else {
    has_head_ = true;
  }
}

// A wrong target is reported once the request is complete, so that the connection can stay open.
void RequestReader::finish() {
  state_ = State::complete;
  if (target_error_) refuse({400, *std::move(target_error_), !keeps_alive()});
}

void RequestReader::refuse(Refusal refusal) {
  state_ = State::refused;
  refusal_ = std::move(refusal);
}

}  // namespace mayfly::net
