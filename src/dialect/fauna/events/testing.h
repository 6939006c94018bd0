// Shared by the tests of event sources: a collection Foo, and streams without sockets whose hub
// runs only when a test calls it.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "db/jobs/jobs.h"
#include "dialect/common/events/fake_stream.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {

using mayfly::testing::FakeStream;

inline Instant hub_time;  // the hub's own clock

class EventsTest : public FaunaTest {
 protected:
  EventsTest() {
    hub_time = Instant::from_seconds(1'000);
    dialect.reset();
    events = std::make_unique<EventHub>(*database,
                                        EventHubOptions{.monotonic = [] { return hub_time; }});
    restart();
    make(R"(Collection.create({name: "Foo"}))");
  }

  void make(std::string_view text) {
    const Reply reply = query(text);
    EXPECT_EQ(reply.status(), 200) << text << "\n" << reply.response.body;
  }
  std::string token(std::string_view text) {
    const Reply made = query(text);
    EXPECT_EQ(made.status(), 200) << text << "\n" << made.response.body;
    return made.text("data");
  }
  // The token and further members of a body: `,"page_size":2`.
  static std::string body(const std::string& token, const std::string& more = {}) {
    return R"({"token":")" + token + "\"" + more + "}";
  }
  Reply feed(const std::string& token, const std::string& more = {}, Headers headers = {}) {
    return send("POST", "/feed/1", body(token, more), std::move(headers));
  }

  std::shared_ptr<FakeStream> follow(const std::string& token, const std::string& more = {}) {
    const net::Request request{.method = "POST",
                               .target = "/stream/1",
                               .path = "/stream/1",
                               .headers = {{"authorization", "Bearer " + secret}},
                               .body = body(token, more)};
    const net::Response opened = net::PendingRequest(*dialect, request)->answer();
    EXPECT_EQ(opened.status, 200) << opened.body;
    auto stream = std::make_shared<FakeStream>();
    stream->send(opened.body);
    if (opened.stream) {
      opened.stream(stream);
    } else {
      stream->end();
    }
    run_hub();
    return stream;
  }
  void run_hub() {
    while (run_once()) {
    }
  }
  bool run_once() {
    return database->jobs().run_due(JobLane::events) +
               database->jobs().run_due(JobLane::evaluation) >
           0;
  }
  // Advances the time of the hub alone.
  void advance_hub_clock(std::int64_t seconds) {
    hub_time = hub_time + mayfly::Span::seconds(seconds);
    events->wake();
    run_hub();
  }

  // "add 1", "error abort: …": the types of events and their data, without number tags.
  static std::string shown(const mayfly::Value& event) {
    const std::string type = event.member("type").text();
    if (type == "status") return type;
    if (type == "error") {
      const mayfly::Value error = event.member("error");
      const mayfly::Value abort = error.member("abort");
      return "error " + error.member("code").text() + ": " + error.member("message").text() +
             (abort.is_missing() ? "" : " " + render_json(abort));
    }
    const mayfly::Value data = event.member("data");
    for (const char* tag : {"@int", "@long"}) {
      if (data.member(tag).is(Kind::text)) return type + " " + data.member(tag).text();
    }
    return type + " " + render_json(data);
  }
  static std::vector<mayfly::Value> values(const FakeStream& stream) {
    std::vector<mayfly::Value> values;
    const std::string text = stream.text();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find("\r\n", at);
      EXPECT_NE(end, text.npos) << text;
      if (end == text.npos) break;
      values.push_back(parse_json(text.substr(at, end - at)).value_or(mayfly::Value()));
      at = end + 2;
    }
    return values;
  }
  static std::string shown(const std::vector<mayfly::Value>& events) {
    std::string text;
    for (const mayfly::Value& event : events) text += (text.empty() ? "" : ", ") + shown(event);
    return text;
  }
  static std::string shown(const FakeStream& stream) { return shown(values(stream)); }
  static std::string shown(const Reply& feed) {
    EXPECT_EQ(feed.status(), 200) << feed.response.body;
    const mayfly::Value events = feed.at("events");
    const std::string more = feed.text("has_next") == "true" ? " …" : "";
    return events.is(Kind::array) ? shown({events.array().begin(), events.array().end()}) + more
                                  : "";
  }
};

}  // namespace mayfly::fauna::testing
