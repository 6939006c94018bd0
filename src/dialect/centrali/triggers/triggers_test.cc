// Function triggers over the API: valid requests, and the runs of triggers.
#include <gtest/gtest.h>

#include "delivery/subscription.h"
#include "dialect/centrali/functions/functions_testing.h"
#include "dialect/centrali/triggers/target.h"

namespace mayfly::centrali {
namespace {

using namespace testing;  // NOLINT(google-build-using-namespace): the words of these tests

class TriggersTest : public FunctionsTest {
 protected:
  std::vector<delivery::Subscription> subscriptions() {
    View view = database->view();
    const auto workspace = view.catalog().find_database("acme");
    auto rows =
        PrivateTable<delivery::Subscription>::find(view.catalog(), workspace->id).list(view);
    EXPECT_TRUE(rows);
    return rows ? *std::move(rows) : std::vector<delivery::Subscription>();
  }
};

TEST_F(TriggersTest, ATriggerIsMadeChangedAndRemoved) {
  const std::string function = make_function("async function run() {}");
  const std::string id = make_trigger(function, "endpoint", R"({"path":"/a/b/"})");
  const std::string path = triggers + "/" + id;
  EXPECT_EQ(get(path).at({"name", "executionType", "status", "enabled", "nextRunAt"}),
            "200 t http-trigger active true null");
  EXPECT_EQ(patch(path, R"({"name":"u","enabled":false})").at({"name", "status"}), "200 u paused");
  EXPECT_EQ(post(path + "/resume", "").at({"status"}), "200 active");
  EXPECT_EQ(post(path + "/pause", "").at({"status"}), "200 paused");
  EXPECT_EQ(column(get(triggers + "?functionId=" + function), "name"), "u");
  EXPECT_EQ(column(get(triggers + "?functionId=none"), "name"), "");
  EXPECT_EQ(send("DELETE", path).status(), 204);
  for (const char* verb : {"", "/pause", "/runs"}) {
    const bool is_action = std::string_view(verb) == "/pause";
    EXPECT_EQ(send(is_action ? "POST" : "GET", path + verb).status(), 404) << verb;
  }
}

TEST_F(TriggersTest, WhatIsWrongIsNamed) {
  make_structures();
  const std::string function = make_function("async function run() {}");
  struct Case {
    const char* type;
    const char* metadata;
    const char* error;
  };
  const Case rows[] = {
      {"sometimes", "{}", "400 executionType"},
      {"event-driven", "{}", "400 triggerMetadata.event"},
      {"event-driven", R"({"event":"record_reverted"})", "400 triggerMetadata.event"},
      {"event-driven", R"({"event":"records_bulk_created"})", "400 triggerMetadata.event"},
      {"event-driven", R"({"event":"record_created","recordSlug":"none"})",
       "404 triggerMetadata.recordSlug"},
      {"event-driven", R"({"event":"record_created","recordSlug":1})",
       "400 triggerMetadata.recordSlug"},
      {"on-demand", R"({"params":[1]})", "400 triggerMetadata.params"},
      {"on-demand", R"({"params":{"a":{"value":"s","encrypt":"true"}}})",
       "400 triggerMetadata.params.a.encrypt"},
      {"on-demand", R"({"params":{"a":{"value":"s","encrypt":null}}})",
       "400 triggerMetadata.params.a.encrypt"},
      {"on-demand", R"({"params":{"a":{"b":{"value":"s","encrypt":true}}}})",
       "400 triggerMetadata.params.a"},
      {"on-demand", R"({"params":{"a":[{"value":"s","encrypt":"true"}]}})",
       "400 triggerMetadata.params.a"},
      {"on-demand", R"({"params":{"a":{"value":[{"value":"s","encrypt":true}],"encrypt":false}}})",
       "400 triggerMetadata.params.a"},
      {"http-trigger", "{}", "400 triggerMetadata.path"},
      {"http-trigger", R"({"path":"a b"})", "400 triggerMetadata.path"},
      {"scheduled", "{}", "400 triggerMetadata.interval"},
      {"scheduled", R"({"interval":0})", "400 triggerMetadata.interval"},
      {"scheduled", R"({"interval":31622401})", "400 triggerMetadata.interval"},
      {"scheduled", R"({"scheduleType":"often"})", "400 triggerMetadata.scheduleType"},
      {"scheduled", R"({"scheduleType":"cron"})", "400 triggerMetadata.cronExpression"},
      {"scheduled", R"({"cronExpression":"0 0 30 2 *"})", "400 triggerMetadata.cronExpression"},
      {"scheduled", R"({"cronExpression":"@daily","timezone":"Mars"})",
       "400 triggerMetadata.timezone"},
      {"scheduled", R"({"cronExpression":"@daily","timezone":5})", "400 triggerMetadata.timezone"},
      {"scheduled", R"({"cronExpression":"@daily","timezone":"Etc/Unknown"})",
       "400 triggerMetadata.timezone"},
      {"scheduled", R"({"scheduleType":5,"interval":60})", "400 triggerMetadata.scheduleType"},
      {"scheduled", R"({"scheduleType":"once"})", "400 triggerMetadata.scheduledAt"},
  };
  for (const Case& row : rows) {
    EXPECT_EQ(ask_for_trigger(function, row.type, row.metadata).at({"details[0].field"}), row.error)
        << row.type << row.metadata;
  }
  EXPECT_EQ(ask_for_trigger("none", "on-demand", "{}").at({"details[0].field"}), "400 functionId");
  EXPECT_EQ(post(triggers, "{}").at({"details[0].field"}), "400 name");
  const std::string longest(limits::function_trigger_bytes_max, 'x');
  EXPECT_EQ(
      ask_for_trigger(function, "on-demand", R"({"params":{"a":")" + longest + R"("}})").status(),
      413);
  EXPECT_EQ(get(triggers).at({"meta.total"}), "200 0");
  for (std::size_t i = 0; i < limits::function_triggers_max; ++i) {
    make_trigger(function, "on-demand", "{}");
  }
  EXPECT_EQ(ask_for_trigger(function, "on-demand", "{}").status(), 413);
}

TEST_F(TriggersTest, AnEventDrivenTriggerHasASubscription) {
  make_structures();
  const std::string function = make_function("async function run() {}");
  const std::string id =
      make_trigger(function, "event-driven", R"({"event":"record.expired","recordSlug":"s"})");
  auto rows = subscriptions();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].id, id);
  EXPECT_EQ(rows[0].owner, "centrali");
  EXPECT_EQ(rows[0].target, function_target_name);
  EXPECT_EQ(rows[0].collections, std::vector<std::string>{"s"});
  EXPECT_EQ(rows[0].kinds, std::set<Event::Kind>{Event::Kind::expired});
  EXPECT_EQ(rows[0].attempts_max, limits::function_attempts_max);
  EXPECT_EQ(post(triggers + "/" + id + "/pause", "").status(), 200);
  EXPECT_TRUE(subscriptions()[0].is_paused);
  EXPECT_EQ(
      patch(triggers + "/" + id, R"({"triggerMetadata":{"event":"record_created"}})").status(),
      200);
  EXPECT_TRUE(subscriptions()[0].collections.empty());
  EXPECT_EQ(patch(triggers + "/" + id, R"({"executionType":"on-demand"})").status(), 200);
  EXPECT_TRUE(subscriptions().empty());
  EXPECT_EQ(patch(triggers + "/" + id, R"({"executionType":"event-driven"})").status(), 200);
  EXPECT_EQ(send("DELETE", triggers + "/" + id).status(), 204);
  EXPECT_TRUE(subscriptions().empty());
  // Clients of other APIs cannot name the target.
  EXPECT_FALSE(deliveries->target(function_target_name)->settings_of({}));
}

TEST_F(TriggersTest, TheTriggerOfADeletedStructureCanBeChanged) {
  make_structures();
  const std::string function = make_function("async function run() {}");
  const std::string id =
      make_trigger(function, "event-driven", R"({"event":"record_created","recordSlug":"s"})");
  const std::string path = triggers + "/" + id;
  EXPECT_EQ(send("DELETE", D + "/structures/S").status(), 204);
  EXPECT_EQ(post(path + "/pause", "").at({"status"}), "200 paused");
  EXPECT_TRUE(subscriptions()[0].is_paused);
  EXPECT_EQ(post(path + "/resume", "").at({"status"}), "200 active");
  EXPECT_EQ(patch(path, R"({"name":"u"})").at({"name"}), "200 u");
  EXPECT_EQ(patch(path, R"({"enabled":false})").at({"status"}), "200 paused");
  const char* other_event = R"({"triggerMetadata":{"event":"record_deleted","recordSlug":"s"}})";
  EXPECT_EQ(patch(path, other_event).status(), 200);
  const auto rows = subscriptions();
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].name, "u");
  EXPECT_EQ(rows[0].collections, std::vector<std::string>{"s"});
  EXPECT_EQ(rows[0].kinds, std::set<Event::Kind>{Event::Kind::removed});
  const char* other_slug = R"({"triggerMetadata":{"event":"record_deleted","recordSlug":"t"}})";
  EXPECT_EQ(patch(path, other_slug).at({"details[0].field"}), "404 triggerMetadata.recordSlug");
  const char* no_slug = R"({"triggerMetadata":{"event":"record_deleted","recordSlug":5}})";
  EXPECT_EQ(patch(path, no_slug).at({"details[0].field"}), "400 triggerMetadata.recordSlug");
  EXPECT_EQ(
      patch(path, R"({"triggerMetadata":{"event":"record_deleted","recordSlug":"sd"}})").status(),
      200);
  EXPECT_EQ(subscriptions()[0].collections, std::vector<std::string>{"sd"});
}

TEST_F(TriggersTest, WithoutDeliveriesNoEventRunsAFunction) {
  deliveries = nullptr;
  restart();
  const std::string function = make_function("async function run() {}");
  EXPECT_EQ(ask_for_trigger(function, "event-driven", R"({"event":"record_created"})").at({"code"}),
            "400 NOT_SUPPORTED");
  make_trigger(function, "on-demand", "{}");
}

TEST_F(TriggersTest, ParametersAreThoseOfTheTriggerAndTheCaller) {
  const std::string function =
      make_function("async function run() { return [executionParams, triggerParams]; }");
  const std::string id = make_trigger(
      function, "on-demand", R"({"params":{"a":1,"key":{"value":"secret","encrypt":true}}})");
  EXPECT_EQ(invoke(id, R"({"params":{"b":2}})").at({"result"}),
            R"(200 [{"b":2},{"a":1,"key":"secret"}])");
  EXPECT_EQ(invoke(id, R"({"b":2})").at({"result[0]"}), R"(200 {"b":2})");
  EXPECT_EQ(post(triggers + "/" + id + "/execute", "").at({"result[0]"}), "200 {}");
  const std::string shown = get(triggers + "/" + id).response.body;
  EXPECT_EQ(shown.find("secret"), std::string::npos) << shown;
  // A trigger that is written back as it was shown does not change.
  EXPECT_EQ(patch(triggers + "/" + id, shown).status(), 200);
  EXPECT_EQ(invoke(id, "{}").at({"result[1].key"}), "200 secret");
  EXPECT_EQ(column(get(triggers + "/" + id + "/runs"), "executionSource"),
            "on-demand on-demand on-demand on-demand");
}

TEST_F(TriggersTest, AParameterWithoutAValueIsNoSecret) {
  const std::string function = make_function("async function run() { return triggerParams; }");
  const std::string parameters =
      R"({"mail":{"encrypt":true},"tls":{"encrypt":"starttls","port":587}})";
  const std::string id = make_trigger(function, "on-demand", R"({"params":)" + parameters + "}");
  EXPECT_EQ(invoke(id, "{}").at({"result"}), "200 " + parameters);
  EXPECT_EQ(get(triggers + "/" + id).at({"triggerMetadata.params"}), "200 " + parameters);
}

TEST_F(TriggersTest, AnHttpTriggerAnswersWithTheResultOfTheFunction) {
  const std::string function = make_function(
      "async function run() { if (executionParams.query.fails) throw new Error('no');"
      " return executionParams; }");
  const std::string id = make_trigger(function, "http-trigger", R"({"path":"a/b"})");
  EXPECT_EQ(ask_for_trigger(function, "http-trigger", R"({"path":"/a/b"})").status(), 409);
  const Reply answered = send("PUT", D + "/http-trigger/a/b?x=1", R"({"c":3})",
                              {{"authorization", "Bearer t"},
                               {"proxy-authorization", "Basic s"},
                               {"cookie", "sid=s"},
                               {"x-api-key", "k"},
                               {"x-own", "y"}});
  EXPECT_EQ(answered.response.body, R"({"method":"PUT","path":"a/b","headers":{"x-own":"y"},)"
                                    R"("query":{"x":"1"},"body":{"c":3}})");
  EXPECT_EQ(get(D + "/http-trigger/a/b?fails=1").status(), 400);
  EXPECT_EQ(get(D + "/http-trigger/a").status(), 404);
  EXPECT_EQ(post(triggers + "/" + id + "/pause", "").status(), 200);
  EXPECT_EQ(get(D + "/http-trigger/a/b").status(), 404);
}

TEST_F(TriggersTest, TheNextRunIsShown) {
  const std::string function = make_function("async function run() {}");
  const auto next = [&](const std::string& metadata) {
    return ask_for_trigger(function, "scheduled", metadata).at({"nextRunAt"});
  };
  EXPECT_EQ(next(R"({"interval":90})"), "201 2026-02-27T10:01:30Z");
  EXPECT_EQ(next(R"({"cronExpression":"0 9 * * *","timezone":"America/New_York"})"),
            "201 2026-02-27T14:00:00Z");
  EXPECT_EQ(next(R"({"scheduleType":"once","scheduledAt":"2026-03-01T00:00:00Z"})"),
            "201 2026-03-01T00:00:00Z");
  EXPECT_EQ(next(R"({"scheduleType":"once","scheduledAt":"2026-01-01T00:00:00Z"})"), "400 -");
  const std::string id = make_trigger(function, "scheduled", R"({"interval":60})");
  EXPECT_EQ(post(triggers + "/" + id + "/pause", "").at({"nextRunAt"}), "200 null");
  EXPECT_EQ(post(triggers + "/" + id + "/resume", "").at({"nextRunAt"}),
            "200 2026-02-27T10:01:00Z");
}

TEST_F(TriggersTest, OnlyAChangedScheduleChangesTheNextRun) {
  const std::string function = make_function("async function run() {}");
  struct Case {
    const char* schedule;
    const char* same;  // is the same schedule
    const char* at;
    const char* other;
    const char* other_at;  // its next run after ten days
  };
  const Case rows[] = {
      {R"({"interval":60})", R"({"scheduleType":"interval","interval":60,"params":{"a":1}})",
       "2026-02-27T10:01:00Z", R"({"interval":90})", "2026-03-09T10:01:30Z"},
      {R"({"cronExpression":"0 9 * * *"})",
       R"({"scheduleType":"cron","cronExpression":"0 9 * * *","timezone":"UTC"})",
       "2026-02-28T09:00:00Z", R"({"cronExpression":"0 9 * * *","timezone":"Asia/Kolkata"})",
       "2026-03-10T03:30:00Z"},
      {R"({"scheduleType":"once","scheduledAt":"2026-03-01T00:00:00Z"})",
       R"({"scheduleType":"once","scheduledAt":"2026-03-01T01:00:00+01:00"})",
       "2026-03-01T00:00:00Z", R"({"scheduleType":"once","scheduledAt":"2026-04-01T00:00:00Z"})",
       "2026-04-01T00:00:00Z"},
  };
  const auto metadata = [](const char* json) {
    return std::string(R"({"triggerMetadata":)") + json + "}";
  };
  std::vector<std::string> paths;
  for (const Case& row : rows) {
    paths.push_back(triggers + "/" + make_trigger(function, "scheduled", row.schedule));
    EXPECT_EQ(get(paths.back()).at({"nextRunAt"}), "200 " + std::string(row.at));
    EXPECT_EQ(patch(paths.back(), R"({"enabled":false})").at({"nextRunAt"}), "200 null");
  }
  // The runs are missed while the triggers are paused.
  pass(10 * 86'400);
  for (const Case& row : rows) {
    const std::string& path = paths[static_cast<std::size_t>(&row - rows)];
    const std::string kept = "200 " + std::string(row.at);
    EXPECT_EQ(patch(path, R"({"name":"u"})").at({"nextRunAt"}), "200 null");
    EXPECT_EQ(post(path + "/resume", "").at({"nextRunAt"}), kept);
    EXPECT_EQ(patch(path, R"({"name":"v"})").at({"nextRunAt"}), kept);
    EXPECT_EQ(patch(path, metadata(row.same)).at({"nextRunAt"}), kept);
    EXPECT_EQ(patch(path, metadata(row.other)).at({"nextRunAt"}),
              "200 " + std::string(row.other_at));
    EXPECT_EQ(patch(path, R"({"executionType":"on-demand"})").at({"nextRunAt"}), "200 null");
  }
}

TEST_F(TriggersTest, AScheduleIsNotChangedToATimeThatHasPassed) {
  const std::string function = make_function("async function run() {}");
  const auto once = [](const std::string& at) {
    return R"({"scheduleType":"once","scheduledAt":")" + at + R"("})";
  };
  const auto changed = [&](const std::string& at) {
    return R"({"name":"u","triggerMetadata":)" + once(at) + "}";
  };
  const std::string path =
      triggers + "/" + make_trigger(function, "scheduled", once("2026-03-01T00:00:00Z"));
  EXPECT_EQ(patch(path, changed("2026-01-01T00:00:00Z")).at({"details[0].field"}),
            "400 triggerMetadata.scheduledAt");
  EXPECT_EQ(get(path).at({"name", "nextRunAt"}), "200 t 2026-03-01T00:00:00Z");
  pass(10 * 86'400);
  EXPECT_EQ(patch(path, changed("2026-03-01T00:00:00Z")).at({"name", "nextRunAt"}),
            "200 u 2026-03-01T00:00:00Z");
  EXPECT_EQ(patch(path, changed("2026-03-02T00:00:00Z")).at({"details[0].field"}),
            "400 triggerMetadata.scheduledAt");
}

}  // namespace
}  // namespace mayfly::centrali
