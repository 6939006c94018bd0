#include "net/websocket/frames.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mayfly::net {
namespace {

// A masked frame of a client.
std::string masked(int first, const std::string& payload, bool is_masked = true) {
  std::string frame(1, static_cast<char>(first));
  const int bit = is_masked ? 0x80 : 0;
  if (payload.size() <= 125) {
    frame.push_back(static_cast<char>(bit | static_cast<int>(payload.size())));
  } else {
    frame.push_back(static_cast<char>(bit | 126));
    frame.push_back(static_cast<char>(payload.size() >> 8));
    frame.push_back(static_cast<char>(payload.size()));
  }
  const std::string mask = is_masked ? std::string("\x12\x34\x56\x78") : std::string();
  frame += mask;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    frame.push_back(is_masked ? static_cast<char>(payload[i] ^ mask[i & 3]) : payload[i]);
  }
  return frame;
}

// The events of the bytes, in pieces of so many bytes.
std::vector<std::string> events_of(const std::string& bytes, std::size_t at_once) {
  FrameReader reader(1'000);
  std::vector<std::string> events;
  for (std::size_t i = 0; i < bytes.size(); i += at_once) {
    std::string_view some = std::string_view(bytes).substr(i, at_once);
    while (!some.empty()) {
      const std::string code = "";
      switch (reader.read(some)) {
        case FrameReader::Event::none: break;
        case FrameReader::Event::message: events.push_back("message " + reader.take()); break;
        case FrameReader::Event::ping: events.push_back("ping " + reader.take()); break;
        case FrameReader::Event::pong: events.emplace_back("pong"); break;
        case FrameReader::Event::close:
          events.push_back("close " + std::to_string(static_cast<int>(reader.close_code())));
          return events;
        case FrameReader::Event::broken:
          events.push_back("broken " + std::to_string(static_cast<int>(reader.close_code())));
          return events;
      }
    }
  }
  return events;
}

using Events = std::vector<std::string>;

TEST(WebSocketFramesTest, MessagesAreCompleteInPiecesOfAnySize) {
  const std::string bytes = masked(0x81, "one") + masked(0x01, "tw") + masked(0x89, "p") +
                            masked(0x00, "") + masked(0x80, "o") + masked(0x8A, "") +
                            masked(0x81, std::string(300, 'x')) +
                            masked(0x88, std::string("\x03\xE8") + "bye");
  const Events expected{
      "message one", "ping p", "message two", "pong", "message " + std::string(300, 'x'),
      "close 1000"};
  for (const std::size_t at_once : {1U, 2U, 7U, 1'000U}) {
    EXPECT_EQ(events_of(bytes, at_once), expected) << at_once;
  }
}

TEST(WebSocketFramesTest, AViolationEndsTheConversation) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {masked(0x81, "not masked", false), "broken 1002"},
      {masked(0xC1, "reserved bit"), "broken 1002"},
      {masked(0x83, "unknown opcode"), "broken 1002"},
      {masked(0x80, "continues nothing"), "broken 1002"},
      {masked(0x01, "a") + masked(0x81, "b"), "broken 1002"},
      {masked(0x09, "a ping in parts"), "broken 1002"},
      {masked(0x89, std::string(126, 'x')), "broken 1002"},
      {masked(0x88, "x"), "broken 1002"},
      {masked(0x88, "\x03\xEE"), "broken 1002"},
      {masked(0x81, "\xFF"), "broken 1007"},
      {masked(0x82, "\xFF"), "broken 1007"},
      {masked(0x88, "\x03\xE8\xFF"), "broken 1007"},
      {masked(0x81, std::string(1'001, 'x')), "broken 1009"},
      {masked(0x01, std::string(600, 'x')) + masked(0x80, std::string(600, 'x')), "broken 1009"},
  };
  for (const auto& [bytes, expected] : cases) {
    EXPECT_EQ(events_of(bytes, 5), Events{expected});
    EXPECT_EQ(events_of(bytes, 5'000), Events{expected});
  }
  EXPECT_EQ(events_of(masked(0x88, ""), 1), Events{"close 1005"});
}

TEST(WebSocketFramesTest, ABinaryMessageIsTakenAsText) {
  EXPECT_EQ(events_of(masked(0x82, "one") + masked(0x02, "t") + masked(0x80, "wo"), 5),
            (Events{"message one", "message two"}));
}

TEST(WebSocketFramesTest, LengthsHaveTheShortestEncoding) {
  const auto begin_of = [](std::size_t bytes) {
    std::string out;
    render_frame(Opcode::text, std::string(bytes, 'x'), out);
    return out.substr(0, out.size() - bytes);
  };
  EXPECT_EQ(begin_of(125), "\x81\x7D");
  EXPECT_EQ(begin_of(126), std::string("\x81\x7E\x00\x7E", 4));
  EXPECT_EQ(begin_of(65'536), std::string("\x81\x7F\0\0\0\0\0\x01\0\0", 10));
  std::string close;
  render_close(CloseCode::going_away, "bye", close);
  EXPECT_EQ(close,
            "\x88\x05\x03\xE9"
            "bye");
  close.clear();
  render_close(CloseCode::none, "", close);
  EXPECT_EQ(close, std::string("\x88\0", 2));
}

}  // namespace
}  // namespace mayfly::net
