// Hashes of passwords and secrets: FQL can never read one, search by one, or set one.
#include <array>

#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

class SecrecyTest : public FaunaTest {
 protected:
  SecrecyTest() {
    run_steps({{"setup", R"(Database.create({name: "d"}).name)"}});
    secret = "secret:d:admin";
    run_steps({
        {"setup", R"(Collection.create({name: "User", history_days: 1}))"},
        {"", "User.create({id: 1})"},
        {"", R"(Key.create({role: "client"}).id)", "$key="},
        {"", R"(Credential.create({document: User.byId(1)!, password: "pass"}).id)",
         "$credential="},
        {"", R"(Token.create({document: User.byId(1)!}).id)", "$token="},
    });
  }
};

struct SecretField {
  const char* collection;
  const char* field;
};
constexpr SecretField secret_fields[] = {
    {"Key", "hashed_secret"}, {"Token", "hashed_secret"}, {"Credential", "hash"}};

// `C` stands for the collection, `f` for the field, `D` for its document.
std::string filled_in(std::string text, const SecretField& of) {
  const std::string document = std::string(of.collection) + ".all().first()!";
  const std::array<std::pair<std::string, std::string>, 3> marks{
      {{"$D", document}, {"$C", of.collection}, {"$f", of.field}}};
  for (const auto& [mark, value] : marks) {
    for (std::size_t at = text.find(mark); at != text.npos; at = text.find(mark, at)) {
      text.replace(at, mark.size(), value);
      at += value.size();
    }
  }
  return text;
}

TEST_F(SecrecyTest, NothingReadsAHash) {
  struct Case {
    const char* query;
    const char* expected;
  };
  const Case rows[] = {
      {"$D.$f", "null"},
      {"$D[\"$f\"]", "null"},
      {"$D?.$f", "null"},
      {"($D { $f }).$f", "null"},
      {"($D { h: .$f }).h", "null"},
      {"$C.all().map(.$f).toArray()", "[null]"},
      {"$C.all().toArray().map(d => d.$f)", "[null]"},
      {"($C.all() { $f }).first()!.$f", "null"},
      {"Object.keys($D).includes(\"$f\")", "false"},
      {"Object.entries($D).map(e => e[0]).includes(\"$f\")", "false"},
      {"Object.values($D).length == Object.keys($D).length", "true"},
      {"Object.select($D, [\"$f\"])", "null"},
      {"Object.hasPath($D, [\"$f\"])", "false"},
      {"Object.assign({}, $D).$f", "null"},
      {"Object.toString($D).includes(\"$f\")", "false"},
      {"$D.toString().includes(\"$f\")", "false"},
      {"\"#{$D}\".includes(\"$f\")", "false"},
      {"$D.data?.$f", "null"},
      {"$C.all().where(.$f != null).count()", "0"},
      {"$C.all().where(d => d.$f > \"\").count()", "0"},
      {"$C.all().where(d => d[\"$f\"] != null).count()", "0"},
      {"$C.where(.$f >= \"\").count()", "0"},
      {"$C.firstWhere(.$f != null)", "null"},
      {"$C.all().order(.$f).map(.$f).toArray()", "[null]"},
      {"$C.all().fold(0, (s, d) => if (d.$f == null) s else s + 1)", "0"},
  };
  for (const SecretField& of : secret_fields) {
    for (const Case& row : rows) {
      const std::string text = filled_in(row.query, of);
      const Reply reply = query(text);
      // For fields that do not exist, some of these report that.
      const bool is_refused = reply.code() == "invalid_null_access";
      EXPECT_EQ(is_refused ? row.expected : reply.result(), row.expected) << text;
    }
  }
}

TEST_F(SecrecyTest, NoFormatShowsAHash) {
  for (const SecretField& of : secret_fields) {
    for (const char* shape :
         {"$D", "$C.all()", "[$D]", "{a: $D}", "$C.all().paginate()", "at (Time.now()) { $D }",
          "$C.all().toArray()", "dbg($D)", "log($D)", "abort($D)", "Set.single($D)"}) {
      const std::string text = filled_in(shape, of);
      for (const char* format : {"simple", "tagged", "decorated"}) {
        const Reply reply = query(text, {{"x-format", format}, {"x-typecheck", "false"}});
        EXPECT_EQ(reply.response.body.find(of.field), std::string::npos)
            << text << format << reply.response.body;
        EXPECT_EQ(reply.response.body.find("argon2"), std::string::npos) << text;
        EXPECT_EQ(reply.response.body.find("scrypt"), std::string::npos) << text;
      }
    }
  }
}

TEST_F(SecrecyTest, NothingSetsAHash) {
  const std::string unexpected = "Unexpected field provided";
  for (const SecretField& of : secret_fields) {
    for (const char* change :
         {"$D.update({$f: \"x\"})", "$D.replace({role: \"client\", $f: \"x\"})",
          "$D.updateData({$f: \"x\"})", "$D.update({$f: null})", "$D.replaceData({$f: \"x\"})",
          "$C.create({role: \"client\", document: User.byId(1), $f: \"x\"})",
          "$C.create({role: \"client\", document: User.byId(1), password: \"p\", $f: \"x\"})"}) {
      const std::string text = filled_in(change, of);
      const Reply reply = query(text);
      EXPECT_EQ(reply.status(), 400) << text << reply.response.body;
      EXPECT_NE(reply.response.body.find(unexpected), std::string::npos)
          << text << reply.response.body;
    }
  }
  EXPECT_EQ(query("Credential.all().first()!.verify(\"pass\")").result(), "true");
  run_steps({{"other changes keep it", R"(Credential.all().first()!.update({data: {a: 1}}))"},
             {"", "Credential.all().first()!.verify(\"pass\")", "true"}});
}

TEST_F(SecrecyTest, CollectionsWithHashesHaveNoEvents) {
  for (const SecretField& of : secret_fields) {
    for (const char* set :
         {"$C.all().eventSource()", "$C.where(.$f != null).eventSource()",
          "Set.single($D).eventSource()", "$C.all().eventsOn(.$f)", "$C.all().toStream()"}) {
      const std::string text = filled_in(set, of);
      const Reply reply = query(text);
      EXPECT_EQ(reply.code(), "invalid_receiver") << text << reply.response.body;
    }
  }
}

// The argument of a role's predicate is a normal document.
TEST_F(SecrecyTest, PredicatesOfRolesSeeNoHash) {
  run_steps({{"setup", R"q(Role.create({name: "r", privileges: [
      {resource: "Token", actions: {read: "d => d.hashed_secret != null"}},
      {resource: "Credential", actions: {read: "d => d.hash != null"}},
      {resource: "User", actions: {read: true}}]}))q"}});
  secret = "secret:d:@role/r";
  EXPECT_EQ(query("Token.all().count()").result(), "0");
  EXPECT_EQ(query("Credential.all().count()").result(), "0");
}

}  // namespace
}  // namespace mayfly::fauna::testing
