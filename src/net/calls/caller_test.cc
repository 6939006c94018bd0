// Outgoing calls: their results, that none delays another, and how they end.
#include "net/calls/caller.h"

#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <future>
#include <iterator>
#include <stdexcept>

#include "net/calls/client.h"
#include "net/connections/tls.h"
#include "net/test_client.h"

namespace mayfly::net {
namespace {

using ::testing::HasSubstr;

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
    const std::lock_guard lock(mutex);
    heard += request.path;
    return response;
  }
  Response refuse(const Error&) const override { return {.status = 500}; }
  std::size_t body_bytes_max() const override { return 10'000; }

  std::mutex mutex;
  std::string heard;
};

// Accepts connections and sends nothing by itself.
class SilentListener {
 public:
  SilentListener() {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* address = reinterpret_cast<sockaddr*>(&address_);
    EXPECT_EQ(bind(socket_, address, size), 0);
    EXPECT_EQ(listen(socket_, 100), 0);
    EXPECT_EQ(getsockname(socket_, address, &size), 0);
  }
  ~SilentListener() { close(socket_); }
  std::string url() const { return "http://127.0.0.1:" + std::to_string(ntohs(address_.sin_port)); }
  // Reads one request, which fits into a packet.
  void answer_once(std::string_view text) const {
    const int client = accept(socket_, nullptr, nullptr);
    std::array<char, 4'096> request{};
    EXPECT_GT(recv(client, request.data(), request.size(), 0), 0);
    EXPECT_EQ(::send(client, text.data(), text.size(), 0), std::ssize(text));
    close(client);
  }

 private:
  const int socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address_{};
};

std::future<Result<Response>> call_later(Caller& caller, OutgoingCall call) {
  auto outcome = std::make_shared<std::promise<Result<Response>>>();
  caller.call(std::move(call), [outcome](Result<Response> got) { outcome->set_value(got); });
  return outcome->get_future();
}

std::string outcome_of(const Result<Response>& outcome) {
  if (outcome) return std::to_string(outcome->status);
  return std::string(name_of(outcome.error().code)) + " " + outcome.error().message;
}

class CallerTest : public ::testing::Test {
 protected:
  CallerTest() { start(nullptr); }
  void start(TlsContext* tls) {
    server = *Server::start({.listeners = {{"test", "127.0.0.1", 0, &handler, tls}}});
    const std::string port = std::to_string(server->ports().front());
    url = (tls == nullptr ? "http://127.0.0.1:" : "https://127.0.0.1:") + port;
    named_url = (tls == nullptr ? "http://localhost:" : "https://localhost:") + port;
  }

  EchoHandler handler;
  std::unique_ptr<TlsContext> tls;
  std::unique_ptr<Server> server;
  std::string url;
  std::string named_url;
};

TEST_F(CallerTest, ACallIsMadeAndItsAnswerReturned) {
  for (const std::string& at : {url, named_url}) {
    const auto answer =
        fetch({.method = "POST", .url = at + "/a?b", .headers = {{"x-mark", "m"}}, .body = "text"});
    ASSERT_TRUE(answer) << answer.error().message;
    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->content_type, "application/json");
    EXPECT_EQ(answer->body, "POST /a?b text m");
  }
}

TEST_F(CallerTest, ARedirectIsAnAnswer) {
  EXPECT_EQ(outcome_of(fetch({.url = url + "/elsewhere"})), "302");
}

TEST_F(CallerTest, AnInterimResponseIsNotTheAnswer) {
  const SilentListener listener;
  Caller caller;
  auto outcome = call_later(caller, {.url = listener.url()});
  listener.answer_once(
      "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
      "HTTP/1.1 204 No Content\r\n\r\n");
  EXPECT_EQ(outcome_of(outcome.get()), "204");
}

TEST_F(CallerTest, AnAnswerThatIsTooLongFailsOrIsCut) {
  OutgoingCall call{.url = url + "/large", .answer_bytes_max = 1'000};
  EXPECT_EQ(outcome_of(fetch(call)),
            "too_large " + call.url + ": the answer is too large: it has more than 1000 bytes");
  call.long_answer = LongAnswerPolicy::is_cut;
  const auto cut = fetch(call);
  EXPECT_EQ(outcome_of(cut), "200");
  EXPECT_LE(cut->body.size(), 1'000U);
}

TEST_F(CallerTest, PrivateAddressesAreNotCalledUnlessPermitted) {
  for (const std::string& at : {url, named_url}) {
    const auto answer = fetch({.url = at, .address_policy = AddressPolicy::public_only});
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Code::forbidden);
    EXPECT_EQ(answer.error().field, "url");
  }
  EXPECT_EQ(handler.heard, "");
}

// In every notation of this machine: as a name, in octal, as one number, in parts.
TEST_F(CallerTest, NoNameLeadsToThisMachine) {
  for (const char* name :
       {"localhost", "127.0.0.1", "127.1", "0177.0.0.1", "0x7f.0.0.1", "2130706433", "0x7f000001",
        "017700000001", "0", "[::1]", "[::ffff:127.0.0.1]", "[::]"}) {
    const auto answer = fetch({.url = "http://" + std::string(name) + ":1/",
                               .address_policy = AddressPolicy::public_only});
    ASSERT_FALSE(answer) << name;
    // If the system's resolver accepts the form at all, the address is refused.
    EXPECT_TRUE(answer.error().code == Code::forbidden ||
                answer.error().message.find("no host of this name") != std::string::npos)
        << name << ": " << answer.error().message;
  }
}

TEST_F(CallerTest, AnInvalidUrlAndAnUnknownHostAreReported) {
  for (const char* at : {"ftp://example.com", "http://", "http://localhost%00.example.com"}) {
    const auto wrong = fetch({.url = at});
    EXPECT_EQ(outcome_of(wrong),
              "invalid a URL must begin with http:// or https:// and name a host");
    EXPECT_EQ(wrong.error().field, "url");
  }
  const auto unknown = fetch({.url = "http://nowhere.invalid/a"});
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("http://nowhere.invalid: "));
}

TEST_F(CallerTest, ACallToAClosedPortFails) {
  server->stop();
  EXPECT_EQ(outcome_of(fetch({.url = url})), "internal " + url + ": Connection refused");
}

TEST_F(CallerTest, ACallWithoutAnAnswerTimesOut) {
  const SilentListener silent;
  for (const char* scheme : {"http", "https"}) {
    const std::string at = scheme + silent.url().substr(4);
    EXPECT_EQ(outcome_of(fetch({.url = at, .time_max = Span::millis(50)})),
              "timed_out " + at + ": no answer in time");
  }
}

TEST_F(CallerTest, HttpsToAPlainServerFails) {
  const std::string at = "https" + url.substr(4);
  EXPECT_EQ(outcome_of(fetch({.url = at})),
            "invalid " + at + ": the port does not speak TLS; try http://");
}

TEST_F(CallerTest, OverHttpsTheCertificateIsChecked) {
  const Instant now = SystemClock().now();
  const Identity ours = make_identity("mayfly.example", now);
  const Identity others = make_identity("mayfly.example", now);
  tls = *TlsContext::make(ours);
  start(tls.get());
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir());
  const auto write = [&](const char* name, const std::string& text) {
    const std::string path = folder / (std::to_string(getpid()) + name);
    std::ofstream(path) << text;
    return path;
  };
  const std::string trusted = write("ours.pem", ours.certificate);
  const std::string other = write("others.pem", others.certificate);
  const std::string empty = write("empty.pem", "nothing");
  const auto ask = [](const std::string& at, const Trust& trust) {
    return outcome_of(fetch({.url = at, .trust = trust}));
  };
  EXPECT_EQ(ask(named_url, {.ca_file = trusted}), "200");
  EXPECT_EQ(ask(url, {.checks = false}), "200");
  EXPECT_THAT(ask(named_url, {}), HasSubstr("its certificate is not trusted: self"));
  EXPECT_THAT(ask(named_url, {.ca_file = other}), HasSubstr("its certificate is not trusted"));
  EXPECT_EQ(ask(url, {.ca_file = empty}), "invalid '" + empty + "' holds no certificates in PEM");
  EXPECT_EQ(handler.heard, "//");
  for (const std::string& path : {trusted, other, empty}) std::filesystem::remove(path);
}

TEST_F(CallerTest, ManyCallsAtOnceAreAnswered) {
  Caller caller;
  std::vector<std::future<Result<Response>>> outcomes;
  for (int i = 0; i < 1'000; ++i) outcomes.push_back(call_later(caller, {.url = url}));
  for (auto& outcome : outcomes) EXPECT_EQ(outcome_of(outcome.get()), "200");
}

TEST_F(CallerTest, CallsToOneHostStartInTheirOrder) {
  Caller caller({.calls_to_one_host_max = 1});
  std::vector<std::future<Result<Response>>> outcomes;
  for (int i = 0; i < 8; ++i) {
    outcomes.push_back(call_later(caller, {.url = url + "/" + std::to_string(i)}));
  }
  for (auto& outcome : outcomes) EXPECT_EQ(outcome_of(outcome.get()), "200");
  EXPECT_EQ(handler.heard, "/0/1/2/3/4/5/6/7");
}

TEST_F(CallerTest, AHostThatDoesNotAnswerDelaysNoOther) {
  const SilentListener silent;
  Caller caller({.calls_max = 3, .calls_to_one_host_max = 2});
  std::atomic<int> ended = 0;
  for (int i = 0; i < 10; ++i) {
    caller.call({.url = silent.url(), .time_max = Span::seconds(3'600)},
                [&](const Result<Response>&) { ++ended; });
  }
  for (int i = 0; i < 10; ++i) EXPECT_EQ(outcome_of(call_later(caller, {.url = url}).get()), "200");
  EXPECT_EQ(ended, 0);
}

TEST_F(CallerTest, IfTooManyCallsWaitTheNextIsRefused) {
  const SilentListener silent;
  Caller caller({.calls_max = 1, .waiting_max = 2});
  const OutgoingCall call{.url = silent.url(), .time_max = Span::seconds(3'600)};
  for (int i = 0; i < 3; ++i) caller.call(call, [](const Result<Response>&) {});
  EXPECT_EQ(outcome_of(call_later(caller, call).get()),
            "throttled " + call.url + ": too many calls wait for their turn");
}

TEST_F(CallerTest, AWaitInTheQueueEndsAtItsInstantAndTheOthersStay) {
  const SilentListener silent;
  Caller caller({.calls_to_one_host_max = 1});
  const OutgoingCall slow{.url = silent.url(), .time_max = Span::seconds(3'600)};
  auto first = call_later(caller, slow);
  auto second = call_later(caller, slow);
  OutgoingCall limited = slow;
  limited.url += "/a?token=secret";
  limited.until = monotonic_now() + Span::millis(50);
  EXPECT_EQ(outcome_of(call_later(caller, limited).get()),
            "timed_out " + slow.url + "/a: no answer in time");
  for (const int i : {0, 1}) {
    silent.answer_once("HTTP/1.1 204 No Content\r\n\r\n");
    EXPECT_EQ(outcome_of((i == 0 ? first : second).get()), "204");
  }
}

// Also one that has begun, and one whose instant has passed before it is made.
TEST_F(CallerTest, ACallEndsAtItsInstant) {
  const SilentListener silent;
  Caller caller;
  for (const std::int64_t millis : {50, -50}) {
    const OutgoingCall call{.url = silent.url(),
                            .time_max = Span::seconds(3'600),
                            .until = monotonic_now() + Span::millis(millis)};
    EXPECT_EQ(outcome_of(call_later(caller, call).get()),
              "timed_out " + call.url + ": no answer in time");
  }
}

TEST_F(CallerTest, TheDestructorCancelsCallsInProgressAndCallsNothingMore) {
  const SilentListener silent;
  const auto ended = std::make_shared<std::atomic<int>>(0);
  {
    Caller caller({.calls_to_one_host_max = 2});
    for (int i = 0; i < 5; ++i) {
      caller.call({.url = silent.url(), .time_max = Span::seconds(3'600)},
                  [ended](const Result<Response>&) { ++*ended; });
    }
    EXPECT_EQ(outcome_of(call_later(caller, {.url = url}).get()), "200");
  }
  EXPECT_EQ(*ended, 0);
  EXPECT_EQ(ended.use_count(), 1);  // nothing is left that could call it
}

TEST_F(CallerTest, ACallersMistakeEndsNoOtherCall) {
  Caller caller;
  caller.call({.url = url}, [](const Result<Response>&) { throw std::runtime_error("a mistake"); });
  EXPECT_EQ(outcome_of(call_later(caller, {.url = url}).get()), "200");
}

}  // namespace
}  // namespace mayfly::net
