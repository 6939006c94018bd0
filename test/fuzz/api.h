// Sends requests to a dialect on a database in memory, to two instances at once: one sweeps after
// every request, the other never does. By the law of lifetime their answers are equal.
//
// The input is one request a line: METHOD TAB TARGET [TAB BODY [TAB NAME: VALUE]...]. A line "+N"
// moves the clock by N seconds; every line moves it by one, so that the commits of the sweeper fall
// between the instants of the requests.
#pragma once

#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include "db/database.h"
#include "db/expiry/sweeper.h"
#include "dialect/common/page_token.h"
#include "dialect/dialect.h"
#include "fuzz.h"
#include "net/handler.h"
#include "net/http1/request_reader.h"
#include "net/requests/testing.h"
#include "store/memory/memory_store.h"
#include "value/json/json.h"

namespace mayfly::fuzz {

inline constexpr std::size_t requests_max = 24;  // lines of one input

inline std::vector<BytesView> split(BytesView text, char at) {
  std::vector<BytesView> parts;
  while (true) {
    const std::size_t end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == BytesView::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

// As one segment of a path.
inline std::string escaped(std::string_view id) {
  std::string out;
  for (const char c : id) {
    const auto byte = static_cast<std::uint8_t>(c);
    out += {'%', "0123456789ABCDEF"[byte >> 4], "0123456789ABCDEF"[byte & 15]};
  }
  return out;
}

class Api {
 public:
  using Make = std::unique_ptr<Dialect> (*)(const Services&);
  // The value of the header `Authorization` for a request, followed by further lines of the head if
  // the API needs them.
  using Authorize = std::string (*)(BytesView method, BytesView target);
  static std::string bearer(BytesView, BytesView) { return "Bearer key"; }

  explicit Api(Make make, Authorize authorize = bearer)
      : authorize_(authorize),
        database_(Database::open(store::open_memory(), clock_).value()),
        dialect_(make({*database_, &clock_, random_, credentials_, page_tokens_})) {}

  // Sends the request in its wire form, and checks what is true of every answer. The first of two
  // headers with one name counts: the input's own Authorization, if it has one.
  net::Response send(BytesView method, BytesView target, BytesView body = {},
                     const std::vector<BytesView>& headers = {}) {
    Bytes wire = Bytes(method) + " " + Bytes(target) + " HTTP/1.1\r\nHost: h\r\n";
    for (const BytesView header : headers) wire += Bytes(header) + "\r\n";
    wire += "Authorization: " + authorize_(method, target) + "\r\n";
    wire += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + Bytes(body);
    net::Request request;
    net::RequestReader reader(request, dialect_->body_bytes_max());
    for (std::size_t taken = 0; taken < wire.size();) {
      const std::size_t more = reader.read(BytesView(wire).substr(taken));
      if (reader.state() != net::RequestReader::State::body || more == 0) break;
      taken += more;
    }
    if (reader.state() != net::RequestReader::State::complete) return {.status = 400};
    net::PendingRequest begun(*dialect_, request);
    begun->pace();
    net::Response response = begun->answer();
    if (!response.view.bytes.empty()) response.body = response.view.bytes;
    check(response);
    return response;
  }

  void sweep() { CHECK(database_->sweeper().run_due(1'000'000).has_value()); }
  void advance(Span span) { clock_.advance(span); }

 private:
  // Whatever is requested, the answer is never an internal error.
  static void check(const net::Response& response) {
    if (response.status == 500) std::fprintf(stderr, "%s\n", response.body.c_str());
    CHECK(response.status >= 200 && response.status < 600 && response.status != 500);
    const bool is_json = response.content_type.starts_with("application/json");
    if (response.body.empty() || !is_json) return;
    const auto body = parse_json(response.body, {.bytes_max = 64 << 20, .depth_max = 1'000});
    if (!body) {
      std::fprintf(stderr, "%s\n%s\n", body.error().message.c_str(), response.body.c_str());
    }
    CHECK(body.has_value());
  }

  Authorize authorize_;
  ManualClock clock_{Instant::from_seconds(1'800'000'000)};
  Random random_{7};
  Credentials credentials_{.keys = {"key"}};
  const PageTokens page_tokens_{"secret"};
  std::unique_ptr<Database> database_;
  std::unique_ptr<Dialect> dialect_;
};

// Answers about the sweeper or the process, which may differ.
inline bool is_about_housekeeping(BytesView target) {
  for (const BytesView part : {"/feed", "/sweeper", "/metrics"}) {
    if (target.find(part) != BytesView::npos) return true;
  }
  return false;
}

class Worlds {
 public:
  explicit Worlds(Api::Make make, Api::Authorize authorize = Api::bearer)
      : swept_(make, authorize), unswept_(make, authorize) {}

  // The answer of both. Ends the program if they differ, except for requests about housekeeping.
  net::Response send(BytesView method, BytesView target, BytesView body = {},
                     const std::vector<BytesView>& headers = {}) {
    net::Response one = swept_.send(method, target, body, headers);
    const net::Response other = unswept_.send(method, target, body, headers);
    if (is_about_housekeeping(target)) return one;
    const bool is_same = one.status == other.status && one.body == other.body;
    if (!is_same) tell(target, one, other);
    CHECK(is_same && one.headers == other.headers);
    return one;
  }

  // Sends each line of the input, at most requests_max of them.
  void send_lines(BytesView input) {
    std::size_t requests = 0;
    for (const BytesView line : split(input, '\n')) {
      if (++requests > requests_max) return;
      send_line(line);
      swept_.sweep();
      advance(Span::seconds(1));
    }
  }

 private:
  void send_line(BytesView line) {
    if (line.starts_with('+')) {
      std::uint32_t seconds = 0;
      std::from_chars(line.data() + 1, line.data() + line.size(), seconds);
      return advance(Span::seconds(seconds));
    }
    const std::vector<BytesView> parts = split(line, '\t');
    if (parts.size() < 2) return;
    const std::size_t with_body = std::min<std::size_t>(parts.size(), 3);
    send(parts[0], parts[1], with_body > 2 ? parts[2] : BytesView(),
         {parts.begin() + static_cast<std::ptrdiff_t>(with_body), parts.end()});
  }

  void advance(Span span) {
    swept_.advance(span);
    unswept_.advance(span);
  }

  static void tell(BytesView target, const net::Response& one, const net::Response& other) {
    std::fprintf(stderr, "%s\nswept:   %d %s\nunswept: %d %s\n", Bytes(target).c_str(), one.status,
                 one.body.c_str(), other.status, other.body.c_str());
  }

  Api swept_;
  Api unswept_;
};

}  // namespace mayfly::fuzz
