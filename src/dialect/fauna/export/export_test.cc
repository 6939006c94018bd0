// Pages of an export, over HTTP.
#include "dialect/fauna/limits.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna {
namespace {

class Export : public testing::FaunaTest {
 protected:
  testing::Reply page(const std::string& collection, Instant at, const std::string& after = "") {
    return send("GET", "/export/1/documents?collection=" + collection + "&at=" +
                           std::to_string(at.micros) + (after.empty() ? "" : "&after=" + after));
  }
  testing::Reply page(const std::string& collection) { return page(collection, database->now()); }
  static std::vector<std::string> lines_of(const testing::Reply& reply) {
    std::vector<std::string> lines;
    EXPECT_EQ(reply.status(), 200) << reply.response.body;
    const mayfly::Value documents = reply.at("documents");
    if (!documents.is(Kind::array)) return lines;
    for (const mayfly::Value& line : documents.array()) lines.push_back(line.text());
    return lines;
  }
  // Without its `ts`.
  static std::string line_of(const testing::Reply& reply) {
    const auto lines = lines_of(reply);
    EXPECT_EQ(lines.size(), 1U);
    std::string line = lines.empty() ? "" : lines.front();
    const std::size_t begin = line.find(R"("ts":)");
    return line.erase(begin, line.find('}', begin) + 2 - begin);
  }
};

TEST_F(Export, ALineKeepsAllTypesAndIdsWithinFields) {
  run_steps(
      {{"", R"(Collection.create({ name: "A", document_ttls: true }).name)"},
       {"", R"(A.create({ id: 5, ttl: Time("2026-02-27T10:01:00.000000001Z"), i: 1, id2: ID("7"),
                       o: { "@x": [ID("8"), A.byId("9")] }, "@top": Time("2026-01-01T00:00:00Z") }).id)"}});
  EXPECT_EQ(
      line_of(page("A")),
      R"({"@doc":{"id":"5","coll":{"@mod":"A"},"ttl":{"@time":"2026-02-27T10:01:00.000000001Z"},)"
      R"("i":{"@int":"1"},"id2":{"@id":"7"},"o":{"@object":{"@x":[{"@id":"8"},)"
      R"({"@ref":{"id":"9","coll":{"@mod":"A"}}}]}},"@top":{"@time":"2026-01-01T00:00:00Z"}}})");
}

TEST_F(Export, FieldsWithTheNamesOfMetadataAreBelowData) {
  run_steps(
      {{"", R"(Collection.create({ name: "A" }).name)"},
       {"", R"(A.createData({ id: 1, ts: null, data: { ttl: 2 }, coll: "c", name: "n" }).name)"}});
  const std::string line = line_of(page("A"));
  EXPECT_NE(
      line.find(
          R"("name":"n","data":{"id":{"@int":"1"},"data":{"ttl":{"@int":"2"}},"coll":"c"}}})"),
      line.npos)
      << line;
}

TEST_F(Export, ComputedFieldsAreNotExported) {
  ASSERT_EQ(push("collection A { *: Any  compute bad = (_ => abort(1)) }").status(), 200);
  run_steps({{"", "A.create({ id: 1, n: 1 }) {id}"}});
  const std::string line = line_of(page("A"));
  EXPECT_EQ(line.find("bad"), line.npos) << line;
}

TEST_F(Export, PagesAreBoundedAndOfTheirInstant) {
  run_steps({{"", R"(Collection.create({ name: "A" }).name)"},
             {"", "let text = \"" + std::string(100'000, 'x') +
                      "\"\nSet.sequence(0, 100).forEach(n => "
                      "A.create({ id: n, text: text }))"}});
  const Instant at = database->now();
  const testing::Reply first = page("A", at);
  std::size_t bytes = 0;
  for (const std::string& line : lines_of(first)) bytes += line.size();
  EXPECT_GE(bytes, limits::exported_page_bytes_max);
  EXPECT_LE(bytes, limits::exported_page_bytes_max + 101'000);
  advance_clock(5);
  run_steps({{"", "A.all().forEach(d => d.delete())"}, {"", "A.create({ id: 1000 }).id"}});
  std::vector<std::string> lines = lines_of(first);
  for (testing::Reply next = first; !next.text("after").empty();) {
    next = page("A", at, next.text("after"));
    for (std::string& line : lines_of(next)) lines.push_back(std::move(line));
    ASSERT_LE(lines.size(), 100U);
  }
  std::sort(lines.begin(), lines.end());
  EXPECT_EQ(std::unique(lines.begin(), lines.end()), lines.end());
  EXPECT_EQ(lines.size(), 100U);
  EXPECT_EQ(lines_of(page("A")).size(), 1U);
}

TEST_F(Export, APageWithoutDocumentsEndsToo) {
  run_steps({{"", R"(Collection.create({ name: "A" }).name)"}, {"", "A.create({ id: 0 }).id"}});
  const Instant at = database->now();
  advance_clock(1);
  run_steps({{"", "A.byId(0)!.delete() == null"},
             {"", "let text = \"" + std::string(100'000, 'x') +
                      "\"\nSet.sequence(1, 160).forEach(n => A.create({ id: n, text: text }))"}});
  std::size_t pages = 1;
  testing::Reply next = page("A", at);
  std::size_t lines = lines_of(next).size();
  for (; !next.text("after").empty() && pages < 100; ++pages) {
    next = page("A", at, next.text("after"));
    lines += lines_of(next).size();
  }
  EXPECT_EQ(lines, 1U);
  EXPECT_GT(pages, 1U);
  EXPECT_LT(pages, 100U);
}

TEST_F(Export, DocumentsThatExpiredSinceAreStillExported) {
  run_steps({{"", R"(Collection.create({ name: "A", document_ttls: true }).name)"},
             {"", R"(A.create({ id: 1, ttl: Time.now().add(10, "seconds") }).id)"}});
  const Instant at = database->now();
  advance_clock(60);
  EXPECT_EQ(lines_of(page("A", at)).size(), 1U);
  EXPECT_EQ(lines_of(page("A")).size(), 0U);
}

TEST_F(Export, AnInstantBeforeTheHistoryIsRefusedWithAnExplanation) {
  run_steps({{"", R"(Collection.create({ name: "A", history_days: 2 }).name)"},
             {"", "A.create({ id: 1 }).id"}});
  const Instant at = database->now();
  advance_clock(2 * 86'400 + 890);
  EXPECT_EQ(lines_of(page("A", at)).size(), 1U);
  advance_clock(60);
  const std::string result = page("A", at).result();
  EXPECT_EQ(result.find("invalid_request: the export is of 2026-02-27T10:00:00"), 0U) << result;
  EXPECT_NE(result.find("A keeps 2 days and 15 minutes of history"), result.npos) << result;
  EXPECT_NE(result.find("A.definition.update({ history_days: 3 })"), result.npos) << result;
}

TEST_F(Export, DocumentsThatNoImportTakesAreNamed) {
  run_steps({{"", R"(Collection.create({ name: "A" }).name)"},
             {"", R"(let many = Set.sequence(0, 16000).toArray().map(_ => 1)
                     A.create({ id: 1, a: Set.sequence(0, 34).toArray().map(_ => many) }).id)"},
             {"", "A.create({ id: 2 }).id"}});
  const testing::Reply reply = page("A");
  EXPECT_EQ(lines_of(reply).size(), 1U);
  EXPECT_EQ(reply.text("left_out[0].id"), "1");
  EXPECT_EQ(reply.text("left_out[0].reason"), "it takes more than 6291456 bytes as text");
}

TEST_F(Export, IsForAdministratorsAndReportsErrors) {
  run_steps({{"", R"(Collection.create({ name: "A" }).name)"}});
  EXPECT_EQ(page("Key").result(), "invalid_request: Key is no collection of users' documents");
  EXPECT_EQ(page("B").result(), "invalid_request: B is no collection of users' documents");
  EXPECT_EQ(page("A", database->now(), "!").result(),
            "invalid_request: after is the token of no page");
  EXPECT_EQ(send("GET", "/export/1/documents?collection=A&at=now").result(),
            "invalid_request: at must be microseconds since 1970");
  EXPECT_EQ(page("A", database->now() + Span::seconds(1)).result(),
            "invalid_request: at lies in the future");
  EXPECT_EQ(send("GET", "/export/1/documents?at=1").result(),
            "invalid_request: collection is missing");
  EXPECT_EQ(send("POST", "/export/1/documents?collection=A&at=1").status(), 405);
  secret = "secret:server";
  EXPECT_EQ(page("A").status(), 403);
  secret = "wrong";
  EXPECT_EQ(page("A").status(), 401);
}

}  // namespace
}  // namespace mayfly::fauna
