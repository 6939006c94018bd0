// Lists: filters, sorts, selections, pages, counts, plans; by query string and by body.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "dialect/common/limits.h"
#include "dialect/native/documents/envelope.h"
#include "dialect/native/testing.h"
#include "net/requests/testing.h"

namespace mayfly::native::testing {
namespace {

const std::string docs = place + "/documents";

std::unique_ptr<Api> with_people() {
  auto api = Api::with_collection();
  const std::pair<const char*, const char*> people[] = {
      {"ann", R"({"age":30,"city":"Oslo","tags":["a","b"],"name":{"first":"Ann"}})"},
      {"bob", R"({"age":25,"city":"Rome","tags":[]})"},
      {"cid", R"({"age":25.5,"city":"Oslo","gone":null})"},
      {"dot", R"({"age":"old","city":"Lima","tags":"ab"})"},
      {"eve", R"({"city":"Oslo"})"},
  };
  for (const auto& [id, body] : people) api->send("PUT", docs + "/" + id, body);
  api->send("PUT", docs + "/bob?expires_at=2027-02-01T00:00:00Z", people[1].second,
            {{"mayfly-author", "zoe"}});
  return api;
}

std::string by_body(Api& api, const std::string& members) {
  const Value answer = api.json("POST", place + "/query", "{" + members + "}");
  const Value documents = answer.member("documents");
  return documents.is(Kind::array) ? Api::ids_of(documents) : render_json(answer);
}

TEST(NativeListsTest, AFilterChooses) {
  auto api = with_people();
  const std::pair<const char*, const char*> table[] = {
      {"age >= 25", "ann bob cid"},
      {"age > 25 and city = 'Oslo'", "ann cid"},
      {"city in ['Rome','Lima']", "bob dot"},
      {"tags contains 'a'", "ann dot"},
      {"not exists(age)", "eve"},
      {"exists(gone)", "cid"},
      {"not (age >= 25)", ""},
      {"age = 'old'", "dot"},
      {"name.first = 'Ann'", "ann"},
      {"@id >= 'd'", "dot eve"},
      {"@expires_at < '2027-03-01T00:00:00Z'", "bob"},
      {"@expires_at = null", "ann cid dot eve"},
      {"@revision = 2 and @updater = 'zoe'", "bob"},
      {"starts_with(city, 'O') or array_length(tags) = 0", "ann bob cid eve"},
      {"false", ""},
  };
  for (const auto& [filter, expected] : table) {
    std::string member = "\"filter\":";
    render_json_text(filter, member);
    EXPECT_EQ(by_body(*api, member), expected) << filter;
    const Value counted = api->json(
        "GET", place + "/count?filter=" + [&] {
          std::string escaped;
          for (const char* c = filter; *c != 0; ++c) escaped += fmt::format("%{:02X}", *c);
          return escaped;
        }());
    EXPECT_EQ(counted.member("count").integer(),
              *expected == 0 ? 0 : std::count(expected, expected + strlen(expected), ' ') + 1);
  }
}

TEST(NativeListsTest, ASortOrdersAndPagesGoOnWhereTheyStopped) {
  auto api = with_people();
  const std::pair<const char*, const char*> table[] = {
      {"", "ann bob cid dot eve"},
      {"age", "eve bob cid ann dot"},
      {"-age", "dot ann cid bob eve"},
      {"city,-@id", "dot eve cid ann bob"},
      {"-@written_at", "bob eve dot cid ann"},
  };
  for (const auto& [sort, expected] : table) {
    const std::string query = *sort == 0 ? "" : "&sort=" + std::string(sort);
    EXPECT_EQ(api->ids(docs + "?limit=100" + query), expected) << sort;
    std::string paged;
    std::string page;
    for (bool more = true; more;) {
      const Value answer = api->json("GET", docs + "?limit=2" + query + page);
      paged += (paged.empty() ? "" : " ") + Api::ids_of(answer.member("documents"));
      more = !answer.member("next").is_null();
      if (more) page = "&page=" + answer.member("next").text();
    }
    EXPECT_EQ(paged, expected) << sort;
  }
}

TEST(NativeListsTest, AListShowsTheKindOfEachLifetimeOnRequest) {
  auto api = Api::with_collection(R"({"default_ttl":60})");
  api->send("PUT", place + "/documents/a", "{}");
  api->send("PUT", place + "/documents/b?never=true", "{}");
  api->send("PUT", place + "/documents/c?ttl=5", "{}");
  std::string kinds;
  for (const Value& list : {api->json("GET", place + "/documents?lifetime=true"),
                            api->json("POST", place + "/query", R"({"lifetime":true})")}) {
    for (const Value& document : list.member("documents").array()) {
      kinds += document.member("lifetime").text() + " ";
    }
  }
  EXPECT_EQ(kinds, "inherit never at inherit never at ");
  const net::Response plain = api->send("GET", place + "/documents?lifetime=false");
  EXPECT_EQ(plain.body.find("lifetime"), std::string::npos);
}

TEST(NativeListsTest, ASelectionShowsPartOfTheBody) {
  auto api = with_people();
  const auto data = [&](const std::string& select) {
    const Value answer = api->json("GET", docs + "?limit=1&select=" + select);
    return render_json(answer.member("documents").array().at(0).member("data"));
  };
  EXPECT_EQ(data("age"), R"({"age":30})");
  EXPECT_EQ(data("name.first,city"), R"({"name":{"first":"Ann"},"city":"Oslo"})");
  EXPECT_EQ(data("nothing,age.deeper"), "{}");
  EXPECT_EQ(data("name,name.first"), R"({"name":{"first":"Ann"}})");
}

TEST(NativeListsTest, AWriteBetweenPagesIsSeenOnceAndMovesNothing) {
  auto api = with_people();
  const Value first = api->json("GET", docs + "?limit=2");
  api->send("PUT", docs + "/aaa", "{}");
  api->send("PUT", docs + "/cia", "{}");
  api->send("DELETE", docs + "/bob");
  EXPECT_EQ(api->ids(docs + "?limit=9&page=" + first.member("next").text()), "cia cid dot eve");
}

TEST(NativeListsTest, AnEarlierInstantIsPagedAsItWas) {
  auto api = Api::with_collection(R"({"keep_history_for":1000})");
  for (const char* id : {"a", "b", "c", "d"}) api->send("PUT", docs + "/" + id, R"({"n":1})");
  const std::string then = render_rfc3339(api->now(), Fraction::micros);
  const Value first = api->json("GET", docs + "?limit=2&sort=n&as_of=" + then);
  api->send("DELETE", docs + "/c");
  api->send("PUT", docs + "/d", R"({"n":0})");
  api->send("PUT", docs + "/e", R"({"n":1})");
  EXPECT_EQ(Api::ids_of(first.member("documents")), "a b");
  EXPECT_EQ(
      api->ids(docs + "?limit=9&sort=n&as_of=" + then + "&page=" + first.member("next").text()),
      "c d");
  EXPECT_EQ(by_body(*api, R"("as_of":")" + then + R"(","filter":"n = 1")"), "a b c d");
}

TEST(NativeListsTest, AnEarlierInstantIsReadByAnIndexAfterAPatch) {
  auto api = Api::with_collection(
      R"({"keep_history_for":1000,"indexes":[{"name":"by_n","fields":[{"path":"n"}]}]})");
  for (const char* id : {"a", "b", "c"}) api->send("PUT", docs + "/" + id, R"({"n":1})");
  const std::string then = render_rfc3339(api->now(), Fraction::micros);
  EXPECT_EQ(api->status("PATCH", docs + "/a", R"({"n":2})"), 200);
  EXPECT_EQ(api->status("PATCH", docs + "/b", R"({"m":2})"), 200);
  api->send("DELETE", docs + "/c");
  const std::string asked = R"("filter":"n = 1","as_of":")" + then + '"';
  EXPECT_EQ(by_body(*api, asked), "a b c");
  const Value plan = api->json("POST", place + "/query", "{" + asked + R"(,"explain":true})");
  EXPECT_NE(plan.member("plan").text().find("index by_n"), std::string::npos);
  EXPECT_EQ(by_body(*api, R"("filter":"n = 1")"), "b");
}

TEST(NativeListsTest, ExplainGivesThePlan) {
  auto api = with_people();
  const Value answer =
      api->json("POST", place + "/query", R"({"filter":"age > 1","sort":"city","explain":true})");
  const std::string plan = answer.member("plan").text();
  EXPECT_NE(plan.find(".age > 1"), std::string::npos) << plan;
  EXPECT_NE(plan.find("sort"), std::string::npos) << plan;
}

TEST(NativeListsTest, AHoldIsShownHoweverTheListIsMade) {
  auto api = with_people();
  EXPECT_EQ(api->status("PUT", place + "/holds/ann", R"({"reason":"a long legal matter"})"), 204);
  EXPECT_EQ(api->status("PUT", docs + "/zed",
                        R"({"age":1,"s":")" + std::string(1'000'000, 'x') + R"("})"),
            201);
  const auto holds = [&](const std::string& query) {
    const Value told = api->json("GET", docs + query);
    std::string all;
    for (const Value& row : told.member("documents").array()) {
      if (!row.member("hold").is_missing()) all += render_json(row.member("hold"));
    }
    return all;
  };
  const std::string shown = holds("?select=age");
  EXPECT_NE(shown.find("a long legal matter"), std::string::npos) << shown;
  EXPECT_EQ(holds("?select=age&sort=age"), shown);
  EXPECT_EQ(holds("?select=age&filter=age%20%3E%2025"), shown);
}

TEST(NativeListsTest, PagesOfTheTrashAndOfHoldsEndByTheirBytes) {
  auto api = Api::with_collection(R"({"keep_trash_for":100})");
  const std::string text(1'000'000, 'x');
  std::string all;
  for (int i = 0; i < 40; ++i) {
    const std::string id = "d" + std::to_string(100 + i);
    EXPECT_EQ(api->status("PUT", place + "/documents/" + id, R"({"text":")" + text + R"("})"), 201);
    EXPECT_EQ(api->status("DELETE", place + "/documents/" + id), 204);
    EXPECT_EQ(api->status("PUT", place + "/holds/" + id, "{}"), 204);
    all += (all.empty() ? "" : " ") + id;
  }
  for (const char* list : {"/trash", "/holds"}) {
    std::string ids;
    std::string page;
    int pages = 0;
    do {
      net::Request request{.method = "GET", .target = place + list, .path = place + list};
      request.parameters = {{"limit", "1000"}};
      if (!page.empty()) request.parameters.emplace_back("page", page);
      const net::Response answer = net::PendingRequest(*api->dialect, request)->answer();
      ASSERT_EQ(answer.status, 200) << answer.body.substr(0, 200);
      EXPECT_LE(answer.body.size(), limits::query_bytes_max / 4 + 2 * text.size());
      const Value told = *parse_json(answer.body, {.bytes_max = limits::query_bytes_max});
      ids += (ids.empty() ? "" : " ") + Api::ids_of(told.member("documents"));
      const Value next = told.member("next");
      page = next.is(Kind::text) ? next.text() : "";
    } while (!page.empty() && ++pages < 10);
    EXPECT_EQ(ids, all) << list;
    EXPECT_GT(pages, 0) << list;
  }
}

// Each selected field is looked up in each document of the page.
TEST(NativeListsTest, SelectsABoundedNumberOfFieldsWithinTheTimeOfTheRequest) {
  auto api = with_people();
  std::string names = "f1";
  for (std::size_t i = 1; i < limits::selected_fields_max; ++i) names += fmt::format(",f{}", i + 1);
  const auto query = [&](const std::string& select, Instant answer_by) {
    return net::answer_of(*api->dialect, {.method = "POST",
                                          .path = place + "/query",
                                          .body = R"({"select":")" + select + R"("})",
                                          .answer_by = answer_by})
        .status;
  };
  const Instant later = monotonic_now() + Span::seconds(60);
  EXPECT_EQ(query(names, later), 200);
  EXPECT_EQ(query(names + ",a", later), 413);
  EXPECT_EQ(query(names, monotonic_now()), 504);
  EXPECT_EQ(query("age", monotonic_now()), 200);
}

// A field within another selected field is not read a second time.
TEST(NativeListsTest, SelectsAFieldOnceHoweverOftenItIsNamed) {
  auto api = Api::with_collection();
  api->send("PUT", docs + "/a", R"({"o":{"p":1,"q":{"r":2}},"n":3})");
  const auto selected = [&](const std::string& select) {
    const Value answer = api->json("GET", docs + "?select=" + select);
    return render_json(answer.member("documents").array().front().member("data"));
  };
  EXPECT_EQ(selected("o.q.r,n,o.p"), R"({"o":{"q":{"r":2},"p":1},"n":3})");
  EXPECT_EQ(selected("o.q.r,n,o,o.p,n,o"), R"({"o":{"p":1,"q":{"r":2}},"n":3})");
  EXPECT_EQ(parse_selection("o.q.r,n,o.p,o,o.p,n,o")->size(), 2U);
  EXPECT_EQ(selected("n.x,n"), R"({"n":3})");
}

}  // namespace
}  // namespace mayfly::native::testing
