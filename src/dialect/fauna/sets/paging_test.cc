// Pages and cursors, and sets as values. The numbers are those of the cases.
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

class PagingTest : public FaunaTest {
 protected:
  // A collection `Foo` with that many documents, with ids from 100 on.
  void make(int documents) {
    run_steps({{"setup", R"(Collection.create({name: "Foo", indexes: {byA: {values: [".a"]}}}))"},
               {"", "Set.sequence(0, " + std::to_string(documents) +
                        ").forEach(i => Foo.create({id: 100 + i, foo: i, a: i % 3}))"}});
  }
};

TEST_F(PagingTest, Sizes) {
  make(48);
  run_steps({
      {"D11", "Foo.all().paginate(0)",
       "invalid_bounds: expected `size` to be between 1 and 16000 (inclusive), received 0"},
      {"", "Foo.all().pageSize(16001)", "invalid_bounds: …received 16001"},
      {"G4", "Foo.all().take(-1)",
       "invalid_bounds: expected `limit` to be greater than 0, received -1"},
      {"", "Foo.all().take(0).toArray()", "[]"},
      {"D12", "let p = Foo.all().where(.foo < 20).paginate(); [p.data.length, p.after != null]",
       "[16,true]"},
      {"", "Foo.all().where(.foo < 20).paginate().after", "$after="},
      {"", R"(Set.paginate("$after").data.map(.foo))", "[16,17,18,19]"},
      {"P15", R"(Set.paginate("$after").after)", "null"},
      {"", R"(Object.keys(Set.paginate("$after")))", R"(["data"])"},
      {"G4", "Foo.all().paginate(3).after", "$after="},
      {"", R"(Set.paginate("$after").data.map(.foo))", "[3,4,5]"},
      {"", R"(Set.paginate("$after", 2).data.map(.foo))", "[3,4]"},
      {"G6", "Foo.all().where(.foo > 100).paginate()", R"({"data":[],"after":null})"},
      {"", "Foo.all().where(.foo % 10 == 0).paginate(2).data.map(.foo)", "[0,10]"},
  });
}

TEST_F(PagingTest, ShowOneSnapshot) {
  make(6);
  run_steps({
      {"D13", "Foo.all().paginate(2).after", "$after="},
      {"", "Foo.create({id: 99, foo: -1})"},
      {"", "Foo.create({id: 106, foo: 6})"},
      {"", "Foo.byId(103)!.delete()", "null"},
      {"", "Foo.byId(104)!.update({foo: 40})"},
      {"", "restart"},
      {"", R"(Set.paginate("$after", 10).data.map(d => d?.foo))", "[2,null,40,5]"},
      {"G2", R"(Set.paginate("$after", 1).data.forEach(d => d.update({seen: true})))", "null"},
      {"", "Foo.byId(102)!.seen", "true"},
      {"projection", "Foo.all().map(.foo).paginate(4).after", "$mapped="},
      {"", "Foo.byId(105)!.update({foo: 50})"},
      {"", R"(Set.paginate("$mapped").data)", "[40,5,6]"},
  });
}

TEST_F(PagingTest, ASetInADocumentKeepsItsPageSizeAndItsSnapshot) {
  make(6);
  run_steps({
      {"",
       "Collection.create({name: 'Shop', computed_fields: {"
       "foos: {body: '_ => Foo.all().pageSize(4)'}}}).name",
       "\"Shop\""},
      {"", "Shop.create({id: 1}).id", "\"1\""},
  });
  const std::string cursor = query("Shop.byId(1)").text("data.foos");
  run_steps({
      {"", "Foo.create({id: 99, foo: -1}).foo", "-1"},
      {"", "Set.paginate('" + cursor + "').data.map(.foo)", "[0,1,2,3]"},
      {"", "Shop.byId(1)!.foos.paginate().data.map(.foo)", "[-1,0,1,2]"},
  });
}

TEST_F(PagingTest, ALambdaInACursorMayCaptureAsManyNamesAsInItsQuery) {
  make(6);
  std::string lets;
  std::string names;
  for (int i = 0; i < 600; ++i) {
    const std::string name = "name" + std::to_string(i);
    lets += "let " + name + " = " + std::to_string(i) + "\n";
    names += name + ",";
  }
  std::string body = "[" + names + "].length == 600";
  for (int depth = 0; depth < 8; ++depth) body = "(() => " + body + ")()";
  run_steps({
      {"", lets + "Foo.all().where(d => " + body + ").paginate(4).after", "$after="},
      {"", R"(Set.paginate("$after").data.map(.foo))", "[4,5]"},
  });
}

TEST_F(PagingTest, OfAQueryThatHasWritten) {
  make(3);
  run_steps({
      {"G1", "Foo.create({id: 200, foo: 200}); Foo.all().paginate(2).after", "$after="},
      {"", "Foo.create({id: 201, foo: 201})"},
      {"", R"(Set.paginate("$after").data.map(.foo))", "[2,200]"},
      {"", "Foo.byId(200)!.delete(); Foo.all().paginate(1).after", "$after="},
      {"", R"(Set.paginate("$after", 10).data.map(.foo))", "[1,2,201]"},
  });
}

TEST_F(PagingTest, OfAllKindsOfSets) {
  make(9);
  const std::pair<const char*, const char*> sets[] = {
      {"Foo.all().reverse().map(.foo)", "[8,7,6,5,4,3,2,1,0]"},
      {"Foo.byA().map(.foo)", "[0,3,6,1,4,7,2,5,8]"},
      {"Foo.byA({from: 1, to: 1}).map(.foo)", "[1,4,7]"},
      {"Foo.all().order(desc(.a)).map(.foo)", "[2,5,8,1,4,7,0,3,6]"},
      {"Foo.all().order(d => 0 - d.foo).map(.foo)", "[8,7,6,5,4,3,2,1,0]"},
      {"Foo.all().map(.a).distinct()", "[0,1,2]"},
      {"Foo.all().take(4).map(.foo)", "[0,1,2,3]"},
      {"Foo.all().drop(6).map(.foo)", "[6,7,8]"},
      {"Foo.all().take(2).concat(Foo.all().drop(7)).map(.foo)", "[0,1,7,8]"},
      {"Foo.all().take(2).flatMap(d => Set.sequence(d.foo, 3))", "[0,1,2,1,2]"},
      {"[1, 2, 3].toSet().where(n => n != 2)", "[1,3]"},
      {"Set.sequence(3, 6)", "[3,4,5]"},
      {"Set.single(5)", "[5]"},
      {"let n = 4; Foo.where(d => d.foo > n && d.a != 0).map(.foo)", "[5,7,8]"},
  };
  for (const auto& [set, all] : sets) {
    const std::string text(set);
    const std::size_t split = text.rfind(';') == text.npos ? 0 : text.rfind(';') + 1;
    const std::string before = text.substr(0, split);
    const std::string body = text.substr(split);
    EXPECT_EQ(query(before + body + ".toArray()").result(), all) << set;
    std::string joined;
    Reply page = query(before + body + ".paginate(2)");
    for (int pages = 0; pages < 10; ++pages) {
      ASSERT_EQ(page.status(), 200) << set << ' ' << page.response.body;
      const std::string data = page.text("data.data");
      if (data.size() > 2) {
        joined += (joined.empty() ? "" : ",") + data.substr(1, data.size() - 2);
      }
      if (page.text("data.after").size() <= 4) break;  // null, or not there
      page = query("Set.paginate(\"" + page.text("data.after") + "\")");
    }
    EXPECT_EQ("[" + joined + "]", all) << set;
  }
}

TEST_F(PagingTest, KeepTheOrderOfTheFirstPage) {
  make(6);
  const std::string all = "Foo.all().order(d => 0 - d.foo)";  // no index has this order
  run_steps({
      {"G3", all + ".paginate(2).after", "$documents="},
      {"", all + ".map(d => d.foo).paginate(2).after", "$mapped="},
      {"", all + ".where(d => d.foo != 1).paginate(2).after", "$filtered="},
      {"", "Foo.all().map(.foo).distinct().paginate(2).after", "$distinct="},
      {"", "Foo.all().map(.foo).reverse().paginate(2).after", "$reversed="},
      {"", "Foo.byId(100)!.update({foo: 100})"},
      {"", "Foo.create({id: 99, foo: 99})"},
      {"", "Foo.byId(102)!.delete()", "null"},
      {"", "restart"},
      {"", R"(Set.paginate("$documents", 10).data.map(d => d?.foo))", "[3,null,1,100]"},
      {"", R"(Set.paginate("$documents", 10).data.map(.id))", R"(["103","102","101","100"])"},
      {"", R"(Set.paginate("$mapped", 3).data)", "[3,2,1]"},
      {"", R"(Set.paginate(Set.paginate("$mapped", 3).after).data)", "[0]"},
      {"", R"(Set.paginate("$filtered", 10).data.map(.id))", R"(["103","102","100"])"},
      {"", R"(Set.paginate("$distinct", 10).data)", "[2,3,4,5]"},
      {"", R"(Set.paginate("$reversed", 10).data)", "[3,2,1,0]"},
      {"", "wait 4000"},
      {"bare documents need no history", R"(Set.paginate("$documents", 10).data.map(.id))",
       R"(["103","102","101","100"])"},
      {"lambdas do", R"(Set.paginate("$mapped", 10).data)", "invalid_request: …"},
  });
}

TEST_F(PagingTest, OfAnOrderTooLargeForACursor) {
  make(4);
  run_steps({
      {"setup", R"(let long = Array.sequence(0, 16).fold("0123456789", (s, _) => s + s);)"
                R"( Foo.all().forEach(d => d.update({long: long})))"},
      {"", "Foo.all().map(d => d.long + d.foo).order().paginate(1).after.length < 10000", "true"},
      {"", "Foo.all().map(d => d.long + d.foo).order().paginate(1).after", "$long="},
      {"", "Foo.byId(101)!.update({foo: 100})"},
      {"", R"(Set.paginate("$long", 3).data.map(.slice(655360)))", R"(["1","2","3"])"},
  });
}

// Documents that expire or are created between two pages are not shown, and the positions of all
// others stay the same.
TEST_F(PagingTest, KeepsItsElementsWhileDocumentsExpireAndAreCreated) {
  const std::pair<std::string_view, std::string_view> sets[] = {
      {"C.all()", "1 2 3 | 4 6 7 | 8 "},
      {"C.all().reverse()", "8 7 6 | 4 3 1 | "},
      {"C.where(.n < 5).concat(C.where(.n > 4))", "1 2 3 | 4 6 7 | 8 "},
      {"C.where(.n < 3).concat(C.where(.n > 2))", "1 2 3 | 4 6 7 | 8 "},
      {"C.where(.n < 5).concat(C.where(.n > 4)).reverse()", "8 7 6 | 4 3 1 | "},
      {"C.all().order(d => 0 - d.n)", "8 7 6 | 4 3 1 | "},
      {"C.all().distinct()", "1 2 3 | 4 6 7 | 8 "},
      {"[1, 3].toSet().flatMap(i => C.where(d => i == 1 && d.n < 3 || i == 3 && d.n > 2))",
       "1 2 3 | 4 6 7 | 8 "},
  };
  for (const auto& [set, all] : sets) {
    SCOPED_TRACE(set);
    run_steps({{"", R"(Collection.create({name: "C"}))"},
               {"", R"(Set.sequence(1, 9).forEach(i => C.create({id: i, n: i,
                   ttl: if (i == 2 || i == 5) { Time.now().add(2, "seconds") } else { null }})))"}});
    std::string seen;
    Reply page = query(std::string(set) + ".paginate(3)");
    for (int pages = 0; pages < 3; ++pages) {
      ASSERT_EQ(page.status(), 200) << page.response.body;
      for (const mayfly::Value& document : page.at("data.data").array()) {
        seen += document.member("id").text() + " ";
      }
      const std::string after = page.text("data.after");
      if (after.size() <= 4) break;  // null, or not there
      seen += "| ";
      if (pages == 0) run_steps({{"", "wait 3"}, {"", "C.create({id: 0, n: 0})"}});
      page = query("Set.paginate(\"" + after + "\")");
    }
    EXPECT_EQ(seen, all.ends_with("| ") ? all.substr(0, all.size() - 2) : all);
    run_steps({{"", "C.definition.delete()"}});
  }
}

// Slices count elements that have expired since the first page, but do not return them.
TEST_F(PagingTest, CountsTheSameAfterExpirations) {
  run_steps({{"", R"(Collection.create({name: "G", history_days: 2,
                indexes: {byX: {terms: ["x"], values: ["v"]}}}))"},
             {"", R"(Collection.create({name: "Q"}))"},
             {"", "Set.sequence(0, 3).forEach(i => Q.create({id: i, v: i}))"}});
  const std::pair<std::string_view, std::string_view> sets[] = {
      {"G.all().flatMap(d => Set.single(d)).map(.v)", "6 7 8 9 10 11 "},
      {"G.all().flatMap(d => d.m.toSet())", "6 100 7 100 8 100 9 100 10 100 11 100 "},
      {"G.all().flatMap(d => Q.all().take(2).map(q => d.v * 10 + q.v))",
       "60 61 70 71 80 81 90 91 100 101 110 111 "},
      {"G.all().map(d => {v: d.v}).order(.v).map(.v)", "6 7 8 9 10 11 "},
      {"G.all().map(d => [d.v]).order(x => x[0]).map(x => x[0])", "6 7 8 9 10 11 "},
      {"G.all().map(d => {v: d.v}).distinct().map(.v)", "6 7 8 9 10 11 "},
      {"G.all().map(d => {v: d.v}).order(desc(.v)).reverse().map(.v)", "6 7 8 9 10 11 "},
      {"G.all().map(d => {v: d.v}).order(.v).drop(2).map(.v)", "6 7 8 9 10 11 "},
      {"G.all().map(d => {v: d.v}).order(.v).take(10).map(.v)", "6 7 8 9 "},
      {"G.all().order(.v).take(10).map(.v)", "6 7 8 9 "},
      {"G.all().take(10).map(.v)", "6 7 8 9 "},
      {"G.all().map(.v).distinct()", "6 7 8 9 10 11 "},
      {"G.all().map(.v).order()", "6 7 8 9 10 11 "},
      {"G.byX(1).map(.v).distinct()", "6 7 8 9 10 11 "},
      {"G.all().map(d => d.v % 2).distinct().map(n => n + 6)", ""},
  };
  for (const auto& [set, rest] : sets) {
    SCOPED_TRACE(set);
    run_steps(
        {{"", R"(Set.sequence(0, 12).forEach(i => G.create({id: i + 1, x: 1, v: i, m: [i, 100],
                  ttl: if (i < 6) { Time.now().add(10, "seconds") } else { null }})))"}});
    Reply page = query(std::string(set) + ".paginate(4)");
    run_steps({{"", "wait 11"}});
    std::string seen;
    for (int pages = 0; pages < 9; ++pages) {
      ASSERT_EQ(page.status(), 200) << page.response.body;
      if (pages > 0) {
        for (const mayfly::Value& item : page.at("data.data").array()) {
          seen += std::to_string(item.integer()) + " ";
        }
      }
      const std::string after = page.text("data.after");
      if (after.size() <= 4) break;  // null, or not there
      page = query("Set.paginate(\"" + after + "\")");
    }
    EXPECT_EQ(seen, rest);
    run_steps({{"", "G.all().forEach(d => d.delete())"}});
  }
}

TEST_F(PagingTest, BeforeTheKeptHistory) {
  make(6);
  run_steps({
      {"A22", "Foo.all().paginate(2).after", "$after="},
      {"", "wait 4000"},
      {"", R"(Set.paginate("$after"))",
       "invalid_request: Requested timestamp 2026-02-27T10:00:… less than minimum allowed "
       "timestamp 2026-02-27T10:51:…Z."},
  });
}

TEST_F(PagingTest, SetsAsValues) {
  make(3);
  run_steps({
      {"equal", "[Foo.all() == Foo.all(), Foo.all() == Foo.where(.a == 1)]", "[true,false]"},
      {"", "[[1].toSet() == [1].toSet(), [1].toSet() == [2].toSet()]", "[true,false]"},
      {"", "[Foo.all().take(1) == Foo.all().take(1), Foo.all().take(1) == Foo.all().take(2)]",
       "[true,false]"},
      {"", "[Foo.byA({from: 1}) == Foo.byA({from: 1}), Foo.byA({from: 1}) == Foo.byA({from: 2})]",
       "[true,false]"},
      {"", "Foo.all() != Foo.all().reverse()", "true"},
      {"depth", "[[Foo.all().map(.foo)]]", R"([[{"data":[0,1,2]}]])"},
  });
}

}  // namespace
}  // namespace mayfly::fauna::testing
