// The frames of HTTP/2, without a socket. For any bytes after the preface, streams begin in
// ascending order and end once. The requests do not depend on how the bytes are split, unless the
// bytes end the connection: the library may or may not look at some of what follows. Whole requests
// are answered, some in several frames and some with a reset.
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fuzz.h"
#include "net/http2/limits.h"
#include "net/http2/session.h"

namespace mayfly::fuzz {
namespace {

constexpr std::string_view preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
constexpr std::size_t answer_bytes = 40'000;  // more than one frame

// What has been announced of one stream.
struct Seen {
  bool has_head = false;
  bool is_whole = false;
  bool is_closed = false;
  std::string head;
  std::string body;
  std::size_t unsent = answer_bytes;
  bool is_paused = false;
};

class Recorder final : public net::Http2Events {
 public:
  void begins(std::int32_t stream) override {
    CHECK(stream > last_ && stream % 2 == 1);
    last_ = heading_ = stream;
    streams_[stream];
    std::size_t open = 0;
    for (const auto& [number, seen] : streams_) open += seen.is_closed ? 0 : 1;
    CHECK(open <= limits::http2_streams_max);
  }
  void has_header(std::string_view name, std::string_view value) override {
    Seen& seen = streams_.at(heading_);
    CHECK(!seen.has_head && !seen.is_closed);
    (seen.head += name) += ": ";
    (seen.head += value) += "\n";
  }
  void has_head(std::int32_t stream) override {
    Seen& seen = streams_.at(stream);
    CHECK(stream == heading_ && !seen.has_head && !seen.is_closed);
    seen.has_head = true;
  }
  void has_broken_head(std::int32_t) override {}
  void has_data(std::int32_t stream, std::string_view bytes) override {
    const auto seen = streams_.find(stream);
    CHECK(seen != streams_.end() && seen->second.has_head && !seen->second.is_whole);
    seen->second.body += bytes;
  }
  void is_whole(std::int32_t stream) override {
    const auto seen = streams_.find(stream);
    CHECK(seen != streams_.end() && seen->second.has_head && !seen->second.is_whole);
    seen->second.is_whole = true;
    whole_.push_back(stream);
  }
  void on_idle_frame() override {}

  // A frame of it, then nothing until resume().
  Taken take(std::int32_t stream, std::span<char> room) override {
    Seen& seen = streams_.at(stream);
    CHECK(!seen.is_closed);
    if (std::exchange(seen.is_paused, !seen.is_paused)) return {.next = Taken::Next::later};
    const std::size_t bytes = std::min(room.size(), seen.unsent);
    std::fill_n(room.begin(), bytes, 'x');
    seen.unsent -= bytes;
    return {bytes, seen.unsent == 0 ? Taken::Next::none : Taken::Next::more};
  }
  void is_answered(std::int32_t stream) override { CHECK(!streams_.at(stream).is_closed); }
  void is_closed(std::int32_t stream, net::Http2Error) override {
    const auto seen = streams_.find(stream);
    if (seen == streams_.end()) return;
    CHECK(!seen->second.is_closed);
    seen->second.is_closed = true;
  }

  std::vector<std::int32_t> take_whole() { return std::exchange(whole_, {}); }
  std::vector<std::int32_t> paused() const {
    std::vector<std::int32_t> all;
    for (const auto& [stream, seen] : streams_) {
      if (seen.is_paused && !seen.is_closed) all.push_back(stream);
    }
    return all;
  }
  // Of the requests whose heads have come. The body of one that is broken off, as where it is
  // longer than its head says, may have been announced in part: that depends on how it is cut.
  std::string text() const {
    std::string text;
    for (const auto& [stream, seen] : streams_) {
      if (!seen.has_head) continue;
      text += std::to_string(stream) + " " + seen.head;
      if (seen.is_whole) text += "whole " + seen.body;
      text += "\n";
    }
    return text;
  }

 private:
  std::int32_t last_ = 0;
  std::int32_t heading_ = 0;
  std::map<std::int32_t, Seen> streams_;
  std::vector<std::int32_t> whole_;
};

// What is announced of the bytes in pieces of this size, where nothing is sent; nothing where they
// end the connection.
std::optional<std::string> seen_of(BytesView bytes, std::size_t piece) {
  Recorder recorder;
  net::Http2Session session(recorder);
  bool goes_on = session.receive(preface);
  for (std::size_t at = 0; at < bytes.size() && goes_on; at += piece) {
    goes_on = session.receive(bytes.substr(at, piece));
  }
  while (!session.next().empty()) {
  }
  if (!goes_on || session.is_over()) return std::nullopt;
  return recorder.text();
}

void answer(net::Http2Session& session, Recorder& recorder, Random& random) {
  for (const std::int32_t stream : recorder.take_whole()) {
    const bool has_body = random.below(2) == 0;
    if (random.below(4) == 0) {
      session.reset(stream, net::Http2Error::cancel);
    } else {
      session.respond(stream, {{":status", "200"}, {"content-type", "text/plain"}}, has_body);
    }
  }
  for (const std::int32_t stream : recorder.paused()) session.resume(stream);
}

// As a connection does it: takes a piece, answers what is whole, sends what there is.
void converse(BytesView bytes, Random& random) {
  Recorder recorder;
  net::Http2Session session(recorder);
  CHECK(session.receive(preface));
  bool goes_on = true;
  while (goes_on && !session.is_over()) {
    const std::size_t piece = 1 + random.below(limits::http2_read_bytes);
    goes_on = session.receive(bytes.substr(0, piece));
    bytes.remove_prefix(std::min(piece, bytes.size()));
    answer(session, recorder, random);
    while (!session.next().empty()) {
    }
    if (random.below(64) == 0) session.announce_end();
    if (bytes.empty()) break;
  }
  session.end(net::Http2Error::none);
  while (!session.next().empty()) {
  }
}

}  // namespace

void run(BytesView input) {
  Random random(seed_of(input));
  const auto once = seen_of(input, input_bytes_max);
  const auto cut = seen_of(input, 1 + random.below(64));
  CHECK(!once || !cut || *once == *cut);
  converse(input, random);
}

}  // namespace mayfly::fuzz
