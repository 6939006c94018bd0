// Calls to addresses that clients choose: where they may lead, and what becomes of the answers.
#include "net/outbound.h"

#include <gtest/gtest.h>

#include "net/test_client.h"

namespace mayfly::net {
namespace {

TEST(OutboundTest, OnlyAddressesOfThePublicInternetArePublic) {
  for (const char* open : {"8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "192.167.1.1",
                           "100.63.255.255", "100.128.0.0", "223.255.255.255", "2606:4700::1111",
                           "2a00:1450:4001:82a::200e", "::ffff:8.8.8.8"}) {
    EXPECT_TRUE(is_public_address(open)) << open;
  }
  for (const char* closed : {"127.0.0.1",
                             "127.255.255.254",
                             "0.0.0.0",
                             "0.1.2.3",
                             "10.0.0.1",
                             "10.255.255.255",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.168.0.1",
                             "169.254.169.254",
                             "169.254.0.1",
                             "100.64.0.1",
                             "100.127.255.255",
                             "192.0.0.8",
                             "192.0.2.1",
                             "192.88.99.1",
                             "198.18.0.1",
                             "198.19.255.255",
                             "198.51.100.1",
                             "203.0.113.1",
                             "224.0.0.1",
                             "239.255.255.255",
                             "240.0.0.1",
                             "255.255.255.255",
                             "::",
                             "::1",
                             "::ffff:127.0.0.1",
                             "::ffff:10.0.0.1",
                             "::ffff:a9fe:a9fe",
                             "::127.0.0.1",
                             "64:ff9b::7f00:1",
                             "64:ff9b:1::1",
                             "100::1",
                             "fc00::1",
                             "fd12:3456::1",
                             "fe80::1",
                             "fec0::1",
                             "ff02::1",
                             "2001::1",
                             "2001:db8::1",
                             "2002:7f00:1::",
                             "2002:a9fe:a9fe::",
                             "3fff::1",
                             "4000::1",
                             "",
                             "localhost",
                             "0177.0.0.1",
                             "2130706433"}) {
    EXPECT_FALSE(is_public_address(closed)) << closed;
  }
}

Code code_of(const Result<void>& result) {
  return result ? Code::internal : result.error().code;
}

TEST(OutboundTest, AUrlIsJudgedBeforeItIsCalled) {
  for (const char* fine : {"http://example.com", "https://example.com:8443/a?b=c",
                           "https://8.8.8.8/", "http://[2606:4700::1111]/"}) {
    EXPECT_TRUE(check_url(fine, {})) << fine;
  }
  for (const char* wrong :
       {"", "example.com", "ftp://example.com/", "file:///etc/passwd", "http://", "http:///path",
        "http://user:pass@example.com/", "gopher://example.com", "http://exa mple.com/"}) {
    EXPECT_EQ(code_of(check_url(wrong, {})), Code::invalid) << wrong;
  }
  for (const char* closed : {"http://127.0.0.1/", "http://127.0.0.1:8080/", "http://[::1]/",
                             "http://[::ffff:127.0.0.1]/", "https://169.254.169.254/latest"}) {
    EXPECT_EQ(code_of(check_url(closed, {})), Code::forbidden) << closed;
    EXPECT_TRUE(check_url(closed, {.may_reach_private = true})) << closed;
  }
}

// However this machine is written: a name, octal, one number, in pieces.
TEST(OutboundTest, NoNameLeadsToThisMachine) {
  for (const char* name :
       {"localhost", "127.0.0.1", "127.1", "0177.0.0.1", "0x7f.0.0.1", "2130706433", "0x7f000001",
        "017700000001", "0", "[::1]", "[::ffff:127.0.0.1]", "[::]"}) {
    const auto answer =
        call_out({.url = "http://" + std::string(name) + ":1/"}, {.answer_bytes_max = 1'000});
    ASSERT_FALSE(answer) << name;
    // Where the system's resolver takes the form at all, the address is refused.
    EXPECT_TRUE(answer.error().code == Code::forbidden ||
                answer.error().message.find("not known") != std::string::npos)
        << name << ": " << answer.error().message;
  }
}

class EchoHandler final : public SimpleHandler {
 public:
  Response answer(const Request& request) override {
    Response response{.body = request.method + " " + request.target + " " + request.body};
    if (const std::string* mark = request.header("x-mark")) response.body += " " + *mark;
    if (request.path == "/elsewhere") {
      response.status = 302;
      response.headers.emplace_back("Location", "/here");
    }
    if (request.path == "/large") response.body.assign(5'000, 'x');
    return response;
  }
  Response refuse(const Error&) const override { return {.status = 500}; }
  std::size_t body_bytes_max() const override { return 10'000; }
};

class OutboundServerTest : public ::testing::Test {
 protected:
  OutboundServerTest() {
    server = std::move(*Server::start({.listeners = {{"test", "127.0.0.1", 0, &handler}}}));
    url = "http://127.0.0.1:" + std::to_string(server->ports().front());
  }
  EchoHandler handler;
  std::unique_ptr<Server> server;
  std::string url;
  OutboundRules rules{.may_reach_private = true, .answer_bytes_max = 1'000};
};

TEST_F(OutboundServerTest, ACallIsMadeAndItsAnswerGiven) {
  const auto answer = call_out(
      {.method = "POST", .url = url + "/a?b", .headers = {{"x-mark", "m"}}, .body = "text"}, rules);
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ(answer->status, 200);
  EXPECT_EQ(answer->body, "POST /a?b text m");
}

TEST_F(OutboundServerTest, ARedirectIsAnAnswer) {
  EXPECT_EQ(call_out({.url = url + "/elsewhere"}, rules).value().status, 302);
}

TEST_F(OutboundServerTest, AnAnswerThatIsTooLargeIsNotRead) {
  EXPECT_EQ(call_out({.url = url + "/large"}, rules).value().status, 200);
}

TEST_F(OutboundServerTest, WhatIsPrivateIsNotCalledUnlessItMayBe) {
  rules.may_reach_private = false;
  const auto answer = call_out({.url = url}, rules);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::forbidden);
}

TEST_F(OutboundServerTest, WhereNobodyListensThereIsNoAnswer) {
  server->stop();
  const auto answer = call_out({.url = url}, rules);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::internal);
}

TEST_F(OutboundServerTest, APlainServerIsNoSecureOne) {
  const auto answer = call_out({.url = "https" + url.substr(4)}, rules);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::internal);
}

TEST_F(OutboundServerTest, AnAnswerThatDoesNotComeIsNotWaitedForForever) {
  const int listener = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  ASSERT_EQ(bind(listener, reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(listen(listener, 1), 0);
  ASSERT_EQ(getsockname(listener, reinterpret_cast<sockaddr*>(&address), &size), 0);
  const auto answer =
      call_out({.url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)),
                .time_max = Span::millis(50)},
               rules);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Code::timed_out);
  close(listener);
}

}  // namespace
}  // namespace mayfly::net
