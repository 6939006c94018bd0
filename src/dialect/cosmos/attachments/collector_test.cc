// Attachments live exactly as long as their document, whenever their space is freed.
#include "dialect/cosmos/attachments/collector.h"

#include "dialect/cosmos/attachments/testing.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos::testing {
namespace {

const std::string ttl_on = R"("defaultTtl":-1)";

TEST(CosmosAttachments, AreGoneFromTheInstantOfTheExpirationOfTheirDocument) {
  Attachments a(ttl_on);
  a.account().create("1", R"("ttl":10)");
  const Answer made = a.upload("1", "photo", "bytes");
  a.account().advance(9);
  EXPECT_EQ(a.media(made), "bytes");
  EXPECT_EQ(a.list("1"), "photo");
  a.account().advance(1);
  EXPECT_EQ(a.media(made), "404");
  EXPECT_EQ(a.list("1"), "404");
  EXPECT_EQ(a.get("1", "photo").status, 404);
  EXPECT_EQ(a.link("1", "late").status, 404);
  EXPECT_EQ(a.account().send("PUT", made.body.member("media").text(), "late").status, 404);
  EXPECT_EQ(
      a.send("PUT", a.feed("1") + "/photo", a.json("photo"), {{"if-match", made.header("etag")}})
          .status,
      404);
  EXPECT_EQ(a.send("DELETE", a.feed("1") + "/photo").status, 404);
  EXPECT_EQ(a.rows(), 2U);
}

TEST(CosmosAttachments, SurviveAChangeOfTheirDocument) {
  Attachments a(ttl_on);
  a.account().create("1", R"("ttl":10)");
  const Answer made = a.upload("1", "photo", "bytes");
  for (int i = 0; i < 3; ++i) {
    a.account().advance(9);
    EXPECT_EQ(a.account().upsert("1", R"("ttl":10)").status, 200);
    EXPECT_EQ(a.collect(), 0U);
  }
  EXPECT_EQ(a.media(made), "bytes");
  EXPECT_EQ(a.get("1", "photo").response.body, made.response.body);
  // Nor does an attachment make its document live longer.
  a.account().advance(9);
  EXPECT_EQ(a.link("1", "second").status, 201);
  a.account().advance(1);
  EXPECT_EQ(a.list("1"), "404");
}

TEST(CosmosAttachments, FollowTheDefaultOfTheContainer) {
  Attachments a(R"("defaultTtl":10)");
  a.account().create("1");
  const Answer made = a.upload("1", "photo", "bytes");
  a.account().send("PUT", container, Account::definition(R"("defaultTtl":100)"));
  a.account().advance(99);
  EXPECT_EQ(a.media(made), "bytes");
  a.account().advance(1);
  EXPECT_EQ(a.media(made), "404");
  a.account().send("PUT", container, Account::definition());
  EXPECT_EQ(a.media(made), "404");
}

TEST(CosmosAttachments, AreNotThoseOfANewDocumentOfTheSameId) {
  Attachments a(ttl_on);
  a.account().create("1", R"("ttl":10)");
  const Answer of_dead = a.upload("1", "photo", "of the dead");
  a.account().advance(10);
  a.account().create("1");
  EXPECT_EQ(a.list("1"), "");
  EXPECT_EQ(a.media(of_dead), "404");
  const Answer of_removed = a.upload("1", "photo", "of the removed");
  EXPECT_NE(of_removed.body.member("_rid").text(), of_dead.body.member("_rid").text());
  EXPECT_EQ(a.account().remove("1").status, 204);
  EXPECT_EQ(a.media(of_removed), "404");
  a.account().create("1");
  EXPECT_EQ(a.list("1"), "");
  const Answer of_living = a.upload("1", "photo", "of the living");
  EXPECT_EQ(a.rows(), 6U);
  EXPECT_EQ(a.collect(), 2U);
  EXPECT_EQ(a.rows(), 2U);
  EXPECT_EQ(a.media(of_living), "of the living");
  EXPECT_EQ(a.media(of_removed), "404");
}

TEST(CosmosAttachments, OfADocumentThatABatchRemovesAndCreatesAgainAreGone) {
  Attachments a;
  a.account().create("1");
  const Answer made = a.upload("1", "photo", "bytes");
  const Answer batch =
      a.send("POST", documents,
             R"([{"operationType":"Delete","id":"1"},)"
             R"({"operationType":"Create","resourceBody":{"id":"1","pk":"a"}}])",
             {{"x-ms-cosmos-is-batch-request", "True"}, {"x-ms-cosmos-batch-atomic", "True"}});
  EXPECT_EQ(batch.status, 200) << batch.response.body;
  EXPECT_EQ(a.list("1"), "");
  EXPECT_EQ(a.media(made), "404");
  EXPECT_EQ(a.collect(), 1U);
  EXPECT_EQ(a.rows(), 0U);
}

TEST(CosmosAttachments, FreeTheirSpaceHoweverTheirDocumentEnded) {
  Attachments a(ttl_on);
  for (const auto* id : {"removed", "of the partition", "lives"}) a.account().create(id);
  a.account().create("dead", R"("ttl":10)");
  for (const auto* id : {"removed", "of the partition", "lives", "dead"}) {
    a.upload(id, "photo", std::string(3 << 20, 'x'));
    a.link(id, "link");
  }
  EXPECT_EQ(a.rows(), 4 * 5U);
  EXPECT_EQ(a.collect(), 0U);
  a.account().remove("removed");
  EXPECT_EQ(a.collect(), 2U);
  a.account().advance(10);
  EXPECT_EQ(a.collect(), 2U);
  EXPECT_EQ(a.rows(), 2 * 5U);
  EXPECT_EQ(a.collect(), 0U);
  a.send("POST", container + "/operations/partitionkeydelete");
  EXPECT_EQ(a.collect(), 4U);
  EXPECT_EQ(a.rows(), 0U);
}

TEST(CosmosAttachments, GoWithTheirContainerAndTheirDatabase) {
  Attachments a;
  a.account().create("1");
  const std::size_t before = a.collections();
  const Answer made = a.upload("1", "photo", "bytes");
  EXPECT_EQ(a.collections(), before + 1);
  EXPECT_EQ(a.account().send("DELETE", container).status, 204);
  EXPECT_EQ(a.collections(), before - 1);
  EXPECT_EQ(a.media(made), "404");
  a.account().send("POST", containers, Account::definition());
  a.account().create("1");
  EXPECT_EQ(a.list("1"), "");
  a.upload("1", "photo", "bytes");
  EXPECT_EQ(a.account().send("DELETE", "/dbs/d").status, 204);
  EXPECT_EQ(a.collections(), 0U);
}

// As another dialect drops it, or after a crash between the two drops.
TEST(CosmosAttachments, OfAContainerThatWasDroppedAloneAreDroppedLater) {
  Attachments a;
  a.account().create("1");
  const Answer made = a.upload("1", "photo", "bytes");
  const CatalogPtr catalog = a.account().database->catalog();
  const auto database = catalog->find_database("d");
  const std::size_t before = a.collections();
  ASSERT_TRUE(
      a.account().database->drop_collection(catalog->find_collection(database->id, "c")->id));
  EXPECT_EQ(a.media(made), "404");
  EXPECT_EQ(a.collections(), before - 1);
  EXPECT_EQ(a.collect(), 1U);
  EXPECT_EQ(a.collections(), before - 2);
  EXPECT_EQ(a.collect(), 0U);
}

// A document in the trash may be restored, and then it is the same document.
TEST(CosmosAttachments, OfADocumentInTheTrashWaitForIt) {
  Attachments a(ttl_on);
  Database& database = *a.account().database;
  const auto now = [&] {
    const CatalogPtr catalog = database.catalog();
    return catalog->find_collection(catalog->find_database("d")->id, "c");
  };
  CollectionChange change;
  change.keep_trash_for = Span::seconds(1'000);
  change.expires_to_trash = true;
  ASSERT_TRUE(database.change_collection(now()->id, change).has_value());
  a.account().create("removed");
  a.account().create("dead", R"("ttl":10)");
  const Answer made = a.upload("removed", "photo", "bytes");
  a.upload("dead", "photo", "bytes");
  View view = database.view();
  const auto rows = view.scan(*now(), {}, view.live());
  const std::vector<DocumentKey> keys{rows->documents[0].document_key(),
                                      rows->documents[1].document_key()};
  a.account().remove("removed");
  a.account().advance(10);
  EXPECT_EQ(a.collect(), 0U);
  EXPECT_EQ(a.media(made), "404");
  ASSERT_TRUE(database.transact([&](Transaction& transaction) -> Result<void> {
    for (const DocumentKey& key : keys) TRY(transaction.restore(now(), key, {}));
    return {};
  }));
  EXPECT_EQ(a.media(made), "bytes");
  EXPECT_EQ(a.list("dead"), "photo");
  a.account().remove("removed");
  a.account().advance(999);
  EXPECT_EQ(a.collect(), 0U);
  a.account().advance(2);
  EXPECT_EQ(a.collect(), 1U);
  // It was restored for the ten seconds of its body's ttl.
  EXPECT_EQ(a.list("dead"), "404");
  EXPECT_EQ(a.rows(), 2U);
  ASSERT_TRUE(database.transact([&](Transaction& transaction) -> Result<void> {
    return transaction.restore(now(), keys[0].id == "dead" ? keys[0] : keys[1], {});
  }));
  EXPECT_EQ(a.list("dead"), "photo");
}

// A hold keeps it in the trash when the container no longer keeps one.
TEST(CosmosAttachments, OfADocumentHeldInTheTrashWaitForItWhateverItsRetention) {
  Attachments a;
  Database& database = *a.account().database;
  const auto now = [&] {
    const CatalogPtr catalog = database.catalog();
    return catalog->find_collection(catalog->find_database("d")->id, "c");
  };
  const auto keep_trash_for = [&](std::int64_t seconds) {
    CollectionChange change;
    change.keep_trash_for = Span::seconds(seconds);
    ASSERT_TRUE(database.change_collection(now()->id, change).has_value());
  };
  keep_trash_for(1'000);
  a.account().create("1");
  const Answer made = a.upload("1", "photo", "bytes");
  View view = database.view();
  const DocumentKey key = view.scan(*now(), {}, view.live())->documents[0].document_key();
  a.account().remove("1");
  ASSERT_TRUE(database.transact(
      [&](Transaction& transaction) { return transaction.hold(now(), key, {}); }));
  keep_trash_for(0);
  EXPECT_EQ(a.collect(), 0U);
  ASSERT_TRUE(database.transact(
      [&](Transaction& transaction) { return transaction.restore(now(), key, {}); }));
  EXPECT_EQ(a.list("1"), "photo");
  EXPECT_EQ(a.media(made), "bytes");
}

TEST(CosmosAttachments, AreErasedLaterIfTheServerIsOverloaded) {
  Attachments a;
  a.account().create("1");
  a.upload("1", "photo", "bytes");
  a.account().remove("1");
  a.account().database->jobs().give_way(true);
  EXPECT_EQ(a.collect(), 0U);
  EXPECT_EQ(a.rows(), 2U);
  a.account().database->jobs().give_way(false);
  EXPECT_EQ(a.collect(), 1U);
  EXPECT_EQ(a.rows(), 0U);
}

TEST(CosmosAttachments, ThatAreDamagedHideNoOthersFromTheAccountAndTheCollector) {
  Attachments a;
  a.account().create("1");
  a.account().create("2");
  a.upload("1", "photo", "bytes");
  a.upload("2", "photo", "bytes");
  Database& database = *a.account().database;
  CollectionPtr collection;
  for (const auto& [id, one] : database.catalog()->all_collections()) {
    if (container_of_attachments(*one)) collection = one;
  }
  ASSERT_TRUE(database.transact([&](Transaction& transaction) -> Result<void> {
    const Life life{{Bytes("r"), "x"}, start};
    const DocumentKey key = Attachment{.life = life, .id = "x", .declared = {}}.key();
    TRY(transaction.put(collection, key, TRY(pack(Object{{"told", 1}})),
                        {.lifetime = Lifetime(Never{})}));
    return {};
  }));
  EXPECT_EQ(a.rows(), 5U);
  const Answer account = a.account().send("GET", "/");
  EXPECT_EQ(account.status, 200) << account.response.body;
  EXPECT_EQ(account.header("x-ms-media-storage-usage-mb"), "1");
  a.account().remove("1");
  EXPECT_EQ(a.collect(), 1U);
  EXPECT_EQ(a.rows(), 3U);
}

}  // namespace
}  // namespace mayfly::cosmos::testing
