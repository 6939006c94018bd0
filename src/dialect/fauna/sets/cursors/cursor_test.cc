// Cursors: which are valid, that clients cannot read their content, and cursors whose set was
// deleted.
#include "base/crypto/crypto.h"
#include "dialect/fauna/database_path.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

class CursorTest : public FaunaTest {
 protected:
  std::string cursor_of(const std::string& set) {
    const Reply reply = query(set + ".paginate(1).after");
    EXPECT_EQ(reply.status(), 200) << reply.response.body.substr(0, 500);
    return reply.text("data");
  }
  std::string opened(const std::string& cursor) {
    return query("Set.paginate(\"" + cursor + "\").data").result();
  }
};

constexpr std::string_view refused = "invalid_cursor: Cursor cursor is invalid or expired.";

TEST_F(CursorTest, HidesTheContentOfItsLambdas) {
  const std::string set =
      R"(let secret = "hidden words"; let more = {deeply: ["hidden", "again"]};
         [1, 2].toSet().map(x => [secret, more.deeply, x]))";
  const std::string cursor = cursor_of(set);
  EXPECT_EQ(opened(cursor), R"([["hidden words",["hidden","again"],2]])");
  const auto bytes = decode_base64url(cursor);
  ASSERT_TRUE(bytes);
  for (const char* word : {"hidden", "again", "secret", "deeply", "items", "map", "fauna"}) {
    EXPECT_EQ(bytes->find(word), Bytes::npos) << word;
  }
}

TEST_F(CursorTest, ThatIsAlteredIsRefused) {
  const std::string cursor = cursor_of("[1, 2].toSet()");
  EXPECT_EQ(opened(cursor), "[2]");
  for (std::size_t at = 0; at < cursor.size(); ++at) {
    std::string altered = cursor;
    altered[at] = altered[at] == 'A' ? 'B' : 'A';
    EXPECT_EQ(opened(altered), refused) << at;
  }
  for (const std::string& other :
       {std::string(), cursor + "A", cursor.substr(1), std::string("x")}) {
    EXPECT_EQ(opened(other), refused) << other;
  }
}

TEST_F(CursorTest, ThatIsForeignOrForgedIsRefused) {
  const std::string cursor = cursor_of("[1, 2].toSet()");
  const std::string list = "fauna set " + DatabasePath().core_name();
  const Bytes place = page_tokens.open(list, cursor, clock.now()).value();
  EXPECT_EQ(opened(page_tokens.seal({list, place})), "[2]");
  EXPECT_EQ(opened(PageTokens("guessed").seal({list, place})), refused);
  EXPECT_EQ(opened(page_tokens.seal({"fauna event source " + DatabasePath().core_name(), place})),
            refused);
  EXPECT_EQ(opened(encode_base64url(place)), refused);
  run_steps({{"setup", R"(Database.create({name: "child"}).name)"}});
  secret = "secret:child:admin";
  EXPECT_EQ(opened(cursor), refused);
}

TEST_F(CursorTest, ThatWouldBeTooLargeIsRefused) {
  const std::string text = "Set.sequence(0, 19).fold(\"x\", (s, n) => s + s)";
  const std::string fits = cursor_of("let s = " + text + "; [s, 1].toSet()");
  EXPECT_GT(fits.size(), std::size_t{512} << 10);
  EXPECT_EQ(opened(fits), "[1]");
  for (const char* set : {"[s + s, 1].toSet()", "let t = s + s; [1, 2].toSet().map(n => [t, n])",
                          "[1, 2].toSet().where(n => s + s != \"\").concat([s, s].toSet())"}) {
    const std::string result =
        query("let s = " + text + "; " + set + ".paginate(1).after").result();
    EXPECT_TRUE(result.starts_with("value_too_large: Value too large: ")) << set << result;
  }
  const std::string deep = "Set.sequence(0, 200).fold([1], (s, n) => [s])";
  EXPECT_TRUE(query("let s = " + deep + "; [s, 1].toSet().paginate(1).after")
                  .result()
                  .starts_with("value_too_large: "));
}

// This once terminated the process.
TEST_F(CursorTest, OfADeletedSetFails) {
  run_steps({
      {"setup", R"(Collection.create({name: "Foo", indexes: {
           byA: {terms: [{field: ".a"}], values: [{field: ".n"}]},
           sorted: {values: [{field: ".n"}]}}}))"},
      {"", "Set.sequence(0, 5).forEach(n => Foo.create({a: 1, n: n}))"},
      {"", "Foo.byA(1).paginate(2).after", "$terms="},
      {"", "Foo.sorted({from: 1}).paginate(2).after", "$range="},
      {"", "Foo.byA(1).concat(Foo.sorted()).paginate(2).after", "$both="},
      {"", "Foo.all().paginate(2).after", "$all="},
      {"", "Foo.where(.n >= 0).order(.n).paginate(2).after", "$where="},
      {"index", R"(Collection.byName("Foo")!.update({indexes: {byA: null}}))"},
      {"", R"(Set.paginate("$terms").data.map(.n))",
       "invalid_index_invocation: The index `Foo.byA` is not queryable."},
      {"", R"(Set.paginate("$both").data.map(.n))",
       "invalid_index_invocation: The index `Foo.byA` is not queryable."},
      {"", R"(Set.paginate("$range").data.map(.n))", "[3,4]"},
      {"other terms",
       R"(Collection.byName("Foo")!.update({indexes: {byA: {terms: [{field: ".a"}, {field: ".n"}]}}}))"},
      {"", R"(Set.paginate("$terms").data.map(.n))",
       "invalid_index_invocation: The index `Foo.byA` is not queryable."},
      {"collection", R"(Collection.byName("Foo")!.delete())", "null"},
  });
  for (const char* name : {"terms", "range", "both", "all", "where"}) {
    const Reply reply = query("Set.paginate(\"" + saved[name] + "\")");
    EXPECT_EQ(reply.status(), 400) << name;
    EXPECT_EQ(reply.code(), "invalid_argument") << name << reply.response.body;
  }
  EXPECT_EQ(query("1").result(), "1");
}

}  // namespace
}  // namespace mayfly::fauna::testing
