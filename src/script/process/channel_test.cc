// The two ends of a socket: messages arrive whole, and no end blocks the other one beyond its
// deadline.
#include "script/process/channel.h"

#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <thread>
#include <utility>

#include "script/limits.h"

namespace mayfly::script {
namespace {

struct SocketPair {
  SocketPair() {
    int sockets[2] = {};
    EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, sockets), 0);
    own = sockets[0];
    other = sockets[1];
  }
  int own = -1;
  int other = -1;
};

std::string result_of(const Error& error) {
  return std::string(name_of(error.code)) + ": " + error.message;
}

constexpr const char* other_end_closed = "internal: The process of the script has ended.";
constexpr const char* too_late = "timed_out: The script took longer than it may (script_time_max).";

TEST(ScriptChannel, PassesMessagesWhole) {
  const SocketPair ends;
  Channel server(ends.own);
  Channel process(ends.other);
  ASSERT_TRUE(server.add(MessageKind::define, "one"));
  ASSERT_TRUE(server.add(MessageKind::call, ""));
  ASSERT_TRUE(server.send(Instant::never()));
  for (const auto& [kind, content] :
       {std::pair{MessageKind::define, "one"}, std::pair{MessageKind::call, ""}}) {
    const auto message = process.receive(Instant::never());
    ASSERT_TRUE(message);
    EXPECT_EQ(message->kind, kind);
    EXPECT_EQ(message->content, content);
  }
}

TEST(ScriptChannel, PassesMessagesThatAreLargerThanSocketBuffers) {
  const SocketPair ends;
  Channel server(ends.own);
  const std::string large(limits::script_message_bytes_max - 1, 'x');
  std::thread process([&ends, &large] {
    Channel other(ends.other);
    EXPECT_EQ(other.receive(Instant::never())->content, large);
    EXPECT_TRUE(other.add(MessageKind::done, large) && other.send(Instant::never()));
  });
  EXPECT_TRUE(server.add(MessageKind::answer, large) && server.send(Instant::never()));
  EXPECT_EQ(server.receive(Instant::never())->content, large);
  process.join();
  EXPECT_EQ(server.add(MessageKind::answer, large + 'x').error().code, Code::too_large);
}

TEST(ScriptChannel, FailsIfTheOtherEndIsClosed) {
  const SocketPair ends;
  Channel server(ends.own);
  server.use_short_timeouts();
  EXPECT_TRUE(server.is_open());
  close(ends.other);
  EXPECT_FALSE(server.is_open());
  EXPECT_FALSE(server.is_closed());
  EXPECT_EQ(result_of(server.receive(Instant::never()).error()), other_end_closed);
  EXPECT_TRUE(server.is_closed());
  ASSERT_TRUE(server.add(MessageKind::call, "x"));
  EXPECT_EQ(result_of(server.send(Instant::never()).error()), other_end_closed);
}

TEST(ScriptChannel, RefusesInvalidMessages) {
  for (const std::size_t size : {std::size_t{0}, limits::script_message_bytes_max + 1}) {
    const SocketPair ends;
    Channel server(ends.own);
    Bytes bytes;
    put_u32(bytes, static_cast<std::uint32_t>(size));
    ASSERT_EQ(send(ends.other, bytes.data(), bytes.size(), 0), 4);
    EXPECT_EQ(server.receive(Instant::never()).error().code, Code::internal);
    EXPECT_FALSE(server.is_closed());
    close(ends.other);
  }
}

TEST(ScriptChannel, KeepsItsDeadlineEvenIfBytesArrive) {
  const SocketPair ends;
  std::thread process([&ends] {
    Bytes bytes;
    put_u32(bytes, limits::script_message_bytes_max);
    bytes += "c";
    EXPECT_EQ(send(ends.other, bytes.data(), 4, MSG_NOSIGNAL), 4);
    while (send(ends.other, &bytes.back(), 1, MSG_NOSIGNAL) == 1) {
    }
    close(ends.other);
  });
  {
    Channel server(ends.own);
    server.use_short_timeouts();
    EXPECT_EQ(result_of(server.receive(monotonic_now() + Span::millis(100)).error()), too_late);
  }
  process.join();
}

TEST(ScriptChannel, KeepsItsDeadlineEvenIfTheOtherEndDoesNotRead) {
  const SocketPair ends;
  Channel server(ends.own);
  server.use_short_timeouts();
  EXPECT_EQ(result_of(server.receive(monotonic_now() + Span::millis(50)).error()), too_late);
  ASSERT_TRUE(server.add(MessageKind::call, Bytes(8 << 20, 'x')));
  EXPECT_EQ(result_of(server.send(monotonic_now() + Span::millis(50)).error()), too_late);
  close(ends.other);
}

}  // namespace
}  // namespace mayfly::script
