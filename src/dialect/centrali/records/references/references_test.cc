// References: what they may name, how they are expanded, and what a deletion does to them.
#include "base/limits.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/testing.h"
#include "net/requests/testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliReferencesTest : public CentraliTest {
 protected:
  CentraliReferencesTest() {
    structure("Countries", R"({"name":"name","type":"string"})");
    structure("Companies", R"({"name":"name","type":"string"},
      {"name":"country","type":"reference","target":"countries"})");
    structure("People", R"({"name":"name","type":"string"},
      {"name":"company","type":"reference","target":"Companies"},
      {"name":"friends","type":"array","items":{"type":"reference","target":"people"}})");
    country = make_record("", "countries", R"({"name":"France"})");
    company = make_record("", "companies", R"({"name":"Acme","country":")" + country + R"("})");
    ann = make_record("", "people", R"({"name":"Ann","company":")" + company + R"("})");
    bob = make_record("?ttlSeconds=60", "people", R"({"name":"Bob"})");
    cid = make_record("", "people",
                      R"({"name":"Cid","friends":[")" + ann + R"(",")" + bob + R"("]})");
  }
  void structure(const std::string& name, const std::string& properties) {
    const Reply made =
        post(D + "/structures", R"({"name":")" + name + R"(","properties":[)" + properties + "]}");
    EXPECT_EQ(made.status(), 201) << made.response.body;
  }
  std::string record(const std::string& id, const std::string& parameters = "") {
    return D + "/records/" + id + parameters;
  }
  std::string country, company, ann, bob, cid;
};

TEST_F(CentraliReferencesTest, AReferenceNamesALivingRecordOfItsTarget) {
  const auto outcome = [&](const std::string& data) {
    return post(D + "/records/slug/people", R"({"data":)" + data + "}").at({"details[0].field"});
  };
  EXPECT_EQ(outcome(R"({"company":"nobody"})"), "400 company");
  EXPECT_EQ(outcome(R"({"company":")" + country + R"("})"), "400 company");
  EXPECT_EQ(outcome(R"({"company":5})"), "400 company");
  EXPECT_EQ(outcome(R"({"company":null})"), "201 -");
  EXPECT_EQ(outcome(R"({"friends":[")" + ann + R"(","nobody"]})"), "400 friends.1");
  pass(60);
  EXPECT_EQ(outcome(R"({"friends":[")" + bob + R"("]})"), "400 friends.0");
  // A reference that is not sent is not checked again.
  EXPECT_EQ(patch(record(cid), R"({"data":{"name":"Cyd"}})").status(), 200);
}

TEST_F(CentraliReferencesTest, ExpandShowsWhatReferencesLeadTo) {
  const Reply one = get(record(ann, "?expand=company.country"));
  EXPECT_EQ(one.at({"data.company", "data._expanded.company.data.name",
                    "data._expanded.company.data._expanded.country.data.name",
                    "data._expanded.company.recordSlug"}),
            "200 " + company + " Acme France companies");
  EXPECT_EQ(get(record(bob, "?expand=company")).at({"data._expanded"}), R"(200 {"company":null})");
  const Reply list = get(D + "/records/slug/people?sort=data.name&expand=company,data.friends");
  EXPECT_EQ(column(list, "data._expanded.company.data.name"), "Acme null null");
  EXPECT_EQ(list.at({"data[2].data._expanded.friends[0].data.name",
                     "data[2].data._expanded.friends[1].data.name"}),
            "200 Ann Bob");
  pass(60);
  EXPECT_EQ(get(record(cid, "?expand=friends")).at({"data._expanded.friends[1]"}), "200 null");
}

TEST_F(CentraliReferencesTest, IncludeIsTheSameInACanonicalQuery) {
  const auto query = [&](const std::string& include) {
    return post(D + "/records/query",
                R"({"resource":"people","where":{"data.name":"Ann"},"include":)" + include + "}");
  };
  const std::string country_name =
      "data[0].data._expanded.company.data._expanded.country.data.name";
  for (const char* include : {R"([{"relation":"company","include":[{"relation":"country"}]}])",
                              R"([{"relation":"company.country"}])", R"(["company.country"])"}) {
    EXPECT_EQ(query(include).at({country_name}), "200 France") << include;
  }
  const Reply some = post(D + "/records/query", R"({"resource":"people","expand":"company",
    "where":{"data.name":"Ann"},"select":{"fields":["data.name"]}})");
  EXPECT_EQ(some.at({"data[0].data.name", "data[0].data._expanded.company.data.name"}),
            "200 Ann Acme");
}

TEST_F(CentraliReferencesTest, AnInvalidExpansionIsRefused) {
  const std::pair<const char*, const char*> table[] = {
      {"name", "400 expand"},    {"nothing", "400 expand"},          {"company.name", "400 expand"},
      {"a.b.c.d", "400 expand"}, {"company..country", "400 expand"}, {"company.", "400 expand"},
  };
  for (const auto& [expand, expected] : table) {
    EXPECT_EQ(get(record(ann, "?expand=" + std::string(expand))).at({"details[0].field"}), expected)
        << expand;
  }
}

TEST_F(CentraliReferencesTest, WithoutPropertiesAFieldLeadsAnywhere) {
  post(D + "/structures", R"({"name":"Notes"})");
  const std::string note = make_record("", "notes", R"({"about":")" + ann + R"("})");
  EXPECT_EQ(get(record(note, "?expand=about.company"))
                .at({"data._expanded.about.data._expanded.company.data.name"}),
            "200 Acme");
}

TEST_F(CentraliReferencesTest, ADeletionTreatsReferrersAsTheirPropertiesSay) {
  const auto make = [&](const std::string& name, const std::string& on_delete) {
    structure(name, R"({"name":"of","type":"reference","target":"people","onDelete":")" +
                        on_delete + R"("})");
    return make_record("", name, R"({"of":")" + ann + R"("})");
  };
  const std::string kept = make("kept", "none");
  const std::string emptied = make("emptied", "setNull");
  const std::string taken = make("taken", "cascade");
  EXPECT_EQ(send("DELETE", record(ann)).status(), 204);
  EXPECT_EQ(get(record(kept)).at({"data.of"}), "200 " + ann);
  EXPECT_EQ(get(record(emptied)).at({"data.of", "version"}), "200 null 2");
  EXPECT_EQ(get(record(taken)).status(), 404);
  EXPECT_EQ(post(record(taken, "/restore"), "").status(), 200);

  const std::string dora = make_record("", "people", R"({"name":"Dora"})");
  structure("bound", R"({"name":"of","type":"reference","target":"people","onDelete":"restrict"})");
  const std::string bound = make_record("?ttlSeconds=60", "bound", R"({"of":")" + dora + R"("})");
  EXPECT_EQ(send("DELETE", record(dora)).at({"error", "details[0].field"}), "409 Conflict of");
  EXPECT_EQ(get(record(dora)).status(), 200);
  // An expired record does not prevent a deletion.
  pass(60);
  EXPECT_EQ(send("DELETE", record(dora)).status(), 204);
}

TEST_F(CentraliReferencesTest, ACircleOfReferencesIsDeletedOnce) {
  structure("rings", R"({"name":"next","type":"reference","target":"rings","onDelete":"cascade"})");
  const std::string a = make_record("", "rings", "{}");
  const std::string b = make_record("", "rings", R"({"next":")" + a + R"("})");
  EXPECT_EQ(patch(record(a), R"({"data":{"next":")" + b + R"("}})").status(), 200);
  EXPECT_EQ(send("DELETE", record(a, "?hard=true")).status(), 204);
  EXPECT_EQ(get(D + "/records/slug/rings?includeArchived=true").at({"data"}), "200 []");
}

TEST_F(CentraliReferencesTest, ARecordThatRefersTwiceIsDeletedOrEmptiedOnce) {
  for (const char* on_delete : {"cascade", "setNull"}) {
    const std::string name = std::string("tree") + on_delete;
    structure(name, R"({"name":"of","type":"reference","target":")" + name +
                        R"(","onDelete":"cascade"},{"name":"root","type":"reference","target":")" +
                        name + R"(","onDelete":")" + on_delete + R"("})");
    const std::string root = make_record("", name, "{}");
    const std::string middle = make_record("", name, R"({"of":")" + root + R"("})");
    make_record("", name, R"({"of":")" + middle + R"(","root":")" + root + R"("})");
    EXPECT_EQ(send("DELETE", record(root)).status(), 204) << on_delete;
    EXPECT_EQ(get(D + "/records/slug/" + name).at({"data"}), "200 []") << on_delete;
  }
}

TEST_F(CentraliReferencesTest, TheSearchForReferrersEndsWithTheTimeOfTheRequest) {
  structure("many", R"({"name":"of","type":"reference","target":"people","onDelete":"cascade"})");
  const std::string mention = R"({"of":")" + ann + R"("})";
  std::string records = mention;
  for (std::size_t i = 1; i < limits::cascade_records_max; ++i) records += "," + mention;
  EXPECT_EQ(post(D + "/records/slug/many/bulk", "[" + records + "]").status(), 201);
  net::Request request{.method = "DELETE", .path = record(ann)};
  request.headers = {{"authorization", "Bearer t"}};
  request.answer_by = monotonic_now();
  EXPECT_EQ(net::PendingRequest(*dialect, request)->answer().status, 504);
  EXPECT_EQ(get(record(ann)).status(), 200);
  request.answer_by = Instant::never();
  EXPECT_EQ(net::PendingRequest(*dialect, request)->answer().status, 204);
}

TEST_F(CentraliReferencesTest, AnExpiryIsNoDeletion) {
  structure("loose", R"({"name":"of","type":"reference","target":"people","onDelete":"cascade"})");
  const std::string loose = make_record("", "loose", R"({"of":")" + bob + R"("})");
  pass(60);
  ASSERT_TRUE(database->sweeper().run_due(100));
  EXPECT_EQ(get(record(loose)).at({"data.of"}), "200 " + bob);
}

// A record is shown at each mention of it, so a short list of ids can stand for a long answer.
TEST_F(CentraliReferencesTest, AnExpansionHasABoundedSizeAndTime) {
  constexpr std::size_t text_bytes = 1 << 20;
  const std::string large =
      make_record("", "people", R"({"name":")" + std::string(text_bytes, 'x') + R"("})");
  const auto mention = [&](std::size_t times) {
    std::string friends;
    for (std::size_t i = 0; i < times; ++i) friends += (i > 0 ? ",\"" : "\"") + large + '"';
    return make_record("", "people", R"({"name":"Many","friends":[)" + friends + "]}");
  };
  constexpr std::size_t fitting = limits::query_bytes_max / text_bytes - 1;
  EXPECT_EQ(get(record(mention(fitting), "?expand=friends")).status(), 200);
  const std::string many = mention(fitting + 3);
  EXPECT_EQ(get(record(many)).status(), 200);
  EXPECT_EQ(get(record(many, "?expand=friends")).at({"code", "details[0].field"}),
            "413 TOO_LARGE expand");
  EXPECT_EQ(get(D + "/records/slug/people?expand=friends").at({"details[0].field"}), "413 expand");
  const std::string short_ones = make_record(
      "", "people", R"({"friends":[)" + [&] {
        std::string friends;
        for (int i = 0; i < 2'000; ++i) friends += (i > 0 ? ",\"" : "\"") + ann + '"';
        return friends;
      }() + "]}");
  const auto status_by = [&](Instant answer_by) {
    return net::answer_of(*dialect, {.method = "GET",
                                     .path = record(short_ones),
                                     .parameters = {{"expand", "friends"}},
                                     .headers = {{"authorization", "Bearer t"}},
                                     .answer_by = answer_by})
        .status;
  };
  EXPECT_EQ(status_by(monotonic_now() + Span::seconds(60)), 200);
  EXPECT_EQ(status_by(monotonic_now()), 504);
}

// Records that are read only for their references take memory, too.
TEST_F(CentraliReferencesTest, AnExpansionReadsABoundedAmount) {
  const std::string text(2'000'000, 'x');
  std::string friends;
  for (std::size_t bytes = 0; bytes <= limits::query_bytes_max; bytes += text.size()) {
    const std::string id = make_record("", "people", R"({"name":")" + text + R"("})");
    friends += (friends.empty() ? "\"" : ",\"") + id + '"';
  }
  const std::string all = make_record("", "people", R"({"friends":[)" + friends + "]}");
  EXPECT_EQ(get(record(all, "?expand=friends")).at({"details[0].field"}), "413 expand");
}

}  // namespace
}  // namespace mayfly::centrali::testing
