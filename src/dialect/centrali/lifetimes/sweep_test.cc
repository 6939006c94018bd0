// Case33, Case34, Case38 to Case40: what the sweep removes, publishes and never touches.
#include <functional>

#include "db/feed/feed.h"
#include "dialect/centrali/testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliSweepTest : public CentraliTest {
 protected:
  // By hand: a thread that follows the events may have views open at an earlier instant, and what
  // they can still see stays in the store.
  CentraliSweepTest() : CentraliTest(Events::by_hand) { make_structures(); }

  std::size_t sweep() { return database->sweeper().run_due(100'000).value(); }
  CollectionPtr collection() {
    const CatalogPtr catalog = database->catalog();
    return catalog->find_collection(catalog->find_database("acme")->id, "s");
  }
  // "expired <id>" and the like, oldest first.
  std::string events() {
    std::string text;
    const FeedPage page = database->feed().read(*collection(), {}, 1'000).value();
    for (const Event& event : page.events) {
      text += std::string(name_of(event.kind)) + " " + event.key.id + "\n";
    }
    return text;
  }
  bool is_stored(const std::string& text) {
    const auto reply = database->store().read({{}, {store::Range{}}}, nullptr);
    const store::Rows& rows = reply->scans[0].rows;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      if (rows[i].value.find(text) != std::string_view::npos) return true;
    }
    return false;
  }
};

TEST_F(CentraliSweepTest, Case33AnExpiredRecordIsGoneFromTheStoreAfterASweep) {
  const Reply bare =
      send("PUT", D + "/structures/S", R"({"retentionPolicy":{"historySeconds":0}})");
  ASSERT_EQ(bare.status(), 200);
  const std::string marker = "a marker of its own";
  const std::string id = make_record("?ttlSeconds=60", "S", R"({"userId":")" + marker + R"("})");
  EXPECT_TRUE(is_stored(marker));
  EXPECT_EQ(sweep(), 0U);
  pass(60);
  EXPECT_EQ(get(D + "/records/" + id).status(), 404);
  EXPECT_EQ(sweep(), 1U);
  ASSERT_TRUE(database->store().compact({}, {}));
  EXPECT_FALSE(is_stored(marker));
  EXPECT_EQ(get(D + "/records/" + id + "?includeArchived=true").status(), 404);
}

TEST_F(CentraliSweepTest, Case33AKeptVersionIsErasedWhenItsRetentionEnds) {
  const std::string marker = "a marker of its own";
  const std::string id = make_record("?ttlSeconds=60", "S", R"({"userId":")" + marker + R"("})");
  pass(60);
  EXPECT_EQ(sweep(), 1U);
  EXPECT_EQ(get(D + "/records/" + id + "?includeArchived=true").status(), 404);
  EXPECT_TRUE(is_stored(marker));
  pass(86'400);
  ASSERT_TRUE(database->store().compact({}, {}));
  EXPECT_FALSE(is_stored(marker));
}

TEST_F(CentraliSweepTest, ARecordThatExpiresIntoTheTrashIsArchivedWithOrWithoutASweep) {
  const auto trash = CollectionChange{.keep_trash_for = Span::infinite(), .expires_to_trash = true};
  ASSERT_TRUE(database->change_collection(collection()->id, trash));
  const std::string records = D + "/records";
  const std::string list = "includeArchived=true&structureId=S";
  // Each is the first request after an expiration.
  const std::vector<std::function<Reply(const std::string&)>> requests{
      [&](const std::string& id) { return get(records + "/" + id + "?includeArchived=true"); },
      [&](const std::string& id) { return get(records + "/" + id + "?" + list); },
      [&](const std::string&) { return get(records + "?" + list); },
      [&](const std::string&) { return get(records + "/count?" + list); },
      [&](const std::string&) {
        return post(records + "/query", R"({"resource":"S","includeArchived":true})");
      },
      [&](const std::string& id) { return get(records + "/" + id + "/versions?" + list); },
      [&](const std::string& id) { return get(records + "/" + id + "/versions/1?" + list); },
      [&](const std::string& id) { return get(records + "/" + id + "/changes?" + list); }};
  for (const auto& ask : requests) {
    const std::string id = make_record("?ttlSeconds=1");
    pass(2);
    const Reply before = ask(id);
    sweep();
    EXPECT_EQ(before.status(), 200);
    EXPECT_EQ(before.response.body, ask(id).response.body);
  }
}

TEST_F(CentraliSweepTest, Case34EachExpirationIsPublishedOnceAndIsNoDeletion) {
  const std::string dying = make_record("?ttlSeconds=60");
  const std::string deleted = make_record("?ttlSeconds=60");
  send("DELETE", D + "/records/" + deleted + "?hard=true");
  pass(60);
  sweep();
  sweep();
  EXPECT_EQ(events(), "created " + dying + "\ncreated " + deleted + "\nremoved " + deleted +
                          "\nexpired " + dying + "\n");
}

TEST_F(CentraliSweepTest, Case38AnEndThatIsClearedInTimeIsNeverSweptAndALateOneIsRefused) {
  const std::string saved = make_record("?ttlSeconds=60");
  const std::string lost = make_record("?ttlSeconds=60");
  pass(59);
  EXPECT_EQ(patch(D + "/records/" + saved + "?clearTtl=true").status(), 200);
  pass(1);
  EXPECT_EQ(patch(D + "/records/" + lost + "?clearTtl=true").status(), 404);
  sweep();
  EXPECT_EQ(get(D + "/records/" + saved).at({"expiresAt"}), "200 null");
  EXPECT_EQ(get(D + "/records/" + lost).status(), 404);
}

TEST_F(CentraliSweepTest, Case39TenThousandAreSweptInBatchesBetweenWhichOthersAreAnswered) {
  const std::string living = make_record();
  constexpr std::size_t records = 10'000;
  const CollectionPtr into = collection();
  for (std::size_t from = 0; from < records; from += 1'000) {
    ASSERT_TRUE(database->transact([&](Transaction& transaction) -> Result<void> {
      for (std::size_t i = from; i < from + 1'000; ++i) {
        const PutOptions options{.lifetime = Lifetime{At{transaction.now() + Span::seconds(60)}}};
        TRY(transaction.put(into, DocumentKey::of("r" + std::to_string(i)),
                            TRY(pack_json(R"({"userId":"u"})")), options));
      }
      return {};
    }));
  }
  pass(120);
  std::size_t swept = 0;
  for (int passes = 0; swept < records && passes < 100; ++passes) {
    swept += database->sweeper().run_due(limits::sweep_batch_max).value();
    EXPECT_EQ(get(D + "/records/" + living).status(), 200);
    EXPECT_EQ(get(D + "/records/count?structureId=S").at({"count"}), "200 1");
  }
  EXPECT_EQ(swept, records);
}

TEST_F(CentraliSweepTest, Case40AnExpiredRecordIsHiddenWithoutAnySweep) {
  const std::string id = make_record("?ttlSeconds=60");
  pass(3'600);
  // A new dialect object has no state but the data.
  restart();
  EXPECT_EQ(get(D + "/records/" + id).status(), 404);
  EXPECT_EQ(get(D + "/records?structureId=S").at({"data"}), "200 []");
  EXPECT_EQ(sweep(), 1U);
}

}  // namespace
}  // namespace mayfly::centrali::testing
