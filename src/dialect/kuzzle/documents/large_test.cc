// Requests over many large documents: answers and commits are bounded, and writes that need several
// commits use them.
#include <functional>

#include "db/read/largest_reply.h"
#include "db/rows/keys.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using mayfly::testing::LargestReply;
using testing::Answer;
using testing::Server;

constexpr std::size_t large_count = 40;
constexpr std::size_t largest_text = limits::document_bytes_max - 10'000;

std::string large_id(std::size_t i) {
  return "d" + std::to_string(100 + i);
}

std::string large_body(std::size_t bytes) {
  return R"({"large":1,"text":")" + std::string(bytes, 'x') + R"("})";
}

// On that store, with the index idx and the collection col.
std::unique_ptr<Server> over(std::unique_ptr<store::Store> store) {
  auto s = std::make_unique<Server>();
  s->dialect.reset();
  s->services.reset();
  s->database = std::move(*Database::open(std::move(store), s->clock));
  s->services = std::make_unique<Services>(Services{.database = *s->database,
                                                    .manual_clock = &s->clock,
                                                    .random = s->random,
                                                    .credentials = s->credentials,
                                                    .page_tokens = s->page_tokens});
  s->restart();
  EXPECT_EQ(s->send(R"("controller":"index","action":"create","index":"idx")").status, 200);
  EXPECT_EQ(s->call("collection:create").status, 200);
  return s;
}

void create_large(Server& s, std::size_t count, std::size_t bytes) {
  const std::string body = large_body(bytes);
  for (std::size_t i = 0; i < count; ++i) {
    EXPECT_EQ(s.of("document:create", large_id(i), body).status, 200);
  }
}

std::string large_ids(std::size_t count) {
  std::string ids;
  for (std::size_t i = 0; i < count; ++i) ids += (i > 0 ? ",\"" : "\"") + large_id(i) + '"';
  return R"("body":{"ids":[)" + ids + "]}";
}

std::string times(std::size_t count, const std::string& id) {
  std::string ids;
  for (std::size_t i = 0; i < count; ++i) ids += (i > 0 ? ",\"" : "\"") + id + '"';
  return R"("body":{"ids":[)" + ids + "]}";
}

std::string count_of(Server& s) {
  return s.call("document:count", R"("body":{})").text("result.count");
}

const std::string large_ones = R"("body":{"query":{"term":{"large":1}})";

// --- what is shown ---

TEST(KuzzleLargeTest, AnAnswerToMGetHoldsNoMoreThanAPageOfASearch) {
  std::size_t largest = 0;
  const auto s = over(std::make_unique<LargestReply>(store::open_memory(), largest));
  constexpr std::size_t bytes = 900'000;
  create_large(*s, 1, bytes);
  constexpr std::size_t most = limits::answer_sources_bytes_max / bytes;
  const auto fetch = [&](std::size_t count, const std::string& client) {
    const std::string body = times(count, large_id(0));
    return s->ask("POST", "/idx/col/_mGet", body.substr(body.find('{')),
                  {{"x-kuzzle-volatile", client}});
  };
  for (const std::string& client : {testing::v6, testing::v7}) {
    const net::Response some = fetch(most, client);
    EXPECT_EQ(some.status, 200) << some.body.substr(0, 200);
    EXPECT_GT(some.body.size(), most * bytes);
    std::size_t shown = 0;
    for (std::size_t at = 0; (at = some.body.find(R"("_id":"d100")", at)) != std::string::npos;
         ++at) {
      ++shown;
    }
    EXPECT_EQ(shown, most);
    const net::Response all = fetch(1'000, client);
    EXPECT_EQ(all.status, 413);
    EXPECT_NE(all.body.find("the documents are too large for one answer; ask for fewer"),
              std::string::npos)
        << all.body.substr(0, 200);
    EXPECT_TRUE(largest > 0 && largest <= 2 * bytes) << largest;
  }
  // An existence check shows no body.
  const Answer exist = s->call("document:mExists", times(1'000, large_id(0)));
  EXPECT_EQ(exist.status, 200) << exist.error();
  EXPECT_LE(largest, 2 * bytes);
}

TEST(KuzzleLargeTest, AChangeByQueryThatShowsTooMuchChangesNothing) {
  const auto s = Server::with_collection();
  s->client = testing::v7;
  create_large(*s, large_count, 500'000);
  const std::string update = large_ones + R"(,"changes":{"large":2}})";
  EXPECT_EQ(s->call("document:updateByQuery", update + R"(,"source":true)").status, 413);
  EXPECT_EQ(s->call("document:deleteByQuery", large_ones + R"(},"source":true)").status, 413);
  EXPECT_EQ(s->of("document:get", large_id(0)).text("result._source.large"), "1");
  EXPECT_EQ(count_of(*s), "40");
  const Answer silent = s->call("document:updateByQuery", update);
  EXPECT_EQ(silent.status, 200) << silent.error();
  EXPECT_EQ(s->of("document:get", large_id(39)).text("result._source.large"), "2");
}

// --- what is deleted ---

// More of the largest documents than fit one commit, and a small one that stays.
void expect_deleted(const std::function<Answer(Server&)>& remove, const std::string& left) {
  const auto s = Server::with_collection();
  s->client = testing::v7;
  create_large(*s, large_count, largest_text);
  EXPECT_EQ(s->of("document:create", "small", R"({"large":0})").status, 200);
  const Answer done = remove(*s);
  EXPECT_EQ(done.status, 200) << done.error();
  EXPECT_EQ(count_of(*s), left);
  EXPECT_EQ(s->of("document:get", large_id(large_count - 1)).status, 404);
}

TEST(KuzzleLargeTest, MDeleteTakesAsManyCommitsAsItNeeds) {
  expect_deleted(
      [](Server& s) {
        const Answer done = s.call("document:mDelete", large_ids(large_count));
        EXPECT_EQ(done["result.successes"].array().size(), large_count);
        EXPECT_EQ(done.text("result.errors"), "[]");
        return done;
      },
      "1");
}

TEST(KuzzleLargeTest, DeletionsByQueryTakeAsManyCommitsAsTheyNeed) {
  expect_deleted(
      [](Server& s) {
        const Answer done = s.call("document:deleteByQuery", large_ones + "}");
        EXPECT_EQ(done["result.ids"].array().size(), large_count);
        EXPECT_EQ(done["result.documents"].array().size(), large_count);
        return done;
      },
      "1");
  expect_deleted(
      [](Server& s) {
        const Answer done = s.call("bulk:deleteByQuery", large_ones + "}");
        EXPECT_EQ(done.text("result.deleted"), std::to_string(large_count));
        return done;
      },
      "1");
}

TEST(KuzzleLargeTest, TruncationsAndImportsTakeAsManyCommitsAsTheyNeed) {
  expect_deleted([](Server& s) { return s.call("collection:truncate"); }, "0");
  expect_deleted(
      [](Server& s) {
        std::string lines;
        for (std::size_t i = 0; i < large_count; ++i) {
          lines += (i > 0 ? "," : "") + std::string(R"({"delete":{"_id":")") + large_id(i) + "\"}}";
        }
        const Answer done = s.call("bulk:import", R"("body":{"bulkData":[)" + lines + "]}");
        EXPECT_EQ(done["result.successes"].array().size(), large_count) << done.error();
        return done;
      },
      "1");
}

// --- emptying a trashcan ---

TEST(KuzzleLargeTest, AnEmptiedTrashIsNotReadWhole) {
  std::size_t largest = 0;
  const auto s = over(std::make_unique<LargestReply>(store::open_memory(), largest));
  create_large(*s, 20, 1'000'000);
  EXPECT_EQ(s->call("collection:truncate").status, 200);
  largest = 0;
  const Answer emptied = s->call("trash:empty");
  EXPECT_EQ(emptied.status, 200) << emptied.error();
  EXPECT_EQ(emptied.text("result.deleted"), "20");
  EXPECT_LE(largest, 1'100'000U);
  EXPECT_EQ(s->call("trash:empty").text("result.deleted"), "0");
}

// Runs a function once, after a view has read rows of the trash's queue.
class AfterTrashQueue final : public store::Forward {
 public:
  using Forward::Forward;

  Result<store::ReadReply> read(const store::ReadBatch& batch,
                                const store::Snapshot* snapshot) override {
    auto reply = Forward::read(batch, snapshot);
    const bool is_it = snapshot != nullptr && !batch.scans.empty() && !prefix.empty() &&
                       batch.scans.front().lo == prefix;
    if (is_it && then) std::exchange(then, nullptr)();
    return reply;
  }

  Bytes prefix;
  std::function<void()> then;
};

TEST(KuzzleLargeTest, ATrashIsEmptiedWhileItsCollectionChanges) {
  auto store = std::make_unique<AfterTrashQueue>(store::open_memory());
  AfterTrashQueue& hooked = *store;
  const auto s = over(std::move(store));
  for (const char* id : {"a", "b"}) {
    EXPECT_EQ(s->of("document:create", id, "{}").status, 200);
    EXPECT_EQ(s->of("document:delete", id).status, 200);
  }
  const CatalogPtr catalog = s->database->catalog();
  const CollectionId id = catalog->find_collection(catalog->find_database("idx")->id, "col")->id;
  hooked.prefix = keys::queue(id, keys::Queue::trash);
  bool has_changed = false;
  hooked.then = [&] {
    has_changed =
        s->database->change_collection(id, {.keep_feed_for = Span::seconds(12'345)}).has_value();
  };
  const Answer emptied = s->call("trash:empty");
  EXPECT_TRUE(has_changed);
  EXPECT_EQ(emptied.status, 200) << emptied.error();
  EXPECT_EQ(emptied.text("result.deleted"), "2");
}

TEST(KuzzleLargeTest, ALoadOfSeveralCommitsFindsTakenIdsBeforeTheFirst) {
  const auto s = Server::with_collection();
  create_large(*s, large_count, largest_text);
  std::string lines;
  for (std::size_t i = 0; i < large_count; ++i) {
    lines += R"({"update":{"_id":")" + large_id(i) + R"("}},{"doc":{"loaded":1}},)";
  }
  const auto load = [&](const std::string& id) {
    return s->call("admin:loadFixtures", R"("body":{"idx":{"col":[)" + lines +
                                             R"({"create":{"_id":")" + id + R"("}},{}]}})");
  };
  const auto loaded = [&] {
    return s->call("document:count", R"("body":{"query":{"term":{"loaded":1}}})")
        .text("result.count");
  };
  const Answer refused = load(large_id(3));
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused["error.details"].array().size(), 1U);
  EXPECT_EQ(refused.text("error.details[0].create.status"), "400");
  EXPECT_EQ(loaded(), "0");
  EXPECT_EQ(load("new").status, 200);
  EXPECT_EQ(loaded(), std::to_string(large_count));
}

}  // namespace
}  // namespace mayfly::kuzzle
