// The files of a schema over HTTP, as the command line client sends and reads them.
#include <utility>

#include "dialect/fauna/push/diff/diff.h"
#include "dialect/fauna/push/http/testing.h"

namespace mayfly::fauna {
namespace {

using SchemaApi = testing::SchemaTest;

TEST_F(SchemaApi, PushesFiles) {
  const testing::Reply reply =
      post("update?force=true&staged=false",
           {{"main.fsl", "collection Product { name: String  ttl_days 30 }"}});
  EXPECT_EQ(reply.status(), 200) << "F01 " << reply.response.body;
  run_steps({{"F01", "Product.definition.ttl_days", "30"},
             {"", R"(Product.create({ name: "a" }).name)", R"("a")"}});
  EXPECT_EQ(query("1").text("schema_version"), reply.text("version")) << "F01";
  EXPECT_EQ(diff("collection Product { name: String  ttl_days 30 }"), "") << "F02";
  EXPECT_TRUE(diff("collection Product { name: String  ttl_days 31 }")
                  .starts_with("* Modifying collection `Product` at main.fsl:1:1"))
      << "F02";
  const testing::Reply stale =
      post("update?version=3", {{"main.fsl", "collection Product { name: String }"}});
  EXPECT_EQ(stale.status(), 409) << "F03";
  EXPECT_EQ(stale.message(), "Stale schema version provided") << "F03";
  EXPECT_EQ(get("files").text("files"), R"([{"filename":"main.fsl"}])") << "F05";
  EXPECT_EQ(diff(main_text()), "") << "F05";
}

TEST_F(SchemaApi, ShowsFilesWithoutDeletedItems) {
  ASSERT_EQ(pushed("// a\ncollection A {}\n\n// f\nfunction f(x) { x }\n\n"
                   "function g(x) { x }\n// h\nfunction h(x) { x }\n\n\nfunction i(x) { x }\n"),
            "");
  run_steps({{"", R"(["f", "g"].forEach(n => Function.byName(n)!.delete()))"},
             {"", R"(Function.byName("h")!.update({ body: "x => x + 1" }).name)", "\"h\""}});
  EXPECT_EQ(main_text(),
            "// a\ncollection A {}\n\n// h\nfunction h(x) {\n  x + 1\n}\n\n\n"
            "function i(x) { x }\n");
  run_steps({{"", R"(Function.byName("i")!.delete().exists())", "false"},
             {"", R"(A.definition.delete().exists())", "false"}});
  EXPECT_EQ(main_text(), "// h\nfunction h(x) {\n  x + 1\n}\n\n\n");
}

TEST_F(SchemaApi, ChangesNothingAfterTheTimeOfTheRequest) {
  net::Request request = mayfly::testing::read_request(
      "POST", "/schema/1/update?force=true&staged=false",
      {{"authorization", "Bearer " + secret},
       {"content-type", "multipart/form-data; boundary=mark"}},
      "--mark\r\nContent-Disposition: form-data; name=\"main.fsl\"; filename=\"blob\"\r\n\r\n"
      "collection Late {}\r\n--mark--\r\n");
  request.answer_by = Instant{1};
  EXPECT_EQ(net::PendingRequest(*dialect, request)->answer().status, 503);
  run_steps({{"", "Late.all()", "unbound_variable: …"}});
}

TEST_F(SchemaApi, ReportsThePositionsOfItems) {
  EXPECT_EQ(diff("collection A {}; collection B {}\n\n/* é\n */ collection C {}\n", "diff=summary"),
            "* Adding collection `A` to main.fsl:1:1\n* Adding collection `B` to main.fsl:1:18\n"
            "* Adding collection `C` to main.fsl:4:5\n");
}

TEST_F(SchemaApi, RefusesWhatIsWrong) {
  for (const auto& [text, wrong] : std::vector<std::pair<std::string, std::string>>{
           {"collection A { ttl_days \"x\" }", "Expected integer literal"},
           {"collection A { ttl_days 1\n ttl_days 2 }", "Duplicate ttl days"},
           {"collection A { ttl: Time }", "Invalid reserved name `ttl`"},
           {"role r { privileges Nope { read } }", "Resource `Nope` does not exist"},
           {"collection Time { }", "The identifier `Time` is reserved."},
       }) {
    const testing::Reply reply = post("update?force=true", {{"main.fsl", text}});
    EXPECT_EQ(reply.status(), 400) << "F04 " << text;
    EXPECT_EQ(reply.code(), "invalid_schema") << text;
    EXPECT_NE(reply.message().find(wrong), std::string::npos) << reply.message();
    EXPECT_NE(reply.message().find("at main.fsl:1:"), std::string::npos) << reply.message();
  }
  EXPECT_EQ(post("update", {{"x.txt", ""}}).message(), "Invalid filename `x.txt`") << "F09";
  EXPECT_EQ(post("update", {}).status(), 400) << "an empty folder";
  EXPECT_EQ(
      post("update", {{"a.fsl", "collection A {}"}, {"b.fsl", "function A() { 1 }"}}).status(),
      400);
  std::string many = "collection A {";
  for (int i = 0; i <= 2'000; ++i) many += "\nf" + std::to_string(i) + ": Int";
  EXPECT_EQ(post("update", {{"a.fsl", many + "\n}"}}).message(), "Too many members in `A`");
  EXPECT_EQ(query("Collection.all().count()").data(), "0");
}

TEST_F(SchemaApi, OverridesOrMerges) {
  EXPECT_EQ(
      post("update", {{"a.fsl", "collection A {}"}, {"sub/b.fsl", "collection B {}"}}).status(),
      200);
  EXPECT_EQ(get("files/sub%2Fb.fsl").text("content"), "collection B {}");
  EXPECT_EQ(post("update?override=false", {{"c.fsl", "collection C {}"}}).status(), 200) << "F08";
  EXPECT_EQ(query("Collection.all().map(.name).toArray()").data(), R"(["A","B","C"])");
  EXPECT_EQ(post("update", {{"c.fsl", "collection C {}"}}).status(), 200) << "F08";
  EXPECT_EQ(query("Collection.all().map(.name).toArray()").data(), R"(["C"])");
  EXPECT_EQ(post("update?force=true", {}).status(), 200);
  EXPECT_EQ(query("Collection.all().count()").data(), "0");
  EXPECT_EQ(get("files/no.fsl").status(), 404);
}

TEST_F(SchemaApi, StagesUntilTheCommit) {
  EXPECT_EQ(get("staged/status").text("status"), "none") << "F06";
  const testing::Reply nothing = send("POST", "/schema/1/staged/commit?force=true");
  EXPECT_EQ(nothing.status(), 400) << "F06";
  EXPECT_EQ(nothing.message(), "There is no staged schema to commit") << "F06";
  EXPECT_EQ(send("POST", "/schema/1/abandon").message(), "There is no staged schema to abandon");
  EXPECT_EQ(post("update?force=true&staged=true", {{"main.fsl", "collection A {}"}}).status(), 200);
  EXPECT_EQ(query("Collection.all().count()").data(), "0");
  const testing::Reply status = get("staged/status?format=summary");
  EXPECT_EQ(status.text("status"), "ready");
  EXPECT_EQ(status.text("pending_summary"), "");
  EXPECT_EQ(status.text("diff"), "* Adding collection `A` to main.fsl:1:1\n");
  EXPECT_EQ(get("files?staged=true").text("files"), R"([{"filename":"main.fsl"}])");
  EXPECT_EQ(get("files").text("files"), "[]");
  EXPECT_EQ(diff("collection A {}", "staged=true"), "");
  EXPECT_EQ(send("POST", "/schema/1/staged/commit?version=" + status.text("version")).status(),
            200);
  EXPECT_EQ(query("Collection.all().count()").data(), "1");
  EXPECT_EQ(get("status").text("status"), "none");
  EXPECT_EQ(post("update?staged=true", {{"main.fsl", "collection B {}"}}).status(), 200);
  EXPECT_EQ(send("POST", "/schema/1/staged/abandon?force=true").status(), 200);
  EXPECT_EQ(get("status").text("status"), "none");
}

TEST_F(SchemaApi, ShowsChangesByFql) {
  run_steps(
      {{"F10",
        R"(Collection.create({name: "Foo", indexes: { byA: { terms: ["a"], values: [{ field: ".b", order: "desc" }] } }, constraints: [{ unique: [".a"] }, { check: { name: "ok", body: "doc => doc.a > 0" } }], ttl_days: 3}))"},
       {"", R"(Function.create({name: "f", body: "x => x * 2", role: "server"}))"},
       {"",
        R"(Role.create({name: "r", privileges: { resource: "Foo", actions: { read: true, write: "doc => doc.a == 1" } } }))"}});
  const std::string expected =
      "// The following schema is auto-generated.\n"
      "// This file contains FSL for FQL10-compatible schema items.\n"
      "\n"
      "collection Foo {\n"
      "  index byA {\n"
      "    terms [.a]\n"
      "    values [desc(.b)]\n"
      "  }\n"
      "  unique [.a]\n"
      "  check ok ((doc) => doc.a > 0)\n"
      "  ttl_days 3\n"
      "}\n"
      "\n"
      "@role(server)\n"
      "function f(x) {\n"
      "  x * 2\n"
      "}\n"
      "\n"
      "role r {\n"
      "  privileges Foo {\n"
      "    read\n"
      "    write {\n"
      "      predicate ((doc) => doc.a == 1)\n"
      "    }\n"
      "  }\n"
      "}\n";
  EXPECT_EQ(main_text(), expected) << "M1";
  EXPECT_EQ(diff(expected), "") << "M1";
  EXPECT_EQ(pushed("// kept\n" + expected), "");
  run_steps({{"", R"(Foo.definition.update({ ttl_days: 4 }).ttl_days)", "4"},
             {"", R"(Role.byName("r")!.delete())"}});
  const std::string now = main_text();
  EXPECT_TRUE(now.starts_with("// kept\n")) << now;
  EXPECT_NE(now.find("ttl_days 4"), std::string::npos) << now;
  EXPECT_EQ(now.find("role r {"), std::string::npos) << now;
  run_steps({{"f", "f(4)", "8"}});
}

TEST_F(SchemaApi, ParametersWithoutNamesStay) {
  run_steps(
      {{"", R"(Function.create({ name: "f", body: "(_, x) => x" }))"},
       {"",
        R"(Collection.create({ name: "C", constraints: [{ check: { name: "ok", body: "_ => true" } }] }))"}});
  const std::string text = main_text();
  EXPECT_NE(text.find("function f(_, x) {"), std::string::npos) << text;
  EXPECT_NE(text.find("check ok ((_) => true)"), std::string::npos) << text;
  EXPECT_EQ(pushed(text), "");
  run_steps({{"", "[f(1, 2), C.create({}).exists()]", "[2,true]"}});
}

TEST_F(SchemaApi, ShowsDifferences) {
  EXPECT_EQ(diff("collection Foo { ttl_days 10\n history_days 0\n compute c = (.a)\n *: Any }"),
            "* Adding collection `Foo` to main.fsl:1:1:\n"
            "  * Defined fields:\n"
            "  + add wildcard\n"
            "\n"
            "  * Computed fields:\n"
            "  + add computed field `c`\n"
            "\n"
            "  * Configuration:\n"
            "  + add ttl_days set to 10\n"
            "\n")
      << "F07";
  const std::string before =
      "collection Foo {\n  a: Int\n  b: Int\n  index byA {\n    terms [.a]\n  }\n  unique [.a]\n"
      "  check ok (.a > 0)\n  history_days 10\n}\n\nfunction f(x) { x }\n";
  EXPECT_EQ(pushed(before), "");
  const std::string after =
      "@alias(Bar)\ncollection Foo {\n  z: Int\n  n: Int\n  index byB {\n    terms [.z]\n  }\n"
      "  unique [mva(.z)]\n  check ok (.z > 0)\n"
      "  migrations {\n    drop .b\n    move .a -> .z\n    add .n\n    backfill .n = 0\n  }\n}\n\n"
      "function f(x) { x + 1 }\n";
  EXPECT_EQ(diff(after),
            "* Modifying collection `Foo` at main.fsl:1:1:\n"
            "  * Defined fields:\n"
            "  + add field `.n` with backfill `0`\n"
            "  - drop field `.b`\n"
            "  ~ move field `.a` to field `.z`\n"
            "\n"
            "  * Indexes:\n"
            "  + add index `byB`\n"
            "  - remove index `byA`\n"
            "\n"
            "  * Constraints:\n"
            "  + add unique constraint on [mva(.z)]\n"
            "  - remove unique constraint on [.a]\n"
            "  ~ change check constraint `ok` body\n"
            "\n"
            "  * Configuration:\n"
            "  + add alias set to Bar\n"
            "  ~ change history_days from 10 to 0\n"
            "\n"
            "* Modifying function `f` at main.fsl:18:1:\n"
            "  ~ change body\n"
            "\n");
  EXPECT_EQ(diff(before + "\nfunction g() { 1 }\n", "format=summary"),
            "* Adding function `g` to main.fsl:14:1\n");
  EXPECT_EQ(diff("function f(x) { x }", "diff=summary"),
            "* Removing collection `Foo` from main.fsl:1:1\n");
  EXPECT_NE(diff(before + "\nfunction g() { 1 }\n", "format=summary&color=ansi").find("\x1b["),
            std::string::npos);
}

TEST(TextDiff, ShowsLines) {
  const auto shown = [](const std::string& a, const std::string& b) {
    return render_text_diff({{"main.fsl", a}}, {{"main.fsl", b}});
  };
  EXPECT_EQ(shown("a\nb\n", "a\nc\n"), "main.fsl\n@ line 1 to 1\n  a\n- b\n+ c\n\n") << "F07";
  EXPECT_EQ(shown("a\n", "a\n"), "");
  EXPECT_EQ(shown("1\n2\n3\n4\n5\n6\nx\n", "1\n2\n3\n4\n5\n6\ny\n"),
            "main.fsl\n@ line 4 to 4\n  4\n  5\n  6\n- x\n+ y\n\n");
  EXPECT_EQ(shown("a\n1\n2\n3\n4\n5\n6\n7\nb\n", "1\n2\n3\n4\n5\n6\n7\n"),
            "main.fsl\n@ line 1 to 1\n- a\n  1\n  2\n  3\n@ line 6 to 5\n  5\n  6\n  7\n- b\n\n");
  EXPECT_EQ(shown("", "a\n"), "main.fsl\n@ line 1 to 1\n+ a\n\n");
}

TEST_F(SchemaApi, NeedsRights) {
  EXPECT_EQ(pushed("collection A {}"), "");
  secret = "secret:server";
  EXPECT_EQ(get("files").status(), 200);
  EXPECT_EQ(post("update?force=true", {{"main.fsl", ""}}).status(), 403) << "M3";
  secret = "secret:client";
  EXPECT_EQ(get("files").status(), 403) << "J1";
  EXPECT_EQ(get("files").code(), "forbidden") << "J1";
  secret = "nobody";
  EXPECT_EQ(get("files").status(), 401);
}

TEST_F(SchemaApi, ServesSingleItems) {
  EXPECT_EQ(pushed("// about\ncollection A {}\n"), "");
  const testing::Reply shown = get("items/collections/A");
  EXPECT_EQ(shown.text("filename"), "main.fsl");
  EXPECT_EQ(shown.text("content"), "collection A {}");
  EXPECT_EQ(shown.text("span"), R"({"start":9,"end":24})");
  EXPECT_EQ(send("POST", "/schema/1/items/functions", "function f() { 1 }").status(), 200);
  EXPECT_EQ(query("f()").data(), "1");
  EXPECT_EQ(send("POST", "/schema/1/items/functions/f", "function f() { 2 }").status(), 200);
  EXPECT_EQ(query("f()").data(), "2");
  EXPECT_EQ(
      send("POST", "/schema/1/items/functions/f?validate=true", "function f() { 3 }").status(),
      200);
  EXPECT_EQ(query("f()").data(), "2");
  EXPECT_EQ(send("DELETE", "/schema/1/items/collections/A").status(), 200);
  EXPECT_EQ(query("Collection.all().count()").data(), "0");
  EXPECT_EQ(get("items/collections/A").status(), 404);
  EXPECT_EQ(get("items/things/A").status(), 404);
}

}  // namespace
}  // namespace mayfly::fauna
