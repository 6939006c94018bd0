// Exports of documents as files.
#include <gtest/gtest.h>

#include <functional>
#include <new>
#include <utility>

#include "dialect/common/events/fake_stream.h"
#include "dialect/kuzzle/testing.h"
#include "net/requests/testing.h"

namespace mayfly::kuzzle {
namespace {

using testing::Answer;
using testing::by;
using testing::Server;
using testing::v7;

// The whole file, and its head in `s.response`.
std::string download(Server& s, const std::string& target, const std::string& body = "",
                     const std::string& method = "POST") {
  s.response = s.ask(method, target, body);
  std::string file = s.response.body;
  if (!s.response.stream) return file;
  const auto stream = std::make_shared<mayfly::testing::FakeStream>();
  s.response.stream(stream);
  EXPECT_TRUE(stream->is_ended());
  return file + stream->text();
}

std::unique_ptr<Server> server_to_export() {
  auto s = Server::with_documents({{"a", R"({"n":1,"name":"plain","o":{"p":"x,y"}})"},
                                   {"b", R"({"n":2,"name":"say \"hi\"\nthere","l":[1]})"},
                                   {"c", R"({"n":3})"}});
  s->of("document:delete", "c");
  return s;
}

TEST(KuzzleExportTest, EachDocumentIsALineOfJson) {
  const auto s = server_to_export();
  EXPECT_EQ(download(*s, "/idx/col/_export"),
            R"({"collection":"col","index":"idx","type":"collection"})"
            "\n"
            R"({"_id":"a","body":{"n":1,"name":"plain","o":{"p":"x,y"}}})"
            "\n"
            R"({"_id":"b","body":{"n":2,"name":"say \"hi\"\nthere","l":[1]}})"
            "\n");
  EXPECT_EQ(s->response.content_type, "application/x-ndjson");
  EXPECT_EQ(s->response.headers.at(0).second, "attachment; filename=\"idx-col.jsonl\"");
}

TEST(KuzzleExportTest, ALineOfVersionTwoHasTheMetadataInTheBody) {
  const auto s = Server::with_documents({{"a", R"({"n":1})"}});
  EXPECT_EQ(download(*s, "/idx/col/_export?kuzzleVersion=2"),
            R"({"collection":"col","index":"idx","type":"collection"})"
            "\n"
            R"({"_id":"a","body":{"n":1,"_kuzzle_info":{"author":"-1","createdAt":1800000000000,)"
            R"("updatedAt":null,"updater":null}}})"
            "\n");
}

TEST(KuzzleExportTest, OrALineOfCellsWhichAreQuotedWhereTheyMust) {
  const auto s = server_to_export();
  EXPECT_EQ(download(*s, "/idx/col/_export?format=csv",
                     R"({"fields":["n","name","o.p","l"],"fieldsName":{"_id":"key","n":"number"},)"
                     R"("sort":[{"n":"desc"}]})"),
            "key,number,name,o.p,l\n"
            "b,2,\"say \"\"hi\"\"\nthere\",,[OBJECT]\n"
            "a,1,plain,\"x,y\",\n");
  EXPECT_EQ(s->response.content_type, "text/csv");
  EXPECT_EQ(download(*s,
                     "/idx/col/_export?format=csv&separator=;&fields=o.p&query="
                     R"({"term":{"n":1}})",
                     "", "GET"),
            "_id;o.p\na;x,y\n");
  EXPECT_EQ(download(*s, R"(/idx/col/_export?format=csv&fields=n&lang=koncorde)",
                     R"({"query":{"range":{"n":{"gt":1}}}})"),
            "_id,n\nb,2\n");
  s->call("collection:updateMapping",
          R"("body":{"properties":{"n":{"type":"long"},"o":{"properties":{"p":{}}}}})");
  EXPECT_EQ(download(*s,
                     "/idx/col/_export?format=csv&searchBody="
                     R"({"query":{"term":{"n":1}}})"),
            "_id,n,o.p\na,1,\"x,y\"\n");
}

TEST(KuzzleExportTest, LaterPagesFollowAsTheClientReads) {
  const auto s = Server::with_collection();
  s->call("bulk:mWrite", testing::numbered_documents(1'750));
  const std::string file = download(*s, "/idx/col/_export?format=csv&fields=n");
  EXPECT_EQ(std::count(file.begin(), file.end(), '\n'), 1'751);

  // A slow reader is sent one page only, and does not see later writes.
  s->response = s->ask("GET", "/idx/col/_export?format=csv&fields=n", "");
  const auto stream = std::make_shared<mayfly::testing::FakeStream>();
  stream->stop_reading();
  s->response.stream(stream);
  EXPECT_TRUE(stream->is_awaited());
  s->call("bulk:deleteByQuery", R"("body":{"query":{"match_all":{}}})");
  stream->read_all();
  EXPECT_TRUE(stream->is_ended());
  const std::string whole = s->response.body + stream->text();
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 1'751);
}

// As if there were no memory for it.
class FailingStream final : public net::Stream {
 public:
  bool send(std::string piece) override {
    if (std::exchange(fails_, false)) throw std::bad_alloc();
    text += piece;
    return true;
  }
  void end() override { is_ended = true; }
  bool is_open() const override { return !is_ended; }
  std::size_t unsent_bytes() const override { return 0; }
  void when_sent(std::function<void()> act) override { act(); }
  bool work(std::function<void()> make) override {
    make();
    return true;
  }
  std::string text;
  bool is_ended = false;

 private:
  bool fails_ = true;
};

TEST(KuzzleExportTest, ATruncatedFileEndsWithAnError) {
  const auto s = Server::with_collection();
  s->call("bulk:mWrite", testing::numbered_documents(1'750));
  s->response = s->ask("GET", "/idx/col/_export?format=csv&fields=n", "");
  const auto stream = std::make_shared<FailingStream>();
  s->response.stream(stream);
  EXPECT_EQ(stream->text, "Error: the server cannot read on\n");
  EXPECT_TRUE(stream->is_ended);
}

class ExportByAnn : public ::testing::Test {
 protected:
  ExportByAnn() {
    s->call("bulk:mWrite", testing::numbered_documents(1'750));
    s->make_admin("boss", "boss", "pw");
    boss = by(s->log_in("boss", "pw"));
    let_do("export");
    s->of("security:createProfile", "hers", R"({"policies":[{"roleId":"hers"}]})", boss);
    s->make_user("ann", "hers", "ann", boss);
    token = s->log_in("ann", "pw");
    s->response = s->ask("GET", "/idx/col/_export", "", {{"authorization", "Bearer " + token}});
    EXPECT_EQ(s->response.status, 200);
    stream->stop_reading();
    s->response.stream(stream);
    EXPECT_TRUE(stream->is_awaited());
  }
  void let_do(const std::string& action) {
    const std::string role = R"({"controllers":{"auth":{"actions":{"*":true}},)"
                             R"("document":{"actions":{")" +
                             action + R"(":true}}}})";
    EXPECT_EQ(s->of("security:createOrReplaceRole", "hers", role, boss).status, 200);
  }
  // The last line after everything was read.
  std::string last() {
    stream->read_all();
    EXPECT_TRUE(stream->is_ended());
    const std::string text = stream->text();
    return text.substr(text.rfind('\n', text.size() - 2) + 1);
  }

  std::unique_ptr<Server> s = Server::with_collection();
  std::string boss;
  std::string token;
  std::shared_ptr<mayfly::testing::FakeStream> stream =
      std::make_shared<mayfly::testing::FakeStream>();
};

TEST_F(ExportByAnn, ContinuesWhileTheUserMayExport) {
  EXPECT_EQ(last().find("Error: "), std::string::npos);
}

TEST_F(ExportByAnn, ContinuesWithTheNewTokenAfterARefresh) {
  const Answer refreshed = s->call("auth:refreshToken", by(token));
  EXPECT_EQ(refreshed.status, 200);
  EXPECT_EQ(last().find("Error: "), std::string::npos);
}

TEST_F(ExportByAnn, EndsWithTheRight) {
  let_do("get");
  EXPECT_EQ(last(), "Error: Forbidden action [idx/col/document/export] for user ann\n");
}

TEST_F(ExportByAnn, EndsWithTheUser) {
  EXPECT_EQ(s->of("security:deleteUser", "ann", "", boss).status, 200);
  EXPECT_EQ(last(), "Error: Invalid token\n");
}

TEST_F(ExportByAnn, EndsWithTheToken) {
  EXPECT_EQ(s->call("auth:logout", by(token)).status, 200);
  EXPECT_EQ(last(), "Error: Invalid token\n");
}

TEST_F(ExportByAnn, EndsWithTheTimeOfTheToken) {
  s->clock.advance(Span::seconds(86'400));
  EXPECT_EQ(last(), "Error: Token expired\n");
}

TEST(KuzzleExportTest, APageEndsByItsBytes) {
  const auto s = Server::with_collection();
  const std::string text(200'000, 'x');
  for (int i = 0; i < 50; ++i) {
    s->of("document:create", "d" + std::to_string(i), R"({"t":")" + text + "\"}");
  }
  const std::string file = download(*s, "/idx/col/_export?format=csv&fields=t");
  EXPECT_EQ(std::count(file.begin(), file.end(), '\n'), 51);
  EXPECT_GT(s->response.body.size(), text.size());
  EXPECT_LT(s->response.body.size(), limits::export_page_bytes + 2 * text.size());
}

TEST(KuzzleExportTest, ASeparatorIsShortAndAColumnStandsThereOnce) {
  const auto s = server_to_export();
  const auto ask = [&](const std::string& separator, const std::string& fields) {
    return s->http("GET",
                   "/idx/col/_export?format=csv&fields=" + fields + "&separator=" + separator);
  };
  const std::string most(limits::export_separator_bytes_max, '-');
  EXPECT_EQ(download(*s, "/idx/col/_export?format=csv&fields=n&separator=" + most, "", "GET"),
            "_id" + most + "n\na" + most + "1\nb" + most + "2\n");
  const auto refused = ask(most + "-", "n");
  EXPECT_EQ(refused.status, 413);
  EXPECT_EQ(refused.error(), R"("the separator of an export has at most 8 bytes")");
  EXPECT_EQ(ask(";", "n,n").status, 400);
  EXPECT_EQ(ask(";", "n,[\"n\"]").status, 400);
  EXPECT_EQ(download(*s, "/idx/col/_export?format=csv&fields=_id,n,_id&query={\"term\":{\"n\":1}}",
                     "", "GET"),
            "_id,n\na,1\n");
}

TEST(KuzzleExportTest, OfTooManyTheOneThatWaitsLongestForItsReaderIsEnded) {
  const auto s = Server::with_collection();
  s->call("bulk:mWrite", testing::numbered_documents(1'750));
  const auto begin = [&] {
    const auto stream = std::make_shared<mayfly::testing::FakeStream>();
    stream->stop_reading();
    s->response = s->ask("GET", "/idx/col/_export?format=csv&fields=n", "");
    EXPECT_TRUE(s->response.stream) << s->response.body;
    if (!s->response.stream) return stream;
    s->response.stream(stream);
    EXPECT_TRUE(stream->is_awaited());
    return stream;
  };
  std::vector<std::shared_ptr<mayfly::testing::FakeStream>> open;
  for (std::size_t i = 0; i < limits::exports_of_client_max; ++i) open.push_back(begin());
  open.push_back(begin());
  EXPECT_TRUE(open[0]->is_ended());
  EXPECT_NE(open[0]->text().find("Error: "), std::string::npos);
  EXPECT_TRUE(open[1]->is_open());
  open.back()->read_all();
  EXPECT_TRUE(open.back()->is_ended());
  EXPECT_EQ(open.back()->text().find("Error: "), std::string::npos);
}

TEST(KuzzleExportTest, ConnectionsOfANetworkHaveOneShare) {
  const auto s = Server::with_collection();
  s->call("bulk:mWrite", testing::numbered_documents(1'750));
  const auto begin = [&](int port, const std::string& network) {
    net::Request request{.method = "GET", .target = "/idx/col/_export", .path = "/idx/col/_export"};
    request.peer = network + ":" + std::to_string(port);
    request.network = network;
    const net::Response response = net::PendingRequest(*s->dialect, request)->answer();
    const auto stream = std::make_shared<mayfly::testing::FakeStream>();
    stream->stop_reading();
    EXPECT_TRUE(response.stream) << response.body;
    if (!response.stream) return stream;
    response.stream(stream);
    // Only an export that waits for its reader makes room for the next.
    EXPECT_TRUE(stream->is_awaited());
    return stream;
  };
  const auto first = begin(1, "10.0.0.1");
  const auto second = begin(2, "10.0.0.1");
  for (int i = 0; i < static_cast<int>(limits::exports_of_client_max); ++i) begin(i, "10.0.0.2");
  EXPECT_TRUE(first->is_open());
  for (int i = 3; i <= static_cast<int>(limits::exports_of_client_max); ++i) begin(i, "10.0.0.1");
  EXPECT_TRUE(first->is_open());
  begin(99, "10.0.0.1");
  EXPECT_TRUE(first->is_ended());
  EXPECT_TRUE(second->is_open());
}

TEST(KuzzleExportTest, ItIsForHttpAndFailsBeforeItBegins) {
  const auto s = server_to_export();
  s->client = v7;
  EXPECT_EQ(s->call("document:export").text("error.id"), R"("api.assert.unsupported_protocol")");
  EXPECT_EQ(s->http("POST", "/idx/none/_export").status, 404);
  EXPECT_EQ(s->http("POST", "/idx/col/_export?format=xls").status, 400);
  EXPECT_EQ(s->http("POST", "/idx/col/_export", R"({"query":{"nonsense":{}}})").status, 400);
  s->make_admin("boss", "boss", "pw");
  EXPECT_EQ(s->http("GET", "/idx/col/_export").status, 403);
  // A link contains the token of its user.
  const std::string token = s->log_in("boss", "pw");
  EXPECT_EQ(s->ask("GET", "/idx/col/_export?jwt=" + token, "").status, 400);
  s->restart_with({.takes_tokens_in_urls = true});
  EXPECT_EQ(s->ask("GET", "/idx/col/_export?jwt=" + token, "").status, 200);
}

}  // namespace
}  // namespace mayfly::kuzzle
