// The requests that a connection reads: the same however the bytes are split, each with at most one
// framing, so that a proxy before the server cannot see other boundaries. A request that is written
// again is read as the same.
#include <algorithm>
#include <charconv>
#include <set>
#include <vector>

#include "base/limits.h"
#include "fuzz.h"
#include "net/http1/request_reader.h"
#include "value/json/tokens.h"

namespace mayfly::fuzz {
namespace {

using net::Request;
using net::RequestReader;

constexpr std::size_t body_bytes_max = 1'000;

struct Read {
  std::vector<Request> requests;
  std::vector<bool> keeps_alive;
  int refused_with = 0;  // 0: not refused
  bool closes = false;
  bool waits = false;
  bool is_http_1_0 = false;  // the last one that was complete
};

// Reads all of `wire`, which arrives in pieces of sizes that `next_size` gives.
template <class NextSize>
Read read_all(BytesView wire, NextSize next_size) {
  Read read;
  Request request;
  RequestReader reader(request, body_bytes_max);
  std::size_t begin = 0;
  std::size_t end = 0;
  while (end < wire.size() || begin < end) {
    end = std::min(end + next_size(), wire.size());
    const std::size_t taken = reader.read(wire.substr(begin, end - begin));
    CHECK(taken <= end - begin);
    begin += taken;
    if (reader.state() == RequestReader::State::refused) {
      read.refused_with = reader.refusal().status;
      read.closes = reader.refusal().closes;
      return read;
    }
    if (reader.state() == RequestReader::State::complete) {
      read.requests.push_back(request);
      read.keeps_alive.push_back(reader.keeps_alive());
      read.is_http_1_0 = reader.is_http_1_0();
      reader.begin();
    } else if (end == wire.size()) {
      break;
    }
  }
  read.waits = reader.has_begun();
  return read;
}

bool is_token(std::string_view text) {
  constexpr std::string_view others = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           others.find(c) != std::string_view::npos;
  });
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) < ' ' && c != '\t') || c == '\x7F';
  });
}

bool has_upper(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
}

bool is_framing(const net::Pair& header) {
  return header.first == "content-length" || header.first == "transfer-encoding";
}

void check_request(const Request& request) {
  CHECK(is_token(request.method));
  CHECK(!request.target.empty() && !has_control(request.target));
  CHECK(request.target.find(' ') == std::string::npos);
  CHECK(request.path.starts_with('/') && request.path.find_first_of("?#") == std::string::npos);
  CHECK(is_utf8(request.path));
  for (const net::Pair& pair : request.parameters) {
    CHECK(is_utf8(pair.first) && is_utf8(pair.second));
  }
  std::size_t head = request.method.size() + request.target.size();
  std::size_t framings = 0;
  for (const net::Pair& header : request.headers) {
    CHECK(is_token(header.first) && !has_upper(header.first));
    CHECK(!has_control(header.second));
    head += header.first.size() + header.second.size();
    framings += is_framing(header) ? 1 : 0;
  }
  CHECK(head <= limits::request_head_bytes_max);
  CHECK(request.body.size() <= body_bytes_max);
  // One way to tell where the request ends, which is the one that was taken.
  CHECK(framings <= 1);
  if (framings == 0) CHECK(request.body.empty());
  if (const std::string* length = request.header("content-length")) {
    std::size_t bytes = 0;
    const char* end = length->data() + length->size();
    CHECK(std::from_chars(length->data(), end, bytes).ptr == end);
    CHECK(bytes == request.body.size());
  }
}

bool is_same(const Request& a, const Request& b) {
  return a.method == b.method && a.target == b.target && a.path == b.path &&
         a.parameters == b.parameters && a.headers == b.headers && a.body == b.body;
}

void check_same(const Read& pieces, const Read& whole, std::size_t wire_bytes) {
  const std::size_t both = std::min(pieces.requests.size(), whole.requests.size());
  for (std::size_t i = 0; i < both; ++i) {
    CHECK(is_same(pieces.requests[i], whole.requests[i]));
    CHECK(pieces.keeps_alive[i] == whole.keeps_alive[i]);
  }
  const bool end_the_same = pieces.requests.size() == whole.requests.size() &&
                            pieces.refused_with == whole.refused_with &&
                            pieces.closes == whole.closes && pieces.waits == whole.waits;
  // What is longer than a bound is refused for what shows first, or not at all where it comes in
  // one piece, which was taken in already. Either way nothing else is read behind it.
  const bool is_over_a_bound = wire_bytes >= limits::request_head_bytes_max &&
                               (pieces.closes || whole.closes) &&
                               pieces.requests.size() <= whole.requests.size();
  CHECK(end_the_same || is_over_a_bound);
}

// Written plainly, with a length for a body, a request is read as itself.
void check_written_again(Request request, bool is_http_1_0) {
  std::erase_if(request.headers, is_framing);
  request.headers.emplace_back("content-length", std::to_string(request.body.size()));
  Bytes wire = request.method + " " + request.target + (is_http_1_0 ? " HTTP/1.0" : " HTTP/1.1");
  wire += "\r\n";
  for (const net::Pair& header : request.headers) {
    wire += header.first + ": " + header.second + "\r\n";
  }
  wire += "\r\n";
  if (wire.size() > limits::request_head_bytes_max) return;  // by the spaces that are written here
  wire += request.body;
  const Read again = read_all(wire, [&] { return wire.size(); });
  CHECK(again.requests.size() == 1 && !again.waits && again.refused_with == 0);
  CHECK(is_same(again.requests.front(), request));
}

}  // namespace

void run(BytesView input) {
  // Ended, because a head that is open is judged only as far as it goes.
  const Bytes wire = Bytes(input) + "\r\n\r\n\r\n\r\n";
  const Read whole = read_all(wire, [&] { return wire.size(); });
  const std::set<int> statuses{0, 400, 413, 417, 431, 501, 505};
  CHECK(statuses.contains(whole.refused_with));
  for (const Request& request : whole.requests) check_request(request);
  if (!whole.requests.empty()) check_written_again(whole.requests.back(), whole.is_http_1_0);

  Random random(seed_of(input));
  const std::size_t longest = 1 + random.below(wire.size());
  for (const std::size_t most : {std::size_t{1}, std::size_t{16}, longest}) {
    const Read pieces = read_all(wire, [&] { return 1 + random.below(most); });
    check_same(pieces, whole, wire.size());
  }
}

}  // namespace mayfly::fuzz
