// A real server on a real store whose disk does not respond for a while: no commit is acknowledged
// before it is durable, a request that waits too long gets an error, and everything continues
// afterwards.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "dialect/common/page_token.h"
#include "dialect/native/native.h"
#include "net/test_client.h"
#include "work.h"

namespace mayfly::crash {
namespace {

using net::becomes_true;

constexpr int acknowledged = 10;
const std::string collection = "/v1/databases/d/collections/c";

std::string put(const std::string& target, const std::string& body = "{}") {
  return "PUT " + target +
         " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " +
         std::to_string(body.size()) + "\r\n\r\n" + body;
}

std::string document(int i) {
  return collection + "/documents/d" + std::to_string(i);
}

int status_of(const std::string& response) {
  return response.size() < 12 ? 0 : std::stoi(response.substr(9, 3));
}

class StoreDurability final : public net::Durability {
 public:
  explicit StoreDurability(store::Store& store) : store_(store) {}
  std::uint64_t applied() const override { return store_.applied(); }
  std::uint64_t durable() const override { return store_.durable(); }
  void sync(std::uint64_t mark) override { store_.sync(mark); }

 private:
  store::Store& store_;
};

// A complete server on a directory.
struct Served {
  explicit Served(const std::string& directory, std::shared_ptr<rocksdb::FileSystem> files,
                  net::ServerOptions options = {}) {
    auto store = store::open_rocks(
        {.directory = directory, .free_disk_bytes_min = 0, .file_system = std::move(files)});
    database = std::move(*Database::open(std::move(*store), clock));
    durability = std::make_unique<StoreDurability>(database->store());
    dialect = make_native({.database = *database,
                           .manual_clock = &clock,
                           .random = random,
                           .credentials = credentials,
                           .page_tokens = page_tokens});
    options.listeners = {
        {.name = "native", .host = "127.0.0.1", .handler = dialect.get(), .allows_any_host = true}};
    options.durability = durability.get();
    options.threads = 2;
    server = std::move(*net::Server::start(options));
  }

  std::unique_ptr<net::Client> connect() const {
    return std::make_unique<net::Client>(server->ports().at(0));
  }
  std::string ask(const std::string& request) const { return connect()->ask(request); }
  void make_collection() const {
    EXPECT_EQ(status_of(ask(put("/v1/databases/d"))), 201);
    EXPECT_EQ(status_of(ask(put(collection))), 201);
  }
  bool waiting_are(std::uint64_t requests) const {
    return becomes_true([&] { return server->stats().requests_waiting == requests; });
  }

  ManualClock clock{Instant::from_seconds(1'000'000)};
  Random random{7};
  Credentials credentials;
  const PageTokens page_tokens{"secret"};
  std::unique_ptr<Database> database;
  std::unique_ptr<StoreDurability> durability;
  std::unique_ptr<Dialect> dialect;
  std::unique_ptr<net::Server> server;
};

// Writers with a request in flight, on connections of their own.
std::vector<std::unique_ptr<net::Client>> ask_for_writes(const Served& served, int first, int end) {
  std::vector<std::unique_ptr<net::Client>> writers;
  for (int i = first; i < end; ++i) {
    writers.push_back(served.connect());
    writers.back()->send(put(document(i)));
  }
  return writers;
}

struct StalledDiskTest : ::testing::Test {
  ScratchDirectory place{"stall"};
  std::shared_ptr<ChildReport> report = shared_report();
  std::shared_ptr<TestDisk> disk = std::make_shared<TestDisk>(place.lost_and_found(), 1, *report);

  // Ends a stall before the waiting threads are joined.
  ~StalledDiskTest() override { disk->go_on(); }
};

TEST_F(StalledDiskTest, NothingIsAcknowledgedThatALossOfPowerCouldTakeBack) {
  const int ended = in_child([this]() -> int {
    const Served served(place.data(), disk);
    served.make_collection();
    for (int i = 0; i < acknowledged; ++i) {
      if (status_of(served.ask(put(document(i)))) != 201) return wrong(*report, "not written");
    }
    disk->stall_logs();
    const auto writers = ask_for_writes(served, acknowledged, acknowledged + 20);
    if (!served.waiting_are(20)) return wrong(*report, "they do not wait");
    if (!becomes_true([this] { return disk->stalled() > 0; })) return wrong(*report, "no flush");
    for (const auto& writer : writers) {
      if (writer->has_something(0)) return wrong(*report, writer->read());
    }
    if (status_of(served.ask(net::get("/health"))) != 200) return wrong(*report, "no health");
    disk->lose_power_now();
  });
  ASSERT_EQ(ended, power_lost) << report->note;
  const Served after(place.data(), nullptr);
  for (int i = 0; i < acknowledged; ++i) {
    EXPECT_EQ(status_of(after.ask(net::get(document(i)))), 200) << i;
  }
}

TEST_F(StalledDiskTest, WhoeverWaitsIsAnsweredOnceTheDiskGoesOn) {
  const Served served(place.data(), disk);
  served.make_collection();
  disk->stall_logs();
  const auto writers = ask_for_writes(served, 0, 20);
  ASSERT_TRUE(served.waiting_are(20));
  const auto reader = served.connect();
  reader->send(net::get(document(3)));  // it would show what is not durable yet
  ASSERT_TRUE(served.waiting_are(21));
  EXPECT_FALSE(reader->has_something(0));
  disk->go_on();
  for (const auto& writer : writers) EXPECT_EQ(status_of(writer->read()), 201);
  EXPECT_EQ(status_of(reader->read()), 200);
}

TEST_F(StalledDiskTest, WhoeverWaitsTooLongIsToldSoAndAllGoesOnAfterwards) {
  const Served served(place.data(), disk,
                      {.requests_max = 20,
                       .request_time_max = Span::seconds(2),
                       .head_time_max = Span::millis(40)});  // with finer ticks of the clock
  served.make_collection();
  disk->stall_logs();
  const auto writers = ask_for_writes(served, 0, 20);
  ASSERT_TRUE(served.waiting_are(20));
  const std::string refused = served.ask(put(document(20)));
  EXPECT_EQ(status_of(refused), 429);
  EXPECT_NE(refused.find("Retry-After: 1"), std::string::npos) << refused;
  for (const char* open : {"/health", "/metrics"}) {
    EXPECT_EQ(status_of(served.ask(net::get(open))), 200) << open;
  }
  for (const auto& writer : writers) {
    const std::string late = writer->read();
    EXPECT_EQ(status_of(late), 504);
    EXPECT_NE(late.find("the disk does not confirm in time"), std::string::npos) << late;
  }
  EXPECT_TRUE(served.waiting_are(0));
  disk->go_on();
  // The same connections continue; their requests were executed.
  for (std::size_t i = 0; i < writers.size(); ++i) {
    EXPECT_EQ(status_of(writers[i]->ask(put(document(static_cast<int>(i))))), 200) << i;
  }
  EXPECT_EQ(status_of(served.ask(net::get(document(20)))), 404);
  EXPECT_EQ(status_of(served.ask(put(document(20)))), 201);
}

}  // namespace
}  // namespace mayfly::crash
