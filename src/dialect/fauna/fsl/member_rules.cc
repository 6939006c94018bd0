// The rules of members of collections, except migrations.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dialect/fauna/fsl/rules.h"

namespace mayfly::fauna::fsl {
namespace {

// Names of metadata, which documents have or show besides their fields.
constexpr std::array<std::string_view, 11> reserved_names{
    "id",     "coll",    "ts",         "ttl",         "data",  "delete",
    "update", "replace", "updateData", "replaceData", "exists"};

bool is_reserved(std::string_view name) {
  return std::find(reserved_names.begin(), reserved_names.end(), name) != reserved_names.end();
}

// A key that is equal for the same terms in any order.
std::string key_of(const std::vector<Term>& terms) {
  std::vector<std::string> keys;
  for (const Term& term : terms) {
    keys.push_back((term.is_multiple ? "*" : "") + render_path(term.path));
  }
  std::sort(keys.begin(), keys.end());
  std::string whole;
  for (const std::string& key : keys) whole.append(key).append("\n");
  return whole;
}

}  // namespace

Result<Collection> FileRules::collection() {
  Collection whole;
  MemberNames names;
  while (!is_at_block_end()) {
    const Span comment = comment_above();
    const std::uint32_t begin = token().begin;
    whole.members.push_back(TRY(member(names)));
    whole.members.back().comment = comment_text(comment);
    whole.members.back().span = since(begin);
  }
  return whole;
}

// Any name before `:` or `=`, even a keyword, is a field.
bool FileRules::is_at_field() const {
  if (at(quote) || at(double_quote)) return true;
  if (!at(name)) return false;
  const Token next = peek();
  return !next.follows_new_line && (next.kind == colon || next.kind == assign);
}

Result<Member> FileRules::member(MemberNames& names) {
  TRY(refuse_annotations());
  if (at(star)) return wildcard(names);
  if (is_at_field()) return field(names);
  if (!at(name)) return expected("`}` or identifier");
  return named_member(names, take());
}

Result<Member> FileRules::named_member(MemberNames& names, const Token& keyword) {
  const std::string_view kind = text(keyword);
  const Span keyword_span = span_of(keyword);
  if (kind == "compute") return computed(names, keyword);
  if (kind == "index") return index(names, keyword);
  if (kind == "unique") return unique(names, keyword);
  if (kind == "check") return check(names, keyword);
  if (kind == "history_days") {
    check_once(names.once, "history days", keyword_span);
    TRY(expect_value(keyword));
    const auto days_value = TRY(days());
    return Member{HistoryDays{days_value}};
  }
  if (kind == "ttl_days") {
    check_once(names.once, "ttl days", keyword_span);
    TRY(expect_value(keyword));
    const auto days_value = TRY(days());
    return Member{TtlDays{days_value}};
  }
  if (kind == "document_ttls") {
    check_once(names.once, "document TTLs", keyword_span);
    TRY(expect_value(keyword));
    const auto days_value = TRY(flag());
    return Member{DocumentTtls{days_value}};
  }
  if (kind == "migrations") {
    check_once(names.once, "migration block", keyword_span);
    return migrations(keyword);
  }
  return refuse(error_at(keyword_span, fmt::format("Invalid field or member `{}`", kind)));
}

// --- fields ---

Result<Name> FileRules::field_name(MemberNames& names) {
  Name read = TRY(identifier(token()));
  if (is_reserved(read.text)) {
    report(error_at(read.span, fmt::format("Invalid reserved name `{}`", read.text)));
  }
  check_repeated(names.fields, read);
  return read;
}

Result<Member> FileRules::field(MemberNames& names) {
  Field whole;
  whole.name = TRY(field_name(names));
  if (!take_if(colon)) {
    if (!at(assign)) return expected("`:`");
    return refuse(error_at(whole.name.span, "Expected a type signature"));
  }
  const TypePtr read = TRY(type(Defaults::taken));
  whole.type = type_code(*read);
  if (!token().follows_new_line && take_first('=')) {
    const ExpressionPtr days_value = TRY(expression());
    report_defaults(*read, {"Parent has a conflicting default value", days_value->span});
    whole.default_value = verbatim(*days_value);
  }
  return Member{std::move(whole)};
}

Result<Member> FileRules::wildcard(MemberNames& names) {
  const Token mark = take();
  check_repeated(names.fields, Name{"*", span_of(mark)});
  TRY(expect(colon, "`:`"));
  Code read = TRY(type_code());
  if (!token().follows_new_line && take_first('=')) {
    const ExpressionPtr days_value = TRY(expression());
    return refuse(error_at(days_value->span, "No default allowed for wildcard field"));
  }
  return Member{Wildcard{std::move(read)}};
}

Result<Member> FileRules::computed(MemberNames& names, const Token& keyword) {
  if (!at(name)) return refuse(error_at(span_of(keyword), "Missing required name"));
  Computed whole;
  whole.name = TRY(field_name(names));
  if (take_if(colon)) whole.type = TRY(type_code());
  if (token().follows_new_line || !take_first('=')) {
    return refuse(error_at(span_of(keyword), "Computed fields require a value"));
  }
  const ExpressionPtr body = TRY(expression());
  if (body->as<Lambda>() == nullptr) return refuse(error_at(body->span, "Expected lambda"));
  whole.body = lambda_code(*body);
  return Member{std::move(whole)};
}

// --- indexes and constraints ---

Result<Member> FileRules::index(MemberNames& names, const Token& keyword) {
  Index whole;
  whole.name = TRY(identifier(keyword));
  check_repeated(names.indexes, whole.name);
  TRY(expect_value(keyword));
  TRY(open_block());
  Names once{""};
  while (!is_at_block_end()) {
    TRY(index_member(whole, once));
  }
  TRY(expect(close_brace, "`}`"));
  return Member{std::move(whole)};
}

Result<void> FileRules::index_member(Index& into, Names& once) {
  TRY(refuse_annotations());
  const Token keyword = TRY(expect_name());
  const bool is_terms = text(keyword) == "terms";
  if (!is_terms && text(keyword) != "values") {
    return refuse(error_at(span_of(keyword), fmt::format("Invalid member `{}`", text(keyword))));
  }
  check_once(once, is_terms ? "terms definition" : "values definition", span_of(keyword));
  TRY(expect_value(keyword));
  if (is_terms) {
    into.terms = TRY(terms());
    return {};
  }
  if (!take_if(open_square)) {
    return refuse(error_at(span_of(token()), "Expected an array of values"));
  }
  while (!at(close_square)) {
    into.values.push_back(TRY(index_value()));
    if (!take_if(comma)) break;
  }
  return expect(close_square, "`,` or `]`");
}

Result<std::vector<Term>> FileRules::terms() {
  if (!take_if(open_square)) {
    return refuse(error_at(span_of(token()), "Expected an array of terms"));
  }
  std::vector<Term> list;
  while (!at(close_square)) {
    list.push_back(TRY(term()));
    if (!take_if(comma)) break;
  }
  TRY(expect(close_square, "`,` or `]`"));
  return list;
}

Result<Term> FileRules::term() {
  Term whole;
  if (!at(name) || peek().kind != open_round) {
    whole.path = TRY(path());
    return whole;
  }
  if (!at_word("mva")) return refuse(error_at(span_of(token()), "Expected 'mva'"));
  take();
  take();
  whole.is_multiple = true;
  whole.path = TRY(path());
  TRY(expect(close_round, "`)`"));
  return whole;
}

// asc and desc are allowed outside and inside mva.
Result<IndexValue> FileRules::index_value() {
  IndexValue whole;
  bool is_ordered = false;
  std::size_t open = 0;
  for (; at(name) && peek().kind == open_round; ++open) {
    const bool is_order = at_word("asc") || at_word("desc");
    const bool is_known = is_order ? !is_ordered : at_word("mva") && !whole.term.is_multiple;
    if (!is_known) {
      return refuse(error_at(span_of(token()), "Expected 'asc', 'desc', or 'mva'"));
    }
    is_ordered = is_ordered || is_order;
    if (at_word("desc")) whole.order = Order::descending;
    if (!is_order) whole.term.is_multiple = true;
    take();
    take();
  }
  whole.term.path = TRY(path());
  for (; open > 0; --open) TRY(expect(close_round, "`)`"));
  return whole;
}

Result<Member> FileRules::unique(MemberNames& names, const Token& keyword) {
  TRY(expect_value(keyword));
  const std::uint32_t begin = token().begin;
  Unique whole;
  whole.terms = TRY(terms());
  if (whole.terms.empty()) {
    return refuse(error_at(since(begin), "Expected non-empty terms for a unique constraint"));
  }
  const auto [first, is_new] = names.uniques.seen.emplace(key_of(whole.terms), since(begin));
  if (!is_new) {
    Diagnostic repeated = error_at(since(begin), "Duplicate unique constraint.");
    repeated.hints.push_back({"This unique constraint covers the same fields.", first->second});
    report(std::move(repeated));
  }
  return Member{std::move(whole)};
}

Result<Member> FileRules::check(MemberNames& names, const Token& keyword) {
  Check whole;
  whole.name = TRY(identifier(keyword));
  check_repeated(names.checks, whole.name);
  TRY(expect_value(keyword));
  whole.body = TRY(bracketed_lambda("Expected lambda check predicate"));
  return Member{std::move(whole)};
}

// --- literals ---

Result<std::int64_t> FileRules::days() {
  const ExpressionPtr tree = TRY(expression());
  const auto* const literal = tree->as<Literal>();
  if (literal != nullptr) {
    if (const auto* const days = std::get_if<std::int32_t>(&literal->value)) return *days;
    if (const auto* const days = std::get_if<std::int64_t>(&literal->value)) return *days;
  }
  return refuse(error_at(tree->span, "Expected integer literal"));
}

Result<bool> FileRules::flag() {
  const ExpressionPtr tree = TRY(expression());
  const auto* const literal = tree->as<Literal>();
  const auto* const flag = literal == nullptr ? nullptr : std::get_if<bool>(&literal->value);
  if (flag != nullptr) return *flag;
  return refuse(error_at(tree->span, "Expected boolean literal"));
}

}  // namespace mayfly::fauna::fsl
