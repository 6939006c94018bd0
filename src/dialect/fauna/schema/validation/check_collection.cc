#include "dialect/fauna/schema/validation/check_collection.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "dialect/fauna/run/functions/compile.h"
#include "dialect/fauna/schema/indexes/lower_computed.h"
#include "dialect/fauna/schema/indexes/unique_status.h"
#include "dialect/fauna/schema/members.h"
#include "dialect/fauna/schema/migrations/migrate.h"
#include "dialect/fauna/schema/migrations/steps.h"
#include "dialect/fauna/schema/validation/check_names.h"
#include "dialect/fauna/schema/validation/protection.h"
#include "dialect/fauna/syntax/ast.h"
#include "dialect/fauna/syntax/parser.h"
#include "dialect/fauna/syntax/tokens/lexer.h"
#include "dialect/fauna/syntax/types.h"
#include "dialect/fauna/values/stored.h"
#include "dialect/fauna/values/text/text.h"

namespace mayfly::fauna {
namespace {

std::string indented_lines(const std::string& text) {
  std::string out = "    ";
  for (const char c : text) out += c == '\n' ? std::string("\n    ") : std::string(1, c);
  return out;
}

bool is_persistable(const Type& type) {
  if (type.as<FunctionType>() != nullptr) return false;
  if (const auto* nullable = type.as<NullableType>()) return is_persistable(*nullable->type);
  if (const auto* united = type.as<UnionType>()) {
    return std::all_of(united->members.begin(), united->members.end(),
                       [](const TypePtr& member) { return is_persistable(*member); });
  }
  const auto* named = type.as<NamedType>();
  return named == nullptr || (named->name != "Set" && named->name != "EventSource");
}

// Computed fields may have any type, because they are not stored.
void check_signature(const std::string& text, const FailurePath& path, Failures& failures) {
  const bool is_stored = path[0] == FailurePath::value_type("fields");
  const SourcePtr source = make_source("*signature*", text);
  const auto type = parse_type(source);
  if (!type) {
    failures.add(
        path, "Failed parsing user-provided signature.\n" + indented_lines(render(type.error())));
  } else if (is_stored && !is_persistable(**type)) {
    const auto* const field = std::get_if<std::string>(&path[1]);
    failures.add(path, fmt::format("Field `{}` is not persistable", *field));
  }
}

// A lambda with one parameter, or a variadic one.
void check_unary(const std::string& name, const std::string& body, const FailurePath& path,
                 Failures& failures) {
  const SourcePtr source = make_source(name, body);
  const auto parsed = parse_lambda(source);
  if (!parsed) return failures.add(path, render(parsed.error()));
  const auto* const lambda = (*parsed)->root->as<Lambda>();
  const std::size_t count = lambda == nullptr ? 1 : lambda->parameters.size();
  if (count == 1 || (lambda->is_variadic && count < 2)) return;
  failures.add(path,
               fmt::format("Expected exactly 1 argument, but the function was defined with {} "
                           "arguments",
                           count));
}

void check_declared(const FqlObject& fields, Failures& failures) {
  for (const auto& [name, field] : member_object(fields, "fields").members()) {
    const std::string signature = member_text(field.object(), "signature");
    check_signature(signature, {"fields", name, "signature"}, failures);
    const FqlValue* initial = field.object().find("default");
    if (initial == nullptr) continue;
    const SourcePtr source = make_source(fmt::format("*field:{}*", name), initial->text());
    const auto parsed = parse_expression(source);
    if (!parsed) failures.add({"fields", name, "default"}, render(parsed.error()));
  }
  for (const auto& [name, field] : member_object(fields, "computed_fields").members()) {
    if (member_object(fields, "fields").find(name) != nullptr) {
      failures.add({"computed_fields"},
                   fmt::format("Computed field '{}' collides with a defined field", name));
    }
    check_unary(fmt::format("*computed_field:{}*", name), member_text(field.object(), "body"),
                {"computed_fields", name, "body"}, failures);
    const std::string signature = member_text(field.object(), "signature");
    if (!signature.empty()) {
      check_signature(signature, {"computed_fields", name, "signature"}, failures);
    }
  }
  const FqlValue* wildcard = fields.find("wildcard");
  if (wildcard != nullptr && wildcard->text() != "Any") {
    failures.add({"wildcard"}, "Wildcards must be of type `Any`");
  }
}

// `.a` and `a` are the same. nullopt if it is no path.
std::optional<Path> term_path(const FqlValue& term) {
  const std::string text = term.is(FqlKind::text)     ? term.text()
                           : term.is(FqlKind::object) ? member_text(term.object(), "field")
                                                      : std::string();
  auto path = Path::parse(text);
  if (!path || path->steps.empty()) return std::nullopt;
  return *std::move(path);
}

// The error of a term of an index or a unique constraint; empty if it is valid. Computed fields are
// not stored, so their index holds the values of an expression of the core.
std::string problem_of_term(const FqlObject& fields, const FqlValue& term) {
  const auto path = term_path(term);
  if (!path) return "Value is not a valid FQL path expression.";
  const auto* const name = std::get_if<std::string>(&path->steps.front());
  const FqlObject& computed = member_object(fields, "computed_fields");
  const FqlValue* const field = name == nullptr ? nullptr : computed.find(*name);
  if (field == nullptr) return {};
  const bool is_each = term.is(FqlKind::object) && member_is_true(term.object(), "mva");
  if (path->steps.size() > 1 || is_each) {
    return fmt::format("`{}` is a computed field, which is indexed as a whole.", *name);
  }
  const auto body = parse_lambda(make_source(*name, member_text(field->object(), "body")));
  if (!body) return {};
  const LoweredField lowered = lower_computed(
      **body, [&](std::string_view other) { return computed.find(other) != nullptr; });
  if (lowered.computed) return {};
  return fmt::format("`{}` is a computed field, and `{}` in it cannot be indexed here.", *name,
                     lowered.problem);
}

// The terms in their stored form; `order`: they are values of an index.
FqlValue normal_terms(const FqlObject& fields, const FqlValue& terms, bool has_order,
                      const FailurePath& path, Failures& failures) {
  FqlArray normal;
  for (std::size_t i = 0; i < terms.array().size(); ++i) {
    const FqlValue& term = terms.array()[i];
    FailurePath at = path;
    at.emplace_back(static_cast<std::int64_t>(i));
    if (std::string problem = problem_of_term(fields, term); !problem.empty()) {
      failures.add(std::move(at), std::move(problem));
      continue;
    }
    FqlObject made;
    if (term.is(FqlKind::text)) made.append("field", term);
    if (term.is(FqlKind::object)) made = term.object();
    if (has_order && made.find("order") == nullptr) made.append("order", "asc");
    const std::string order = member_text(made, "order");
    const bool is_order = order == "asc" || order == "desc";
    if (has_order && !is_order) failures.add(at, "Expected 'asc' or 'desc'");
    if (made.find("mva") == nullptr) made.append("mva", false);
    normal.push_back(FqlValue(std::move(made)));
  }
  return FqlValue(std::move(normal));
}

void check_indexes(FqlObject& fields, Failures& failures) {
  FqlObject normal;
  for (const auto& [name, index] : member_object(fields, "indexes").members()) {
    FqlObject made = index.object();
    for (const char* part : {"terms", "values"}) {
      FqlValue* terms = made.find(part);
      if (terms == nullptr) continue;
      const FailurePath path{"indexes", name, part};
      if (terms->is(FqlKind::array)) {
        *terms = normal_terms(fields, *terms, part == std::string_view("values"), path, failures);
      } else {
        failures.add(path, fmt::format("Expected Array, provided {}", type_name(*terms)));
      }
    }
    if (made.find("queryable") == nullptr) made.append("queryable", true);
    made.set("status", "complete");
    normal.append(name, FqlValue(std::move(made)));
  }
  fields.set("indexes", FqlValue(std::move(normal)));
}

class ConstraintCheck {
 public:
  ConstraintCheck(const FqlObject& fields, Failures& failures)
      : fields_(fields), failures_(failures) {}

  FqlValue normal(const FqlValue& constraint, std::size_t i) {
    if (!constraint.is(FqlKind::object)) {
      failures_.add(path(i), fmt::format("Expected Object, provided {}", type_name(constraint)));
      return constraint;
    }
    FqlObject made = constraint.object();
    const FqlValue* unique = made.find("unique");
    const FqlValue* check = made.find("check");
    if ((unique == nullptr) == (check == nullptr)) {
      failures_.add(path(i), "Expected exactly one of `unique` and `check`");
    }
    for (const auto& [name, member] : made.members()) {
      if (name == "unique" || name == "check" || name == "status") continue;
      FailurePath at = path(i);
      at.emplace_back(name);
      failures_.add(std::move(at), "Unexpected field provided");
    }
    if (unique != nullptr && check_unique(*unique, i)) made.set("status", "active");
    if (check != nullptr) check_check(*check, i);
    return FqlValue(std::move(made));
  }

 private:
  static FailurePath path(std::size_t i) { return {"constraints", static_cast<std::int64_t>(i)}; }
  bool check_unique(const FqlValue& unique, std::size_t i) {
    if (!unique.is(FqlKind::array)) {
      failures_.add(path(i), fmt::format("Expected Array, provided {}", type_name(unique)));
      return false;
    }
    if (unique.array().empty()) {
      failures_.add({"constraints"}, "Unique constraints must have at least one term");
      return false;
    }
    for (const FqlValue& term : unique.array()) {
      std::string problem = problem_of_term(fields_, term);
      if (problem.empty()) continue;
      failures_.add(path(i), std::move(problem));
      return false;
    }
    const std::string terms = render_unique(unique);
    if (!uniques_.insert(terms).second) {
      failures_.add({"constraints"}, "Duplicate unique constraint on path " + terms);
    }
    return true;
  }
  void check_check(const FqlValue& check, std::size_t i) {
    FailurePath at = path(i);
    at.emplace_back("check");
    const bool is_whole = check.is(FqlKind::object) && check.object().find("name") != nullptr &&
                          check.object().find("body") != nullptr;
    if (!is_whole) {
      return failures_.add(std::move(at), "Expected { name: String, body: String }");
    }
    const std::string name = member_text(check.object(), "name");
    if (!is_identifier(name)) failures_.add({"constraints"}, "Invalid identifier.");
    if (!checks_.insert(name).second) {
      failures_.add({"constraints"}, fmt::format("Duplicate check constraint name '{}'", name));
    }
    at.emplace_back("body");
    check_unary(fmt::format("*check_constraint:{}*", name), member_text(check.object(), "body"), at,
                failures_);
  }

  const FqlObject& fields_;
  Failures& failures_;
  std::set<std::string> uniques_;
  std::set<std::string> checks_;
};

void check_all_constraints(FqlObject& fields, Failures& failures) {
  FqlValue* constraints = fields.find("constraints");
  if (!constraints->is(FqlKind::array)) {
    return failures.add({"constraints"}, fmt::format("Expected Array<Object>, provided {}",
                                                     type_name(*constraints)));
  }
  ConstraintCheck check(fields, failures);
  FqlArray normal;
  for (std::size_t i = 0; i < constraints->array().size(); ++i) {
    normal.push_back(check.normal(constraints->array()[i], i));
  }
  *constraints = FqlValue(std::move(normal));
}

void check_not_negative(const FqlObject& fields, const std::string& name, Failures& failures) {
  const FqlValue* days = fields.find(name);
  const bool is_negative = days != nullptr && days->whole().number < 0;
  if (is_negative) failures.add({name}, "Non-negative value required.");
}

void put_missing(FqlObject& fields, const std::string& name, FqlValue value) {
  if (fields.find(name) == nullptr) fields.append(name, std::move(value));
}

}  // namespace

Result<void> check_collection(Interpreter& run, const DefinitionName& name, FqlObject& fields,
                              Failures& failures) {
  check_not_negative(fields, "history_days", failures);
  check_not_negative(fields, "ttl_days", failures);
  const bool sets_history = fields.find("history_days") != nullptr;
  put_missing(fields, "history_days", 0);
  put_missing(fields, "indexes", FqlObject());
  put_missing(fields, "constraints", FqlArray());
  check_member_names(fields, failures);
  check_declared(fields, failures);
  check_indexes(fields, failures);
  check_all_constraints(fields, failures);
  check_migrations(fields, failures);
  if (!name.before || !failures.empty()) return {};
  const auto before = TRY(run.reading().get_system(*find_system("Collection"), *name.before));
  if (!before) return {};
  const FqlObject old = stored_fields(*before);
  if (TRY(is_protected(run))) check_protected(old, fields, sets_history, failures);
  TRY(migrate(run, *name.before, old, fields, failures));
  return put_unique_status(run, *name.before, old, fields);
}

}  // namespace mayfly::fauna
