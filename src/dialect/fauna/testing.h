// Shared by the dialect's tests: a server without sockets, on a memory store and a manual clock,
// and test cases as tables.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "db/database.h"
#include "dialect/common/events/stream.h"
#include "dialect/common/page_token.h"
#include "dialect/common/requests/testing.h"
#include "dialect/fauna/fauna.h"
#include "dialect/fauna/options.h"
#include "net/requests/testing.h"
#include "store/open.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::fauna::testing {

inline constexpr std::string_view start_time = "2026-02-27T10:00:00Z";

struct Reply {
  net::Response response;
  mayfly::Value body;

  int status() const { return response.status; }
  // A path of member names and element indexes: `data[0].@doc.ts`.
  mayfly::Value at(std::string_view written) const {
    std::string plain(written);
    std::erase(plain, ']');
    std::replace(plain.begin(), plain.end(), '[', '.');
    std::string_view path = plain;
    mayfly::Value value = body;
    for (bool is_more = true; is_more;) {
      const std::size_t dot = path.find('.');
      const std::string name(path.substr(0, dot));
      is_more = dot != path.npos;
      path.remove_prefix(is_more ? dot + 1 : path.size());
      if (!value.is(Kind::array)) {
        value = value.member(name);
      } else {
        const std::size_t i = std::stoul(name);
        value = i < value.array().size() ? mayfly::Value(value.array()[i]) : mayfly::Value();
      }
    }
    return value;
  }
  // A text unquoted, any other value as JSON, "" if it is missing.
  std::string text(std::string_view path) const {
    const mayfly::Value value = at(path);
    if (value.is_missing()) return "";
    return value.is(Kind::text) ? value.text() : render_json(value);
  }
  std::string data() const { return render_json(at("data")); }
  std::string code() const { return text("error.code"); }
  std::string message() const { return text("error.message"); }
  std::string summary() const { return text("summary"); }
  // The data of a successful response; for a failure "code: message", with the constraint failures
  // as " [path message]"; with the status if it is neither 200 nor 400.
  std::string result() const {
    if (status() == 200) return data();
    std::string text = status() == 400 ? "" : std::to_string(status()) + " ";
    text += code() + ": " + message();
    const mayfly::Value failures = at("error.constraint_failures");
    if (!failures.is(Kind::array)) return text;
    for (const mayfly::Value& failure : failures.array()) {
      text += " [" + render_json(failure.member("paths")) + " " + failure.member("message").text() +
              "]";
    }
    return text;
  }
};

// One step of a test case. `query` is a query with an optional prefix "tagged ", "decorated " or
// "typechecked ", or a whole request "post /feed/1 BODY", or "fsl SCHEMA", or "wait 3" (seconds),
// or "secret SECRET" for the following steps, or "restart". `expected` is the expected result of
// Reply::result(), in which `…` matches any text. "$name=" saves the data for later steps, which
// refer to it as $name. With the prefix "summary: " the summary of a failure is expected, with
// "log: " the summary of a success, and with "raw: " the whole body.
struct CaseStep {
  std::string label;  // of the case; empty: the same as before
  std::string query;
  std::string expected = "…";
};

class FaunaTest : public ::testing::Test {
 protected:
  using Headers = std::vector<net::Pair>;

  FaunaTest() : FaunaTest(*store::open({.data = ":memory:"})) {}
  explicit FaunaTest(std::unique_ptr<store::Store> store) {
    auto opened = Database::open(std::move(store), clock);
    EXPECT_TRUE(opened);
    database = std::move(*opened);
    events = std::make_unique<EventHub>(*database);
    restart();
  }
  ~FaunaTest() override { dialect.reset(); }

  // Replaces the dialect object; the store stays.
  void restart() {
    dialect.reset();
    dialect = make_fauna({.database = *database,
                          .manual_clock = &clock,
                          .random = random,
                          .credentials = credentials,
                          .page_tokens = page_tokens,
                          .events = events.get()},
                         options);
  }

  Reply send(std::string method, const std::string& target, std::string body = {},
             Headers headers = {}) {
    if (!secret.empty()) headers.insert(headers.begin(), {"authorization", "Bearer " + secret});
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
  // Sends a whole body, in JSON.
  Reply query_body(std::string body, Headers headers = {}) {
    return send("POST", "/query/1", std::move(body), std::move(headers));
  }
  Reply query(std::string_view text, Headers headers = {{"x-typecheck", "false"}}) {
    const mayfly::Value body(Object{{"query", mayfly::Value(std::string(text))}});
    return query_body(render_json(body), std::move(headers));
  }

  // Pushes one file of FSL as the whole schema.
  Reply push(const std::string& schema) {
    return send("POST", "/schema/1/update?force=true&staged=false",
                "--mark\r\nContent-Disposition: form-data; name=\"main.fsl\"; filename=\"blob\""
                "\r\n\r\n" +
                    schema + "\r\n--mark--\r\n",
                {{"content-type", "multipart/form-data; boundary=mark"}});
  }

  void advance_clock(std::int64_t seconds) { clock.advance(mayfly::Span::seconds(seconds)); }

  void run_steps(const std::vector<CaseStep>& steps) {
    std::string label;
    for (const CaseStep& step : steps) {
      if (!step.label.empty()) label = step.label;
      SCOPED_TRACE(label + ": " + step.query.substr(0, 1'000));
      run_step(step);
    }
  }

  ManualClock clock{parse_rfc3339(start_time).value()};
  Random random{7};
  Credentials credentials;
  const PageTokens page_tokens{"secret"};
  FaunaOptions options;  // used from the next restart
  std::string secret = "secret";
  std::unique_ptr<Database> database;
  std::unique_ptr<EventHub> events;
  std::unique_ptr<Dialect> dialect;
  std::map<std::string, std::string> saved;  // data saved by steps, by name

 private:
  static bool fits(std::string_view text, std::string_view pattern) {
    constexpr std::string_view any = "…";
    const std::size_t gap = pattern.find(any);
    if (gap == pattern.npos) return text == pattern;
    if (!text.starts_with(pattern.substr(0, gap))) return false;
    const std::string_view rest = pattern.substr(gap + any.size());
    for (std::size_t from = gap; from <= text.size(); ++from) {
      if (fits(text.substr(from), rest)) return true;
    }
    return false;
  }
  static bool take(std::string& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.erase(0, prefix.size());
    return true;
  }
  std::string filled(std::string text) const {
    // In reverse order, so that a longer name precedes its prefixes.
    for (auto one = saved.rbegin(); one != saved.rend(); ++one) {
      const std::string variable_name = "$" + one->first;
      for (std::size_t at = text.find(variable_name); at != text.npos;
           at = text.find(variable_name, at)) {
        text.replace(at, variable_name.size(), one->second);
        at += one->second.size();
      }
    }
    return text;
  }
  void run_step(const CaseStep& step) {
    std::string text = filled(step.query);
    if (take(text, "wait ")) return advance_clock(std::stoll(text));
    if (text == "restart") return restart();
    if (take(text, "secret ")) {
      secret = text;
      return;
    }
    check_reply(step, send_step(std::move(text)));
  }
  Reply send_step(std::string text) {
    if (take(text, "post ")) {
      const std::size_t space = text.find(' ');
      return send("POST", text.substr(0, space), text.substr(space + 1), {{"x-format", "tagged"}});
    }
    if (take(text, "fsl ")) return push(text);
    Headers headers;
    if (take(text, "tagged ")) headers.emplace_back("x-format", "tagged");
    if (take(text, "decorated ")) headers.emplace_back("x-format", "decorated");
    headers.emplace_back("x-typecheck", take(text, "typechecked ") ? "true" : "false");
    return query(text, headers);
  }
  void check_reply(const CaseStep& step, const Reply& reply) {
    const std::size_t equals = step.expected.find('=');
    if (step.expected.starts_with("$") && equals != step.expected.npos) {
      EXPECT_EQ(reply.status(), 200) << reply.response.body;
      saved[step.expected.substr(1, equals - 1)] = reply.text("data");
      return;
    }
    std::string expected = filled(step.expected);
    const bool is_summary = take(expected, "summary: ");
    const bool is_log = take(expected, "log: ");
    const bool is_raw = take(expected, "raw: ");
    EXPECT_TRUE(!is_summary || reply.status() != 200) << reply.response.body;
    EXPECT_TRUE(!is_log || reply.status() == 200) << reply.response.body;
    const std::string actual = is_raw                 ? reply.response.body
                               : is_summary || is_log ? reply.summary()
                                                      : reply.result();
    EXPECT_TRUE(fits(actual, expected)) << "actual   " << actual << "\nexpected " << expected;
    EXPECT_TRUE(expected != "…" || reply.status() == 200) << reply.response.body;
  }
};

}  // namespace mayfly::fauna::testing
