// Case23 to Case32, Case52 to Case58: what lists, queries and counts show, and that they do not
// show expired records.
#include "base/limits.h"
#include "dialect/centrali/testing.h"
#include "dialect/common/limits.h"
#include "net/requests/testing.h"

namespace mayfly::centrali::testing {
namespace {

// --- expired records ---

class CentraliExpiredTest : public CentraliTest {
 protected:
  CentraliExpiredTest() {
    make_structures();
    record = make_record("?ttlSeconds=1");
    clock.set(Instant{death.micros - 1});
    EXPECT_EQ(get(D + "/records/" + record).status(), 200);
  }
  void die() { clock.set(death); }
  std::size_t rows_of(const std::string& body) { return rows_in(post(D + "/records/query", body)); }
  static std::size_t rows_in(const Reply& reply) {
    EXPECT_EQ(reply.status(), 200);
    return reply.body.member("data").array().size();
  }
  const Instant death = parse_rfc3339("2026-02-27T10:00:01Z").value();
  std::string record;
};

TEST_F(CentraliExpiredTest, Case23IsNotFound) {
  die();
  const Reply reply = get(D + "/records/" + record);
  EXPECT_EQ(reply.at({"code"}), "404 NOT_FOUND");
  EXPECT_NE(reply.text("message").find("not found"), std::string::npos);
}

TEST_F(CentraliExpiredTest, Case24IsNotListed) {
  EXPECT_EQ(rows_in(get(D + "/records?structureId=S")), 1U);
  die();
  EXPECT_EQ(rows_in(get(D + "/records?structureId=S")), 0U);
}

TEST_F(CentraliExpiredTest, Case25IsNotInTheTotal) {
  const auto total = [&] {
    return get(D + "/records/slug/s?includeTotal=true").at({"meta.total"});
  };
  EXPECT_EQ(total(), "200 1");
  die();
  EXPECT_EQ(total(), "200 0");
  make_record();
  const Reply list = get(D + "/records/slug/s?includeTotal=true");
  EXPECT_EQ(list.at({"meta"}), R"(200 {"page":1,"pageSize":100,"total":1,"hasMore":false})");
}

TEST_F(CentraliExpiredTest, Case26IsNotFoundByAQuery) {
  const std::string by_id = R"({"resource":"s","where":{"id":{"eq":")" + record + R"("}}})";
  EXPECT_EQ(rows_of(R"({"resource":"s"})"), 1U);
  EXPECT_EQ(rows_of(by_id), 1U);
  die();
  EXPECT_EQ(rows_of(R"({"resource":"s"})"), 0U);
  EXPECT_EQ(rows_of(by_id), 0U);
}

TEST_F(CentraliExpiredTest, Case27IsNotCounted) {
  EXPECT_EQ(get(D + "/records/count?structureId=S").at({"count"}), "200 1");
  die();
  EXPECT_EQ(get(D + "/records/count?structureId=S").at({"count"}), "200 0");
  make_record();
  EXPECT_EQ(get(D + "/records/slug/s/count").at({"count"}), "200 1");
}

TEST_F(CentraliExpiredTest, Case28IsNotFoundByItsEndEither) {
  const std::string by_end =
      R"({"resource":"s","where":{"expiresAt":{"lte":"2026-02-27T10:00:02Z"}}})";
  EXPECT_EQ(rows_of(by_end), 1U);
  die();
  EXPECT_EQ(rows_of(by_end), 0U);
}

TEST_F(CentraliExpiredTest, Case29IsNotPatched) {
  die();
  EXPECT_EQ(patch(D + "/records/" + record + "?ttlSeconds=60").status(), 404);
  EXPECT_EQ(patch(D + "/records/" + record + "?clearTtl=true").status(), 404);
  EXPECT_EQ(send("PUT", D + "/records/" + record, R"({"data":{"userId":"u"}})").status(), 404);
}

TEST_F(CentraliExpiredTest, Case30IsNotDeleted) {
  die();
  EXPECT_EQ(send("DELETE", D + "/records/" + record).status(), 404);
  EXPECT_EQ(send("DELETE", D + "/records/" + record + "?hard=true").status(), 404);
  EXPECT_EQ(post(D + "/records/" + record + "/restore", "").status(), 404);
}

TEST_F(CentraliExpiredTest, Case31LeavesItsUniqueValueToOthers) {
  post(D + "/structures",
       R"({"name":"U","properties":[{"name":"mail","type":"string","isUnique":true}]})");
  make_record("?expiresAt=2026-02-27T11:00:00Z", "u", R"({"mail":"a"})");
  const Instant end = parse_rfc3339("2026-02-27T11:00:00Z").value();
  clock.set(Instant{end.micros - 1});
  const std::string same = R"({"structureId":"u","data":{"mail":"a"}})";
  EXPECT_EQ(post(D + "/records", same).status(), 409);
  clock.set(end);
  EXPECT_EQ(post(D + "/records", same).status(), 201);
}

TEST_F(CentraliExpiredTest, Case32IsGoneAtTheExactInstant) {
  const std::string id = make_record("?expiresAt=2026-02-27T11:00:00Z");
  clock.set(parse_rfc3339("2026-02-27T10:59:59.999999Z").value());
  EXPECT_EQ(get(D + "/records/" + id).status(), 200);
  EXPECT_EQ(get(D + "/records/count?structureId=S").at({"count"}), "200 1");
  clock.set(parse_rfc3339("2026-02-27T11:00:00Z").value());
  EXPECT_EQ(get(D + "/records/" + id).status(), 404);
  EXPECT_EQ(get(D + "/records/count?structureId=S").at({"count"}), "200 0");
}

// --- living records ---

class CentraliQueryTest : public CentraliTest {
 protected:
  CentraliQueryTest() {
    post(D + "/structures", R"({"name":"Orders"})");
    const char* orders[] = {
        R"({"n":1,"total":50,"status":"new","tags":["a","b"],"who":{"name":"Ann"}})",
        R"({"n":2,"total":100,"status":"paid","tags":["b"],"who":{"name":"Bob"}})",
        R"({"n":3,"total":150,"status":"paid","note":"Hello World"})",
        R"({"n":4,"total":"100","status":"sent","tags":[],"note":null})",
        R"({"n":5,"total":200.5,"status":"new,er","zip":"0123","done":true})",
    };
    for (const char* order : orders) {
      make_record("", "orders", order);
      pass(1);
    }
  }
  // The numbers of the orders that a GET returns.
  std::string flat(const std::string& parameters) {
    return sorted_column(get(D + "/records/slug/orders?" + parameters), "data.n");
  }
  std::string ordered(const std::string& parameters) {
    return column(get(D + "/records/slug/orders?" + parameters), "data.n");
  }
  std::string where(const std::string& condition) {
    return sorted_column(
        post(D + "/records/query", R"({"resource":"orders","where":)" + condition + "}"), "data.n");
  }
  Reply query(const std::string& members) {
    return post(D + "/records/query", R"({"resource":"orders",)" + members + "}");
  }
};

TEST_F(CentraliQueryTest, Case52EveryOperatorOfTheFlatForm) {
  const std::pair<const char*, const char*> table[] = {
      {"data.total[gte]=100", "2 3 4 5"},  // a text compares with texts
      {"data.total[gt]=100", "3 5"},
      {"data.total[lt]=100", "1"},
      {"data.total[lte]=100", "1 2 4"},
      {"data.total=100", "2 4"},
      {"data.total[eq]=100", "2 4"},
      {"data.total[ne]=100", "1 3 5"},
      {"data.status[in]=new,sent", "1 4"},
      {"data.status[nin]=new,sent", "2 3 5"},
      {"data.status[contains]=ew", "1 5"},
      {"data.tags[contains]=b", "1 2"},
      {"data.status[startsWith]=pa", "2 3"},
      {"data.status[endsWith]=t", "4"},
      {"data.tags[hasAny]=a,x", "1"},
      {"data.tags[hasAll]=a,b", "1"},
      {"data.note[exists]=true", "3 4"},
      {"data.note[exists]=false", "1 2 5"},
      {"data.who.name=Bob", "2"},
      {"data.zip=0123", "5"},
      {"data.done=true", "5"},
      {"data.note=null", "1 2 4 5"},
      {"data.total[gte]=100&data.status=paid", "2 3"},
      {"data.total[gte]=100&data.total[lt]=150", "2 4"},
      {"status=active", "1 2 3 4 5"},
      {"version[gt]=1", ""},
      {"createdAt[gte]=2026-02-27T10:00:03Z", "4 5"},
      {"createdAt[gt]=2026-02-27T10:00:03Z", "5"},
      {"createdAt[lte]=2026-02-27T10:00:01Z", "1 2"},
      {"createdAt=2026-02-27T10:00:01Z", "2"},
      {"expiresAt[exists]=false", "1 2 3 4 5"},
      {"search=hello", "3"},
      {"search=BOB&searchFields=data.who.name", "2"},
      {"search=paid&searchField=status", "2 3"},
      {"search=a&searchFields=tags", "1"},
      {"search=ann", "1"},
      {"search=a&searchFields=data.who", "1"},
      {"search=nothing", ""},
  };
  for (const auto& [parameters, expected] : table) {
    EXPECT_EQ(flat(parameters), expected) << parameters;
  }
}

TEST_F(CentraliQueryTest, ADeclaredTextIsNeverReadAsANumber) {
  post(D + "/structures", R"({"name":"Zips","properties":[{"name":"zip","type":"string"}]})");
  make_record("", "zips", R"({"zip":"12"})");
  EXPECT_EQ(column(get(D + "/records/slug/zips?data.zip=12"), "data.zip"), "12");
  EXPECT_EQ(column(get(D + "/records/slug/zips?data.zip=12.0"), "data.zip"), "");
}

TEST_F(CentraliQueryTest, Case53RecordsAreSorted) {
  EXPECT_EQ(ordered("sort=-createdAt"), "5 4 3 2 1");
  EXPECT_EQ(ordered("sort=createdAt"), "1 2 3 4 5");
  EXPECT_EQ(ordered("sort=data.status,-data.n"), "1 5 3 2 4");
  EXPECT_EQ(ordered("sort=-data.status,data.n"), "4 2 3 5 1");
  EXPECT_EQ(column(query(R"("sort":[{"field":"data.n","direction":"desc"}])"), "data.n"),
            "5 4 3 2 1");
  EXPECT_EQ(column(query(R"("sort":"-data.n")"), "data.n"), "5 4 3 2 1");
  EXPECT_EQ(column(query(R"("sort":["data.status","-data.n"])"), "data.n"), "1 5 3 2 4");
}

TEST_F(CentraliQueryTest, RecordsAreSortedByTheirEnd) {
  make_record("?ttlSeconds=60", "orders", R"({"n":6})");
  make_record("?ttlSeconds=30", "orders", R"({"n":7})");
  EXPECT_EQ(ordered("sort=expiresAt&expiresAt[exists]=true"), "7 6");
  EXPECT_EQ(ordered("expiresAt[lt]=2026-02-27T10:00:50Z"), "7");
  EXPECT_EQ(flat("expiresAt=null"), "1 2 3 4 5");
}

TEST_F(CentraliQueryTest, Case54PagesAndTotals) {
  const Reply page =
      get(D + "/records/slug/orders?sort=createdAt&page=2&pageSize=2&includeTotal=true");
  EXPECT_EQ(column(page, "data.n"), "3 4");
  EXPECT_EQ(page.at({"meta"}), R"(200 {"page":2,"pageSize":2,"total":5,"hasMore":true})");
  const Reply last = get(D + "/records/slug/orders?sort=createdAt&page=3&limit=2");
  EXPECT_EQ(column(last, "data.n"), "5");
  EXPECT_EQ(last.at({"meta"}), R"(200 {"page":3,"pageSize":2,"hasMore":false})");
  EXPECT_EQ(get(D + "/records/slug/orders?pageSize=5").at({"meta.hasMore"}), "200 false");
  for (const char* wrong :
       {"page=0", "pageSize=0", "pageSize=1001", "limit=x", "page=100000&pageSize=100"}) {
    EXPECT_EQ(get(D + "/records/slug/orders?" + std::string(wrong)).status(), 400) << wrong;
  }
}

TEST_F(CentraliQueryTest, Case55ConditionsNest) {
  const std::pair<const char*, const char*> table[] = {
      {R"({})", "1 2 3 4 5"},
      {R"({"data.total":{"gte":100}})", "2 3 5"},
      {R"({"data.total":100})", "2"},
      {R"({"data.total":{"gte":100,"lt":200}})", "2 3"},
      {R"({"and":[{"data.status":"paid"},{"data.total":{"gt":100}}]})", "3"},
      {R"({"or":[{"data.n":1},{"data.n":{"in":[3,5]}}]})", "1 3 5"},
      {R"({"not":{"data.status":{"in":["paid","sent"]}}})", "1 5"},
      {R"({"not":{"or":[{"data.n":1},{"not":{"data.n":{"lte":3}}}]}})", "2 3"},
      {R"({"not":{"data.note":{"contains":"Hello"}}})", "1 2 4 5"},
      {R"({"data.status":"paid","or":[{"data.n":2},{"data.n":1}]})", "2"},
      {R"({"and":[]})", "1 2 3 4 5"},
      {R"({"or":[]})", ""},
      {R"({"data.tags":{"eq":["b"]}})", "2"},
      {R"({"data.tags":{"hasAny":["a","x"]}})", "1"},
      {R"({"data.tags":{"hasAll":["b"]}})", "1 2"},
      {R"({"data.who":{"exists":true}})", "1 2"},
      {R"({"data.note":{"eq":null}})", "1 2 4 5"},
      {R"({"data.note":{"ne":null}})", "3"},
      {R"({"data.done":true})", "5"},
      {R"({"data.total[gt]":150})", "5"},
      {R"({"status":{"ne":"active"}})", ""},
      {R"({"createdAt":{"in":["2026-02-27T10:00:01Z","2026-02-27T10:00:04Z"]}})", "2 5"},
  };
  for (const auto& [condition, expected] : table) {
    EXPECT_EQ(where(condition), expected) << condition;
  }
  EXPECT_EQ(sorted_column(query(R"("filter":{"data.n":{"lt":3}})"), "data.n"), "1 2");
  EXPECT_EQ(sorted_column(query(R"("text":{"query":"b","fields":["who.name"]})"), "data.n"), "2");
}

TEST_F(CentraliQueryTest, Case56OnlyTheSelectedFieldsAreShown) {
  const Reply some =
      query(R"("select":{"fields":["data.n","data.who.name","expiresAt"]},"where":{"data.n":1})");
  EXPECT_EQ(some.body.member("data").array()[0].member("id").text().size(), 36U);
  EXPECT_EQ(some.at({"data[0].data", "data[0].expiresAt", "data[0].status"}),
            R"(200 {"n":1,"who":{"name":"Ann"}} null -)");
  const Reply flat_form =
      get(D + "/records/slug/orders?fields=data,createdAt&data.n=2&includeTotal=true");
  EXPECT_EQ(flat_form.at({"data[0].data.total", "data[0].createdAt", "data[0].version"}),
            "200 100 2026-02-27T10:00:01Z -");
}

TEST_F(CentraliQueryTest, Case57LimitAndOffset) {
  const Reply page = query(R"("sort":"data.n","page":{"limit":2,"offset":1},"includeTotal":true)");
  EXPECT_EQ(column(page, "data.n"), "2 3");
  EXPECT_EQ(page.at({"meta.total", "meta.pageSize", "meta.hasMore"}), "200 5 2 true");
  EXPECT_EQ(column(query(R"("sort":"data.n","page":2,"pageSize":2)"), "data.n"), "3 4");
  EXPECT_EQ(query(R"("page":{"limit":1001})").at({"details[0].field"}), "400 page.limit");
  EXPECT_EQ(query(R"("page":{"offset":-1})").at({"details[0].field"}), "400 page.offset");
}

TEST_F(CentraliQueryTest, Case58AnInvalidQueryIsRefused) {
  const std::pair<const char*, const char*> flat_table[] = {
      {"total=1", "400 total"},
      {"sort=total", "400 total"},
      {"sort=status", "400 sort"},
      {"fields=total", "400 total"},
      {"data.total[like]=1", "400 data.total[like]"},
      {"data.=1", "400 data."},
      {"createdAt[gt]=yesterday", "400 createdAt"},
      {"data.x[exists]=maybe", "400 data.x"},
      {"expand=author..name", "400 expand"},
  };
  for (const auto& [parameters, expected] : flat_table) {
    EXPECT_EQ(get(D + "/records/slug/orders?" + std::string(parameters)).at({"details[0].field"}),
              expected)
        << parameters;
  }
  const std::pair<const char*, const char*> table[] = {
      {R"("where":{"total":1})", "400 total"},
      {R"("where":[])", "400 where"},
      {R"("where":{"and":{}})", "400 where.and"},
      {R"("where":{"data.total":{"like":1}})", "400 data.total"},
      {R"("where":{"data.total":{"in":1}})", "400 data.total"},
      {R"("where":{"data.total":{"gt":[1]}})", "400 data.total"},
      {R"("sort":[{"field":"data.n","direction":"up"}])", "400 sort.0.direction"},
      {R"("include":[{"relation":5}])", "400 include.0.relation"},
      {R"("unknown":1)", "400 unknown"},
      {R"("select":{"fields":[1]})", "400 select.fields"},
  };
  for (const auto& [members, expected] : table) {
    EXPECT_EQ(query(members).at({"details[0].field"}), expected) << members;
  }
  EXPECT_EQ(get(D + "/records").at({"details[0].field"}), "400 structureId");
  EXPECT_EQ(get(D + "/records?structureId=none").status(), 404);
}

TEST_F(CentraliQueryTest, Case50ArchivedRecordsAreListedIfRequested) {
  const std::string id = get(D + "/records/slug/orders?data.n=2").text("data[0].id");
  send("DELETE", D + "/records/" + id);
  EXPECT_EQ(flat(""), "1 3 4 5");
  EXPECT_EQ(flat("includeArchived=true"), "1 2 3 4 5");
  EXPECT_EQ(flat("includeArchived=true&status=archived"), "2");
  EXPECT_EQ(flat("includeArchived=true&status[ne]=archived"), "1 3 4 5");
  EXPECT_EQ(query(R"("includeArchived":true,"includeTotal":true)").at({"meta.total"}), "200 5");
}

TEST_F(CentraliQueryTest, AFilterAsDeepAsABodyMayBeIsAnsweredOrRefused) {
  std::string condition = R"({"data.n":1})";
  for (int i = 0; i < 60; ++i) condition = R"({"not":)" + condition + "}";
  EXPECT_NE(query(R"("where":)" + condition).status(), 500);
  for (int i = 0; i < 200; ++i) condition = R"({"not":)" + condition + "}";
  EXPECT_GE(query(R"("where":)" + condition).status(), 400);
}

// Each field is looked up in each record of the page.
TEST_F(CentraliQueryTest, ABoundedNumberOfFieldsIsSelectedWithinTheTimeOfTheRequest) {
  std::string flat_form = "data.f1", canonical = R"("data.f1")";
  for (std::size_t i = 1; i < limits::selected_fields_max; ++i) {
    flat_form += ",data.f" + std::to_string(i + 1);
    canonical += R"(,"data.f)" + std::to_string(i + 1) + '"';
  }
  const auto select = [&](const std::string& fields) {
    return query(R"("select":{"fields":[)" + fields + "]}").at({"details[0].field"});
  };
  EXPECT_EQ(select(canonical), "200 -");
  EXPECT_EQ(select(canonical + R"(,"data.n")"), "400 fields");
  EXPECT_EQ(get(D + "/records/slug/orders?fields=" + flat_form).status(), 200);
  EXPECT_EQ(get(D + "/records/slug/orders?fields=" + flat_form + ",id").at({"details[0].field"}),
            "400 fields");
  EXPECT_EQ(query(R"("search":"a","searchFields":[)" + canonical + R"(,"data.n"])")
                .at({"details[0].field"}),
            "400 searchFields");
  const auto status_by = [&](const std::string& fields, Instant answer_by) {
    return net::answer_of(*dialect, {.method = "POST",
                                     .path = D + "/records/query",
                                     .headers = {{"authorization", "Bearer t"}},
                                     .body = R"({"resource":"orders","fields":[)" + fields + "]}",
                                     .answer_by = answer_by})
        .status;
  };
  EXPECT_EQ(status_by(canonical, monotonic_now() + Span::seconds(60)), 200);
  EXPECT_EQ(status_by(canonical, monotonic_now()), 504);
  EXPECT_EQ(status_by(R"("data.n")", monotonic_now()), 200);
}

TEST_F(CentraliQueryTest, AFieldWithinAnotherIsSelectedOnce) {
  const auto data = [&](const std::string& fields) {
    return get(D + "/records/slug/orders?data.n=1&fields=" + fields).at({"data[0].data"});
  };
  EXPECT_EQ(data("data.who.name,data.n,data.who,data.who,data.who.name"),
            R"(200 {"who":{"name":"Ann"},"n":1})");
  EXPECT_EQ(data("data.n.x,data.n"), R"(200 {"n":1})");
}

}  // namespace
}  // namespace mayfly::centrali::testing
