// The rules of FSL's items, except members of collections.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dialect/fauna/fsl/rules.h"

namespace mayfly::fauna::fsl {
namespace {

constexpr std::array<std::string_view, 9> actions{"read",
                                                  "write",
                                                  "create",
                                                  "delete",
                                                  "create_with_id",
                                                  "history_read",
                                                  "history_write",
                                                  "unrestricted_read",
                                                  "call"};

}  // namespace

Result<std::vector<Item>> FileRules::whole_file() {
  std::vector<Item> items;
  for (;;) {
    const bool is_separated = token().follows_new_line || at(semicolon) || items.empty();
    while (take_if(semicolon)) {
    }
    if (at(end)) return items;
    if (!is_separated || (!at(name) && !at(at_sign))) return expected("end-of-input");
    items.push_back(TRY(item()));
  }
}

Result<Item> FileRules::item() {
  Item whole;
  whole.comment_span = comment_above();
  whole.comment = comment_text(whole.comment_span);
  const std::uint32_t begin = token().begin;
  Annotations parsed = TRY(annotations());
  const Token keyword = TRY(expect_name());
  TRY(item_body(whole, keyword, parsed));
  whole.span = since(begin);
  check_item_names(whole);
  return whole;
}

Result<FileRules::Annotations> FileRules::annotations() {
  Annotations read;
  while (at(at_sign)) TRY(annotation(read));
  return read;
}

Result<void> FileRules::annotation(Annotations& into) {
  const std::uint32_t begin = take().begin;
  const bool is_alias = at_word("alias");
  if (!is_alias && !at_word("role")) return expected("`alias` or `role`");
  const Token keyword = take();
  TRY(expect(open_round, "`(`"));
  Name parsed = TRY(item_name(keyword));
  TRY(expect(close_round, "`)`"));
  if (!into.are_there) into.first = since(begin);
  into.are_there = true;
  std::optional<Name>& target = is_alias ? into.alias : into.role;
  if (target) {
    Diagnostic repeated =
        error_at(since(begin), fmt::format("Duplicate annotation `{}`", text(keyword)));
    repeated.hints.push_back({"Originally defined here", target->span});
    report(std::move(repeated));
    return {};
  }
  target = std::move(parsed);
  return {};
}

Result<void> FileRules::item_body(Item& item, const Token& keyword, Annotations& annotations) {
  const std::string_view kind = text(keyword);
  const bool is_provider = kind == "access" && at_word("provider");
  if (is_provider) take();
  const bool is_function = kind == "function";
  const bool is_named_by_alias = is_function || kind == "collection";
  if (!is_named_by_alias && kind != "role" && !is_provider) {
    return refuse(error_at(span_of(keyword), fmt::format("Invalid schema item `{}`", kind)));
  }
  if (annotations.are_there && !is_named_by_alias) {
    report(error_at(annotations.first, "Annotations are not allowed here"));
  }
  if (annotations.role && kind == "collection") {
    report(error_at(annotations.role->span, "Annotation not supported here"));
  }
  item.name = TRY(item_name(keyword));
  item.alias = std::move(annotations.alias);
  if (is_function) {
    item.what = TRY(function(std::move(annotations.role)));
    return {};
  }
  TRY(expect_value(keyword));
  TRY(open_block());
  if (kind == "collection") {
    item.what = TRY(collection());
  } else if (is_provider) {
    item.what = TRY(access_provider());
  } else {
    item.what = TRY(role());
  }
  return expect(close_brace, "`}`");
}

void FileRules::check_item_names(const Item& item) {
  if (std::holds_alternative<Role>(item.what)) return check_repeated(roles_, item.name);
  if (std::holds_alternative<AccessProvider>(item.what)) {
    return check_repeated(providers_, item.name);
  }
  check_repeated(globals_, item.name);
  if (item.alias) check_repeated(globals_, *item.alias);
}

// --- functions ---

Result<Function> FileRules::function(std::optional<Name> role) {
  Function whole{std::move(role)};
  TRY(expect(open_round, "`(`"));
  while (!at(close_round)) {
    whole.parameters.push_back(TRY(parameter()));
    const FunctionParameter& last = whole.parameters.back();
    if (!take_if(comma)) break;
    if (last.takes_rest && !at(close_round)) {
      report(error_at(last.name.span, "Variadic argument must be the last argument."));
    }
  }
  const Span close = span_of(token());
  TRY(expect(close_round, "`)` or `,`"));
  if (take_if(colon)) whole.result = TRY(type_code());
  check_types(whole, close);
  if (!at(open_brace)) return expected("`{`");
  const ExpressionPtr body = TRY(block());
  whole.body = verbatim(*body);
  return whole;
}

Result<FunctionParameter> FileRules::parameter() {
  FunctionParameter whole;
  whole.takes_rest = take_if(ellipsis);
  const Token spelled = TRY(expect_identifier());
  whole.name = {std::string(text(spelled)), span_of(spelled)};
  if (take_if(colon)) whole.type = TRY(type_code());
  return whole;
}

// Either all parameters and the result have types, or none has one.
void FileRules::check_types(const Function& function, Span close) {
  if (function.parameters.empty()) return;
  const FunctionParameter& first = function.parameters.front();
  const Hint reason =
      first.type
          ? Hint{"Expecting types due to this type annotation", first.type->span}
          : Hint{"Expecting no types due to this argument not having a type", first.name.span};
  const auto refuse_it = [&](Span at, std::string message) {
    Diagnostic refused = error_at(at, std::move(message));
    refused.hints.push_back(reason);
    report(std::move(refused));
  };
  for (const FunctionParameter& parameter : function.parameters) {
    if (parameter.type.has_value() == first.type.has_value()) continue;
    refuse_it(parameter.name.span, "All or no arguments must have a type");
  }
  if (first.type && !function.result) {
    refuse_it(close, "Return type is required when arguments have a type");
  }
  if (!first.type && function.result) {
    refuse_it(function.result->span,
              "Return type is not allowed when arguments do not have a type");
  }
}

// --- roles ---

Result<Role> FileRules::role() {
  Role whole;
  Names resources{"privileges"};
  Names memberships{"membership"};
  while (!is_at_block_end()) {
    whole.members.push_back(TRY(role_member(resources, memberships)));
  }
  return whole;
}

Result<RoleMember> FileRules::role_member(Names& resources, Names& memberships) {
  RoleMember whole;
  whole.comment = comment_text(comment_above());
  TRY(refuse_annotations());
  const Token keyword = TRY(expect_name());
  const bool is_membership = text(keyword) == "membership";
  if (!is_membership && text(keyword) != "privileges") {
    return refuse(error_at(span_of(keyword), fmt::format("Invalid member `{}`", text(keyword))));
  }
  Name resource = TRY(item_name(keyword));
  check_repeated(is_membership ? memberships : resources, resource);
  if (is_membership) {
    auto predicate = TRY(predicate_block());
    whole.what = Membership{std::move(resource), std::move(predicate)};
  } else {
    whole.what = TRY(privileges(std::move(resource), keyword));
  }
  whole.span = since(keyword.begin);
  return whole;
}

Result<Privileges> FileRules::privileges(Name resource, const Token& keyword) {
  Privileges whole{std::move(resource)};
  TRY(expect_value(keyword));
  TRY(open_block());
  Names seen{"action"};
  while (!is_at_block_end()) {
    whole.actions.push_back(TRY(action()));
    const Action& last = whole.actions.back();
    check_repeated(seen, Name{last.name, last.span});
  }
  TRY(expect(close_brace, "`}`"));
  return whole;
}

Result<Action> FileRules::action() {
  TRY(refuse_annotations());
  const Token spelled = TRY(expect_name());
  Action whole{std::string(text(spelled))};
  if (std::find(actions.begin(), actions.end(), whole.name) == actions.end()) {
    return refuse(error_at(span_of(spelled), fmt::format("Invalid action `{}`", whole.name)));
  }
  if (at_on_same_line(open_brace)) whole.predicate = TRY(predicate_block());
  whole.span = since(spelled.begin);
  return whole;
}

// --- access providers ---

Result<AccessProvider> FileRules::access_provider() {
  AccessProvider whole;
  const std::uint32_t begin = last_end() - 1;
  Names once{""};
  Names roles{"role"};
  while (!is_at_block_end()) {
    TRY(provider_member(whole, once, roles));
  }
  const Span block = span(begin, token().end);
  for (const std::string_view needed : {"issuer", "jwks uri"}) {
    if (!once.seen.contains(std::string(needed))) {
      report(error_at(block, fmt::format("Missing {}", needed)));
    }
  }
  return whole;
}

Result<void> FileRules::provider_member(AccessProvider& into, Names& once, Names& roles) {
  TRY(refuse_annotations());
  const Token keyword = TRY(expect_name());
  if (text(keyword) == "issuer") {
    check_once(once, "issuer", span_of(keyword));
    into.issuer = TRY(text_value(keyword));
  } else if (text(keyword) == "jwks_uri") {
    check_once(once, "jwks uri", span_of(keyword));
    into.jwks_uri = TRY(text_value(keyword));
  } else if (text(keyword) == "role") {
    ProviderRole whole;
    whole.name = TRY(item_name(keyword));
    check_repeated(roles, whole.name);
    if (at_on_same_line(open_brace)) whole.predicate = TRY(predicate_block());
    whole.span = since(keyword.begin);
    into.roles.push_back(std::move(whole));
  } else {
    return refuse(error_at(span_of(keyword), fmt::format("Invalid member `{}`", text(keyword))));
  }
  return {};
}

Result<std::string> FileRules::text_value(const Token& keyword) {
  TRY(expect_value(keyword));
  if (at(quote) || at(double_quote)) return plain_text();
  const ExpressionPtr tree = TRY(expression());
  return refuse(error_at(tree->span, "Expected string literal"));
}

}  // namespace mayfly::fauna::fsl
