// What an import writes, requires and refuses, over HTTP.
#include "dialect/fauna/limits.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna {
namespace {

class Import : public testing::FaunaTest {
 protected:
  testing::Reply import(const std::string& lines, const std::string& parameters = "") {
    return send("POST", "/import/1" + parameters, lines);
  }
  // "3 created, 1 expired; made: A; 2: why".
  std::string summary_of(const testing::Reply& reply) {
    if (reply.status() != 200) return reply.result();
    std::string text;
    for (const char* name : {"created", "replaced", "unchanged", "expired"}) {
      const std::string count = reply.text(name);
      if (count != "0") text += (text.empty() ? "" : ", ") + count + " " + name;
    }
    for (const mayfly::Value& made : reply.at("collections").array())
      text += "; made " + made.text();
    for (const mayfly::Value& refused : reply.at("refused").array()) {
      text += "; " + std::to_string(refused.member("document").integer()) + ": " +
              refused.member("reason").text();
    }
    return text;
  }
  std::string imported(const std::string& lines, const std::string& parameters = "") {
    return summary_of(import(lines, parameters));
  }
  void push(const std::string& text) {
    const std::string mark = "mark";
    const testing::Reply reply =
        send("POST", "/schema/1/merge",
             "--" + mark + "\r\nContent-Disposition: form-data; name=\"main.fsl\"\r\n\r\n" + text +
                 "\r\n--" + mark + "--\r\n",
             {{"content-type", "multipart/form-data; boundary=" + mark}});
    EXPECT_EQ(reply.status(), 200) << reply.response.body;
  }
};

const std::string ada =
    R"({"id":"11","coll":"User","ts":"2025-01-02T03:04:05.678901Z","name":"ada"})";

TEST_F(Import, WritesDocumentsOfBothFormatsIntoCollectionsThatItMakes) {
  EXPECT_EQ(
      imported(ada + "\n" +
               R"({"@doc":{"id":"21","coll":{"@mod":"Cart"},"ts":{"@time":"2025-01-02T03:04:05Z"},)"
               R"("user":{"@ref":{"id":"11","coll":{"@mod":"User"}}},"n":{"@int":"3"}}})"),
      "2 created; made Cart; made User");
  run_steps({{"", "Cart.byId(21)!.user.name", R"("ada")"},
             {"", "Cart.byId(21)!.n + 1", "4"},
             {"", "User.byId(11)!.ts == Cart.byId(21)!.ts", "true"},
             {"", "User.all().first()!.id", R"("11")"}});
}

TEST_F(Import, KeepsValuesOfEveryType) {
  const std::string values =
      R"("i":{"@int":"-5"},"l":{"@long":"9007199254740993"},"d":{"@double":"0.1"},)"
      R"("nan":{"@double":"NaN"},"inf":{"@double":"-Infinity"},"t":{"@time":"2020-01-02T03:04:05.123456789Z"},)"
      R"("day":{"@date":"2020-02-29"},"b":{"@bytes":"AQID"},"m":{"@mod":"User"},)"
      R"("u":{"@uuid":"550e8400-e29b-41d4-a716-446655440000"},"s":"text","yes":true,)"
      R"("o":{"a":[{"@int":"1"},null]},"at":{"@object":{"@int":"x"}},)"
      R"("gone":{"@ref":{"id":"99","coll":{"@mod":"Nowhere"},"exists":false,"cause":"not found"}},)"
      R"("named":{"@ref":{"name":"User","coll":{"@mod":"Collection"}}})";
  ASSERT_EQ(imported(R"({"@doc":{"id":"1","coll":{"@mod":"Thing"},)" + values + "}}"),
            "1 created; made Thing");
  const testing::Reply shown = query("Thing.byId(1)", {{"x-format", "tagged"}});
  const std::string body = shown.response.body;
  for (const char* part :
       {R"("i":{"@int":"-5"})", R"("l":{"@long":"9007199254740993"})", R"("d":{"@double":"0.1"})",
        R"("nan":{"@double":"NaN"})", R"("inf":{"@double":"-Infinity"})",
        R"("t":{"@time":"2020-01-02T03:04:05.123456789Z"})", R"("day":{"@date":"2020-02-29"})",
        R"("b":{"@bytes":"AQID"})", R"("m":{"@mod":"User"})",
        R"("u":{"@uuid":"550e8400-e29b-41d4-a716-446655440000"})", R"("a":[{"@int":"1"},null])",
        R"("at":{"@object":{"@int":"x"}})", R"("id":"99")",
        R"("named":{"@ref":{"name":"User","coll":{"@mod":"Collection"})"}) {
    EXPECT_NE(body.find(part), body.npos) << part << "\n" << body;
  }
}

TEST_F(Import, SimpleTextsGetTheTypesOfTheSchema) {
  push(
      "collection Cart {\n  since: Time\n  day: Date?\n  raw: Bytes?\n  price: Double\n"
      "  user: Ref<User>\n  days: Array<Date>\n  deep: { since: Time, *: Any }?\n"
      "  either: Int | Time | String\n  plain: String\n}\ncollection User { name: String }");
  EXPECT_EQ(
      imported(
          R"({"id":"1","coll":"Cart","since":"2025-01-02T03:04:05Z","day":"2025-01-02","raw":"AQID",)"
          R"("price":5,"user":{"id":"11","coll":"User"},"days":["2025-01-03"],)"
          R"("deep":{"since":"2025-01-02T03:04:05Z","x":{"id":"11","coll":"User"}},)"
          R"("either":"2025-01-02T03:04:05Z","plain":"2025-01-02T03:04:05Z"})"
          "\n" +
          ada),
      "2 created");
  run_steps({{"", "Cart.byId(1)!.since.year", "2025"},
             {"", "Cart.byId(1)!.day!.month", "1"},
             {"", "Cart.byId(1)!.raw!.toBase64()", R"("AQID")"},
             {"", "Cart.byId(1)!.user.name", R"("ada")"},
             {"", "Cart.byId(1)!.days[0].dayOfMonth", "3"},
             {"", "Cart.byId(1)!.deep!.since.year", "2025"},
             {"", "Cart.byId(1)!.deep!.x.name", R"("ada")"},
             {"", "Cart.byId(1)!.either isa Time", "true"},
             {"", "Cart.byId(1)!.plain isa String", "true"},
             {"", "Cart.byId(1)!.price isa Double", "true"}});
}

TEST_F(Import, TheTtlIsKeptWhateverTheRulesOfTheCollection) {
  push("collection Session { user: String  ttl_days 1 }");
  EXPECT_EQ(
      imported(R"({"id":"1","coll":"Session","user":"a","ttl":"2026-02-27T10:00:10.0000005Z"})"
               "\n"
               R"({"id":"2","coll":"Session","user":"b"})"
               "\n"
               R"({"id":"3","coll":"Session","user":"c","ttl":"2026-02-27T10:00:00Z"})"),
      "2 created, 1 expired");
  run_steps({{"", "Session.byId(1)!.ttl", R"("2026-02-27T10:00:10.000000500Z")"},
             {"", "Session.byId(2)!.ttl", "null"},
             {"", "Session.byId(3).exists()", "false"},
             {"", "wait 11"},
             {"", "Session.byId(1).exists()", "false"},
             {"", "wait 864000"},
             {"", "Session.byId(2).exists()", "true"}});
}

TEST_F(Import, ARepeatedImportChangesNothing) {
  const std::string lines =
      ada + "\n" + R"({"id":"12","coll":"User","ttl":"2027-01-01T00:00:00Z"})";
  EXPECT_EQ(imported(lines), "2 created; made User");
  run_steps({{"", "User.byId(11)!.ts", "$ts="}});
  advance_clock(5);
  EXPECT_EQ(imported(lines), "2 unchanged");
  run_steps(
      {{"", "User.byId(11)!.ts", R"("$ts")"}, {"", "User.byId(12)!.update({ n: 1 }).n", "1"}});
  EXPECT_EQ(imported(lines), "1 replaced, 1 unchanged");
  run_steps({{"", "User.byId(12)!.n", "null"}});
}

TEST_F(Import, ComputedFieldsAreDroppedAndReservedNamesAreBelowData) {
  push(
      "collection User { *: Any  compute upper = (u => u.name)  compute all: Set<User> = (_ => "
      "User.all()) }");
  EXPECT_EQ(
      imported(
          R"({"@doc":{"id":"1","coll":{"@mod":"User"},"name":"ada","upper":"ADA",)"
          R"("all":{"@set":{"data":[],"after":"x"}},"data":{"ttl":"mine","ts":{"@int":"1"}}}})"),
      "1 created");
  run_steps({{"", "User.byId(1)!.upper", R"("ada")"},
             {"", "User.byId(1)!.data", R"({"name":"ada","ttl":"mine","ts":1})"}});
}

TEST_F(Import, ARefusedDocumentEndsTheBatchOrIsSkipped) {
  push(
      "collection User {\n  name: String\n  age: Int?\n  unique [.name]\n"
      "  check adult (.age == null || .age! >= 18)\n}");
  const std::string lines = R"({"id":"1","coll":"User","name":"ada"})"
                            "\n"
                            R"({"id":"2","coll":"User","name":"kid","age":3})"
                            "\n"
                            R"({"id":"3","coll":"User","name":"ada"})"
                            "\n"
                            R"({"id":"4","coll":"User","age":"x","more":1})"
                            "\n"
                            R"({"id":"5","coll":"User","name":"bob"})"
                            "\n"
                            R"({"id":"6","coll":"User","name":"kid","age":20})"
                            "\n"
                            R"({"id":"x","coll":"User"})"
                            "\n"
                            R"({"id":"7")"
                            "\n"
                            R"({"id":"8","coll":"Key","name":"k"})";
  EXPECT_EQ(imported(lines), "1 created; 1: User 2: Document failed check constraint `adult`");
  run_steps({{"", "User.all().count()", "1"}});
  const std::string all = imported(lines, "?on_refused=skip");
  for (const char* part :
       {"2 created, 1 unchanged; 1: User 2: Document failed check constraint `adult`; 2: User 3: "
        "name: Failed "
        "unique constraint; 3: User 4: name: Missing required field of type String; age: Expected "
        "Int | "
        "Null, provided String; more: Unexpected field provided; 6: \"id\" is not a number",
        "; 7: ", "; 8: Key 8: Key is no collection of users' documents"}) {
    EXPECT_NE(all.find(part), all.npos) << part << "\n" << all;
  }
  run_steps({{"", "User.all().map(.name).toArray()", R"(["ada","bob","kid"])"}});
}

TEST_F(Import, ChecksMayReadByIndexesAndLog) {
  push(
      "collection User { index byName { terms [.name] }\n"
      "check alone (u => { log(u.name)\n User.byName(u.name).count() == 1 }) }");
  EXPECT_EQ(imported(ada + "\n" + R"({"id":"12","coll":"User","name":"bob"})"), "2 created");
  const std::string refused = imported(R"({"id":"13","coll":"User","name":"bob"})"
                                       "\n" +
                                           ada,
                                       "?continue=true");
  EXPECT_NE(refused.find("alone"), std::string::npos) << refused;
}

TEST_F(Import, TheTimeOfTheExportCanBeStoredInAField) {
  EXPECT_EQ(imported(ada, "?ts_field=was"), "1 created; made User");
  run_steps({{"", "User.byId(11)!.was", R"("2025-01-02T03:04:05.678901Z")"},
             {"", "User.byId(11)!.ts == User.byId(11)!.was", "false"}});
  EXPECT_EQ(imported(ada, "?ts_field=name"),
            "; 0: User 11: name: the field that is to keep the ts is there already");
}

TEST_F(Import, SchemaItemsReplaceItemsOfTheSameName) {
  push("// of A\ncollection A { a: Int }\nfunction f() { 1 }");
  EXPECT_EQ(imported(R"({"id":"1","coll":"B"})"), "1 created; made B");
  push("collection A { a: Int  b: Int? }");
  push("collection A { a: Int  b: Int? }");
  run_steps(
      {{"", "A.create({ a: 1, b: 2 }).b", "2"}, {"", "f()", "1"}, {"", "B.all().count()", "1"}});
  const std::string text = send("GET", "/schema/1/files/main.fsl").text("content");
  EXPECT_EQ(text.find("collection A"), text.rfind("collection A")) << text;
  EXPECT_NE(text.find("function f"), text.npos) << text;
  EXPECT_NE(text.find("collection B"), text.npos) << text;
}

TEST_F(Import, IsForAdministratorsAndBounded) {
  secret = "secret:server";
  EXPECT_EQ(imported(ada), "403 forbidden: Access denied");
  secret = "secret";
  EXPECT_EQ(imported(ada, "?on_refused=later"), "invalid_request: on_refused must be stop or skip");
  std::string many;
  for (std::size_t i = 0; i <= limits::import_documents_max; ++i) many += ada + "\n";
  EXPECT_EQ(import(many).status(), 413);
  EXPECT_EQ(query("User.all().count()").code(), "unbound_variable");
}

}  // namespace
}  // namespace mayfly::fauna
