#include "dialect/fauna/check/schema.h"

#include <fmt/format.h>

#include "dialect/fauna/check/checker.h"
#include "dialect/fauna/check/references.h"
#include "dialect/fauna/documents/environment.h"
#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/members.h"
#include "dialect/fauna/schema/system.h"
#include "dialect/fauna/syntax/parser.h"

namespace mayfly::fauna {
namespace {

class SchemaChecker {
 public:
  SchemaChecker(Interpreter& run, CheckedSchema& checked)
      : reading_(run.reading()), meter_(run.meter()), known_(reading_), checked_(checked) {}

  Result<void> check() {
    TRY(each("Collection", &SchemaChecker::check_collection));
    TRY(each("Function", &SchemaChecker::check_function));
    return each("Role", &SchemaChecker::check_role);
  }

 private:
  Result<void> each(const char* kind, void (SchemaChecker::*check_one)(const FqlObject&)) {
    kind_ = kind;
    for (const Document& one : TRY(reading_.all_system(*find_system(kind)))) {
      name_ = id_in_table(one.id);
      (this->*check_one)(stored_fields(one));
      if (error_) return tl::unexpected(*error_);
      if (known_.error()) return tl::unexpected(*known_.error());
    }
    return {};
  }

  // FQL code in a document of the schema.
  struct Code {
    std::string part;
    std::string source_name;
    const std::string& text;
  };

  void add(const std::string& part, Diagnostics found) {
    for (Diagnostic& one : found) {
      if (checked_.errors.size() >= limits::fql_errors_max) return;
      checked_.errors.push_back({kind_, name_, part, std::move(one)});
    }
  }

  // Parses the type that a text declares. A text that does not parse was refused when it was
  // written.
  StaticPtr declared(const std::string& part, const std::string& text) {
    SourcePtr source = make_source("*signature*", text);
    const auto parsed = parse_type(source);
    if (!parsed) return any_type();
    Diagnostics unknown;
    StaticPtr type = known_.declared(**parsed, &unknown);
    checked_.sources.push_back(std::move(source));
    add(part, std::move(unknown));
    return type;
  }

  void check_code(const Code& code, const StaticPtr& expected,
                  Parsed<ProgramPtr> (*parse)(const SourcePtr&) = parse_lambda) {
    const SourcePtr source = make_source(code.source_name, code.text);
    const auto parsed = parse(source);
    if (!parsed) return;
    Checker checker(known_, meter_);
    Checker::Frame frame((*parsed)->frame_size, any_type());
    checker.check(*(*parsed)->root, expected, frame);
    if (checker.error()) error_ = checker.error();
    checked_.sources.push_back(source);
    add(code.part, std::move(checker.errors));
  }

  StaticPtr predicate(const StaticPtr& of, std::size_t count = 1) {
    return function_type(StaticList(count, of), scalar_type("Boolean"), {count, count});
  }

  void check_collection(const FqlObject&) {
    const FqlCollectionPtr of = known_.collection(name_);
    if (!of || !of->definition) return;
    const StaticPtr document = named_type(StaticKind::document, name_);
    for (const FieldDefinition& field : of->definition->fields) {
      const std::string part = "fields." + field.name;
      declared(part + ".signature", field.signature);
      if (!field.initial) continue;
      check_code(
          {part + ".default", fmt::format("*field:{}:{}*", name_, field.name), *field.initial},
          known_.written_field(field), parse_expression);
    }
    for (const ComputedField& field : of->definition->computed_fields) {
      const std::string part = "computed_fields." + field.name;
      const StaticPtr type =
          field.signature ? declared(part + ".signature", *field.signature) : any_type();
      check_code(
          {part + ".body", fmt::format("*computed_field:{}:{}*", name_, field.name), field.body},
          function_type({document}, type, {1, 1}));
    }
    for (const CheckDefinition& check : of->definition->checks) {
      check_code({"constraints." + check.name, fmt::format("*check_constraint:{}*", check.name),
                  check.body},
                 predicate(document));
    }
  }

  void check_function(const FqlObject& fields) {
    const std::string signature = member_text(fields, "signature");
    const StaticPtr expected = signature.empty() ? any_type() : declared("signature", signature);
    const std::string body = member_text(fields, "body");
    check_code({"body", fmt::format("*udf:{}*", name_), body}, expected);
  }

  // The types of a predicate's arguments; unknown for functions.
  StaticPtr resource(const FqlObject& member) {
    const FqlCollectionPtr of = known_.collection(member_text(member, "resource"));
    return of ? named_type(StaticKind::document, of->name) : any_type();
  }

  void check_role(const FqlObject& fields) {
    for (const FqlValue& item : member_list(fields, "privileges")) {
      if (!item.is(FqlKind::object)) continue;
      const StaticPtr of = resource(item.object());
      const std::string part = "privileges." + member_text(item.object(), "resource");
      for (const auto& [action, action_code] : member_object(item.object(), "actions").members()) {
        if (!action_code.is(FqlKind::text)) continue;
        const StaticPtr expected =
            action == "call" ? any_type() : predicate(of, action == "write" ? 2 : 1);
        check_code(
            {part + "." + action, fmt::format("*role:{}:{}*", name_, action), action_code.text()},
            expected);
      }
    }
    for (const FqlValue& item : member_list(fields, "membership")) {
      if (!item.is(FqlKind::object)) continue;
      const std::string text = member_text(item.object(), "predicate");
      if (text.empty()) continue;
      check_code({"membership." + member_text(item.object(), "resource"),
                  fmt::format("*role:{}:membership*", name_), text},
                 predicate(resource(item.object())));
    }
  }

  Reading& reading_;
  Meter& meter_;
  TypeResolver known_;
  CheckedSchema& checked_;
  std::string kind_;
  std::string name_;
  std::optional<Error> error_;
};

}  // namespace

Result<CheckedSchema> check_schema(Interpreter& run) {
  CheckedSchema checked;
  TRY(check_references(run, checked));
  const bool is_typechecked =
      TRY(database_flag(run.reading().view(), run.environment().database_path, "typechecked"));
  if (is_typechecked) TRY(SchemaChecker(run, checked).check());
  return checked;
}

std::string schema_update_text(const std::string& diagnostics) {
  std::string out = "Invalid database schema update.\n    ";
  for (const char c : diagnostics) {
    out += c;
    if (c == '\n') out += "    ";
  }
  return out;
}

Result<void> check_changed_schema(Interpreter& run) {
  const CheckedSchema checked = TRY(check_schema(run));
  if (checked.errors.empty()) return {};
  Diagnostics wrong;
  for (const SchemaError& error : checked.errors) wrong.push_back(error.what);
  QueryFailure failure{.code = "invalid_schema", .message = "Invalid database schema update."};
  failure.diagnostic = schema_update_text(render(wrong));
  return run.fail(std::move(failure));
}

}  // namespace mayfly::fauna
