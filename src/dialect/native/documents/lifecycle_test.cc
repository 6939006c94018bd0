// Actions on the end of a document, over the API.
#include "dialect/native/testing.h"

namespace mayfly::native::testing {
namespace {

const std::string lifecycle_documents = place + "/documents";

std::string error(Api& api, const std::string& method, const std::string& target,
                  const std::string& body = {}) {
  const net::Response refused = api.send(method, target, body);
  return std::to_string(refused.status) + " " + Api::error_of(refused);
}

TEST(NativeTouchTest, MovesTheEndForwardByTheOriginalSpan) {
  auto api = Api::with_collection();
  api->send("PUT", lifecycle_documents + "/a?ttl=60", R"({"n":1})");
  const Instant first = api->instant("a", "expires_at");
  api->advance(40);
  EXPECT_EQ(api->status("POST", lifecycle_documents + "/a/touch"), 200);
  const Instant moved = api->instant("a", "expires_at");
  EXPECT_GE(moved, first + Span::seconds(40));
  EXPECT_EQ(api->get("a"), R"({"n":1})");
  EXPECT_EQ(api->get("a", "revision"), "2");
  api->set_clock({moved.micros - 1});
  EXPECT_EQ(api->status("GET", lifecycle_documents + "/a"), 200);
  api->set_clock(moved);
  EXPECT_EQ(error(*api, "POST", lifecycle_documents + "/a/touch"), "404 not_found id");
}

TEST(NativeTouchTest, TakesALaterEndAndNeverAnEarlierOne) {
  auto api = Api::with_collection();
  api->send("PUT", lifecycle_documents + "/a?ttl=600", "{}");
  const Instant first = api->instant("a", "expires_at");
  api->send("POST", lifecycle_documents + "/a/touch?ttl=10");
  EXPECT_EQ(api->instant("a", "expires_at"), first);
  api->send("POST", lifecycle_documents + "/a/touch?ttl=6000");
  EXPECT_GT(api->instant("a", "expires_at"), first + Span::seconds(5'000));
  api->send("POST", lifecycle_documents + "/a/touch?never=true");
  EXPECT_EQ(api->get("a", "expires_at"), "null");
  api->send("POST", lifecycle_documents + "/a/touch?ttl=10");
  EXPECT_EQ(api->get("a", "expires_at"), "null");
}

TEST(NativeTouchTest, RestartsAnInheritedLifetime) {
  auto api = Api::with_collection(R"({"default_ttl":60})");
  api->send("PUT", lifecycle_documents + "/a", "{}");
  api->advance(50);
  api->send("POST", lifecycle_documents + "/a/touch");
  api->advance(50);
  EXPECT_EQ(api->get("a"), "{}");
}

TEST(NativeTouchTest, MovesAStampedEndAlsoWhereWritersMaySetNone) {
  for (const std::string when : {"creation", "every_write"}) {
    auto api = Api::with_collection(R"({"stamp_ttl":{"seconds":60,"when":")" + when +
                                    R"("},"writers_may_set_ttl":false})");
    api->send("PUT", place + "/documents/a", "{}");
    const Instant first = api->instant("a", "expires_at");
    api->advance(40);
    EXPECT_EQ(api->status("POST", place + "/documents/a/touch"), 200);
    EXPECT_GE(api->instant("a", "expires_at"), first + Span::millis(39'999)) << when;
    EXPECT_EQ(api->status("POST", place + "/documents/a/touch?ttl=6000"), 403);
  }
}

TEST(NativeTouchTest, NeedsNoLifetimeWhereTheCollectionStamps) {
  auto api = Api::with_collection(R"({"stamp_ttl":{"seconds":60,"when":"every_write"}})");
  api->send("PUT", place + "/documents/a?ttl=6000", "{}");
  api->send("PUT", place + "/documents/b?never=true", "{}");
  const Instant first = api->instant("a", "expires_at");
  EXPECT_EQ(api->status("POST", place + "/documents/a/touch"), 200);
  EXPECT_EQ(api->status("POST", place + "/documents/b/touch"), 200);
  EXPECT_GE(api->instant("a", "expires_at"), first);
  EXPECT_EQ(api->get("b", "expires_at"), "null");
}

TEST(NativeTouchTest, OfAHeldDocumentTheLaterOfWhatWaitsAndWhatIsAskedIsItsLifetime) {
  const auto seconds_left = [](const std::string& promises, const std::string& written,
                               const std::string& touched) {
    auto api = Api::with_collection(promises);
    api->send("PUT", lifecycle_documents + "/a" + written, "{}");
    EXPECT_EQ(api->status("PUT", place + "/holds/a"), 204);
    api->advance(10);
    EXPECT_EQ(api->status("POST", lifecycle_documents + "/a/touch" + touched), 200);
    EXPECT_EQ(api->get("a", "expires_at"), "null");
    EXPECT_EQ(api->status("DELETE", place + "/holds/a"), 204);
    if (api->get("a", "expires_at") == "null") return std::string("never");
    const Span left = api->instant("a", "expires_at") - start;
    return std::to_string((left.micros + 500'000) / 1'000'000);
  };
  EXPECT_EQ(seconds_left("{}", "?ttl=100", "?ttl=50"), "100");
  EXPECT_EQ(seconds_left("{}", "?ttl=100", "?ttl=200"), "210");
  EXPECT_EQ(seconds_left("{}", "?ttl=100", "?expires_at=2027-01-15T08:00:50Z"), "100");
  EXPECT_EQ(seconds_left("{}", "?ttl=100", "?expires_at=2027-01-15T08:05:00Z"), "300");
  EXPECT_EQ(seconds_left("{}", "?ttl=5", "?ttl=50"), "60");
  EXPECT_EQ(seconds_left("{}", "?ttl=100", "?never=true"), "never");
  EXPECT_EQ(seconds_left("{}", "?never=true", "?ttl=50"), "never");
  EXPECT_EQ(seconds_left("{}", "?ttl=100", ""), "100");
  // An inherited lifetime counts from the release, as from any write.
  EXPECT_EQ(seconds_left(R"({"default_ttl":100})", "", "?ttl=50"), "110");
  EXPECT_EQ(seconds_left(R"({"default_ttl":100})", "", "?ttl=500"), "510");
}

TEST(NativeHoldTest, NamesAVersionSoThatEachCanBeReleased) {
  auto api = Api::with_collection(R"({"keep_trash_for":"forever"})");
  const auto put_and_hold = [&] {
    api->send("PUT", place + "/documents/a", "{}");
    EXPECT_EQ(api->status("PUT", place + "/holds/a", "{}"), 204);
  };
  const auto held = [&] {
    return api->json("GET", place + "/holds").member("documents").array().size();
  };
  for (int i = 0; i < 3; ++i) {
    api->send("PUT", place + "/documents/a", "{}");
    api->send("DELETE", place + "/documents/a");
    EXPECT_EQ(api->status("PUT", place + "/holds/a", "{}"), 204);
    api->advance(1);
  }
  put_and_hold();
  ASSERT_EQ(held(), 4U);
  EXPECT_EQ(error(*api, "DELETE", place), "403 forbidden collection");
  std::string removed_at;
  const Value holds = api->json("GET", place + "/holds").member("documents");
  for (const Value& row : holds.array()) {
    if (row.member("removed_at").is(Kind::text)) removed_at = row.member("removed_at").text();
  }
  EXPECT_EQ(api->status("DELETE", place + "/holds/a?removed_at=" + removed_at), 204);
  EXPECT_EQ(held(), 3U);
  EXPECT_EQ(error(*api, "DELETE", place + "/holds/a?removed_at=" + removed_at), "404 not_found id");
  EXPECT_EQ(api->status("DELETE", place + "/holds/a"), 204);
  EXPECT_EQ(held(), 0U);
  EXPECT_EQ(api->status("DELETE", place), 204);
}

TEST(NativeHoldTest, KeepsADocumentUntilItIsReleased) {
  auto api = Api::with_collection(R"({"keep_trash_for":100})");
  api->send("PUT", lifecycle_documents + "/a?ttl=60", R"({"n":1})");
  const net::Response held =
      api->send("PUT", place + "/holds/a", R"({"reason":"case 7"})", {{"mayfly-author", "ann"}});
  EXPECT_EQ(held.status, 204);
  api->advance(1'000);
  EXPECT_EQ(api->get("a", "expires_at"), "null");
  const Value hold = *parse_json(api->get("a", "hold"));
  EXPECT_EQ(hold.member("reason").text(), "case 7");
  EXPECT_EQ(hold.member("by").text(), "ann");
  EXPECT_EQ(error(*api, "DELETE", lifecycle_documents + "/a"), "403 forbidden id");
  EXPECT_EQ(error(*api, "DELETE", place), "403 forbidden collection");
  EXPECT_EQ(error(*api, "PUT", place + "/holds/a"), "409 exists id");
  EXPECT_EQ(api->ids(place + "/holds"), "a");
  EXPECT_EQ(api->status("DELETE", place + "/holds/a"), 204);
  EXPECT_EQ(api->get("a"), "-");
  EXPECT_EQ(api->ids(place + "/holds"), "");
  EXPECT_EQ(error(*api, "DELETE", place + "/holds/a"), "404 not_found id");
}

TEST(NativeHoldTest, KeepsADocumentInTheTrashAndListsPageByPage) {
  auto api = Api::with_collection(R"({"keep_trash_for":100})");
  for (const std::string id : {"a", "b", "c"}) {
    api->send("PUT", lifecycle_documents + "/" + id, "{}");
    if (id != "b") api->send("DELETE", lifecycle_documents + "/" + id);
    EXPECT_EQ(api->status("PUT", place + "/holds/" + id), 204);
  }
  api->advance(1'000);
  api->send("POST", "/v1/sweeper/run");
  EXPECT_EQ(api->ids(place + "/trash"), "a c");
  EXPECT_EQ(error(*api, "DELETE", place + "/trash/a"), "403 forbidden id");
  const Value first = api->json("GET", place + "/holds?limit=2");
  EXPECT_EQ(Api::ids_of(first.member("documents")), "a b");
  const std::string next = first.member("next").text();
  EXPECT_EQ(api->ids(place + "/holds?limit=2&page=" + next), "c");
}

TEST(NativeHoldTest, RefusesWhatIsWrong) {
  auto api = Api::with_collection();
  api->send("PUT", lifecycle_documents + "/a", "{}");
  EXPECT_EQ(error(*api, "PUT", place + "/holds/none"), "404 not_found id");
  EXPECT_EQ(error(*api, "PUT", place + "/holds/a", R"({"reason":5})"), "400 invalid reason");
  EXPECT_EQ(error(*api, "PUT", place + "/holds/a", R"({"until":5})"), "400 invalid until");
  EXPECT_EQ(
      error(*api, "PUT", place + "/holds/a", R"({"reason":")" + std::string(1'025, 'x') + R"("})"),
      "400 invalid reason");
  EXPECT_EQ(error(*api, "GET", place + "/holds?limit=0"), "400 invalid limit");
  EXPECT_EQ(error(*api, "GET", place + "/holds?page=zz"), "400 invalid page");
}

TEST(NativeTrashTest, KeepsExpiredDocumentsIfThePolicySaysSoAndRestoresThem) {
  auto api = Api::with_collection(R"({"keep_trash_for":3600,"expire_to_trash":true})");
  api->send("PUT", lifecycle_documents + "/a?ttl=60", R"({"n":1})");
  api->advance(60);
  EXPECT_EQ(api->get("a"), "-");
  const Value trash = api->json("GET", place + "/trash").member("documents");
  ASSERT_EQ(trash.array().size(), 1U);
  EXPECT_TRUE(trash.array()[0].member("expired").boolean());
  EXPECT_EQ(api->status("POST", place + "/trash/a/restore?ttl=30"), 200);
  EXPECT_EQ(api->get("a"), R"({"n":1})");
  api->advance(30);
  EXPECT_EQ(api->get("a"), "-");
  EXPECT_EQ(api->ids(place + "/trash"), "a");
  api->advance(3'600);
  EXPECT_EQ(api->ids(place + "/trash"), "");
  EXPECT_EQ(error(*api, "PATCH", place, R"({"keep_trash_for":0})"), "400 invalid expire_to_trash");
  EXPECT_EQ(error(*api, "PATCH", place, R"({"expire_to_trash":1})"), "400 invalid expire_to_trash");
}

TEST(NativeForecastTest, CountsExpirationsPerHourOrDay) {
  auto api = Api::with_collection();
  api->send("PUT", lifecycle_documents + "/a?ttl=60", "{}");
  api->send("PUT", lifecycle_documents + "/b?ttl=5000", "{}");
  api->send("PUT", lifecycle_documents + "/c?ttl=90000", "{}");
  const auto told = [&](const std::string& query) {
    std::string counts;
    const Value slots = api->json("GET", place + "/forecast" + query).member("slots");
    for (const Value& slot : slots.array()) {
      counts += std::to_string(slot.member("deaths").member("documents").integer()) + " ";
    }
    return counts;
  };
  EXPECT_EQ(told("?slots=3"), "1 1 0 ");
  EXPECT_EQ(told("?slot=day&slots=2"), "2 1 ");
  EXPECT_EQ(error(*api, "GET", place + "/forecast?slot=week"), "400 invalid slot");
  EXPECT_EQ(error(*api, "GET", place + "/forecast?slots=401"), "400 invalid slots");
  EXPECT_EQ(error(*api, "GET", place + "/forecast?slots=0"), "400 invalid slots");
}

TEST(NativePreviewTest, CountsWhatAnotherDefaultWouldExpire) {
  auto api = Api::with_collection();
  api->send("PUT", lifecycle_documents + "/old", "{}");
  api->advance(5'000);
  api->send("PUT", lifecycle_documents + "/new", "{}");
  api->send("PUT", lifecycle_documents + "/never?never=true", "{}");
  const Value told = api->json("POST", place + "/preview", R"({"default_ttl":3600})");
  EXPECT_EQ(told.member("at_once").member("documents").integer(), 1);
  EXPECT_EQ(told.member("within_a_day").member("documents").integer(), 2);
  EXPECT_TRUE(told.member("within_a_week").member("exact").boolean());
  EXPECT_EQ(api->ids(lifecycle_documents), "never new old");
  api->send("PATCH", place, R"({"default_ttl":3600})");
  EXPECT_EQ(api->ids(lifecycle_documents), "never new");
  EXPECT_EQ(error(*api, "POST", place + "/preview", "{}"), "400 invalid default_ttl");
  EXPECT_EQ(error(*api, "POST", place + "/preview", R"({"default_ttl":0})"),
            "400 invalid default_ttl");
}

TEST(NativePurgesTest, AreRecordedAsAChain) {
  auto api = Api::with_collection(R"({"keep_purges_for":"forever"})");
  api->send("PUT", lifecycle_documents + "/a?ttl=60", "{}");
  api->send("PUT", lifecycle_documents + "/b", "{}");
  api->send("DELETE", lifecycle_documents + "/b", {}, {{"mayfly-author", "ann"}});
  api->advance(100);
  api->send("POST", "/v1/sweeper/run");
  const Value list = api->json("GET", place + "/purges");
  EXPECT_TRUE(list.member("intact").boolean());
  const Value all = list.member("records");
  const Array& records = all.array();
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].member("versions").array()[0].member("by").text(), "ann");
  EXPECT_EQ(records[1].member("versions").array()[0].member("how").text(), "expired");
  EXPECT_EQ(records[1].member("previous").text(), records[0].member("hash").text());
  EXPECT_EQ(api->json("GET", place + "/purges?after=1").member("records").array().size(), 1U);
  EXPECT_EQ(error(*api, "GET", place + "/purges?after=-1"), "400 invalid after");
  auto other = Api::with_collection();
  EXPECT_EQ(error(*other, "GET", place + "/purges"), "400 unsupported keep_purges_for");
}

}  // namespace
}  // namespace mayfly::native::testing
