// The rules of FSL that items and members share: names, comments, lambdas.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/fauna/fsl/rules.h"

namespace mayfly::fauna::fsl {
namespace {

constexpr std::string_view legacy_characters = ";@+$-_.!~%";

bool is_legacy_character(char c) {
  return is_name_part(c) || legacy_characters.find(c) != std::string_view::npos;
}

std::size_t line_breaks_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// The end of the comment at the offset, excluding the line break of a line comment.
std::size_t end_of_comment(std::string_view text, std::size_t at) {
  if (text.substr(at, 2) == "//") return std::min(text.find('\n', at), text.size());
  std::size_t depth = 0;
  for (; at < text.size(); ++at) {
    const std::string_view two = text.substr(at, 2);
    if (two != "/*" && two != "*/") continue;
    depth += two == "/*" ? 1 : -1;
    ++at;
    if (depth == 0) return at + 1;
  }
  return text.size();
}

}  // namespace

void FileRules::check_repeated(Names& names, const std::string& key, std::string_view shown,
                               Span at) {
  const auto [first, is_new] = names.seen.emplace(key, at);
  if (is_new) return;
  Diagnostic repeated = error_at(at, fmt::format("Duplicate {}", shown));
  repeated.hints.push_back({"Originally defined here", first->second});
  report(std::move(repeated));
}

void FileRules::check_repeated(Names& names, const Name& name) {
  check_repeated(names, name.text, fmt::format("{} `{}`", names.kind, name.text), name.span);
}

void FileRules::check_once(Names& names, std::string_view what, Span at) {
  check_repeated(names, std::string(what), what, at);
}

bool FileRules::is_at_block_end() {
  while (take_if(semicolon)) {
  }
  return at(close_brace) || at(end);
}

// A value must be on the line of its keyword.
bool FileRules::has_value() const {
  return !token().follows_new_line && !at(end) && !at(close_brace) && !at(semicolon);
}

Result<void> FileRules::expect_value(const Token& keyword) {
  if (has_value()) return {};
  return refuse(error_at(span_of(keyword), "Missing required value"));
}

Result<void> FileRules::open_block() {
  if (take_if(open_brace)) return {};
  return refuse(error_at(span_of(token()), "Expected a block"));
}

Result<Name> FileRules::item_name(const Token& keyword) {
  if (at(quote) || at(double_quote)) return legacy_name();
  if (!at(name)) {
    const bool is_missing = at(open_brace) || at(end) || at(close_brace) || at(open_round);
    if (!is_missing) return expected("identifier");
    return refuse(error_at(span_of(keyword), "Missing required name"));
  }
  const Token spelled = TRY(expect_identifier());
  return Name{std::string(text(spelled)), span_of(spelled)};
}

// Names that are no identifiers are quoted.
Result<Name> FileRules::legacy_name() {
  const std::uint32_t begin = token().begin;
  std::string spelled = TRY(plain_text());
  const bool is_legacy =
      !spelled.empty() && std::all_of(spelled.begin(), spelled.end(), is_legacy_character);
  if (is_legacy) return Name{std::move(spelled), since(begin)};
  return refuse(error_at(since(begin), fmt::format("Invalid identifier `{}`", spelled)));
}

Result<Name> FileRules::identifier(const Token& keyword) {
  Name read = TRY(item_name(keyword));
  if (!is_identifier(read.text)) {
    report(error_at(read.span, fmt::format("Invalid identifier `{}`", read.text)));
  }
  return read;
}

// The comments directly above the token that start on their own lines, up to the nearest empty
// line. Empty if there are none.
Span FileRules::comment_above() const {
  const std::string_view whole = lexer_text();
  const std::size_t end = token().begin;
  std::size_t at = last_end();
  // A comment on the line of the previous token belongs to that token.
  if (at > 0) {
    const std::size_t line_end = whole.substr(0, end).find('\n', at);
    if (line_end == std::string_view::npos) return span_at(end);
    at = line_end;
  }
  std::size_t first = end;
  std::size_t last = at;
  while (at < end) {
    if (whole[at] != '/') {
      ++at;
      continue;
    }
    if (first == end || line_breaks_in(whole.substr(last, at - last)) > 1) first = at;
    at = last = end_of_comment(whole, at);
  }
  if (first == end || line_breaks_in(whole.substr(last, end - last)) > 1) return span_at(end);
  return span(static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last));
}

// The comment without the indentation of its lines.
std::string FileRules::comment_text(Span comment) const {
  std::string out;
  std::string_view rest = text_of(comment);
  while (!rest.empty()) {
    const std::size_t line_end = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, line_end);
    rest.remove_prefix(std::min(line_end + 1, rest.size()));
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    line = line.substr(0, line.find_last_not_of(" \t\r") + 1);
    out.append(out.empty() ? "" : "\n").append(line);
  }
  return out;
}

Result<void> FileRules::refuse_annotations() {
  if (!at(at_sign)) return {};
  return refuse(error_at(span_of(token()), "Annotations are not allowed here"));
}

Code FileRules::type_code(const Type& read) const {
  Code code{render_type(read), read.span};
  if (code.text == text_of(read.span)) code.as_written = read.span;
  return code;
}

Result<Code> FileRules::type_code() {
  const TypePtr read = TRY(type());
  return type_code(*read);
}

Code FileRules::verbatim(const Expression& tree) const {
  return {std::string(text_of(tree.span)), tree.span, tree.span};
}

Code FileRules::lambda_code(const Expression& tree) const {
  const Lambda& lambda = *tree.as<Lambda>();
  if (lambda.form == Lambda::Form::hidden) return verbatim(tree);
  std::string head;
  for (const Parameter& parameter : lambda.parameters) {
    if (!head.empty()) head += ", ";
    if (lambda.is_variadic && &parameter == &lambda.parameters.back()) head += "...";
    head += text_of(parameter.span);
  }
  return {fmt::format("({}) => {}", head, text_of(lambda.body->span)), tree.span,
          lambda.body->span};
}

// A lambda in brackets.
Result<Code> FileRules::bracketed_lambda(std::string_view message) {
  const ExpressionPtr tree = TRY(expression());
  const bool is_lambda = tree->as<Lambda>() != nullptr;
  if (is_lambda && tree->is_in_brackets) return lambda_code(*tree);
  Diagnostic refused = error_at(tree->span, std::string(message));
  if (is_lambda) refused.annotation = "The lambda requires parentheses around it";
  return refuse(std::move(refused));
}

// { predicate (lambda) }, if present.
Result<std::optional<Code>> FileRules::predicate_block() {
  if (!has_value()) return std::nullopt;
  const std::uint32_t begin = token().begin;
  TRY(open_block());
  TRY(refuse_annotations());
  if (at(close_brace)) {
    take();
    return refuse(error_at(since(begin), "Expected a single predicate member"));
  }
  if (!at_word("predicate")) return refuse(error_at(span_of(token()), "Expecting a predicate"));
  const Token keyword = take();
  TRY(expect_value(keyword));
  Code predicate = TRY(bracketed_lambda("Expected lambda predicate"));
  if (!is_at_block_end() || at(end)) {
    return refuse(error_at(span_of(token()), "Expected a single predicate member"));
  }
  take();
  return predicate;
}

Result<FieldPath> FileRules::path() {
  const ExpressionPtr tree = TRY(expression(ShortLambda::taken));
  auto read = path_of(*tree);
  if (read) return std::move(*read);
  return refuse(std::move(read).error());
}

}  // namespace mayfly::fauna::fsl
