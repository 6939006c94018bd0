// Permissions: tables of secrets, roles and attacks.
#include "dialect/fauna/auth/secrets.h"
#include "dialect/fauna/testing.h"

namespace mayfly::fauna::testing {
namespace {

constexpr std::string_view denied =
    "permission_denied: Insufficient privileges to perform the action.";

class PermissionsTest : public FaunaTest {
 protected:
  PermissionsTest() {
    run_steps({{"setup", "Database.create({ name: \"d\" }).name", "\"d\""}});
    secret = "secret:d:admin";
    run_steps({
        {"",
         "Collection.create({ name: \"Book\", indexes: { byKind: { terms: [{ field: \"kind\" "
         "}] } }, constraints: [{ unique: [\"isbn\"] }], history_days: 1 }).name",
         "\"Book\""},
        {"", "Collection.create({ name: \"User\" }).name", "\"User\""},
        {"", "Function.create({ name: \"free\", body: \"x => x + 1\" }).name", "\"free\""},
        {"",
         "Function.create({ name: \"count\", role: \"admin\", body: \"() => Book.all().count()\" "
         "}).name",
         "\"count\""},
        {"", "Book.create({ id: 1, kind: \"a\", isbn: 1, public: true }).isbn", "1"},
        {"", "Book.create({ id: 2, kind: \"a\", isbn: 2, public: false }).isbn", "2"},
        {"", "Book.create({ id: 3, kind: \"b\", isbn: 3, public: true }).isbn", "3"},
        {"", "User.create({ id: 7, name: \"Ann\", book: Book.byId(2) }).name", "\"Ann\""},
    });
  }

  void make_role(const std::string& fields) {
    secret = "secret:d:admin";
    run_steps({{"role", "Role.create({ name: \"r\", " + fields + " }).name", "\"r\""}});
  }
  std::string as(const std::string& role, const std::string& text) {
    secret = "secret:d:" + role;
    return query(text).result();
  }
};

TEST_F(PermissionsTest, EachBuiltInRoleHasItsRights) {
  struct Case {
    const char* query;
    std::string admin, server, server_readonly, client;
  };
  const std::string no(denied);
  const Case rows[] = {
      {"Book.all().count()", "3", "3", "3", "0"},
      {"Book.byKind(\"a\").count()", "2", "2", "2",
       "permission_denied: Insufficient privileges to read from collection Book."},
      {"Book.byId(1).exists()", "true", "true", "true", "false"},
      {"Book.byId(1)!.isbn", "1", "1", "1", "null_value: Null value, due to permission denied"},
      {"Book.byId(1).isbn", "1", "1", "1", no},
      {"Book.byId(1)?.isbn", "1", "1", "1", "null"},
      {"free(1)", "2", "2", no, no},
      {"[1].map(free)", "[2]", "[2]", no, no},
      {"Book.create({}).kind", "null", "null", no, no},
      {"Collection.all().count()", "2", "2", "2", "0"},
      {"Role.create({ name: \"hi\", privileges: [] }).name", "\"hi\"", no, no, no},
      {"Key.create({ role: \"client\" }).role", "\"client\"", no, no, no},
      {"Key.all().count()", "1", "0", "0", "0"},
      {"Role.byName(\"hi\").exists()", "true", "false", "false", "false"},
  };
  for (const Case& row : rows) {
    SCOPED_TRACE(row.query);
    EXPECT_EQ(as("admin", row.query), row.admin);
    EXPECT_EQ(as("server", row.query), row.server);
    EXPECT_EQ(as("server-readonly", row.query), row.server_readonly);
    EXPECT_EQ(as("client", row.query), row.client);
  }
}

TEST_F(PermissionsTest, APredicateHidesDocumentsOnAllPaths) {
  make_role(R"(privileges: [{ resource: "Book", actions: { read: "doc => doc.public" } },
                            { resource: "User", actions: { read: true } }])");
  const std::string r = "@role/r";
  EXPECT_EQ(as(r, "Book.all().map(.isbn).toArray()"), "[1,3]");
  EXPECT_EQ(as(r, "Book.byKind(\"a\").map(.isbn).toArray()"), "[1]");
  EXPECT_EQ(as(r, "Book.where(.isbn > 1).map(.isbn).toArray()"), "[3]");
  EXPECT_EQ(as(r, "Book.where(b => b.isbn + 0 > 1).map(.isbn).toArray()"), "[3]");
  EXPECT_EQ(as(r, "Book.all().take(2).map(.isbn).toArray()"), "[1,3]");
  EXPECT_EQ(as(r, "Book.all().order(desc(.isbn)).first()!.isbn"), "3");
  EXPECT_EQ(as(r, "Book.byId(2).exists()"), "false");
  EXPECT_EQ(as(r, "Book.byId(2) == null"), "true");
  EXPECT_EQ(as(r, "Book.byId(2)?.isbn"), "null");
  EXPECT_EQ(as(r, "Book.byId(2) { isbn }"), "null");
  EXPECT_EQ(as(r, "[Book.byId(1), Book.byId(2)] { isbn }"), "[{\"isbn\":1},null]");
  EXPECT_EQ(as(r, "User.byId(7)!.book.isbn"), denied);
  EXPECT_EQ(as(r, "User.byId(7) { book { isbn } }"), "{\"book\":null}");
  secret = "secret:d:@role/r";
  const Reply tagged = query("Book.byId(2)", {{"x-format", "tagged"}});
  EXPECT_NE(tagged.response.body.find("permission denied"), std::string::npos) << tagged.data();
}

TEST_F(PermissionsTest, EachKindOfWriteNeedsItsAction) {
  make_role(R"(privileges: { resource: "Book", actions: { read: true,
      create: "doc => doc.kind == 'new'", write: "(old, new) => old.isbn == new.isbn",
      delete: "doc => doc.isbn == nothing", create_with_id: false } })");
  const std::string r = "@role/r";
  const std::string no(denied);
  EXPECT_EQ(as(r, "Book.create({ kind: 'new' }).kind"), "\"new\"");
  EXPECT_EQ(as(r, "Book.create({ kind: 'old' }).kind"), no);
  EXPECT_EQ(as(r, "Book.create({ id: 9, kind: 'new' }).kind"), no);
  EXPECT_EQ(as(r, "Book.byId(1)!.update({ kind: 'c' }).kind"), "\"c\"");
  EXPECT_EQ(as(r, "Book.byId(1)!.update({ isbn: 9 }).kind"), no);
  EXPECT_EQ(as(r, "Book.byId(1)!.replace({ kind: 'd' }).kind"), no);
  EXPECT_EQ(as(r, "Book.byId(1)!.delete()"), no) << "a predicate that fails denies";
}

TEST_F(PermissionsTest, HistoryNeedsASeparateAction) {
  make_role(R"(privileges: [{ resource: "Book", actions: { read: true } }])");
  advance_clock(10);
  const std::string past = "at (Time.now().subtract(5, 'seconds')) { ";
  EXPECT_EQ(as("@role/r", past + "Book.all().count() }"), "0");
  EXPECT_EQ(as("@role/r", past + "Book.byId(1).exists() }"), "false");
  EXPECT_EQ(as("server", past + "Book.all().count() }"), "3");
  secret = "secret:d:admin";
  run_steps({{"",
              "Role.byName('r')!.update({ privileges: [{ resource: 'Book', actions: { "
              "history_read: true } }] }).name",
              "\"r\""}});
  EXPECT_EQ(as("@role/r", past + "Book.all().count() }"), "3");
  EXPECT_EQ(as("@role/r", "Book.all().count()"), "0");
}

TEST_F(PermissionsTest, LambdasOfAQueryHaveItsRightsInFunctionsWithARole) {
  secret = "secret:d:admin";
  run_steps({
      {"", "Function.create({ name: 'given', role: 'admin', body: 'f => f(Book.byId(1)!)' }).name"},
      {"", "Function.create({ name: 'size', role: 'admin', body: 's => s.count()' }).name"},
      {"", "Function.create({ name: 'first', role: 'admin', body: 's => s.first()' }).name"},
      {"",
       "Function.create({ name: 'odd', role: 'admin', "
       "body: '() => Book.all().where(b => b.isbn == 1 || b.isbn == 3).count()' }).name"},
  });
  make_role(R"(privileges: ["given", "size", "first", "odd"].map(f => {
                 { resource: f, actions: { call: true } } }))");
  const std::string no = "permission_denied: ";
  for (const char* text :
       {"given(d => d.isbn)", "given(d => d.update({ isbn: 9 }))", "given(d => [d].map(.isbn))",
        "given(d => Key.create({ role: 'admin' }))", "size(Book.all().where(.isbn == 1))",
        "size(Book.all().where(d => abort(d.isbn)))", "first(Book.all().map(.isbn))",
        "first(Book.all().order(.isbn))", "first(Book.all().map(d => d { isbn }))"}) {
    const std::string result = as("@role/r", text);
    EXPECT_TRUE(result.starts_with(no) || result == "null" || result == "0") << text << result;
  }
  EXPECT_EQ(as("@role/r", "given(d => Book.all().count())"), "0");
  EXPECT_EQ(as("@role/r", "first(Set.single(1).map(_ => Book.all().map(.isbn).toArray()))"), "[]");
  EXPECT_EQ(as("@role/r", "odd()"), "2");
}

TEST_F(PermissionsTest, SetsAndCursorsOfAQueryHaveItsRightsInFunctionsWithARole) {
  secret = "secret:d:admin";
  run_steps({
      {"", "Function.create({ name: 'size', role: 'admin', body: 's => s.count()' }).name"},
      {"", R"(Function.create({ name: 'page', role: 'admin', body: <<-END
         (set, cursor) => {
           let page = if (cursor == null) (set ?? Book.all()).paginate(1) else Set.paginate(cursor)
           { isbns: page.data.map(.isbn), after: page.after }
         }
       END
       }).name)"},
  });
  make_role(R"(privileges: ["size", "page"].map(f => { { resource: f, actions: { call: true } } })
      .append({ resource: "Book", actions: { read: "book => book.public" } }))");
  secret = "secret:d:@role/r";
  run_steps({
      {"", "size(Book.all())", "2"},
      {"", "size(Book.byKind('a'))", "1"},
      {"", "size(Book.all().take(9).concat(Book.byKind('a')))", "3"},
      {"", "size(Token.all())", "0"},
      {"", "page(Book.all(), null)", R"({"isbns":[1],"after":"…"})"},
      {"", "Book.all().paginate(1).after", "$mine="},
      {"", "page(null, '$mine').isbns", "[3]"},
      {"", "page(Book.all(), null).after", "$given="},
      {"", "page(null, '$given').isbns", "[3]"},
      {"what the function makes it reads", "page(null, null).after", "$its="},
      {"", "page(null, '$its').isbns", "[2]"},
      {"", "Set.paginate('$its').data.map(.isbn)", "[3]"},
  });
}

TEST_F(PermissionsTest, AllFunctionValuesOfAQueryHaveItsRights) {
  secret = "secret:d:admin";
  run_steps({
      {"", "Function.create({ name: 'apply', role: 'server', body: '(f, x) => f(x)' }).name"},
      {"",
       "Function.create({ name: 'next', role: 'server', body: 'c => Set.paginate(c).data' }).name"},
      {"",
       "Function.create({ name: 'titles', body: 'x => Book.all().map(.isbn).toArray()' }).name"},
      {"", "Function.create({ name: 'own', role: 'server', body: 'x => titles(x)' }).name"},
      {"", R"(Function.create({ name: 'list', role: 'server', body: <<-END
         () => Set.sequence(0, 2).map(n => { n: n, books: Book.all().count() }).paginate(1).after
       END
       }).name)"},
  });
  make_role(R"(privileges: ["apply", "next", "own", "list"].map(f => {
                 { resource: f, actions: { call: true } } }))");
  secret = "secret:d:@role/r";
  run_steps({
      {"", "apply(Book.create, { isbn: 9 })", "permission_denied: …"},
      {"", "apply(Book.byKind, 'a')", "permission_denied: …"},
      {"", "apply(titles, 1)", "permission_denied: …"},
      {"", "own(1)", "[1,2,3]"},
      {"", "Set.sequence(0, 2).map(n => Book.all().count()).paginate(1).after", "$lambda="},
      {"", "next('$lambda')", "[0]"},
      {"", "Set.sequence(0, 2).map(n => Book.all()).flatMap(s => s).paginate(1).after", "…"},
      {"", "list()", "$its="},
      {"", "next('$its').map(.books)", "[3]"},
  });
  EXPECT_EQ(as("admin", "Book.all().count()"), "3");
}

TEST_F(PermissionsTest, AFunctionIsCalledOnlyWithDocumentsThatTheQueryMayRead) {
  secret = "secret:d:admin";
  run_steps({{"", R"(Function.create({ name: 'seek', role: 'server', body:
      's => s.where(b => if (b.public) true else abort(b.isbn)).count()' }).name)"}});
  make_role(R"(privileges: [{ resource: "Book", actions: { read: "b => b.public" } },
                            { resource: "seek", actions: { call: true } }])");
  EXPECT_EQ(as("@role/r", "seek(Book.all())"), "2");
}

TEST_F(PermissionsTest, CredentialsBelongToTheDocumentTheyWereMadeFor) {
  secret = "secret:d:admin";
  run_steps({
      {"", "Token.create({ document: User.byId(7)!, data: { note: 'old' } }).id", "$token="},
      {"", "Credential.create({ document: User.byId(7)!, password: 'a' }).id", "$credential="},
      {"", "User.byId(7)!.delete()", "null"},
      {"", "Credential.byId('$credential')!.verify('a')", "false"},
      {"", "User.create({ id: 7 }).id"},
      {"", "Token.create({ document: User.byId(7)!, ttl: Time.now().add(9, 'seconds') }).secret",
       "$mine="},
      {"", "secret $mine"},
      {"what a document of that id had is not its own", "Token.byId('$token').exists()", "false"},
      {"", "Token.byId('$token')!.delete()", "null_value: …"},
      {"", "Query.token()!.exists()", "true"},
      {"", "secret secret:d:admin"},
      {"", "Token.byId('$token').exists()", "true"},
      {"",
       R"(Credential.byId('$credential')!.update({ document: User.byId(7)!, password: 'b' }).id)"},
      {"", "Credential.byDocument(User.byId(7)!)!.verify('b')", "true"},
      {"",
       "Token.byDocument(User.byId(7)!).where(.ttl != null).first()!.update({ document: "
       "User.byId(7)! }).ttl != null",
       "true"},
      {"", "wait 10"},
      {"", "secret $mine"},
  });
  EXPECT_EQ(query("1").status(), 401);
}

TEST_F(PermissionsTest, DefinitionsReadNoKeysForTheirWriter) {
  secret = "secret";
  run_steps({{"", "Key.create({ role: 'admin', database: 'd' }).id"}});
  secret = "secret:d:admin";
  run_steps({{"", "Key.create({ role: 'server', data: { note: 'n' } }).id"},
             {"", "Function.create({ name: 'show', role: 'admin', body: 'd => d.leak' }).name"}});
  secret = "secret:d:server";
  run_steps({
      {"", R"(Collection.create({ name: 'Trap', computed_fields: { leak: {
           body: 'd => Key.all().first()?.data' } }, constraints: [{ check: {
           name: 'c', body: 'd => Key.all().count() == 0 && Book.all().count() == 3' } }] }).name)"},
      {"", "Trap.create({ id: 1 }).leak", "null"},
      {"", "show(Trap.byId(1)!)", "null"},
      {"", R"(Collection.byName('Trap')!.update({ constraints: [{ check: {
           name: 'c', body: 'd => abort(Role.all().count())' } }] }).name)"},
      {"", "Trap.create({ id: 2 })", R"(raw: …"abort":0…)"},
  });
  EXPECT_EQ(as("admin", "Trap.byId(1)!.leak"), "null");
}

TEST_F(PermissionsTest, FunctionsNeedCallAndRunWithTheirRole) {
  make_role(R"(privileges: [{ resource: "count", actions: { call: true } },
                            { resource: "free", actions: { call: "args => args[0] > 1" } }])");
  EXPECT_EQ(as("@role/r", "count()"), "3");
  EXPECT_EQ(as("@role/r", "free(2)"), "3");
  EXPECT_EQ(as("@role/r", "free(1)"), denied);
  EXPECT_EQ(as("@role/r", "count(); Book.all().count()"), "0");
  EXPECT_EQ(as("server", "Function.create({ name: 'g', role: 'admin', body: 'x => x' }).name"),
            denied);
}

TEST_F(PermissionsTest, TokensHaveTheRightsOfTheirMembershipAndExpireWithTheirDocument) {
  make_role(R"(privileges: [{ resource: "Book", actions: { read: true } }],
      membership: [{ resource: "User", predicate: "u => u.name == 'Ann'" }])");
  run_steps({
      {"T93", "Token.create({ document: User.byId(7)! }).secret", "$token="},
      {"", "User.create({ id: 8, name: 'Bob' }).id", "\"8\""},
      {"", "Token.create({ document: User.byId(8)! }).secret", "$other="},
  });
  secret = saved["other"];
  EXPECT_EQ(query("Book.all().count()").result(), "0");
  secret = saved["token"];
  EXPECT_EQ(query("Book.all().count()").result(), "3");
  EXPECT_EQ(query("Query.identity()!.id").result(),
            "null_value: Null value, due to permission denied");
  EXPECT_EQ(query("Query.token().exists()").result(), "true");
  EXPECT_EQ(as("admin", "User.byId(7)!.delete(); 1"), "1");
  secret = saved["token"];
  EXPECT_EQ(query("1").status(), 401);
  EXPECT_EQ(as("@doc/User/7", "1").substr(0, 3), "401");
}

TEST_F(PermissionsTest, AMembershipWhosePredicateIsFalseHasNoMembers) {
  make_role(R"(privileges: [{ resource: "Book", actions: { read: true } }],
      membership: [{ resource: "User", predicate: false }])");
  run_steps({{"", "Token.create({ document: User.byId(7)! }).secret", "$token="}});
  secret = saved["token"];
  EXPECT_EQ(query("Book.all().count()").result(), "0");
  EXPECT_EQ(as("admin",
               "Role.byName('r')!.update({ membership: [{ resource: 'User', "
               "predicate: true }] }); 1"),
            "1");
  secret = saved["token"];
  EXPECT_EQ(query("Book.all().count()").result(), "3");
}

TEST_F(PermissionsTest, TokensAreNotValidForALaterDocumentWithTheSameId) {
  secret = "secret:d:admin";
  run_steps({
      {"A3", "User.create({ id: 8, ttl: Time.now().add(5, 'seconds') }).id", "\"8\""},
      {"", "Token.create({ document: User.byId(7)! }).secret", "$deleted="},
      {"", "Token.create({ document: User.byId(8)! }).secret", "$died="},
      {"", "let user = User.create({ id: 9 }); Token.create({ document: user }).secret", "$kept="},
      {"", "Credential.create({ document: User.byId(7)!, password: 'old' }).id", "$credential="},
      {"", "User.byId(9)!.update({ seen: true }).seen", "true"},
      {"", "User.byId(7)!.delete(); User.create({ id: 7 }).id", "\"7\""},
      {"", "wait 6"},
      {"", "User.create({ id: 8 }).id", "\"8\""},
      {"", "Credential.byDocument(User.byId(7)!).exists()", "false"},
      {"", "Credential.byId('$credential')!.verify('old')", "false"},
      {"", "Credential.byId('$credential')!.login('old')",
       "invalid_secret: Provided secret did not match."},
      {"", "Credential.create({ document: User.byId(7)!, password: 'new' }).id", "$new="},
      {"", "Credential.byDocument(User.byId(7)!)!.id", "\"$new\""},
  });
  for (const auto& [name, status] :
       std::map<std::string, int>{{"deleted", 401}, {"died", 401}, {"kept", 200}}) {
    secret = saved[name];
    EXPECT_EQ(query("1").status(), status) << name;
  }
  secret = "secret:d:admin";
  run_steps({{"", "Collection.byName('User')!.delete(); 1", "1"},
             {"", "Collection.create({ name: 'User' }); 1", "1"},
             {"", "User.create({ id: 9 }).id", "\"9\""}});
  secret = saved["kept"];
  EXPECT_EQ(query("1").status(), 401);
}

TEST_F(PermissionsTest, SecretsGoWithTheirKeysAndTokens) {
  const auto secrets = [&] {
    const CollectionPtr table = find_secrets_table(*database->catalog());
    View view = database->view();
    return view.scan(*table, {}, view.live())->documents.size();
  };
  secret = "secret";
  run_steps({{"", "Key.create({ role: 'admin', database: 'd' }).id", "$key="},
             {"", "Key.create({ role: 'admin', ttl: Time.now().add(5, 'seconds') }).id"},
             {"", "Key.create({ role: 'server' }).id", "$long="},
             {"", "Key.byId('$long')!.update({ ttl: Time.now().add(5, 'seconds') }).id"}});
  EXPECT_EQ(secrets(), 3);
  run_steps({{"", "Key.byId('$key')!.delete()", "null"}});
  EXPECT_EQ(secrets(), 2);
  advance_clock(6);
  EXPECT_EQ(secrets(), 0);
  run_steps({{"", "Key.create({ role: 'admin', database: 'd' }).id", "…"},
             {"", "Database.byName('d')!.delete(); 1", "1"}});
  EXPECT_EQ(secrets(), 0);
}

TEST_F(PermissionsTest, SecretsGoWithTheDatabaseThatTheirKeysLieIn) {
  const auto secrets = [&] {
    const CollectionPtr table = ensure_secrets_table(*database).value();
    View view = database->view();
    return view.scan(*table, {}, view.live())->documents.size();
  };
  secret = "secret";
  run_steps({{"", "Key.create({ role: 'server' }).secret", "$kept="}});
  secret = "secret:d:admin";
  run_steps({{"", "Database.create({ name: 'below' }).name", "\"below\""},
             {"", "Key.create({ role: 'server' }).secret", "$gone="},
             {"", "User.create({ id: 11 }).id", "\"11\""},
             {"", "Token.create({ document: User.byId('11') }).id", "…"}});
  secret = "secret:d/below:admin";
  run_steps({{"", "Key.create({ role: 'server', data: {} }).id", "…"}});
  EXPECT_EQ(secrets(), 4U);
  secret = "secret";
  run_steps({{"", "Database.byName('d')!.delete(); 1", "1"}});
  secret = saved["gone"];
  EXPECT_EQ(query("1").status(), 401);
  database->jobs().run_due();
  EXPECT_EQ(secrets(), 1U);
  secret = saved["kept"];
  EXPECT_EQ(query("1").status(), 200);
}

TEST_F(PermissionsTest, SecretsGoWithADatabaseThatAnotherApiDropped) {
  secret = "secret:d:admin";
  run_steps({{"", "Key.create({ role: 'server' }).secret", "$gone="}});
  database->jobs().run_due();
  const CollectionPtr table = find_secrets_table(*database->catalog());
  EXPECT_TRUE(database->drop_database(database->catalog()->find_database("d")->id));
  secret = saved["gone"];
  EXPECT_EQ(query("1").status(), 401);
  advance_clock(61);
  database->jobs().run_due();
  View view = database->view();
  EXPECT_EQ(view.scan(*table, {}, view.live())->documents.size(), 0U);
}

TEST_F(PermissionsTest, KeysAreSecretOnceAndDieAtTheirTtl) {
  secret = "secret";
  run_steps({
      {"T90",
       "Key.create({ role: 'admin', database: 'd', ttl: Time.now().add(2, 'seconds') "
       "}).secret",
       "$key="},
      {"", "Key.all().first()!.secret", "null"},
      {"", "Key.create({ role: 'admin', database: 'none' }).secret", "constraint_failure: …"},
  });
  secret = saved["key"];
  EXPECT_EQ(query("Book.all().count()").result(), "3");
  advance_clock(3);
  EXPECT_EQ(query("1").status(), 401);
  secret = "secret";
  run_steps({
      {"U04", "Key.create({ role: 'server', database: 'd' }).secret", "$key="},
      {"U05", "Database.byName('d')!.delete(); Key.all().count()", "0"},
  });
  secret = saved["key"];
  EXPECT_EQ(query("1").status(), 401);
  secret = "secret:d:admin";
  EXPECT_EQ(query("1").status(), 401);
  for (const char* nonsense : {"secret:nonsense", "secret:fauna:admin", "secret::admin",
                               "secret:d.kid:admin", "secret:/d:admin"}) {
    secret = nonsense;
    EXPECT_EQ(query("1").status(), 401) << nonsense;
  }
}

TEST_F(PermissionsTest, CredentialsLogIn) {
  secret = "secret:d:admin";
  run_steps({
      {"T92", "Credential.create({ document: User.byId(7)!, password: 'sekret' }).password",
       "null"},
      {"", "Credential.byDocument(User.byId(7)!)!.verify('sekret')", "true"},
      {"", "Credential.byDocument(User.byId(7)!)!.verify('other')", "false"},
      {"", "Credential.byDocument(User.byId(7)!)!.login('other')",
       "invalid_secret: Provided secret did not match."},
      {"", "Credential.create({ document: User.byId(7)!, password: 'x' })",
       "constraint_failure: …"},
      {"",
       "Credential.byDocument(User.byId(7)!)!.login('sekret', Time.now().add(5, "
       "'seconds')).secret",
       "$token="},
      {"", "Credential.byDocument(User.byId(99)).exists()", "false"},
  });
  secret = saved["token"];
  EXPECT_EQ(query("Query.token().exists()").result(), "true");
  advance_clock(6);
  EXPECT_EQ(query("1").status(), 401);
}

TEST_F(PermissionsTest, ACursorOfAnAdministratorShowsAClientNothing) {
  secret = "secret:d:admin";
  run_steps({{"", "Book.all().paginate(1).after", "$all="},
             {"", "Book.byKind('a').paginate(1).after", "$index="}});
  EXPECT_EQ(as("client", "Set.paginate('" + saved["all"] + "').data"), "[]");
  EXPECT_EQ(as("client", "Set.paginate('" + saved["index"] + "').data"),
            "permission_denied: Insufficient privileges to read from collection Book.");
  EXPECT_EQ(as("client", "Book.create({ isbn: 1 })"), denied);
}

TEST_F(PermissionsTest, ARoleCanContinueItsOwnCursor) {
  make_role(R"(privileges: [{ resource: "Book", actions: { read: "doc => doc.public" } }])");
  secret = "secret:d:@role/r";
  run_steps({{"", "Book.all().paginate(1).after", "$next="},
             {"", "Set.paginate('$next').data.map(.isbn)", "[3]"}});
}

TEST_F(PermissionsTest, TheEnvironmentComesFromTheParentDatabase) {
  secret = "secret";
  run_steps({{"", "Database.byName('d')!.update({ protected: true }).protected", "true"}});
  EXPECT_EQ(as("admin", "[Query.isEnvProtected(), Query.isEnvTypechecked()]"), "[true,false]");
}

}  // namespace
}  // namespace mayfly::fauna::testing
