// The identity of a query: `Query`, and the methods of tokens and credentials.
#include "dialect/fauna/auth/access.h"
#include "dialect/fauna/documents/environment.h"
#include "dialect/fauna/library/family.h"
#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/definitions.h"
#include "dialect/fauna/sets/set.h"

namespace mayfly::fauna {
namespace {

Result<FqlValue> query_identity(Run& run, const FqlValue&, const Arguments&) {
  const auto& identity = interpreter(run).environment().principal.identity;
  return identity ? FqlValue(*identity) : null_because(NullCause::missing_identity);
}

Result<FqlValue> query_token(Run& run, const FqlValue&, const Arguments&) {
  const auto& token = interpreter(run).environment().principal.token;
  return token ? FqlValue(*token) : null_because(NullCause::missing_identity);
}

Result<FqlValue> environment(Run& run, std::string_view field) {
  Interpreter& with = interpreter(run);
  return FqlValue(
      TRY(database_flag(with.reading().view(), with.environment().database_path, field)));
}

Result<FqlValue> is_typechecked(Run& run, const FqlValue&, const Arguments&) {
  return environment(run, "typechecked");
}

Result<FqlValue> is_protected(Run& run, const FqlValue&, const Arguments&) {
  return environment(run, "protected");
}

Result<FqlValue> tokens_of(Run& run, const FqlValue&, const Arguments& arguments) {
  Interpreter& with = interpreter(run);
  const SetPtr all = std::make_shared<const FqlSet>(
      FqlSet::All{.collection = "Token", .is_of_query = !with.permissions().uses_other_role()},
      with.at());
  const auto is_of = TRY(
      compile_within(with, "(token => token.document == owner__)", {"owner__"}, {arguments[0]}));
  return FqlValue(FqlSet::over(all, FqlSet::Where{all, is_of}));
}

Result<FqlValue> by_document(Run& run, const FqlValue& self, const Arguments& arguments) {
  return find_by_document(interpreter(run), *find_system(self.module()->name),
                          *arguments[0].document());
}

Result<FqlValue> verify(Run& run, const FqlValue& self, const Arguments& arguments) {
  return FqlValue(TRY(verify_password(interpreter(run), *self.document(), arguments[0].text())));
}

Result<FqlValue> login(Run& run, const FqlValue& self, const Arguments& arguments) {
  Interpreter& with = interpreter(run);
  if (!TRY(verify_password(with, *self.document(), arguments[0].text()))) {
    return run.fail("invalid_secret", "Provided secret did not match.");
  }
  FqlObject token;
  token.append("document", TRY(with.field(self, "document")));
  if (arguments.has(1)) token.append("ttl", arguments[1]);
  return create_definition(with, *find_system("Token"), token);
}

const Method access_table[] = {
    {"Query", "identity", "() => Any", "The document of the token that asks, or null.",
     "Query.identity()", "null", query_identity, Effect::read, true},
    {"Query", "token", "() => Any", "The token that asks, or null.", "Query.token()", "null",
     query_token, Effect::read, true},
    {"Query", "isEnvTypechecked", "() => Boolean", "Whether the database types its queries.",
     R"(Query.isEnvTypechecked())", R"(false)", is_typechecked, Effect::read, true},
    {"Query", "isEnvProtected", "() => Boolean",
     "Whether the database refuses changes of the schema that lose documents.",
     R"(Query.isEnvProtected())", R"(false)", is_protected, Effect::read, true},
    {"Token", "byDocument", "(document: Document) => Set<Any>", "The tokens of the document.",
     R"(Token.byDocument(Customer.byId(1)!).count())", R"(0)", tokens_of, Effect::read, true},
    {"Credential", "byDocument", "(document: Document) => Ref<D>",
     "The credential of the document, which may not be there.",
     R"(Credential.byDocument(Customer.byId(1)!).exists())", R"(false)", by_document, Effect::read,
     true},
    {"Credential", "verify", "(password: String) => Boolean", "Whether the password is that one.",
     R"(Credential.create({ document: Customer.byId(1)!, password: "p" }).verify("p"))", R"(true)",
     verify, Effect::read},
    {"Credential", "login", "(password: String, ttl?: Time) => Document",
     "Makes a token of the document, where the password is that one.",
     R"(Credential.create({ document: Customer.byId(1)!, password: "p" }).login("p").secret != null)",
     R"(true)", login, Effect::write},
};

}  // namespace

std::span<const Method> access_methods() {
  return access_table;
}

}  // namespace mayfly::fauna
