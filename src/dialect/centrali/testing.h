// The fixture of the dialect's tests: a server without sockets, on a memory store and a manual
// clock. The tests named CaseNN are numbered across all files of this folder.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "db/expiry/sweeper.h"
#include "db/jobs/jobs.h"
#include "dialect/centrali/centrali.h"
#include "dialect/centrali/options.h"
#include "dialect/common/events/stream.h"
#include "dialect/common/page_token.h"
#include "dialect/common/requests/testing.h"
#include "net/requests/testing.h"
#include "store/open.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::centrali::testing {

struct Reply {
  net::Response response;
  Value body;

  int status() const { return response.status; }
  // The status, and the values at the paths: "201 2026-02-27T11:00:00Z".
  std::string at(std::initializer_list<std::string_view> paths) const {
    std::string text = std::to_string(response.status);
    for (const std::string_view path : paths) {
      const auto parsed = Path::parse(path);
      const Value value = parsed ? mayfly::at(body, *parsed) : Value();
      text += " " + (value.is_missing()     ? "-"
                     : value.is(Kind::text) ? value.text()
                                            : render_json(value));
    }
    return text;
  }
  std::string text(std::string_view path) const {
    const auto parsed = Path::parse(path);
    const Value value = parsed ? mayfly::at(body, *parsed) : Value();
    return value.is(Kind::text) ? value.text() : "";
  }
  const std::string* header(std::string_view name) const {
    for (const auto& [known, value] : response.headers) {
      if (known == name) return &value;
    }
    return nullptr;
  }
};

inline const std::string D = "/data/workspace/acme/api/v1";
inline const std::string A = "/workspace/acme/api/v1";
inline constexpr std::string_view start_time = "2026-02-27T10:00:00Z";

class CentraliTest : public ::testing::Test {
 protected:
  // Whether a thread follows the events; otherwise a test calls jobs().run_due().
  enum class Events { by_thread, by_hand };
  explicit CentraliTest(Events followed = Events::by_thread) : followed_(followed) { open(); }

  void open() {
    auto store = store::open({.data = ":memory:"});
    EXPECT_TRUE(store);
    auto opened = Database::open(std::move(*store), clock);
    EXPECT_TRUE(opened);
    dialect.reset();
    events.reset();
    database = std::move(*opened);
    if (followed_ == Events::by_thread) database->jobs().start(JobLane::events);
    events = std::make_unique<EventHub>(*database);
    restart();
  }

  void restart() {
    dialect.reset();
    dialect = make_centrali({.database = *database,
                             .manual_clock = &clock,
                             .random = random,
                             .credentials = credentials,
                             .page_tokens = page_tokens,
                             .events = events.get(),
                             .deliveries = deliveries,
                             .scripts = scripts,
                             .runner = runner},
                            options, [this](net::OutgoingCall call, net::Caller::Done done) {
                              send_to_webhook(std::move(call), std::move(done));
                            });
  }
  // Receives the calls to webhooks, in the thread of the events if there is one.
  virtual void send_to_webhook(net::OutgoingCall, net::Caller::Done done) {
    done(net::Response{.status = 200});
  }
  // A service account, which closes the server.
  void add_client(const std::string& id, const std::string& secret) {
    options.clients.push_back({id, secret});
    credentials.closed_by = "centrali.clients";
    restart();
  }

  // `target` may have a query string, percent-encoded as on the wire.
  Reply send(std::string method, const std::string& target, std::string body = "",
             std::vector<net::Pair> headers = {{"authorization", "Bearer t"}}) {
    const net::Request request = mayfly::testing::read_request(std::move(method), target,
                                                               std::move(headers), std::move(body));
    Reply reply{net::PendingRequest(*dialect, request)->answer(), {}};
    if (!reply.response.body.empty()) {
      auto parsed = parse_json(reply.response.body, {.bytes_max = 64 << 20});
      EXPECT_TRUE(parsed) << reply.response.body.substr(0, 1'000);
      if (parsed) reply.body = std::move(*parsed);
    }
    return reply;
  }
  Reply get(const std::string& target) { return send("GET", target); }
  Reply post(const std::string& target, std::string body) {
    return send("POST", target, std::move(body));
  }
  Reply patch(const std::string& target, std::string body = R"({"data":{}})") {
    return send("PATCH", target, std::move(body));
  }

  // Makes the structures of the cases: S, strict and without a default, and SD with a default of an
  // hour.
  void make_structures() {
    const std::string properties =
        R"("properties":[{"name":"userId","type":"string","required":true},)"
        R"({"name":"token","type":"string"}])";
    EXPECT_EQ(post(D + "/structures", R"({"id":"S","name":"S",)" + properties + "}").status(), 201);
    EXPECT_EQ(post(D + "/structures",
                   R"({"id":"SD","name":"SD","defaultTtlSeconds":3600,)" + properties + "}")
                  .status(),
              201);
  }
  // Makes a record of the structure; returns its id.
  std::string make_record(const std::string& parameters = "", const std::string& structure = "S",
                          const std::string& data = R"({"userId":"u","token":"t"})") {
    const Reply made = post(D + "/records" + parameters,
                            R"({"structureId":")" + structure + R"(","data":)" + data + "}");
    EXPECT_EQ(made.status(), 201) << made.response.body;
    return made.text("id");
  }
  // A field of each record of a list, in order: "a b c".
  static std::string column(const Reply& list, std::string_view path) {
    if (list.status() >= 300) return list.at({"message"});
    const auto parsed = Path::parse(path);
    std::string text;
    const Value rows = list.body.member("data");
    for (const Value& row : rows.array()) {
      const Value value = mayfly::at(row, *parsed);
      text +=
          (text.empty() ? "" : " ") + (value.is(Kind::text) ? value.text() : render_json(value));
    }
    return text;
  }
  static std::string sorted_column(const Reply& list, std::string_view path) {
    std::string text = column(list, path);
    std::vector<std::string> words;
    for (std::size_t from = 0; from <= text.size();) {
      const std::size_t to = std::min(text.find(' ', from), text.size());
      words.push_back(text.substr(from, to - from));
      from = to + 1;
    }
    std::sort(words.begin(), words.end());
    text.clear();
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
  }

  void pass(std::int64_t seconds) { clock.advance(Span::seconds(seconds)); }
  void pass_millis(std::int64_t millis) { clock.advance(Span::millis(millis)); }

  ManualClock clock{parse_rfc3339(start_time).value()};
  Random random{7};
  Credentials credentials;
  const PageTokens page_tokens{"secret"};
  CentraliOptions options{.signing_key = "a key for tests"};  // applied by restart()
  std::unique_ptr<Database> database;
  std::unique_ptr<EventHub> events;
  std::unique_ptr<Dialect> dialect;
  // A test's own, if it has them; applied by restart().
  delivery::Deliveries* deliveries = nullptr;
  script::Pool* scripts = nullptr;
  script::Runner* runner = nullptr;

 private:
  const Events followed_;
};

}  // namespace mayfly::centrali::testing
