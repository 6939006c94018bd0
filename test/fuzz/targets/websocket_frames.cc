// The messages that a WebSocket reads: the same however the bytes are split, complete, in UTF-8,
// and within the bound of memory.
#include <algorithm>
#include <string>
#include <vector>

#include "fuzz.h"
#include "net/utf8.h"
#include "net/websocket/frames.h"

namespace mayfly::fuzz {
namespace {

using net::FrameReader;

constexpr std::size_t message_bytes_max = 1'000;

std::string text_of(FrameReader& reader, FrameReader::Event event) {
  switch (event) {
    case FrameReader::Event::message: return "message " + reader.take();
    case FrameReader::Event::ping: return "ping " + reader.take();
    case FrameReader::Event::pong: return "pong";
    default: return std::to_string(static_cast<int>(reader.close_code()));
  }
}

// All that comes of `wire`, which arrives in pieces of sizes that `next_size` gives.
template <class NextSize>
std::vector<std::string> read_all(BytesView wire, NextSize next_size) {
  FrameReader reader(message_bytes_max);
  std::vector<std::string> events;
  while (!wire.empty()) {
    std::string_view piece = wire.substr(0, std::min(next_size(), wire.size()));
    wire.remove_prefix(piece.size());
    while (!piece.empty()) {
      const auto event = reader.read(piece);
      CHECK(reader.held_bytes() <= message_bytes_max);
      if (event == FrameReader::Event::none) break;
      events.push_back(text_of(reader, event));
      if (event == FrameReader::Event::message) CHECK(net::is_utf8(events.back()));
      if (event == FrameReader::Event::ping) CHECK(events.back().size() <= 5 + 125);
      const bool is_over =
          event == FrameReader::Event::close || event == FrameReader::Event::broken;
      if (is_over) return events;
    }
    CHECK(piece.empty());
  }
  return events;
}

}  // namespace

void run(BytesView input) {
  const auto whole = read_all(input, [&] { return input.size(); });
  CHECK(whole == read_all(input, [] { return std::size_t{1}; }));
  Random random(seed_of(input));
  CHECK(whole == read_all(input, [&] { return static_cast<std::size_t>(1 + random.below(300)); }));
}

}  // namespace mayfly::fuzz
