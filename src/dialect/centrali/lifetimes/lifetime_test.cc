// Case01 to Case22: how expiresAt, ttlSeconds, defaultTtlSeconds and clearTtl set a record's end.
#include "dialect/centrali/limits.h"
#include "dialect/centrali/testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliLifetimeTest : public CentraliTest {
 protected:
  CentraliLifetimeTest() { make_structures(); }

  Reply create(const std::string& parameters, const std::string& structure = "S",
               const std::string& more = "") {
    return post(
        D + "/records" + parameters,
        R"({"structureId":")" + structure + R"(","data":{"userId":"u","token":"t"})" + more + "}");
  }
  std::string end_of(const std::string& id) { return get(D + "/records/" + id).at({"expiresAt"}); }
};

TEST_F(CentraliLifetimeTest, Case01SecondsToLiveCountFromTheCreation) {
  const Reply made = create("?ttlSeconds=3600");
  EXPECT_EQ(made.at({"expiresAt", "createdAt", "updatedAt", "data", "version", "structureId"}),
            "201 2026-02-27T11:00:00Z 2026-02-27T10:00:00Z 2026-02-27T10:00:00Z "
            R"({"userId":"u","token":"t"} 1 S)");
}

TEST_F(CentraliLifetimeTest, AnUnknownParameterIsRefusedByName) {
  for (const std::string name : {"ttl", "ttlseconds", "expires_at", "includeTotal", "dateWindow"}) {
    const Reply refused = create("?" + name + "=5");
    EXPECT_EQ(refused.status(), 400) << name;
    EXPECT_NE(refused.response.body.find('"' + name + '"'), std::string::npos)
        << refused.response.body;
  }
  const std::string id = create("?ttlSeconds=60").text("id");
  const std::string record = D + "/records/" + id;
  EXPECT_EQ(get(record + "?fields=id").status(), 400);
  EXPECT_EQ(patch(record + "?ttl=5", R"({"data":{}})").status(), 400);
  EXPECT_EQ(send("DELETE", record + "?force=true").status(), 400);
  EXPECT_EQ(get(D + "/structures?ttl=5").status(), 400);
  EXPECT_EQ(get(D + "/records?structureId=S&ttl=5").status(), 400);
  EXPECT_EQ(get(record + "?structureId=S&includeArchived=true").status(), 200);
  EXPECT_EQ(end_of(id), "200 2026-02-27T10:01:00Z");
}

TEST_F(CentraliLifetimeTest, Case02AnInstantIsTakenAsItIs) {
  EXPECT_EQ(create("?expiresAt=2030-09-01T00:00:00Z").at({"expiresAt"}),
            "201 2030-09-01T00:00:00Z");
  EXPECT_EQ(create("?expiresAt=2030-09-01T00:00:00.250Z").at({"expiresAt"}),
            "201 2030-09-01T00:00:00.250Z");
  EXPECT_EQ(create("?expiresAt=2030-09-01T02:00:00+02:00").at({"expiresAt"}),
            "201 2030-09-01T00:00:00Z");
}

TEST_F(CentraliLifetimeTest, Case03TheInstantWinsOverTheSeconds) {
  EXPECT_EQ(create("?ttlSeconds=60&expiresAt=2030-09-01T00:00:00Z").at({"expiresAt"}),
            "201 2030-09-01T00:00:00Z");
}

TEST_F(CentraliLifetimeTest, Case04WithoutAnyARecordHasNoEndAndSaysSo) {
  const Reply made = create("");
  EXPECT_EQ(made.at({"expiresAt"}), "201 null");
  EXPECT_EQ(end_of(made.text("id")), "200 null");
}

TEST_F(CentraliLifetimeTest, Case05TheStructuresDefaultCountsFromTheCreation) {
  EXPECT_EQ(create("", "SD").at({"expiresAt"}), "201 2026-02-27T11:00:00Z");
}

TEST_F(CentraliLifetimeTest, Case06SecondsWinOverTheDefault) {
  EXPECT_EQ(create("?ttlSeconds=60", "SD").at({"expiresAt"}), "201 2026-02-27T10:01:00Z");
}

TEST_F(CentraliLifetimeTest, Case07AnInstantWinsOverTheDefault) {
  EXPECT_EQ(create("?expiresAt=2030-09-01T00:00:00Z", "SD").at({"expiresAt"}),
            "201 2030-09-01T00:00:00Z");
}

TEST_F(CentraliLifetimeTest, Case08SettingADefaultChangesNothingElse) {
  const Reply before = get(A + "/structures/S");
  const Reply after = send("PUT", A + "/structures/S", R"({"defaultTtlSeconds":86400})");
  EXPECT_EQ(after.at({"defaultTtlSeconds", "id", "name", "recordSlug"}), "200 86400 S S s");
  for (const char* member : {"properties", "schemaDiscoveryMode", "status", "createdAt"}) {
    EXPECT_EQ(before.at({member}), after.at({member}));
  }
  EXPECT_EQ(create("").at({"expiresAt"}), "201 2026-02-28T10:00:00Z");
}

TEST_F(CentraliLifetimeTest, Case09RecordsFromBeforeTheDefaultStayWithoutEnd) {
  const std::string earlier = make_record();
  send("PUT", A + "/structures/S", R"({"defaultTtlSeconds":86400})");
  EXPECT_EQ(end_of(earlier), "200 null");
}

TEST_F(CentraliLifetimeTest, Case10ADefaultThatIsRemovedLeavesEndsThatWereGiven) {
  send("PUT", A + "/structures/S", R"({"defaultTtlSeconds":86400})");
  const std::string earlier = make_record();
  EXPECT_EQ(
      send("PUT", A + "/structures/S", R"({"defaultTtlSeconds":null})").at({"defaultTtlSeconds"}),
      "200 null");
  EXPECT_EQ(create("").at({"expiresAt"}), "201 null");
  EXPECT_EQ(end_of(earlier), "200 2026-02-28T10:00:00Z");
  pass(86'400);
  EXPECT_EQ(get(D + "/records/" + earlier).status(), 404);
}

TEST_F(CentraliLifetimeTest, Case11SecondsAreAWholeNumberFromOne) {
  for (const char* wrong : {"0", "-5", "abc", "1.5", "", "2147483648", "1e3"}) {
    EXPECT_EQ(create("?ttlSeconds=" + std::string(wrong)).at({"error", "details[0].field"}),
              "400 Validation Failed ttlSeconds")
        << wrong;
  }
  EXPECT_EQ(create("", "S", R"(,"ttlSeconds":0)").at({"details[0].field"}), "400 ttlSeconds");
}

TEST_F(CentraliLifetimeTest, Case12AnInstantIsWellFormedAndMayLieInThePast) {
  for (const char* wrong : {"notadate", "2026-09-01", "2026-09-01T00:00:00", "1788220800"}) {
    EXPECT_EQ(create("?expiresAt=" + std::string(wrong)).at({"details[0].field"}), "400 expiresAt")
        << wrong;
  }
  const Reply dead = create("?expiresAt=2020-01-01T00:00:00Z");
  EXPECT_EQ(dead.at({"expiresAt"}), "201 2020-01-01T00:00:00Z");
  ASSERT_NE(dead.header("x-mayfly-hint"), nullptr);
  EXPECT_EQ(get(D + "/records/" + dead.text("id")).status(), 404);
  EXPECT_EQ(create("?ttlSeconds=1").header("x-mayfly-hint"), nullptr);
}

TEST_F(CentraliLifetimeTest, Case13ADefaultIsAWholeNumberFromOne) {
  for (const char* wrong : {"0", "-1", R"("x")", "1.5", "true"}) {
    const std::string body = R"({"defaultTtlSeconds":)" + std::string(wrong) + "}";
    EXPECT_EQ(send("PUT", A + "/structures/S", body).at({"details[0].field"}),
              "400 defaultTtlSeconds")
        << wrong;
    EXPECT_EQ(post(D + "/structures", R"({"name":"x",)" + body.substr(1)).status(), 400);
  }
}

TEST_F(CentraliLifetimeTest, Case14SecondsOfAPatchCountFromThePatch) {
  const std::string id = make_record("?ttlSeconds=3600");
  pass(600);
  const Reply patched = patch(D + "/records/" + id + "?ttlSeconds=7200");
  EXPECT_EQ(patched.at({"expiresAt", "data", "version", "createdAt", "updatedAt"}),
            R"(200 2026-02-27T12:10:00Z {"userId":"u","token":"t"} 2 2026-02-27T10:00:00Z )"
            "2026-02-27T10:10:00Z");
  EXPECT_EQ(end_of(id), "200 2026-02-27T12:10:00Z");
}

TEST_F(CentraliLifetimeTest, Case15ClearTtlMakesARecordPermanent) {
  const std::string id = make_record("?ttlSeconds=3600");
  EXPECT_EQ(patch(D + "/records/" + id + "?clearTtl=true").at({"expiresAt"}), "200 null");
  pass(3'600);
  EXPECT_EQ(end_of(id), "200 null");
}

TEST_F(CentraliLifetimeTest, Case16ADataUpdateDoesNotMoveTheEnd) {
  const std::string id = make_record("?ttlSeconds=3600");
  pass(600);
  EXPECT_EQ(patch(D + "/records/" + id, R"({"data":{"token":"x"}})").at({"data", "expiresAt"}),
            R"(200 {"userId":"u","token":"x"} 2026-02-27T11:00:00Z)");
}

TEST_F(CentraliLifetimeTest, Case17APatchSetsAnInstant) {
  const std::string id = make_record();
  EXPECT_EQ(patch(D + "/records/" + id + "?expiresAt=2026-02-27T10:00:01Z").at({"expiresAt"}),
            "200 2026-02-27T10:00:01Z");
  pass(1);
  EXPECT_EQ(get(D + "/records/" + id).status(), 404);
}

TEST_F(CentraliLifetimeTest, Case18ClearTtlGoesWithNoOther) {
  const std::string id = make_record("?ttlSeconds=60");
  EXPECT_EQ(patch(D + "/records/" + id + "?clearTtl=true&ttlSeconds=5").at({"details[0].field"}),
            "400 clearTtl");
  EXPECT_EQ(patch(D + "/records/" + id + "?clearTtl=true&expiresAt=2030-01-01T00:00:00Z").status(),
            400);
  EXPECT_EQ(patch(D + "/records/" + id + "?clearTtl=maybe").at({"details[0].field"}),
            "400 clearTtl");
}

TEST_F(CentraliLifetimeTest, Case19ClearTtlFalseDoesNothing) {
  const std::string id = make_record("?ttlSeconds=60");
  EXPECT_EQ(patch(D + "/records/" + id + "?clearTtl=false").at({"expiresAt"}),
            "200 2026-02-27T10:01:00Z");
}

TEST_F(CentraliLifetimeTest, Case20ADefaultDoesNotComeBackOverAClearedEnd) {
  const std::string id = make_record("", "SD");
  EXPECT_EQ(patch(D + "/records/" + id + "?clearTtl=true").at({"expiresAt"}), "200 null");
  EXPECT_EQ(patch(D + "/records/" + id, R"({"data":{"token":"x"}})").at({"expiresAt"}), "200 null");
}

TEST_F(CentraliLifetimeTest, Case21APatchGivesAnEndToARecordThatHadNone) {
  const std::string id = make_record();
  EXPECT_EQ(patch(D + "/records/" + id + "?ttlSeconds=5").at({"expiresAt"}),
            "200 2026-02-27T10:00:05Z");
}

TEST_F(CentraliLifetimeTest, Case22ARecordSlidesAsLongAsItIsUsed) {
  const std::string id = make_record("?ttlSeconds=2");
  for (int i = 0; i < 4; ++i) {
    pass(1);
    EXPECT_EQ(patch(D + "/records/" + id + "?ttlSeconds=2").status(), 200);
    EXPECT_EQ(get(D + "/records/" + id).status(), 200);
  }
  pass(2);
  EXPECT_EQ(get(D + "/records/" + id).status(), 404);
}

TEST_F(CentraliLifetimeTest, APatchIntoThePastEndsTheRecordImmediatelyAndSaysSo) {
  const std::string id = make_record();
  const Reply dead = patch(D + "/records/" + id + "?expiresAt=2020-01-01T00:00:00Z");
  EXPECT_EQ(dead.at({"expiresAt"}), "200 2020-01-01T00:00:00Z");
  EXPECT_NE(dead.header("x-mayfly-hint"), nullptr);
  EXPECT_EQ(get(D + "/records/" + id).status(), 404);
  EXPECT_EQ(database->sweeper().run_due(10).value(), 1U);
}

TEST_F(CentraliLifetimeTest, AReplacementKeepsTheEndUnlessItNamesOne) {
  const std::string id = make_record("?ttlSeconds=60", "SD");
  const auto put = [&](const std::string& parameters) {
    return send("PUT", D + "/records/" + id + parameters, R"({"data":{"userId":"v"}})");
  };
  EXPECT_EQ(put("").at({"expiresAt", "data"}), R"(200 2026-02-27T10:01:00Z {"userId":"v"})");
  EXPECT_EQ(put("?ttlSeconds=5").at({"expiresAt"}), "200 2026-02-27T10:00:05Z");
  EXPECT_EQ(put("?clearTtl=true").at({"expiresAt", "version"}), "200 null 4");
}

TEST_F(CentraliLifetimeTest, APatchOfTheEndAloneNeedsNoBody) {
  const std::string id = make_record();
  EXPECT_EQ(patch(D + "/records/" + id + "?ttlSeconds=5", "").at({"expiresAt"}),
            "200 2026-02-27T10:00:05Z");
  EXPECT_EQ(patch(D + "/records/" + id + "?ttlSeconds=5", "{}").status(), 200);
}

TEST_F(CentraliLifetimeTest, TheLongestSpanIsAccepted) {
  EXPECT_EQ(create("?ttlSeconds=2147483647").at({"expiresAt"}), "201 2094-03-17T13:14:07Z");
  EXPECT_EQ(create("?expiresAt=9999-12-31T23:59:59.999999Z").at({"expiresAt"}),
            "201 9999-12-31T23:59:59.999Z");
}

TEST_F(CentraliLifetimeTest, ARecordOptsOutOfTheDefaultAtItsCreation) {
  EXPECT_EQ(create("?clearTtl=true", "SD").at({"expiresAt"}), "201 null");
  EXPECT_EQ(create("", "SD", R"(,"expiresAt":null)").at({"expiresAt"}), "201 null");
  EXPECT_EQ(create("?expiresAt=null", "SD").at({"expiresAt"}), "201 null");
}

TEST_F(CentraliLifetimeTest, MembersOfTheBodySayTheSameAsParametersWhichWin) {
  EXPECT_EQ(create("", "S", R"(,"ttlSeconds":60)").at({"expiresAt"}), "201 2026-02-27T10:01:00Z");
  EXPECT_EQ(create("?ttlSeconds=5", "S", R"(,"ttlSeconds":60)").at({"expiresAt"}),
            "201 2026-02-27T10:00:05Z");
  EXPECT_EQ(create("", "S", R"(,"expiresAt":"2030-01-01T00:00:00Z")").at({"expiresAt"}),
            "201 2030-01-01T00:00:00Z");
}

TEST_F(CentraliLifetimeTest, TheShownEndIsTheInstantOfTheExpiration) {
  clock.advance(Span{1'234'567});
  const Reply made = create("?ttlSeconds=1", "S");
  const Reply stamped = create("", "SD");
  EXPECT_EQ(made.at({"expiresAt"}), "201 2026-02-27T10:00:02.234Z");
  EXPECT_EQ(stamped.at({"expiresAt"}), "201 2026-02-27T11:00:01.234Z");
  for (const Reply& reply : {made, stamped}) {
    const Instant end = parse_rfc3339(reply.text("expiresAt")).value();
    clock.set(end - Span{1});
    EXPECT_EQ(get(D + "/records/" + reply.text("id")).status(), 200);
    clock.set(end);
    EXPECT_EQ(get(D + "/records/" + reply.text("id")).status(), 404);
  }
}

TEST_F(CentraliLifetimeTest, TheIdsOfOneStructureDoNotLookAlike) {
  const std::string a = make_record(), b = make_record();
  EXPECT_EQ(a.size(), 36U);
  EXPECT_EQ(a[14], '4');
  EXPECT_NE(a.substr(0, 8), b.substr(0, 8));
}

// Otherwise a record that was meant to expire would stay for ever, unnoticed by its client.
TEST_F(CentraliLifetimeTest, AMisspeltLifetimeInABodyIsNamedInTheResponse) {
  const auto hint = [](const Reply& reply) {
    EXPECT_LT(reply.status(), 300) << reply.response.body;
    const std::string* text = reply.header("x-mayfly-hint");
    return text == nullptr ? "-" : text->substr(0, text->find(';'));
  };
  const std::string id = make_record();
  const auto effect = [](const std::string& member) {
    return "the member " + member + " has no effect";
  };
  for (const std::string member : {"ttlSecond", "ttl", "expires_at", "expiry", "TTL", "timeToLive",
                                   "time_to_live", "lifetime", "clear_ttl", "defaultTtlSeconds"}) {
    EXPECT_EQ(hint(create("", "S", ",\"" + member + "\":60")), effect(member));
  }
  const std::string patched = R"({"data":{},"expires_at":"2030-01-01T00:00:00Z"})";
  EXPECT_EQ(hint(patch(D + "/records/" + id, patched)), effect("expires_at"));
  EXPECT_EQ(hint(send("PUT", D + "/records/" + id, R"({"data":{"userId":"u"},"ttl":5})")),
            effect("ttl"));
  EXPECT_EQ(hint(post(D + "/records/slug/s/upsert",
                      R"({"match":{"userId":"n"},"data":{},"ttlSecond":5})")),
            effect("ttlSecond"));
  for (const std::string many : {"bulk", "batch"}) {
    const auto records = [&](const std::string& of_all, const std::string& of_one) {
      return post(D + "/records/" + many, R"({"structureId":"S")" + of_all +
                                              R"(,"records":[{"data":{"userId":"u"}})" +
                                              R"(,{"data":{"userId":"u"})" + of_one + "}]}");
    };
    EXPECT_EQ(hint(records("", R"(,"ttlSecond":5)")), effect("ttlSecond"));
    EXPECT_EQ(hint(records(R"(,"ttlSecond":5)", "")), effect("ttlSecond"));
    EXPECT_EQ(hint(records(R"(,"ttlSeconds":5)", R"(,"expiresAt":null)")), "-");
  }
  EXPECT_EQ(hint(post(D + "/structures", R"({"name":"n","defaultTtl":60})")), effect("defaultTtl"));
  EXPECT_EQ(hint(send("PUT", D + "/structures/n", R"({"ttlSeconds":60})")), effect("ttlSeconds"));
  EXPECT_EQ(hint(send("PUT", D + "/structures/n", R"({"defaultTtlSeconds":60})")), "-");
}

TEST_F(CentraliLifetimeTest, OtherMembersOfABodyAreNoLifetimes) {
  for (const std::string member :
       {R"("metadata":{"ttl":1})", R"("settled":1)", R"("bottle":1)", R"("ttl\r\nx: y":1)",
        R"("ttl é":1)", R"("version":1)", R"("expiresAt":null)", R"("clearTtl":false)"}) {
    EXPECT_EQ(create("", "S", "," + member).header("x-mayfly-hint"), nullptr) << member;
  }
  const std::string longest = "ttl" + std::string(limits::hinted_name_bytes_max - 3, 's');
  EXPECT_NE(create("", "S", ",\"" + longest + "\":1").header("x-mayfly-hint"), nullptr);
  EXPECT_EQ(create("", "S", ",\"" + longest + "s\":1").header("x-mayfly-hint"), nullptr);
  EXPECT_EQ(*create("", "S", R"(,"ttlSecond":5)").header("x-mayfly-hint"),
            "the member ttlSecond has no effect; a lifetime is read from expiresAt, ttlSeconds or "
            "clearTtl");
}

}  // namespace
}  // namespace mayfly::centrali::testing
