// Attachments as a client sees them.
#include "dialect/cosmos/attachments/testing.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/resources/rid.h"

namespace mayfly::cosmos::testing {
namespace {

const net::Pair is_query{"x-ms-documentdb-isquery", "true"};
const net::Pair is_upsert{"x-ms-documentdb-is-upsert", "true"};

TEST(CosmosAttachments, AreCreatedReadListedReplacedAndRemoved) {
  Attachments a;
  a.account().create("1");
  EXPECT_EQ(a.list("1"), "");
  const Answer made = a.link("1", "photo", R"("author":"me","_rid":"x","_etag":"y")");
  EXPECT_EQ(made.status, 201) << made.response.body;
  EXPECT_EQ(made.body.member("author").text(), "me");
  EXPECT_EQ(made.body.member("media").text(), "http://store/1");
  EXPECT_EQ(made.header("etag"), made.body.member("_etag").text());
  EXPECT_EQ(made.header("x-ms-alt-content-path"), "dbs/d/colls/c");
  EXPECT_EQ(a.link("1", "photo").status, 409);
  EXPECT_EQ(a.link("1", "Photo").status, 201);
  EXPECT_EQ(a.list("1"), "Photo photo");
  EXPECT_EQ(a.get("1", "photo").response.body, made.response.body);
  const Answer changed =
      a.send("PUT", a.feed("1") + "/photo", a.json("photo", R"("author":"you")"));
  EXPECT_EQ(changed.status, 200);
  EXPECT_EQ(changed.body.member("author").text(), "you");
  EXPECT_EQ(changed.body.member("_rid").text(), made.body.member("_rid").text());
  EXPECT_EQ(a.send("PUT", a.feed("1") + "/photo", a.json("other")).status, 400);
  EXPECT_EQ(a.send("PUT", a.feed("1") + "/none", a.json("none")).status, 404);
  EXPECT_EQ(a.send("DELETE", a.feed("1") + "/photo").status, 204);
  EXPECT_EQ(a.send("DELETE", a.feed("1") + "/photo").status, 404);
  EXPECT_EQ(a.get("1", "photo").status, 404);
  EXPECT_EQ(a.list("1"), "Photo");
}

TEST(CosmosAttachments, AreFoundByTheirRidsWhichLieInThatOfTheirDocument) {
  Attachments a;
  const Answer document = a.account().create("1");
  const Answer made = a.link("1", "photo");
  const Bytes rid = *parse_rid(made.body.member("_rid").text());
  EXPECT_EQ(rid.size(), 20U);
  EXPECT_EQ(attachment_of(rid)->document, *parse_rid(document.body.member("_rid").text()));
  const std::string self = made.body.member("_self").text();
  EXPECT_EQ(self, document.body.member("_self").text() + "attachments/" +
                      made.body.member("_rid").text() + "/");
  // Clients that know the rids send no partition key.
  EXPECT_EQ(a.account().send("GET", "/" + self).response.body, made.response.body);
  EXPECT_EQ(a.account().send("DELETE", "/" + self).status, 204);
  EXPECT_EQ(a.account().send("GET", "/" + self).status, 404);
}

TEST(CosmosAttachments, AreUpserted) {
  Attachments a;
  a.account().create("1");
  const auto upsert = [&](const std::string& body) {
    return a.send("POST", a.feed("1"), body, {is_upsert});
  };
  const Answer made = upsert(a.json("photo"));
  EXPECT_EQ(made.status, 201);
  const Answer again = upsert(a.json("photo", R"("n":2)"));
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body.member("n").integer(), 2);
  EXPECT_EQ(again.body.member("_rid").text(), made.body.member("_rid").text());
  EXPECT_EQ(a.list("1"), "photo");
}

TEST(CosmosAttachments, ChangeUnderConditions) {
  Attachments a;
  a.account().create("1");
  const Answer first = a.link("1", "photo");
  const net::Pair on_first{"if-match", first.header("etag")};
  const std::string path = a.feed("1") + "/photo";
  EXPECT_EQ(a.get("1", "photo", {{"if-none-match", first.header("etag")}}).status, 304);
  EXPECT_EQ(a.send("PUT", path, a.json("photo"), {on_first}).status, 200);
  EXPECT_EQ(a.send("PUT", path, a.json("photo"), {on_first}).status, 412);
  EXPECT_EQ(a.send("POST", a.feed("1"), a.json("photo"), {on_first, is_upsert}).status, 412);
  EXPECT_EQ(a.send("DELETE", path, "", {on_first}).status, 412);
  EXPECT_EQ(a.get("1", "photo", {{"if-none-match", first.header("etag")}}).status, 200);
  EXPECT_EQ(a.send("PUT", path, a.json("photo"), {{"if-match", "*"}}).status, 200);
  EXPECT_EQ(a.send("DELETE", path, "", {{"if-match", "*"}}).status, 204);
}

TEST(CosmosAttachments, AreListedInPages) {
  Attachments a;
  a.account().create("1");
  a.account().create("2");
  for (int i = 0; i < 5; ++i) a.link("1", std::to_string(i));
  a.link("2", "other");
  std::string ids;
  std::vector<net::Pair> headers{{"x-ms-max-item-count", "2"}};
  int pages = 0;
  for (;; ++pages) {
    const Answer page = a.send("GET", a.feed("1"), "", headers);
    ASSERT_EQ(page.status, 200);
    EXPECT_LE(page.body.member("_count").integer(), 2);
    const Value told = page.body.member("Attachments");
    for (const Value& one : told.array()) ids += one.member("id").text();
    const std::string next = page.header("x-ms-continuation");
    if (next.empty()) break;
    headers = {{"x-ms-max-item-count", "2"}, {"x-ms-continuation", next}};
  }
  EXPECT_EQ(ids, "01234");
  EXPECT_EQ(pages, 2);
}

TEST(CosmosAttachments, AreQueried) {
  Attachments a;
  a.account().create("1");
  a.link("1", "a", R"("author":"me")");
  a.link("1", "b", R"("author":"you")");
  const Answer found =
      a.send("POST", a.feed("1"), R"({"query":"SELECT r.id, r.media FROM r WHERE r.author='you'"})",
             {is_query});
  EXPECT_EQ(found.status, 200) << found.response.body;
  EXPECT_EQ(render_json(found.body.member("Attachments")),
            R"([{"id":"b","media":"http://store/1"}])");
  EXPECT_EQ(a.send("POST", a.feed("1"), R"({"query":"SELEKT"})", {is_query}).status, 400);
}

TEST(CosmosAttachments, NeedTheMembersOfAnAttachment) {
  Attachments a;
  a.account().create("1");
  const auto refused = [&](const std::string& body, std::vector<net::Pair> headers = {}) {
    const Answer answer = a.send("POST", a.feed("1"), body, std::move(headers));
    EXPECT_EQ(answer.status, 400) << body << answer.response.body;
  };
  refused("");
  refused("[]");
  refused(R"({"contentType":"text/plain","media":"m"})");
  refused(R"({"id":"x","media":"m"})");
  refused(R"({"id":"x","contentType":"text/plain"})");
  refused(R"({"id":"x","contentType":"text/plain","media":""})");
  refused(R"({"id":"x","contentType":"junt/test","media":"m"})");
  refused(R"({"id":"x","contentType":"text","media":"m"})");
  refused(R"({"id":"x","contentType":"text/plain\r\nx: y","media":"m"})");
  refused(R"({"id":"a/b","contentType":"text/plain","media":"m"})");
  refused("bytes", {{"content-type", "text/plain"}});
  refused("bytes", {{"content-type", "junt/test"}, {"slug", "x"}});
  refused("bytes", {{"content-type", "text/plain"}, {"slug", "a/b"}});
  refused("bytes", {{"content-type", "text/plain"}, {"slug", "\xFF"}});
  EXPECT_EQ(a.list("1"), "");
}

TEST(CosmosAttachments, OfADocumentArePickedByItsPartition) {
  Attachments a;
  a.account().create("1");
  a.account().send("POST", documents, R"({"id":"1","pk":"b"})");
  a.link("1", "of a");
  const net::Pair key_b{"x-ms-documentdb-partitionkey", R"(["b"])"};
  const auto send = [&](std::vector<net::Pair> headers) {
    return a.account().send("GET", a.feed("1"), "", std::move(headers));
  };
  EXPECT_EQ(send({key_a}).body.member("_count").integer(), 1);
  EXPECT_EQ(send({key_b}).body.member("_count").integer(), 0);
  EXPECT_EQ(send({}).status, 400);
}

TEST(CosmosAttachments, AreOfABoundedNumberForEachDocument) {
  Attachments a;
  a.account().create("1");
  a.account().create("2");
  for (std::size_t i = 0; i < limits::attachments_max; ++i) {
    ASSERT_EQ(a.link("1", std::to_string(i)).status, 201);
  }
  EXPECT_EQ(a.link("1", "one more").status, 413);
  EXPECT_EQ(a.send("POST", a.feed("1"), a.json("0"), {is_upsert}).status, 200);
  EXPECT_EQ(a.link("2", "of another").status, 201);
  EXPECT_EQ(a.send("DELETE", a.feed("1") + "/0").status, 204);
  EXPECT_EQ(a.link("1", "one more").status, 201);
}

TEST(CosmosAttachments, ShowABoundedNumberOfBytes) {
  Attachments a;
  a.account().create("1");
  const auto with_text = [&](std::size_t bytes) {
    return a.link("1", "x", R"("text":")" + std::string(bytes, 'x') + '"').status;
  };
  EXPECT_EQ(with_text(limits::attachment_bytes_max), 413);
  EXPECT_EQ(with_text(limits::attachment_bytes_max - 200), 201);
}

std::vector<net::Pair> holding(const Answer& permission, std::vector<net::Pair> headers = {}) {
  const Value plain = permission.body.member("_token");
  std::string token;
  for (const char c : plain.text()) {
    token += c == '=' ? "%3D" : c == '&' ? "%26" : std::string(1, c);
  }
  headers.emplace_back("authorization", token);
  return headers;
}

class CosmosPermissions : public ::testing::Test {
 protected:
  void SetUp() override {
    a_.account().send("POST", "/dbs/d/users", R"({"id":"u"})");
    for (const auto* id : {"1", "2"}) a_.account().create(id);
    photo_ = a_.upload("1", "photo", "bytes");
    other_ = a_.upload("2", "photo", "others");
  }
  Answer permit(const std::string& mode, const std::string& resource,
                const std::string& more = "") {
    const Answer made = a_.account().send("POST", "/dbs/d/users/u/permissions",
                                          R"({"id":"p","permissionMode":")" + mode +
                                              R"(","resource":")" + resource + '"' + more + "}",
                                          {is_upsert});
    EXPECT_LT(made.status, 300) << made.response.body;
    return made;
  }
  int send(const Answer& permission, const std::string& method, const std::string& path,
           const std::string& body = "", std::vector<net::Pair> headers = {key_a}) {
    return a_.account()
        .send_as_it_is(method, path, body, holding(permission, std::move(headers)))
        .status;
  }
  static std::string media_of(const Answer& attachment) {
    return attachment.body.member("media").text();
  }

  Attachments a_;
  Answer photo_;
  Answer other_;
};

TEST_F(CosmosPermissions, OnADocumentCoverItsAttachmentsAndTheirMedia) {
  const Answer reads = permit("Read", "dbs/d/colls/c/docs/1");
  EXPECT_EQ(send(reads, "GET", a_.feed("1")), 200);
  EXPECT_EQ(send(reads, "GET", a_.feed("1") + "/photo"), 200);
  EXPECT_EQ(send(reads, "GET", media_of(photo_)), 200);
  EXPECT_EQ(send(reads, "PUT", media_of(photo_), "x"), 403);
  EXPECT_EQ(send(reads, "POST", a_.feed("1"), a_.json("x")), 403);
  EXPECT_EQ(send(reads, "GET", a_.feed("2")), 403);
  EXPECT_EQ(send(reads, "GET", media_of(other_)), 403);
  EXPECT_EQ(send(reads, "GET", "/media/none"), 403);
  const Answer all = permit("All", "dbs/d/colls/c/docs/1");
  EXPECT_EQ(send(all, "POST", a_.feed("1"), a_.json("x")), 201);
  EXPECT_EQ(send(all, "PUT", media_of(photo_), "x"), 200);
  EXPECT_EQ(send(all, "PUT", media_of(other_), "x"), 403);
}

TEST_F(CosmosPermissions, OnADocumentByRidCoverItsMedia) {
  const Value self = a_.account().get("1").body.member("_self");
  const Answer reads = permit("Read", self.text());
  EXPECT_EQ(send(reads, "GET", media_of(photo_)), 200);
  EXPECT_EQ(send(reads, "GET", media_of(other_)), 403);
}

TEST_F(CosmosPermissions, OnAnAttachmentCoverNothingElseOfItsDocument) {
  a_.upload("1", "second", "bytes");
  const Answer reads = permit("Read", "dbs/d/colls/c/docs/1/attachments/photo");
  EXPECT_EQ(send(reads, "GET", a_.feed("1") + "/photo"), 200);
  EXPECT_EQ(send(reads, "GET", media_of(photo_)), 200);
  EXPECT_EQ(send(reads, "GET", a_.feed("1") + "/second"), 403);
  EXPECT_EQ(send(reads, "GET", a_.feed("1")), 403);
  EXPECT_EQ(send(reads, "GET", documents + "/1"), 403);
}

TEST_F(CosmosPermissions, OnAPartitionCoverItsAttachmentsOnly) {
  a_.account().send("POST", documents, R"({"id":"1","pk":"b"})");
  const Answer of_a = permit("Read", "dbs/d/colls/c", R"(,"resourcePartitionKey":["a"])");
  EXPECT_EQ(send(of_a, "GET", a_.feed("1")), 200);
  EXPECT_EQ(send(of_a, "GET", a_.feed("1"), "", {{key_a.first, R"(["b"])"}}), 403);
  EXPECT_EQ(send(of_a, "GET", media_of(photo_)), 200);
  const Answer of_b = permit("Read", "dbs/d/colls/c", R"(,"resourcePartitionKey":["b"])");
  EXPECT_EQ(send(of_b, "GET", media_of(photo_)), 403);
}

// A token to run a script does not cover the documents that the script can read.
TEST_F(CosmosPermissions, OnAScriptCoverTheScript) {
  a_.account().send("POST", container + "/sprocs", R"({"id":"s","body":"function () {}"})");
  const Answer runs = permit("All", "dbs/d/colls/c/sprocs/s");
  EXPECT_EQ(send(runs, "GET", container + "/sprocs/s"), 200);
  EXPECT_EQ(send(runs, "GET", container + "/sprocs"), 403);
  EXPECT_EQ(send(runs, "GET", documents + "/1"), 403);
  EXPECT_EQ(send(runs, "GET", a_.feed("1")), 403);
  const Answer of_user = permit("Read", "dbs/d/users/u");
  EXPECT_EQ(send(of_user, "GET", documents + "/1"), 403);
  EXPECT_EQ(send(of_user, "GET", "/dbs/d/users/u"), 403);
}

TEST(CosmosAttachments, CreatedAgainHaveAnotherRid) {
  Attachments a;
  a.account().create("1");
  std::string before;
  // Steps of the clock after which numbers made of its lower bits would be equal.
  for (int i = 0; i < 3; ++i) {
    a.account().clock.advance(Span{1 << 24});
    const Answer made = a.upload("1", "photo", "bytes");
    EXPECT_NE(made.body.member("_rid").text(), before);
    before = made.body.member("_rid").text();
    EXPECT_EQ(a.send("DELETE", a.feed("1") + "/photo").status, 204);
  }
}

TEST(CosmosAttachments, ThatAreUnreadableHideNoOthers) {
  Attachments a;
  a.account().create("1");
  const Answer photo = a.upload("1", "photo", "bytes");
  const Answer broken = a.upload("1", "broken", "bytes");
  Database& database = *a.account().database;
  const std::uint64_t before = malformed_rows();
  View view = database.view();
  const CatalogPtr catalog = database.catalog();
  const auto of = catalog->find_database("d")->id;
  const auto table = attachments_of(*catalog, *catalog->find_collection(of, "c"));
  ASSERT_TRUE(database.transact([&](Transaction& transaction) -> Result<void> {
    for (const Attachment& one : TRY(table.list(view))) {
      if (one.id != "broken") continue;
      const Bytes packed = TRY(pack(Object{{"told", Object()}, {"number", -1}}));
      TRY(transaction.put(table.collection(), one.key(), packed, {}));
    }
    return {};
  }));
  EXPECT_EQ(a.list("1"), "photo");
  EXPECT_EQ(a.list("1"), "photo");
  EXPECT_EQ(malformed_rows(), before + 1);
  EXPECT_EQ(a.get("1", "broken").status, 404);
  EXPECT_EQ(a.get("1", "photo").status, 200);
  EXPECT_EQ(a.media(photo), "bytes");
  EXPECT_EQ(a.media(broken), "404");
}

}  // namespace
}  // namespace mayfly::cosmos::testing
