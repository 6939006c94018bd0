// The media of attachments, which live exactly as long as their document.
#include <map>

#include "dialect/cosmos/attachments/testing.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/resources/rid.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos::testing {
namespace {

const net::Pair upsert_header{"x-ms-documentdb-is-upsert", "true"};

TEST(CosmosMedia, ComesAsABodyAndIsReadByItsLink) {
  Attachments a;
  a.account().create("1");
  const std::string bytes("\x00\xFF\r\n\x01 bytes", 11);
  const Answer made = a.upload("1", "photo of me", bytes);
  EXPECT_EQ(made.status, 201) << made.response.body;
  EXPECT_EQ(made.body.member("id").text(), "photo of me");
  EXPECT_EQ(made.body.member("contentType").text(), "text/plain");
  const std::string link = made.body.member("media").text();
  EXPECT_TRUE(link.starts_with("/media/"));
  const Answer media = a.account().send("GET", link);
  EXPECT_EQ(media.status, 200);
  EXPECT_EQ(media.response.body, bytes);
  EXPECT_EQ(media.response.content_type, "text/plain");
  EXPECT_EQ(media.header("etag"), made.header("etag"));
  EXPECT_EQ(a.account().send("GET", "/" + link).response.body, bytes);
  EXPECT_EQ(a.account().send("GET", link, "", {{"if-none-match", media.header("etag")}}).status,
            304);
  EXPECT_EQ(a.upload("1", "photo of me", "x").status, 409);
  EXPECT_EQ(a.media(made), bytes);
}

TEST(CosmosMedia, HasAnIdFromWhichClientsDeriveTheRidOfItsAttachment) {
  Attachments a;
  a.account().create("1");
  const Answer made = a.upload("1", "photo", "bytes");
  const std::string id = made.body.member("media").text().substr(std::string("/media/").size());
  EXPECT_EQ(id.size(), 28U);
  const std::string rid = made.body.member("_rid").text();
  EXPECT_EQ(render_rid(*attachment_of_media(id)), rid);
  const std::string text = text_to_sign("GET", "media", to_lower(rid), date, "");
  std::string signature = encode_base64(hmac_sha256(*decode_base64(well_known_key), text));
  std::string encoded;
  for (const char c : signature) {
    encoded += c == '+' ? "%2B" : c == '/' ? "%2F" : c == '=' ? "%3D" : std::string(1, c);
  }
  const auto send = [&](const std::string& path) {
    return a.account()
        .send_as_it_is("GET", path, "",
                       {{"x-ms-date", date},
                        {"authorization", "type%3Dmaster%26ver%3D1.0%26sig%3D" + encoded}})
        .status;
  };
  EXPECT_EQ(send("/media/" + id), 200);
  const Answer other = a.upload("1", "other", "bytes");
  EXPECT_EQ(send(other.body.member("media").text()), 401);
}

TEST(CosmosMedia, IsThereOnlyUnderAWholeLink) {
  Attachments a;
  a.account().create("1");
  const std::string link = a.upload("1", "photo", "bytes").body.member("media").text();
  const Answer elsewhere = a.link("1", "elsewhere");
  const std::string rid_of_link = elsewhere.body.member("_rid").text();
  for (const std::string& wrong :
       {std::string("/media/x"), link.substr(0, link.size() - 1), link + "AAAA",
        link.substr(0, link.size() - 4) + "AAAA", "/media/" + rid_of_link,
        "/media/" + media_id(*parse_rid(rid_of_link))}) {
    EXPECT_EQ(a.account().send("GET", wrong).status, 404) << wrong;
    EXPECT_EQ(a.account().send("PUT", wrong, "x").status, 404) << wrong;
  }
  EXPECT_EQ(a.account().send("GET", "/media").status, 404);
  EXPECT_EQ(a.account().send("DELETE", link).status, 405);
}

TEST(CosmosMedia, IsReplacedByItsLink) {
  Attachments a;
  a.account().create("1");
  const Answer made = a.upload("1", "photo", "before");
  const std::string link = made.body.member("media").text();
  const Answer put = a.account().send("PUT", link, "after", {{"content-type", "image/png"}});
  EXPECT_EQ(put.status, 200);
  EXPECT_EQ(put.response.body, a.get("1", "photo").response.body);
  EXPECT_EQ(put.body.member("contentType").text(), "image/png");
  EXPECT_NE(put.header("etag"), made.header("etag"));
  EXPECT_EQ(a.media(made), "after");
  EXPECT_EQ(a.account().send("PUT", link, "x", {{"content-type", "junt/test"}}).status, 400);
  EXPECT_EQ(a.account().send("PUT", link, "x", {{"if-match", made.header("etag")}}).status, 412);
  EXPECT_EQ(a.account().send("PUT", link, "", {{"if-match", put.header("etag")}}).status, 200);
  EXPECT_EQ(a.media(made), "");
}

TEST(CosmosMedia, IsUpsertedUnderTheSameLink) {
  Attachments a;
  a.account().create("1");
  const Answer made = a.upload("1", "photo", "before", {upsert_header});
  EXPECT_EQ(made.status, 201);
  const Answer again = a.upload("1", "photo", "after", {upsert_header});
  EXPECT_EQ(again.status, 200);
  EXPECT_EQ(again.body.member("media").text(), made.body.member("media").text());
  EXPECT_EQ(a.media(made), "after");
}

TEST(CosmosMedia, IsKeptByAReplacementWithItsLinkAndRemovedByOneWithAnother) {
  Attachments a;
  a.account().create("1");
  const Answer made = a.upload("1", "photo", "bytes");
  const std::string path = a.feed("1") + "/photo";
  const std::string link = made.body.member("media").text();
  EXPECT_EQ(a.send("PUT", path, a.json("photo", R"("n":1)", link)).status, 200);
  EXPECT_EQ(a.media(made), "bytes");
  EXPECT_EQ(a.get("1", "photo").body.member("media").text(), link);
  EXPECT_EQ(a.rows(), 2U);
  EXPECT_EQ(a.send("PUT", path, a.json("photo")).status, 200);
  EXPECT_EQ(a.media(made), "404");
  EXPECT_EQ(a.rows(), 1U);
  EXPECT_EQ(a.send("DELETE", path).status, 204);
  EXPECT_EQ(a.rows(), 0U);
}

TEST(CosmosMedia, IsSharedWithAttachmentsThatNameIt) {
  Attachments a;
  a.account().create("1");
  a.account().create("2");
  const Answer made = a.upload("1", "photo", "bytes");
  const Answer shared =
      a.send("POST", a.feed("2"), a.json("photo", "", made.body.member("media").text()));
  EXPECT_EQ(shared.status, 201);
  EXPECT_EQ(a.media(shared), "bytes");
  EXPECT_EQ(a.send("DELETE", a.feed("2") + "/photo").status, 204);
  EXPECT_EQ(a.media(made), "bytes");
}

TEST(CosmosMedia, LiesInPiecesAndIsBounded) {
  Attachments a;
  a.account().create("1");
  constexpr std::size_t piece = limits::media_piece_bytes_max;
  const auto text_of = [](std::size_t bytes) {
    std::string text(bytes, '\xFE');
    for (std::size_t i = 0; i < bytes; i += 1'000) text[i] = static_cast<char>(i / 1'000);
    return text;
  };
  const std::string most = text_of(limits::media_bytes_max);
  const Answer made = a.upload("1", "photo", most);
  EXPECT_EQ(made.status, 201);
  EXPECT_TRUE(a.media(made) == most);
  EXPECT_EQ(a.rows(), 1 + limits::media_bytes_max / piece);
  const std::string link = made.body.member("media").text();
  for (const std::size_t bytes : {piece + 1, piece, piece - 1, std::size_t{0}, 2 * piece}) {
    EXPECT_EQ(a.account().send("PUT", link, text_of(bytes)).status, 200);
    EXPECT_TRUE(a.media(made) == text_of(bytes));
    EXPECT_EQ(a.rows(), 1 + (bytes + piece - 1) / piece) << bytes;
  }
  EXPECT_EQ(a.account().send("PUT", link, most + "x").status, 413);
  EXPECT_EQ(a.upload("1", "more", most + "x").status, 413);
  EXPECT_EQ(a.send("DELETE", a.feed("1") + "/photo").status, 204);
  EXPECT_EQ(a.rows(), 0U);
}

TEST(CosmosMedia, IsCountedForTheAccountWhileItsDocumentLives) {
  Attachments a(R"("defaultTtl":-1)");
  const auto used = [&] {
    const Answer account = a.account().send("GET", "/");
    EXPECT_EQ(account.header("x-ms-max-media-storage-usage-mb"), "2048");
    return account.header("x-ms-media-storage-usage-mb");
  };
  EXPECT_EQ(used(), "0");
  a.account().create("1", R"("ttl":10)");
  a.account().create("2");
  a.upload("1", "photo", std::string(3 << 20, 'x'));
  a.upload("2", "photo", "x");
  a.link("2", "elsewhere");
  EXPECT_EQ(used(), "4");
  a.account().advance(10);
  EXPECT_EQ(used(), "1");
  a.account().remove("2");
  EXPECT_EQ(used(), "0");
}

TEST(CosmosMedia, IsCountedAsFarAsThatManyAttachmentsShow) {
  Attachments a;
  a.account().create("1");
  for (const std::string id : {"a", "b", "c"}) a.upload("1", id, "bytes");
  View view = a.account().database->view();
  EXPECT_EQ(media_bytes_of_account(view, 0).value(), 0U);
  EXPECT_EQ(media_bytes_of_account(view, 2).value(), 10U);
  EXPECT_EQ(media_bytes_of_account(view, limits::attachments_summed_max).value(), 15U);
}

// As another dialect creates a document again, over the existing one.
TEST(CosmosMedia, IsReadAtItsLinkIfItsDocumentIsCreatedAgain) {
  Attachments a;
  a.account().create("1");
  a.upload("1", "before", "bytes");
  Database& database = *a.account().database;
  const auto place = database.catalog()->find_database("d")->id;
  ASSERT_TRUE(database.transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    const CollectionPtr collection = view.catalog().find_collection(place, "c");
    const DocumentPage page = TRY(view.scan(*collection, {}, view.live()));
    TRY(transaction.put(collection, page.documents.at(0).document_key(),
                        TRY(pack_json(R"({"id":"1","pk":"a"})")),
                        {.origin = PutOptions::VersionOrigin::replacement}));
    return {};
  }));
  EXPECT_EQ(a.list("1"), "");
  const Answer made = a.upload("1", "after", "more bytes");
  EXPECT_EQ(a.media(made), "more bytes");
}

TEST(CosmosMedia, IsNotForReadOnlyKeysToChange) {
  Account account({},
                  {.key = std::string(well_known_key), .read_key = encode_base64("another key")});
  account.send("POST", "/dbs", R"({"id":"d"})");
  account.send("POST", containers, Account::definition());
  account.create("1");
  const std::string feed = documents + "/1/attachments";
  const Answer made =
      account.send("POST", feed, "bytes", {key_a, {"slug", "a"}, {"content-type", "text/plain"}});
  const auto send = [&](const std::string& method, const std::string& path) {
    const auto address = parse_address(path);
    const std::string text =
        text_to_sign(method, row_of(address->kind).segment, address->link(), date, "");
    std::string token = "type%3Dmaster%26ver%3D1.0%26sig%3D";
    for (const char c : encode_base64(hmac_sha256("another key", text))) {
      token += c == '+' ? "%2B" : c == '/' ? "%2F" : c == '=' ? "%3D" : std::string(1, c);
    }
    return account
        .send_as_it_is(method, path, "x", {key_a, {"x-ms-date", date}, {"authorization", token}})
        .status;
  };
  const std::string link = made.body.member("media").text();
  EXPECT_EQ(send("GET", link), 200);
  EXPECT_EQ(send("GET", feed), 200);
  EXPECT_EQ(send("PUT", link), 403);
  EXPECT_EQ(send("POST", feed), 403);
  EXPECT_EQ(send("DELETE", feed + "/a"), 403);
}

// So many are created at one instant that some have equal rids.
TEST(CosmosMedia, OfDocumentsOfOtherDialectsIsFoundAlsoWhereTheyShareARid) {
  Attachments a;
  a.account().create("0");
  Database& database = *a.account().database;
  const CatalogPtr catalog = database.catalog();
  const auto collection = catalog->find_collection(catalog->find_database("d")->id, "c");
  View view = database.view();
  const Bytes routing =
      view.scan(*collection, {}, view.live())->documents[0].document_key().routing;
  a.account().advance(1);
  ASSERT_TRUE(database.transact([&](Transaction& transaction) -> Result<void> {
    for (int i = 1; i <= 300; ++i) {
      const std::string id = std::to_string(i);
      Bytes packed = TRY(pack(Object{{"id", id}, {"pk", "a"}}));
      TRY(transaction.put(collection, {routing, id}, std::move(packed), {}));
    }
    return {};
  }));
  std::map<std::string, std::vector<std::string>> ids_by_rid;
  const Answer all = a.send("GET", documents, "", {{"x-ms-max-item-count", "1000"}});
  const Value told = all.body.member("Documents");
  for (const Value& one : told.array()) {
    ids_by_rid[one.member("_rid").text()].push_back(one.member("id").text());
  }
  ASSERT_LT(ids_by_rid.size(), 301U);
  for (const auto& [rid, ids] : ids_by_rid) {
    if (ids.size() == 1) continue;
    for (const std::string& id : ids) EXPECT_EQ(a.media(a.upload(id, "photo", id)), id);
    break;
  }
}

}  // namespace
}  // namespace mayfly::cosmos::testing
