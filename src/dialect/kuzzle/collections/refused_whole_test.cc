// Actions that remove much are refused before anything is removed.
#include <gtest/gtest.h>

#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::by;
using testing::Server;

void hold(Server& s, const std::string& index, const std::string& id) {
  const auto held = s.database->transact([&](Transaction& transaction) -> Result<void> {
    const Catalog& catalog = transaction.view().catalog();
    const auto collection = catalog.find_collection(catalog.find_database(index)->id, "col");
    return transaction.hold(collection, DocumentKey::of(id), {.by = "law", .reason = "case"});
  });
  EXPECT_TRUE(held.has_value());
}

// Indexes ib, idx and mp, each with a document d1 in col; the one in mp is under hold.
std::unique_ptr<Server> with_a_hold() {
  auto s = Server::with_documents({{"d1", "{}"}});
  for (const std::string index : {"ib", "mp"}) {
    const std::string place = R"("index":")" + index + R"(","collection":"col")";
    s->send(R"("controller":"index","action":"create",)" + place);
    s->send(R"("controller":"collection","action":"create",)" + place);
    const Answer made =
        s->send(R"("controller":"document","action":"create","_id":"d1","body":{},)" + place);
    EXPECT_EQ(made.status, 200) << made.error();
  }
  hold(*s, "mp", "d1");
  return s;
}

const std::string all_there = R"({"indexes":["idx","ib","mp"]})";

Answer remove_indexes(Server& s, const std::string& names, const std::string& more = "") {
  return s.send(R"("controller":"index","action":"mDelete","body":{"indexes":)" + names + "}" +
                more);
}

TEST(KuzzleRefusedWholeTest, AResetOfTheDatabaseWhereADocumentIsHeld) {
  const auto s = with_a_hold();
  const Answer refused = s->send(R"("controller":"admin","action":"resetDatabase")");
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(s->call("index:list").result(), all_there);
  EXPECT_EQ(s->of("document:get", "d1").status, 200);
}

TEST(KuzzleRefusedWholeTest, TheRemovalOfIndexesWithOneUnderHold) {
  const auto s = with_a_hold();
  EXPECT_EQ(remove_indexes(*s, R"(["ib","mp"])").status, 403);
  EXPECT_EQ(remove_indexes(*s, R"(["ib",5])").status, 400);
  EXPECT_EQ(s->call("index:list").result(), all_there);
  // Unknown and repeated names are no errors.
  EXPECT_EQ(remove_indexes(*s, R"(["ib","none","ib"])").result(), R"({"deleted":["ib"]})");
  EXPECT_EQ(s->call("index:list").result(), R"({"indexes":["idx","mp"]})");
  // The answer has them in the order of the request.
  for (const char* name : {"first", "second"}) {
    s->send(R"("controller":"index","action":"create","index":")" + std::string(name) + '"');
  }
  EXPECT_EQ(remove_indexes(*s, R"(["second","first"])").result(),
            R"({"deleted":["second","first"]})");
}

TEST(KuzzleRefusedWholeTest, TheRemovalOfIndexesWithARightOnOneOfThem) {
  const auto s = with_a_hold();
  ASSERT_EQ(s->make_admin("boss", "boss", "pw").status, 200);
  const std::string boss = by(s->log_in("boss", "pw"));
  s->of("security:createRole", "remover",
        R"({"controllers":{"index":{"actions":{"mDelete":true}}}})", boss);
  s->of("security:createProfile", "removers",
        R"({"policies":[{"roleId":"remover","restrictedTo":[{"index":"ib"}]}]})", boss);
  s->make_user("ann", "removers", "ann", boss);
  const std::string ann = "," + by(s->log_in("ann", "pw"));
  EXPECT_EQ(remove_indexes(*s, R"(["ib","idx"])", ann).status, 403);
  EXPECT_EQ(s->call("index:list", boss).result(), all_there);
  EXPECT_EQ(remove_indexes(*s, R"(["ib"])", ann).result(), R"({"deleted":["ib"]})");
}

// More documents than fit one commit, the last of them under hold.
void fill(Server& s, std::size_t count) {
  std::size_t made = 0;
  while (made < count) {
    std::string documents;
    for (std::size_t i = 0; i < 1'000 && made < count; ++i, ++made) {
      documents += (i > 0 ? "," : "") + std::string(R"({"_id":"d)") +
                   std::to_string(1'000'000 + made) + R"(","body":{}})";
    }
    ASSERT_EQ(s.call("bulk:mWrite", R"("body":{"documents":[)" + documents + "]}").status, 200);
  }
  hold(s, "idx", "d" + std::to_string(1'000'000 + count - 1));
}

std::string documents_left(Server& s) {
  return s.call("document:count").text("result.count");
}

TEST(KuzzleRefusedWholeTest, ATruncationWhereADocumentIsHeld) {
  const auto s = Server::with_collection();
  fill(*s, limits::documents_delete_max + 1);
  EXPECT_EQ(s->call("collection:truncate").status, 403);
  EXPECT_EQ(documents_left(*s), std::to_string(limits::documents_delete_max + 1));
}

TEST(KuzzleRefusedWholeTest, ADeletionByQueryThatFindsAHeldDocument) {
  const auto s = Server::with_collection();
  const std::size_t count = limits::changed_by_query_at_once + 1;
  fill(*s, count);
  const auto remove = [&](const std::string& query) {
    return s->call("bulk:deleteByQuery", R"("body":{"query":)" + query + "}");
  };
  EXPECT_EQ(remove(R"({"match_all":{}})").status, 403);
  EXPECT_EQ(documents_left(*s), std::to_string(count));
  EXPECT_EQ(remove(R"({"terms":{"_id":["d1000000"]}})").text("result.deleted"), "1");
}

TEST(KuzzleRefusedWholeTest, AnIndexIsMadeWithItsCollectionOrNotAtAll) {
  Server s;
  s.client = testing::v7;
  const auto make = [&](const std::string& index, const std::string& body) {
    return s.send(R"("controller":"collection","action":"create","index":")" + index +
                  R"(","collection":"col","body":)" + body + R"(,"volatile":)" + testing::v7);
  };
  EXPECT_EQ(make("fresh", R"({"mappings":{"properties":{"a":{"type":"none"}}}})").status, 400);
  EXPECT_EQ(s.database->catalog()->find_database("fresh"), nullptr);
  EXPECT_EQ(make("fresh", "{}").status, 200);
  const CatalogPtr catalog = s.database->catalog();
  const auto index = catalog->find_database("fresh");
  ASSERT_NE(index, nullptr);
  const auto collection = catalog->find_collection(index->id, "col");
  ASSERT_NE(collection, nullptr);
  EXPECT_EQ(collection->created_at, index->created_at) << "of one commit";
}

TEST(KuzzleRefusedWholeTest, AResetOfSecurityIsOneCommit) {
  Server s;
  ASSERT_EQ(s.make_admin("boss", "boss", "pw").status, 200);
  const std::string boss = by(s.log_in("boss", "pw"));
  const Answer mapped = s.call("security:updateUserMapping",
                               R"("body":{"properties":{"age":{"type":"long"}}},)" + boss);
  ASSERT_EQ(mapped.status, 200) << mapped.error();
  const auto find_users = [&] {
    const CatalogPtr catalog = s.database->catalog();
    return catalog->find_internal(catalog->find_internal_database("#kuzzle")->id, "users");
  };
  const CollectionPtr before = find_users();
  // With a hold it is refused as a whole.
  const auto held = s.database->transact([&](Transaction& transaction) -> Result<void> {
    return transaction.hold(before, DocumentKey::of("boss"), {.by = "law", .reason = "case"});
  });
  ASSERT_TRUE(held.has_value());
  EXPECT_EQ(s.call("admin:resetSecurity", boss).status, 403);
  EXPECT_EQ(find_users()->id, before->id);
  EXPECT_NE(s.log_in("boss", "pw"), "");
  const auto released = s.database->transact([&](Transaction& transaction) -> Result<void> {
    return transaction.release(before, DocumentKey::of("boss"), "law");
  });
  ASSERT_TRUE(released.has_value());
  EXPECT_EQ(s.call("admin:resetSecurity", boss).status, 200);
  const CollectionPtr after = find_users();
  ASSERT_NE(after, nullptr);
  EXPECT_NE(after->id, before->id);
  EXPECT_EQ(after->created_at, after->changed_at) << "the mapping came with it";
  EXPECT_NE(s.call("security:getUserMapping").text("result.mapping.age"), "");
}

TEST(KuzzleRefusedWholeTest, HeldDocumentsInTheTrashcanAreNotCountedAsDeleted) {
  const auto s = Server::with_documents({{"d1", "{}"}, {"d2", "{}"}});
  s->of("document:delete", "d1");
  s->of("document:delete", "d2");
  hold(*s, "idx", "d1");
  EXPECT_EQ(s->call("trash:empty").result(), R"({"deleted":1})");
  EXPECT_EQ(s->trashed("d1").status, 200);
  EXPECT_EQ(s->trashed("d2").status, 404);
}

}  // namespace
}  // namespace mayfly::kuzzle
