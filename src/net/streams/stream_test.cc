// Streamed responses: framing, ends, and clients that disconnect or do not read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "base/threads/run_permit.h"
#include "net/streams/testing.h"

namespace mayfly::net {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

const std::string head =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n";
const std::string begun = head + "6\r\nbegin \r\n";

// The head of a streamed response, and the beginning of its body.
std::string read_begin(Client& client, std::size_t bytes) {
  const std::string begin = client.read(false);
  return begin + client.read_bytes(bytes);
}

class StreamTest : public StreamsTest {
 protected:
  // Requests a stream, reads its beginning, and returns the sender's end.
  std::shared_ptr<Stream> open(Client& client) {
    client.send(get("/stream"));
    EXPECT_EQ(read_begin(client, 11), begun);
    return taken();
  }
};

TEST_F(StreamTest, AResponseIsStreamedUntilItsEndAndTheConnectionStays) {
  start();
  Client client(port);
  const auto stream = open(client);
  EXPECT_TRUE(stream->is_open());
  EXPECT_TRUE(stream->send("one"));
  EXPECT_EQ(client.read_until("one\r\n"), "3\r\none\r\n");
  EXPECT_TRUE(stream->send(std::string(16, 'x')));
  EXPECT_EQ(client.read_until("x\r\n"), "10\r\n" + std::string(16, 'x') + "\r\n");
  EXPECT_EQ(server->stats().streams_open, 1U);
  stream->end();
  EXPECT_EQ(client.read_bytes(5), "0\r\n\r\n");
  EXPECT_FALSE(stream->send("late"));
  EXPECT_FALSE(stream->is_open());
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
  EXPECT_EQ(server->stats().streams_open, 0U);
  open(client)->end();
  EXPECT_EQ(client.read_bytes(5), "0\r\n\r\n");
}

TEST_F(StreamTest, DestroyingAStreamEndsIt) {
  start();
  Client client(port);
  open(client).reset();
  EXPECT_EQ(client.read_bytes(5), "0\r\n\r\n");
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
}

TEST_F(StreamTest, AnHttp10ClientReadsUntilTheConnectionEnds) {
  start();
  Client client(port);
  client.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
  const std::string old =
      "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nConnection: close\r\n\r\nbegin ";
  EXPECT_EQ(read_begin(client, 6), old);
  const auto stream = taken();
  stream->send("one");
  EXPECT_EQ(client.read_bytes(3), "one");
  stream->end();
  EXPECT_TRUE(client.is_closed());
}

TEST_F(StreamTest, HeadOfAStreamHasNoBody) {
  start();
  Client client(port);
  EXPECT_EQ(client.ask("HEAD /stream HTTP/1.1\r\nHost: h\r\n\r\n", false), head);
  EXPECT_EQ(server->stats().streams_open, 0U);
  EXPECT_EQ(client.ask(get("/")), ok("GET / "));
}

TEST_F(StreamTest, WorkersMayAnswerWithAStreamToo) {
  start();
  Client client(port);
  client.send(get("/stream?slow"));
  EXPECT_EQ(read_begin(client, 11), begun);
  taken()->send("one");
  EXPECT_EQ(client.read_bytes(8), "3\r\none\r\n");
}

TEST_F(StreamTest, ADisconnectIsDetectedImmediately) {
  start();
  auto client = connect();
  const auto stream = open(*client);
  std::atomic<int> calls = 0;
  stream->when_sent([&calls] { ++calls; });
  EXPECT_EQ(calls, 1);  // nothing was unsent
  client.reset();
  ASSERT_TRUE(streams_are(0));
  EXPECT_FALSE(stream->send("one"));
  EXPECT_EQ(stream->unsent_bytes(), 0U);
  stream->when_sent([&calls] { ++calls; });
  EXPECT_EQ(calls, 2);
}

TEST_F(StreamTest, AWorkerMakesThePieceOnceTheClientHasReadTheOneBefore) {
  start();
  const auto client = connect();
  const std::shared_ptr<Stream> stream = open(*client);
  // Each piece is made on a worker and requests the next one.
  struct Pieces {
    std::shared_ptr<Stream> stream;
    int left = 0;
    void make(const std::shared_ptr<Pieces>& self) {
      EXPECT_NE(current_run_permit(), nullptr);
      EXPECT_TRUE(stream->send("piece"));
      if (--left == 0) return stream->end();
      stream->when_sent([self] { self->next(self); });
    }
    void next(const std::shared_ptr<Pieces>& self) {
      EXPECT_TRUE(stream->work([self] { self->make(self); }));
    }
  };
  const auto pieces = std::make_shared<Pieces>(Pieces{stream, 100});
  pieces->next(pieces);
  std::string expected;
  for (int i = 0; i < 100; ++i) expected += "5\r\npiece\r\n";
  EXPECT_EQ(client->read_bytes(expected.size() + 5), expected + "0\r\n\r\n");
  EXPECT_FALSE(stream->work([] { FAIL() << "the stream has ended"; }));
}

TEST_F(StreamTest, NoPieceIsMadeForADisconnectedClient) {
  start();
  auto client = connect();
  const auto stream = open(*client);
  client.reset();
  ASSERT_TRUE(streams_are(0));
  EXPECT_FALSE(stream->work([] { FAIL() << "nothing takes it"; }));
}

TEST_F(StreamTest, AClientThatDoesNotReadIsDisconnectedAndItsQueueIsFreed) {
  start();
  Client client(port);
  const auto stream = open(client);
  std::atomic<bool> calls = false;
  const std::string piece(64 << 10, 'x');
  std::size_t pieces = 0;
  while (stream->send(piece)) {
    ASSERT_LE(stream->unsent_bytes(), limits::stream_unsent_bytes_max);
    ASSERT_LT(++pieces, 10'000U);
    stream->when_sent([&calls] { calls = true; });
  }
  EXPECT_FALSE(stream->is_open());
  EXPECT_FALSE(stream->send("more"));
  ASSERT_TRUE(streams_are(0));
  EXPECT_TRUE(calls);
  EXPECT_EQ(server->stats().streams_overrun, 1U);
  EXPECT_EQ(Client(port).ask(get("/")), ok("GET / "));
}

TEST_F(StreamTest, ALargePieceIsAcceptedWholeIfNothingIsQueued) {
  start();
  Client client(port);
  const auto stream = open(client);
  const std::string piece(20'000'000, 'x');
  std::atomic<bool> has_left = false;
  EXPECT_TRUE(stream->send(piece));
  stream->when_sent([&has_left] { has_left = true; });
  EXPECT_GT(stream->unsent_bytes(), 0U);
  EXPECT_EQ(client.read_bytes(9 + piece.size() + 2), "1312d00\r\n" + piece + "\r\n");
  ASSERT_TRUE(becomes_true([&] { return has_left.load(); }));
  EXPECT_EQ(stream->unsent_bytes(), 0U);
}

TEST_F(StreamTest, QueuesOfClientsThatDoNotReadStayWithinTheSharedMemory) {
  options.exchange_bytes_max = 80'000'000;
  start();
  std::vector<std::unique_ptr<Client>> deaf;
  std::vector<std::shared_ptr<Stream>> streams;
  const std::string piece(20'000'000, 'x');
  std::size_t taken = 0;
  for (int i = 0; i < 12; ++i) {
    deaf.push_back(connect());
    streams.push_back(open(*deaf.back()));
    taken += streams.back()->send(piece) ? 1 : 0;
    EXPECT_LE(server->stats().exchange_bytes, options.exchange_bytes_max);
  }
  // One client alone gets half; its other streams have ended because they were too slow.
  EXPECT_EQ(taken, 2U);
  ASSERT_TRUE(becomes_true([this] { return server->stats().streams_overrun == 10; }));
  EXPECT_EQ(server->stats().exchange_bytes, 40'000'000U);
  Client other(port, "127.0.0.2");
  const auto stream = open(other);
  EXPECT_TRUE(stream->send(piece));
  EXPECT_EQ(other.read_bytes(9 + piece.size() + 2), "1312d00\r\n" + piece + "\r\n");
  deaf.clear();
  EXPECT_TRUE(becomes_true([this] { return server->stats().exchange_bytes == 0; }));
}

TEST_F(StreamTest, SentPiecesTakeNoMemory) {
  const auto allocated = [] {
    const auto all = mallinfo2();
    return all.uordblks + all.hblkhd;
  };
  start();
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<std::shared_ptr<Stream>> streams;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(connect());
    streams.push_back(open(*clients.back()));
  }
  const std::size_t before = allocated();
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(streams[i]->send(std::string(0x500000, 'x')));
    EXPECT_EQ(clients[i]->read_bytes(8), "500000\r\n");
    for (int part = 0; part < 0x500; ++part) EXPECT_EQ(clients[i]->read_bytes(4096).size(), 4096U);
    EXPECT_EQ(clients[i]->read_bytes(2), "\r\n");
  }
  EXPECT_TRUE(becomes_true([&] { return allocated() < before + (10U << 20); }))
      << allocated() - before;
}

TEST_F(StreamTest, AnUnreadPieceEndsTheConnectionButAnIdleStreamDoesNot) {
  options.idle_time_max = options.head_time_max = Span::millis(40);
  options.send_time_max = Span::millis(40);
  start();
  Client quiet(port);
  const auto rests = open(quiet);
  Client idle(port);
  EXPECT_EQ(idle.ask(get("/")), ok("GET / "));
  EXPECT_TRUE(idle.is_closed());
  EXPECT_TRUE(rests->send("one"));
  EXPECT_EQ(quiet.read_bytes(8), "3\r\none\r\n");
  Client deaf(port);
  const auto stream = open(deaf);
  EXPECT_TRUE(stream->send(std::string(20'000'000, 'x')));
  ASSERT_TRUE(becomes_true([&] { return !stream->is_open(); }));
  EXPECT_TRUE(rests->is_open());
}

TEST_F(StreamTest, PiecesWaitUntilWhatTheyShowIsDurable) {
  handler.durability = &durability;
  options.durability = &durability;
  start();
  Client client(port);
  const auto stream = open(client);
  durability.write();
  stream->send("one");
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  EXPECT_FALSE(client.has_something(0));
  durability.gate.open();
  EXPECT_EQ(client.read_bytes(8), "3\r\none\r\n");
  EXPECT_EQ(durability.syncs, 1);
}

TEST_F(StreamTest, StreamsBeyondTheBoundAreRefused) {
  options.streams_max = 2;
  start();
  auto first = connect();
  Client second(port);
  const auto one = open(*first);
  const auto two = open(second);
  Client late(port);
  const std::string refused = late.ask(get("/stream"));
  EXPECT_THAT(refused, StartsWith("HTTP/1.1 429 "));
  EXPECT_THAT(refused, HasSubstr("\r\nRetry-After: 1\r\n"));
  first.reset();
  ASSERT_TRUE(streams_are(1));
  const auto three = open(late);
  EXPECT_TRUE(three->is_open());
}

TEST_F(StreamTest, EarlyRequestsAreAnsweredWhenTheStreamHasEnded) {
  start();
  Client client(port);
  client.send(get("/stream") + get("/a"));
  EXPECT_EQ(read_begin(client, 11), begun);
  const auto stream = taken();
  client.send(get("/b"));
  stream->send("one");
  EXPECT_EQ(client.read_bytes(8), "3\r\none\r\n");
  stream->end();
  EXPECT_EQ(client.read_bytes(5), "0\r\n\r\n");
  EXPECT_EQ(client.read(), ok("GET /a "));
  EXPECT_EQ(client.read(), ok("GET /b "));
}

TEST_F(StreamTest, EarlyRequestsBeyondTheBufferWait) {
  start();
  Client client(port);
  const auto stream = open(client);
  const std::string path = "/" + std::string(8'000, 'x');
  for (int i = 0; i < 20; ++i) client.send(get(path));
  stream->send("one");
  EXPECT_EQ(client.read_bytes(8), "3\r\none\r\n");
  EXPECT_EQ(server->stats().requests, 1U);
  stream->end();
  EXPECT_EQ(client.read_bytes(5), "0\r\n\r\n");
  for (int i = 0; i < 20; ++i) EXPECT_EQ(client.read(), ok("GET " + path + " "));
}

TEST_F(StreamTest, EarlyRequestsThatFillTheBufferBeforeTheStreamWait) {
  options.threads = 1;
  options.workers = 1;
  start();
  Client busy(port);
  busy.send(get("/slow"));
  ASSERT_TRUE(becomes_true([this] { return handler.gate.arrived() == 1; }));
  Client client(port);
  Client other(port);
  const std::string path = "/" + std::string(8'000, 'x');
  client.send(get("/stream?slow=1"));
  for (int i = 0; i < 25; ++i) client.send(get(path));
  // Meanwhile, the loop has read as much as fits.
  for (int i = 0; i < 50; ++i) EXPECT_EQ(other.ask(get("/")), ok("GET / "));
  handler.gate.open();
  EXPECT_EQ(read_begin(client, 11), begun);
  taken()->end();
  EXPECT_EQ(client.read_bytes(5), "0\r\n\r\n");
  for (int i = 0; i < 25; ++i) EXPECT_EQ(client.read(), ok("GET " + path + " "));
}

TEST_F(StreamTest, AnAnswerAfterAStreamWaitsForItsOwnWrite) {
  handler.durability = &durability;
  options.durability = &durability;
  options.threads = 1;
  start();
  Client client(port);
  const auto stream = open(client);
  durability.write();
  stream->send("one");
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 1; }));
  durability.pass_to(1);  // by another loop's flush
  stream->end();
  EXPECT_EQ(client.read_bytes(13), "3\r\none\r\n0\r\n\r\n");
  client.send(get("/write"));
  ASSERT_TRUE(becomes_true([this] { return durability.applied() == 2; }));
  durability.gate.let_one_pass();
  ASSERT_TRUE(becomes_true([this] { return durability.gate.arrived() == 2; }));
  EXPECT_FALSE(client.has_something(0));
  durability.gate.open();
  EXPECT_EQ(client.read(), ok("GET /write "));
}

TEST_F(StreamTest, StoppingEndsStreamsWithAWholeBody) {
  options.threads = 2;
  start();
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<std::shared_ptr<Stream>> open_streams;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(connect());
    open_streams.push_back(open(*clients.back()));
    open_streams.back()->send("one");
  }
  server->stop();
  for (const auto& client : clients) {
    EXPECT_EQ(client->read_until("0\r\n\r\n"), "3\r\none\r\n0\r\n\r\n");
    EXPECT_TRUE(client->is_closed());
  }
  for (const auto& stream : open_streams) EXPECT_FALSE(stream->send("late"));
}

TEST_F(StreamTest, AStreamOutlivesItsServer) {
  start();
  Client client(port);
  const auto stream = open(client);
  server.reset();
  EXPECT_FALSE(stream->send("late"));
  EXPECT_EQ(stream->unsent_bytes(), 0U);
  stream->end();
}

TEST_F(StreamTest, ManyThreadsMaySendToManyStreams) {
  options.threads = 3;
  start();
  constexpr int streams = 20;
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<std::shared_ptr<Stream>> open_streams;
  for (int i = 0; i < streams; ++i) {
    clients.push_back(connect());
    open_streams.push_back(open(*clients.back()));
  }
  std::vector<std::thread> senders;
  for (int t = 0; t < 4; ++t) {
    senders.emplace_back([&open_streams] {
      for (int i = 0; i < 200; ++i) {
        for (const auto& stream : open_streams) EXPECT_TRUE(stream->send("x"));
      }
    });
  }
  for (std::thread& sender : senders) sender.join();
  for (const auto& stream : open_streams) stream->end();
  for (const auto& client : clients) {
    const std::string body = client->read_until("0\r\n\r\n");
    EXPECT_EQ(std::count(body.begin(), body.end(), 'x'), 800);
  }
}

}  // namespace
}  // namespace mayfly::net
