// Requests to a dialect on a database in memory, for targets that send whole conversations.
//
// The input is one request a line: METHOD TAB TARGET [TAB BODY [TAB NAME: VALUE]...]. A line "+N"
// moves the clock by N seconds.
#pragma once

#include <charconv>
#include <memory>
#include <string>
#include <vector>

#include "db/database.h"
#include "db/sweeper.h"
#include "dialect/dialect.h"
#include "fuzz.h"
#include "net/request_reader.h"
#include "store/memory/memory_store.h"
#include "value/json.h"

namespace mayfly::fuzz {

inline constexpr std::size_t requests_max = 24;  // of one conversation

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

  explicit Api(Make make)
      : database_(Database::open(store::open_memory(), clock_).value()),
        dialect_(make({*database_, &clock_, random_, credentials_})) {}

  // Sends it as it goes over the wire, and holds the answer to what holds for all of them.
  net::Response send(BytesView method, BytesView target, BytesView body = {},
                     const std::vector<BytesView>& headers = {}) {
    Bytes wire = Bytes(method) + " " + Bytes(target) + " HTTP/1.1\r\nHost: h\r\n";
    wire += "Authorization: Bearer key\r\n";
    for (const BytesView header : headers) wire += Bytes(header) + "\r\n";
    wire += "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + Bytes(body);
    net::Request request;
    net::RequestReader reader(request, dialect_->body_bytes_max());
    for (std::size_t taken = 0; taken < wire.size();) {
      const std::size_t more = reader.read(BytesView(wire).substr(taken));
      if (reader.state() != net::RequestReader::State::body || more == 0) break;
      taken += more;
    }
    if (reader.state() != net::RequestReader::State::complete) return {.status = 400};
    dialect_->is_quick(request);
    net::Response response = dialect_->answer(request);
    check(response);
    return response;
  }

  // One line of the input.
  void send_line(BytesView line) {
    if (line.starts_with('+')) return advance(line.substr(1));
    const std::vector<BytesView> parts = split(line, '\t');
    if (parts.size() < 2) return;
    const std::size_t with_body = std::min<std::size_t>(parts.size(), 3);
    send(parts[0], parts[1], with_body > 2 ? parts[2] : BytesView(),
         {parts.begin() + static_cast<std::ptrdiff_t>(with_body), parts.end()});
  }

  void sweep() { CHECK(database_->sweeper().run_due(1'000'000).has_value()); }

 private:
  void advance(BytesView text) {
    std::uint32_t seconds = 0;
    std::from_chars(text.data(), text.data() + text.size(), seconds);
    clock_.advance(Span::seconds(seconds));
  }

  // Whatever is asked, the fault is never ours.
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

  ManualClock clock_{Instant::from_seconds(1'800'000'000)};
  Random random_{7};
  Credentials credentials_{.keys = {"key"}, .signing_key = "a key for tests"};
  std::unique_ptr<Database> database_;
  std::unique_ptr<Dialect> dialect_;
};

// What each of the targets answers now: none of it may depend on housekeeping.
inline std::vector<std::string> answers(Api& api, const std::vector<std::string>& targets) {
  std::vector<std::string> all;
  for (const std::string& target : targets) {
    const net::Response response = api.send("GET", target);
    all.push_back(std::to_string(response.status) + " " + response.body);
  }
  return all;
}

}  // namespace mayfly::fuzz
