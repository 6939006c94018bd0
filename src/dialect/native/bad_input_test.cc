// Wrong input is refused with a clear error that names the part at fault.
#include <fmt/format.h>

#include "base/limits.h"
#include "dialect/native/testing.h"

namespace mayfly::native::testing {
namespace {

struct Bad {
  std::string method;
  std::string target;  // appended to the collection's path, unless it begins with /v1
  std::string body;
  int status;
  std::string error;  // code and field
};

std::string nested(std::size_t depth) {
  return R"({"a":)" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

std::string with_promise(const std::string& member) {
  return "{" + member + "}";
}

const std::vector<Bad>& promises() {
  static const std::vector<Bad> table = [] {
    const std::vector<std::pair<std::string, std::string>> wrong = {
        {R"("default_ttl":0)", "default_ttl"},
        {R"("default_ttl":-1)", "default_ttl"},
        {R"("default_ttl":1.5)", "default_ttl"},
        {R"("default_ttl":2147483648)", "default_ttl"},
        {R"("default_ttl":1e400)", ""},
        {R"("default_ttl":"10")", "default_ttl"},
        {R"("default_ttl":"forever")", "default_ttl"},
        {R"("default_ttl":true)", "default_ttl"},
        {R"("default_ttl":[])", "default_ttl"},
        {R"("stamp_ttl":5)", "stamp_ttl"},
        {R"("stamp_ttl":{})", "stamp_ttl.seconds"},
        {R"("stamp_ttl":{"seconds":0})", "stamp_ttl.seconds"},
        {R"("stamp_ttl":{"seconds":"5"})", "stamp_ttl.seconds"},
        {R"("stamp_ttl":{"seconds":99999999999})", "stamp_ttl.seconds"},
        {R"("stamp_ttl":{"seconds":5,"when":"often"})", "stamp_ttl.when"},
        {R"("stamp_ttl":{"seconds":5,"when":null})", "stamp_ttl.when"},
        {R"("stamp_ttl":{"seconds":5,"days":1})", "stamp_ttl.days"},
        {R"("writers_may_set_ttl":"yes")", "writers_may_set_ttl"},
        {R"("writers_may_set_ttl":null)", "writers_may_set_ttl"},
        {R"("keep_history_for":-1)", "keep_history_for"},
        {R"("keep_history_for":"never")", "keep_history_for"},
        {R"("keep_trash_for":null)", "keep_trash_for"},
        {R"("keep_trash_for":0.5)", "keep_trash_for"},
        {R"("keep_feed_for":2147483648)", "keep_feed_for"},
        {R"("keep_feed_for":{})", "keep_feed_for"},
        {R"("keep_purges_for":-5)", "keep_purges_for"},
        {R"("expire_to_trash":"yes")", "expire_to_trash"},
        {R"("expire_to_trash":true)", "expire_to_trash"},
        {R"("indexed":1)", "indexed"},
        {R"("ttl":5)", "ttl"},
        {R"("defaultTtl":5)", "defaultTtl"},
        {R"("default_ttl":5,"indexed":false)", "indexed"},
    };
    std::vector<Bad> all;
    for (const auto& [member, field] : wrong) {
      const std::string error = field.empty() ? "invalid" : "invalid " + field;
      all.push_back({"PATCH", "", with_promise(member), 400, error});
      all.push_back({"PUT", "/../new", with_promise(member), 400, error});
    }
    return all;
  }();
  return table;
}

const std::vector<Bad>& indexes() {
  static const std::vector<Bad> table = {
      {"POST", "/indexes", "", 400, "invalid"},
      {"POST", "/indexes", "{}", 400, "invalid name"},
      {"POST", "/indexes", R"({"name":"i"})", 400, "invalid fields"},
      {"POST", "/indexes", R"({"name":1,"fields":[]})", 400, "invalid name"},
      {"POST", "/indexes", R"({"name":"i","fields":[]})", 400, "invalid fields"},
      {"POST", "/indexes", R"({"name":"i","fields":["a"]})", 400, "invalid fields[0]"},
      {"POST", "/indexes", R"({"name":"i","fields":[{"path":"a"},{}]})", 400,
       "invalid fields[1].path"},
      {"POST", "/indexes", R"({"name":"i","fields":[{"path":"a b"}]})", 400,
       "invalid fields[0].path"},
      {"POST", "/indexes", R"({"name":"i","fields":[{"path":""}]})", 400, "invalid fields[0].path"},
      {"POST", "/indexes", R"({"name":"i","fields":[{"path":"a","order":"up"}]})", 400,
       "invalid fields[0].order"},
      {"POST", "/indexes", R"({"name":"i","fields":[{"path":"a","each":1}]})", 400,
       "invalid fields[0].each"},
      {"POST", "/indexes", R"({"name":"i","fields":[{"path":"a","desc":true}]})", 400,
       "invalid fields[0].desc"},
      {"POST", "/indexes", R"({"name":"i","fields":[{"path":"@expires_at"}]})", 400,
       "invalid fields"},
      {"POST", "/indexes", R"({"name":"i","fields":[{"path":"a"}],"unique":1})", 400,
       "invalid unique"},
      {"POST", "/indexes", R"({"name":"","fields":[{"path":"a"}]})", 400, "invalid name"},
      {"PUT", "", R"({"indexes":{}})", 400, "invalid indexes"},
      {"PUT", "", R"({"indexes":[1]})", 400, "invalid indexes[0]"},
      {"PUT", "", R"({"indexes":[{"name":"i"}]})", 400, "invalid indexes[0].fields"},
      {"PATCH", "", R"({"indexes":[]})", 400, "invalid indexes"},
  };
  return table;
}

const std::vector<Bad>& documents() {
  static const std::vector<Bad> table = {
      {"PUT", "/documents/a", "", 400, "invalid body"},
      {"PUT", "/documents/a", "{", 400, "invalid body"},
      {"PUT", "/documents/a", "[]", 400, "invalid body"},
      {"PUT", "/documents/a", "1", 400, "invalid body"},
      {"PUT", "/documents/a", R"({"a":1,})", 400, "invalid body"},
      {"PUT", "/documents/a", R"({"a":1} x)", 400, "invalid body"},
      {"PUT", "/documents/a", R"({"a":1e400})", 400, "invalid body"},
      {"PUT", "/documents/a", "{\"a\":\"\xff\"}", 400, "invalid body"},
      {"PUT", "/documents/a", nested(limits::document_depth_max + 1), 413, "too_large body"},
      {"PUT", "/documents/a", R"({"a":")" + std::string(limits::document_bytes_max, 'x') + R"("})",
       413, "too_large body"},
      {"PUT", "/documents/a%00b", "{}", 400, "invalid id"},
      {"PUT", "/documents/" + std::string(limits::document_id_bytes_max + 1, 'i'), "{}", 400,
       "invalid id"},
      {"GET", "/documents/" + std::string(limits::document_id_bytes_max + 1, 'i'), "", 400,
       "invalid id"},
      {"POST", "/documents?id=", "{}", 400, "invalid id"},
      {"POST", "/documents", "[]", 400, "invalid body"},
      {"PATCH", "/documents/there", "", 400, "invalid body"},
      {"PATCH", "/documents/there", "[1]", 400, "invalid body"},
      {"PATCH", "/documents/there", "{\"a\"}", 400, "invalid body"},
      {"PATCH", "/documents/nobody", "{}", 404, "not_found id"},
      {"GET", "/documents/nobody", "", 404, "not_found id"},
      {"DELETE", "/documents/nobody", "", 404, "not_found id"},
      {"GET", "/documents/nobody/history", "", 404, "not_found id"},
      {"PUT", "/documents/a?ttl=0", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?ttl=-1", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?ttl=1.5", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?ttl=", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?ttl=ten", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?ttl=%2B5", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?ttl=2147483648", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?ttl=99999999999999999999", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?ttl=5&ttl=6", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?ttl=5&never=true", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?expires_at=2030-01-01T00:00:00Z&never=true", "{}", 400,
       "invalid expires_at"},
      {"PUT", "/documents/a?never=true&inherit=true", "{}", 400, "invalid never"},
      {"PUT", "/documents/a?never=yes", "{}", 400, "invalid never"},
      {"PUT", "/documents/a?never=false", "{}", 400, "invalid never"},
      {"PUT", "/documents/a?inherit=false", "{}", 400, "invalid inherit"},
      {"PUT", "/documents/a?expires_at=2020-01-01T00:00:00Z", "{}", 400, "invalid expires_at"},
      {"PUT", "/documents/a?expires_at=2027-01-15T08:00:00Z", "{}", 400, "invalid expires_at"},
      {"PUT", "/documents/a?expires_at=tomorrow", "{}", 400, "invalid expires_at"},
      {"PUT", "/documents/a?expires_at=2030-02-30T00:00:00Z", "{}", 400, "invalid expires_at"},
      {"PUT", "/documents/a?expires_at=2030-01-01", "{}", 400, "invalid expires_at"},
      {"PATCH", "/documents/there?ttl=0", "{}", 400, "invalid ttl"},
      {"PUT", "/documents/a?tll=5", "{}", 400, "invalid tll"},
      {"GET", "/documents/there?ttl=5", "", 400, "invalid ttl"},
      {"DELETE", "/documents/there?final=maybe", "", 400, "invalid final"},
      {"DELETE", "/documents/there", R"({"final":true})", 400, "invalid body"},
      {"POST", "/documents/there/touch", R"({"ttl":5})", 400, "invalid body"},
      {"POST", "/trash/there/restore", R"({"ttl":5})", 400, "invalid body"},
      {"GET", "/documents/there?as_of=now", "", 400, "invalid as_of"},
      {"GET", "/documents/there?as_of=2026-01-01T00:00:00Z", "", 400, "invalid as_of"},
      {"GET", "/documents/there?as_of=2099-01-01T00:00:00Z", "", 400, "invalid as_of"},
  };
  return table;
}

const std::vector<Bad>& lists() {
  static const std::vector<Bad> table = {
      {"GET", "/documents?limit=0", "", 400, "invalid limit"},
      {"GET", "/documents?limit=1001", "", 400, "invalid limit"},
      {"GET", "/documents?limit=x", "", 400, "invalid limit"},
      {"GET", "/documents?page=", "", 400, "invalid page"},
      {"GET", "/documents?page=abc", "", 400, "invalid page"},
      {"GET", "/documents?page=AAAAAAAAAAAAAAAAAAAA", "", 400, "invalid page"},
      {"GET", "/documents?sort=", "", 400, "invalid sort"},
      {"GET", "/documents?sort=a,,b", "", 400, "invalid sort"},
      {"GET", "/documents?sort=@nothing", "", 400, "invalid sort"},
      {"GET", "/documents?sort=a,b,c,d,e,f,g,h,i", "", 413, "too_large sort"},
      {"GET", "/documents?select=", "", 400, "invalid select"},
      {"GET", "/documents?select=a[0]", "", 400, "invalid select"},
      {"GET", "/documents?filter=", "", 400, "invalid filter"},
      {"GET", "/documents?filter=a%3D", "", 400, "invalid filter"},
      {"GET", "/documents?as_of=2099-01-01T00:00:00Z", "", 400, "invalid as_of"},
      {"GET", "/documents?lifetime=all", "", 400, "invalid lifetime"},
      {"POST", "/query", R"({"lifetime":1})", 400, "invalid lifetime"},
      {"GET", "/documents?order=a", "", 400, "invalid order"},
      {"GET", "/count?limit=5", "", 400, "invalid limit"},
      {"GET", "/count?filter=(", "", 400, "invalid filter"},
      {"POST", "/query", "[]", 400, "invalid"},
      {"POST", "/query", R"({"filter":1})", 400, "invalid filter"},
      {"POST", "/query", R"({"where":"a"})", 400, "invalid where"},
      {"POST", "/query", R"({"limit":0})", 400, "invalid limit"},
      {"POST", "/query", R"({"limit":"5"})", 400, "invalid limit"},
      {"POST", "/query", R"({"explain":1})", 400, "invalid explain"},
      {"POST", "/query", R"({"as_of":5})", 400, "invalid as_of"},
      {"POST", "/query?filter=a", "{}", 400, "invalid filter"},
      {"GET", "/trash?limit=0", "", 400, "invalid limit"},
      {"GET", "/trash?page=zz", "", 400, "invalid page"},
      {"POST", "/trash/nobody/restore", "", 404, "not_found id"},
      {"DELETE", "/trash/nobody", "", 404, "not_found id"},
      {"GET", "/feed?after=5", "", 400, "invalid after"},
      {"GET", "/feed?after=5.x", "", 400, "invalid after"},
      {"GET", "/feed?after=5.99999999999", "", 400, "invalid after"},
      {"GET", "/feed?limit=-1", "", 400, "invalid limit"},
      {"GET", "/feed?wait_seconds=61", "", 400, "invalid wait_seconds"},
      {"GET", "/feed?wait_seconds=-1", "", 400, "invalid wait_seconds"},
  };
  return table;
}

const std::vector<Bad>& elsewhere() {
  static const std::vector<Bad> table = {
      {"POST", "/v1/databases", "", 400, "invalid"},
      {"POST", "/v1/databases", "{}", 400, "invalid name"},
      {"POST", "/v1/databases", R"({"name":5})", 400, "invalid name"},
      {"POST", "/v1/databases", R"({"name":""})", 400, "invalid name"},
      {"POST", "/v1/databases", R"({"name":"a/b"})", 400, "invalid name"},
      {"POST", "/v1/databases", R"({"name":"a\nb"})", 400, "invalid name"},
      {"POST", "/v1/databases", R"({"name":")" + std::string(256, 'n') + R"("})", 400,
       "invalid name"},
      {"POST", "/v1/databases", R"({"name":"x","kind":1})", 400, "invalid kind"},
      {"PUT", "/v1/databases/x", R"({"name":"x"})", 400, "invalid name"},
      {"PUT", "/v1/databases/x%2Fy", "", 400, "invalid name"},
      {"GET", "/v1/databases/none", "", 404, "not_found database"},
      {"GET", "/v1/databases/none/collections", "", 404, "not_found database"},
      {"PUT", "/v1/databases/none/collections/c", "", 404, "not_found database"},
      {"POST", "/v1/databases/d/collections", "{}", 400, "invalid name"},
      {"POST", "/v1/databases/d/collections", R"({"name":"c"})", 409, "exists name"},
      {"GET", "/v1/databases/d/collections/none", "", 404, "not_found collection"},
      {"PATCH", "/v1/databases/d/collections/none", "{}", 404, "not_found collection"},
      {"GET", "/v1/databases/d/collections/none/documents", "", 404, "not_found collection"},
      {"PUT", "/v1/databases/d/collections/none/documents/a", "{}", 404, "not_found collection"},
      {"GET", "/v1/databases/d/collections/none/documents/a", "", 404, "not_found collection"},
      {"GET", "/v1/databases/d/collections/none/feed", "", 404, "not_found collection"},
      {"DELETE", "/v1/databases/d/collections/c/", "", 400, "invalid path"},
      {"DELETE", "/v1/databases/d/", "", 400, "invalid path"},
      {"PATCH", "/v1/databases/d/collections/c/", "{}", 400, "invalid path"},
      {"POST", "/v1/clock", "", 400, "invalid"},
      {"POST", "/v1/clock", "{}", 400, "invalid advance_seconds"},
      {"POST", "/v1/clock", R"({"advance_seconds":-1})", 400, "invalid advance_seconds"},
      {"POST", "/v1/clock", R"({"advance_seconds":"1"})", 400, "invalid advance_seconds"},
      {"POST", "/v1/clock", R"({"advance_seconds":1e30})", 400, "invalid advance_seconds"},
      {"POST", "/v1/clock", R"({"advance_seconds":1,"set":"2030-01-01T00:00:00Z"})", 400,
       "invalid advance_seconds"},
      {"POST", "/v1/clock", R"({"set":"2020-01-01T00:00:00Z"})", 400, "invalid set"},
      {"POST", "/v1/clock", R"({"set":5})", 400, "invalid set"},
      {"POST", "/v1/clock", R"({"advance":5})", 400, "invalid advance"},
      {"GET", "/v1/clock?now=1", "", 400, "invalid now"},
      {"POST", "/v1/sweeper/run", R"({"x":1})", 400, "invalid body"},
      {"POST", "/v1/sweeper/stop", "", 404, "not_found"},
      {"GET", "/v1/sweeper/run", "", 405, "unsupported"},
  };
  return table;
}

TEST(NativeBadInputTest, EachIsRefusedAndTheErrorNamesThePartAtFault) {
  std::size_t rows = 0;
  for (const auto* table : {&promises(), &indexes(), &documents(), &lists(), &elsewhere()}) {
    for (const Bad& bad : *table) {
      auto api = Api::with_collection();
      api->send("PUT", place + "/documents/there", "{}");
      std::string target = bad.target.starts_with("/v1") ? bad.target : place + bad.target;
      if (const auto up = target.find("/c/.."); up != target.npos) target.erase(up, 5);
      const net::Response refused = api->send(bad.method, target, bad.body);
      const std::string shown =
          bad.method + " " + target.substr(0, 120) + " " + bad.body.substr(0, 80);
      ASSERT_EQ(refused.status, bad.status) << shown << " -> " << refused.body;
      EXPECT_EQ(Api::error_of(refused), bad.error) << shown << " -> " << refused.body;
      EXPECT_EQ(api->get("there"), "{}") << shown;
      ++rows;
    }
  }
  EXPECT_GE(rows, 60u);
}

TEST(NativeBadInputTest, APageIsGoodOnlyForItsOwnListAndUnaltered) {
  auto api = Api::with_collection(R"({"keep_trash_for":100,"keep_history_for":100})");
  for (const char* id : {"a", "b", "c"}) api->send("PUT", place + "/documents/" + id, "{}");
  const Value list = api->json("GET", place + "/documents?limit=1&sort=n");
  const std::string next = list.member("next").text();
  const auto error = [&](const std::string& query) {
    return Api::error_of(api->send("GET", place + "/documents?" + query));
  };
  EXPECT_EQ(api->status("GET", place + "/documents?sort=n&page=" + next), 200);
  EXPECT_EQ(error("sort=m&page=" + next), "invalid page");
  EXPECT_EQ(error("page=" + next), "invalid page");
  EXPECT_EQ(error("sort=n&filter=a%3D1&page=" + next), "invalid page");
  EXPECT_EQ(error("sort=n&as_of=2027-01-15T08:00:00.000005Z&page=" + next), "invalid page");
  EXPECT_EQ(Api::error_of(api->send("GET", place + "/trash?page=" + next)), "invalid page");
  for (std::size_t i = 0; i < next.size(); ++i) {
    std::string altered = next;
    altered[i] = altered[i] == 'A' ? 'B' : 'A';
    EXPECT_EQ(error("sort=n&page=" + altered), "invalid page") << i;
  }
  EXPECT_EQ(error("sort=n&page=" + next.substr(0, next.size() - 1)), "invalid page");
}

TEST(NativeBadInputTest, APageIsGoodForADayOnItsOwnServerAndInItsOwnDatabase) {
  auto api = Api::with_collection(R"({"keep_trash_for":1000000})");
  for (const char* id : {"a", "b"}) {
    api->send("PUT", place + "/documents/" + id, "{}");
    api->send("PUT", place + "/documents/gone" + id, "{}");
    api->send("DELETE", place + "/documents/gone" + id);
  }
  api->send("PUT", "/v1/databases/other");
  const std::string other = "/v1/databases/other/collections/c";
  api->send("PUT", other, R"({"keep_trash_for":1000000})");
  for (const std::string list : {"/documents", "/trash"}) {
    const std::string next = api->json("GET", place + list + "?limit=1").member("next").text();
    const auto outcome = [&](const std::string& in, const std::string& page) {
      const net::Response answer = api->send("GET", in + list + "?page=" + page);
      return answer.status == 200 ? "200" : Api::error_of(answer);
    };
    EXPECT_EQ(outcome(place, next), "200");
    EXPECT_EQ(outcome(other, next), "invalid page");
    // A token made by a client that knows the format but not the secret.
    const std::string name = list == "/trash" ? "native trash " : "native documents ";
    const CatalogPtr catalog = api->database->catalog();
    const auto c = catalog->find_collection(catalog->find_database("d")->id, "c");
    const std::string of = name + std::to_string(c->id) + (list == "/trash" ? "" : " now");
    const Bytes at = *api->page_tokens.open(of, next, api->now());
    EXPECT_EQ(outcome(place, api->page_tokens.seal({of, at})), "200");
    EXPECT_EQ(outcome(place, PageTokens("guessed").seal({of, at})), "invalid page");
    api->advance(86'390);
    EXPECT_EQ(outcome(place, next), "200");
    api->advance(20);
    EXPECT_EQ(outcome(place, next), "invalid page");
  }
}

TEST(NativeBadInputTest, AnErrorExplainsEncodingInUrls) {
  auto api = Api::with_collection();
  const auto message = [&](const std::string& query) {
    const net::Response refused = api->send("PUT", place + "/documents/a?" + query, "{}");
    EXPECT_EQ(refused.status, 400) << refused.body;
    return parse_json(refused.body)->member("error").member("message").text();
  };
  EXPECT_EQ(message("ttl=3&never=true"),
            "at most one of ttl, expires_at, never and inherit may be given");
  const std::string time = R"("expires_at" must be a time in RFC 3339, as in 2026-09-01T00:00:00Z)";
  EXPECT_EQ(message("expires_at=tomorrow"), time);
  // In a URL a '+' is a space.
  EXPECT_EQ(message("expires_at=2030-01-01T00:00:00+01:00"),
            time + "; in a URL, write the + of an offset as %2B");
  EXPECT_EQ(api->status("PUT", place + "/documents/a?expires_at=2030-01-01T00:00:00%2B01:00", "{}"),
            201);
  EXPECT_EQ(api->get("a", "expires_at"), R"("2029-12-31T23:00:00Z")");
}

TEST(NativeBadInputTest, AnAuthorMustBeShortText) {
  auto api = Api::with_collection();
  const auto error = [&](const std::string& author) {
    return Api::error_of(
        api->send("PUT", place + "/documents/a", "{}", {{"mayfly-author", author}}));
  };
  EXPECT_EQ(error(std::string(257, 'a')), "invalid Mayfly-Author");
  EXPECT_EQ(error("\xff"), "invalid Mayfly-Author");
}

}  // namespace
}  // namespace mayfly::native::testing
