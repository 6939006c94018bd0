// Converts documents to FSL.
#include <algorithm>

#include "dialect/fauna/push/items.h"
#include "dialect/fauna/schema/members.h"
#include "dialect/fauna/syntax/parser.h"
#include "dialect/fauna/syntax/types.h"

namespace mayfly::fauna {
namespace {

fsl::Name fsl_name(std::string text) {
  return {.text = std::move(text)};
}
fsl::Code fsl_code(std::string text) {
  return {.text = std::move(text)};
}

std::optional<fsl::Code> code_in(const FqlObject& object, std::string_view name) {
  std::string text = member_text(object, name);
  return text.empty() ? std::nullopt : std::optional(fsl_code(std::move(text)));
}

// In source form: a parameter without a name is `_`.
std::string written(const Parameter& parameter) {
  return std::string(text_of(parameter.span));
}

std::string parameters_of(const Lambda& lambda) {
  std::string names;
  for (std::size_t i = 0; i < lambda.parameters.size(); ++i) {
    const bool is_rest = lambda.is_variadic && i + 1 == lambda.parameters.size();
    names +=
        (i == 0 ? "" : ", ") + std::string(is_rest ? "..." : "") + written(lambda.parameters[i]);
  }
  return names;
}

// A lambda in the form of FSL: with brackets around its parameters, or around a short lambda.
std::string lambda_text(const std::string& text) {
  const SourcePtr source = make_source("*lambda*", text);
  const auto parsed = parse_lambda(source);
  const auto* const lambda = parsed ? (*parsed)->root->as<Lambda>() : nullptr;
  if (lambda == nullptr) return text;
  if (lambda->form == Lambda::Form::hidden) {
    return (*parsed)->root->is_in_brackets ? text : "(" + text + ")";
  }
  return "(" + parameters_of(*lambda) + ") => " + std::string(text_of(lambda->body->span));
}

std::optional<fsl::Code> predicate_in(const FqlObject& object, std::string_view name) {
  auto code = code_in(object, name);
  if (code) code->text = lambda_text(code->text);
  return code;
}

FieldPath fsl_path(std::string text) {
  if (!text.starts_with('.')) text.insert(0, ".");
  const SourcePtr source = make_source("*path*", std::move(text));
  auto parsed = parse_path(source);
  return parsed ? *std::move(parsed) : FieldPath{};
}

FieldPath path_in(const FqlObject& object, std::string_view name) {
  FieldPath path = fsl_path(member_text(object, name));
  path.span = {};
  return path;
}

fsl::Term term_of(const FqlValue& stored) {
  if (stored.is(FqlKind::text)) return {.path = fsl_path(stored.text())};
  if (!stored.is(FqlKind::object)) return {};
  return {.path = path_in(stored.object(), "field"),
          .is_multiple = member_is_true(stored.object(), "mva")};
}

fsl::Index index_of(const std::string& name, const FqlObject& stored) {
  fsl::Index index{.name = fsl_name(name)};
  for (const FqlValue& term : member_list(stored, "terms")) index.terms.push_back(term_of(term));
  for (const FqlValue& value : member_list(stored, "values")) {
    const bool is_descending =
        value.is(FqlKind::object) && member_text(value.object(), "order") == "desc";
    index.values.push_back(
        {term_of(value), is_descending ? fsl::Order::descending : fsl::Order::ascending});
  }
  return index;
}

std::optional<fsl::Migration> migration_of(const FqlValue& step) {
  if (!step.is(FqlKind::object) || step.object().empty()) return std::nullopt;
  const auto& [what, value] = step.object().members().front();
  const FqlObject stored = value.is(FqlKind::object) ? value.object() : FqlObject();
  const FieldPath field = path_in(stored, "field");
  if (what == "add") return fsl::Migration{fsl::AddField{field}};
  if (what == "drop") return fsl::Migration{fsl::DropField{field}};
  if (what == "move") return fsl::Migration{fsl::MoveField{field, path_in(stored, "to")}};
  if (what == "backfill") {
    return fsl::Migration{fsl::Backfill{field, fsl_code(member_text(stored, "value"))}};
  }
  if (what == "move_conflicts") return fsl::Migration{fsl::MoveConflicts{path_in(stored, "into")}};
  if (what == "move_wildcard") return fsl::Migration{fsl::MoveWildcard{path_in(stored, "into")}};
  if (what == "add_wildcard") return fsl::Migration{fsl::AddWildcard{}};
  if (what != "split") return std::nullopt;
  fsl::SplitField split{.from = field, .into = {}};
  for (const FqlValue& path : member_list(stored, "to")) {
    if (path.is(FqlKind::text)) split.into.push_back(fsl_path(path.text()));
  }
  return fsl::Migration{std::move(split)};
}

class CollectionItem {
 public:
  explicit CollectionItem(const FqlObject& document) : document_(document) {}

  fsl::Collection make() {
    fields();
    for (const auto& [name, index] : member_object(document_, "indexes").members()) {
      if (index.is(FqlKind::object)) add(index_of(name, index.object()));
    }
    constraints();
    days();
    fsl::Migrations migrations;
    for (const FqlValue& stored : member_list(document_, "migrations")) {
      if (auto step = migration_of(stored)) migrations.steps.push_back(*std::move(step));
    }
    if (!migrations.steps.empty()) add(std::move(migrations));
    return std::move(made_);
  }

 private:
  template <class Member>
  void add(Member member) {
    made_.members.push_back({.what = std::move(member)});
  }
  void fields() {
    for (const auto& [name, stored] : member_object(document_, "fields").members()) {
      if (!stored.is(FqlKind::object)) continue;
      add(fsl::Field{fsl_name(name), fsl_code(member_text(stored.object(), "signature")),
                     code_in(stored.object(), "default")});
    }
    for (const auto& [name, stored] : member_object(document_, "computed_fields").members()) {
      if (!stored.is(FqlKind::object)) continue;
      add(fsl::Computed{fsl_name(name), code_in(stored.object(), "signature"),
                        fsl_code(lambda_text(member_text(stored.object(), "body")))});
    }
    if (auto wildcard = code_in(document_, "wildcard")) add(fsl::Wildcard{*std::move(wildcard)});
  }
  void constraints() {
    for (const FqlValue& stored : member_list(document_, "constraints")) {
      if (!stored.is(FqlKind::object)) continue;
      const FqlObject& check = member_object(stored.object(), "check");
      if (!check.empty()) {
        add(fsl::Check{fsl_name(member_text(check, "name")),
                       fsl_code(lambda_text(member_text(check, "body")))});
        continue;
      }
      fsl::Unique unique;
      for (const FqlValue& term : member_list(stored.object(), "unique")) {
        unique.terms.push_back(term_of(term));
      }
      add(std::move(unique));
    }
  }
  void days() {
    const FqlValue* history = document_.find("history_days");
    if (history != nullptr && history->is(FqlKind::whole)) {
      add(fsl::HistoryDays{history->whole().number});
    }
    const FqlValue* ttl = document_.find("ttl_days");
    if (ttl != nullptr && ttl->is(FqlKind::whole)) add(fsl::TtlDays{ttl->whole().number});
    const FqlValue* ttls = document_.find("document_ttls");
    if (ttls != nullptr && ttls->is(FqlKind::boolean)) add(fsl::DocumentTtls{ttls->boolean()});
  }

  const FqlObject& document_;
  fsl::Collection made_;
};

// Sets the types of the parameters and the result.
void put_types(const std::string& signature, fsl::Function& function) {
  const SourcePtr source = make_source("*signature*", signature);
  const auto parsed = parse_type(source);
  const auto* const type = parsed ? (*parsed)->as<FunctionType>() : nullptr;
  if (type == nullptr) return;
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const bool is_rest = i >= type->parameters.size();
    if (is_rest && !type->rest) return;
    const ParameterType& parameter = is_rest ? *type->rest : type->parameters[i];
    function.parameters[i].type = fsl_code(render_type(*parameter.type));
  }
  function.result = fsl_code(render_type(*type->result));
}

fsl::Function function_item(const FqlObject& document) {
  fsl::Function function;
  if (const std::string role = member_text(document, "role"); !role.empty()) {
    function.role = fsl_name(role);
  }
  const std::string body = member_text(document, "body");
  const SourcePtr source = make_source("*lambda*", body);
  const auto parsed = parse_lambda(source);
  const auto* const lambda = parsed ? (*parsed)->root->as<Lambda>() : nullptr;
  if (lambda == nullptr) return function;
  if (lambda->form == Lambda::Form::hidden) {
    function.parameters.push_back({.name = fsl_name("x")});
    function.body = fsl_code("{\n  (" + body + ")(x)\n}");
    return function;
  }
  for (std::size_t i = 0; i < lambda->parameters.size(); ++i) {
    function.parameters.push_back(
        {.name = fsl_name(written(lambda->parameters[i])),
         .type = {},
         .takes_rest = lambda->is_variadic && i + 1 == lambda->parameters.size()});
  }
  const std::string text(text_of(lambda->body->span));
  const bool is_block = lambda->body->as<Block>() != nullptr && text.starts_with('{');
  function.body = fsl_code(is_block ? text : "{\n  " + text + "\n}");
  put_types(member_text(document, "signature"), function);
  return function;
}

fsl::Role role_item(const FqlObject& document) {
  fsl::Role role;
  for (const FqlValue& stored : member_list(document, "privileges")) {
    if (!stored.is(FqlKind::object)) continue;
    fsl::Privileges privileges{.resource = fsl_name(member_text(stored.object(), "resource")),
                               .actions = {}};
    for (const auto& [name, value] : member_object(stored.object(), "actions").members()) {
      if (value.is(FqlKind::boolean) && !value.boolean()) continue;
      fsl::Action action{.name = name, .predicate = {}};
      if (value.is(FqlKind::text)) action.predicate = fsl_code(lambda_text(value.text()));
      privileges.actions.push_back(std::move(action));
    }
    role.members.push_back({.what = std::move(privileges)});
  }
  for (const FqlValue& stored : member_list(document, "membership")) {
    if (!stored.is(FqlKind::object)) continue;
    role.members.push_back(
        {.what = fsl::Membership{fsl_name(member_text(stored.object(), "resource")),
                                 predicate_in(stored.object(), "predicate")}});
  }
  return role;
}

fsl::AccessProvider provider_item(const FqlObject& document) {
  fsl::AccessProvider provider{.issuer = member_text(document, "issuer"),
                               .jwks_uri = member_text(document, "jwks_uri"),
                               .roles = {}};
  for (const FqlValue& stored : member_list(document, "roles")) {
    if (stored.is(FqlKind::text)) provider.roles.push_back({.name = fsl_name(stored.text())});
    if (!stored.is(FqlKind::object)) continue;
    provider.roles.push_back({.name = fsl_name(member_text(stored.object(), "role")),
                              .predicate = predicate_in(stored.object(), "predicate")});
  }
  return provider;
}

}  // namespace

fsl::Item item_of(const SystemCollection& kind, const std::string& name,
                  const FqlObject& document) {
  fsl::Item item{.name = fsl_name(name)};
  const std::string alias = member_text(document, "alias");
  if (!alias.empty()) item.alias = fsl_name(alias);
  if (kind.name == "Collection") item.what = CollectionItem(document).make();
  if (kind.name == "Function") item.what = function_item(document);
  if (kind.name == "Role") item.what = role_item(document);
  if (kind.name == "AccessProvider") item.what = provider_item(document);
  return item;
}

}  // namespace mayfly::fauna
