// Tokens of event sources: which are valid, that clients cannot read their content, and tokens
// whose set was deleted.
#include "base/crypto/crypto.h"
#include "dialect/common/limits.h"
#include "dialect/fauna/database_path.h"
#include "dialect/fauna/events/testing.h"

namespace mayfly::fauna::testing {
namespace {

class EventTokenTest : public EventsTest {
 protected:
  void expect_refused(const std::string& token) {
    const Reply fed = feed(token);
    EXPECT_EQ(fed.status(), 400) << token.substr(0, 100);
    EXPECT_EQ(fed.code(), "invalid_request") << fed.response.body;
    EXPECT_EQ(send("POST", "/stream/1", body(token)).status(), 400) << token.substr(0, 100);
  }
};

TEST_F(EventTokenTest, HidesTheContentOfItsLambdas) {
  const std::string source = token(
      R"(let secret = "hidden words"; Foo.where(d => d.a != secret).map(d => secret).eventSource())");
  make("Foo.create({a: 1})");
  EXPECT_EQ(shown(feed(source)), R"(add "hidden words")");
  const auto bytes = decode_base64url(source);
  ASSERT_TRUE(bytes);
  for (const char* word : {"hidden", "secret", "where", "map", "Foo", "fields"}) {
    EXPECT_EQ(bytes->find(word), Bytes::npos) << word;
  }
}

TEST_F(EventTokenTest, ThatIsAlteredForeignOrForgedIsRefused) {
  const std::string source = token("Foo.all().eventSource()");
  EXPECT_EQ(feed(source).status(), 200);
  for (std::size_t at = 0; at < source.size(); at += 7) {
    std::string altered = source;
    altered[at] = altered[at] == 'A' ? 'B' : 'A';
    expect_refused(altered);
  }
  expect_refused(source + "A");
  expect_refused("x");
  const std::string list = "fauna event source " + DatabasePath().core_name();
  const Bytes place = page_tokens.open(list, source, clock.now()).value();
  EXPECT_EQ(feed(page_tokens.seal({list, place})).status(), 200);
  expect_refused(PageTokens("guessed").seal({list, place}));
  expect_refused(page_tokens.seal({"fauna set " + DatabasePath().core_name(), place}));
  expect_refused(token("[1, 2].toSet().paginate(1).after"));
  make(R"(Database.create({name: "child"}))");
  secret = "secret:child:admin";
  expect_refused(source);
}

TEST_F(EventTokenTest, ThatWouldBeTooLargeIsRefused) {
  const std::string text = "let s = Set.sequence(0, 13).fold(\"x\", (s, n) => s + s); ";
  const std::string fits = token(text + "Foo.where(d => d.a != s).map(.a).eventSource()");
  EXPECT_LT(fits.size(), limits::page_token_bytes_max);
  make("Foo.create({a: 1})");
  EXPECT_EQ(shown(feed(fits)), "add 1");
  const std::string result =
      query(text + "let t = s + s; Foo.where(d => d.a != t).eventSource()").result();
  EXPECT_TRUE(result.starts_with("value_too_large: ")) << result;
}

// This once terminated the process.
TEST_F(EventTokenTest, OfADeletedSetFails) {
  make(R"(Collection.byName("Foo")!.update({indexes: {byA: {terms: [{field: ".a"}]}}}))");
  const std::string by_index = token("Foo.byA(1).map(.n).eventSource()");
  const std::string all = token("Foo.all().map(.n).eventSource()");
  make("Foo.create({a: 1, n: 1})");
  EXPECT_EQ(shown(feed(by_index)), "add 1");
  const auto stream = follow(by_index);
  EXPECT_EQ(shown(*stream), "status, add 1");
  make(R"(Collection.byName("Foo")!.update({indexes: {byA: null}}))");
  make("Foo.create({a: 1, n: 2})");
  EXPECT_EQ(shown(feed(by_index)),
            "error invalid_index_invocation: The index `Foo.byA` is not queryable. …");
  run_hub();
  EXPECT_EQ(shown(*stream),
            "status, add 1, error invalid_index_invocation: The index `Foo.byA` is not queryable.");
  EXPECT_EQ(shown(feed(all)), "add 1, add 2");
  make(R"(Collection.byName("Foo")!.delete())");
  expect_refused(by_index);
  expect_refused(all);
}

TEST_F(EventTokenTest, TheValueOfAnAbortIsBound) {
  const std::string shared = "let x = Set.sequence(0, 60).fold([1], (s, n) => [s, s]); ";
  const std::string aborting =
      token("Foo.all().map(d => { " + shared + "abort(x) }).eventSource()");
  const std::string showing = token("Foo.all().map(d => { " + shared + "x }).eventSource()");
  make("Foo.create({})");
  for (const std::string& source : {aborting, showing}) {
    EXPECT_TRUE(shown(feed(source)).starts_with("error value_too_large: ")) << shown(feed(source));
    // On the thread of all streams, its time may run out first.
    const std::string streamed = shown(*follow(source));
    EXPECT_TRUE(streamed.starts_with("status, error value_too_large: ") ||
                streamed == "status, error internal_error: An event takes too long to be made.")
        << streamed;
  }
}

}  // namespace
}  // namespace mayfly::fauna::testing
