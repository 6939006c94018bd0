// The parser's tokens, errors and bounds.
#include <fmt/format.h>

#include <algorithm>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/parser/rules.h"

namespace mayfly::cosmos::sql {
namespace {

using enum TokenKind;

// The bytes of a token that an error shows.
constexpr std::size_t shown_bytes_max = 100;

// A node of the tree takes at most one level of the parser, also if it is printed with brackets. So
// the printed text of the highest tree can be parsed. The rest is for redundant brackets.
constexpr std::size_t levels_max = limits::sql_query_depth_max + 8;

std::string_view shortened(std::string_view raw) {
  if (raw.size() <= shown_bytes_max) return raw;
  std::size_t end = shown_bytes_max;
  while (static_cast<std::uint8_t>(raw[end]) >> 6 == 2) --end;
  return raw.substr(0, end);
}

Diagnostic nested_too_deep() {
  return {"SC1001", fmt::format("The query is nested more than {} levels deep.",
                                limits::sql_query_depth_max)};
}

}  // namespace

const Token& Rules::peek(std::size_t ahead) const {
  return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

bool Rules::at_name() const {
  return at(name) || at(word_all) || at(word_first) || at(word_last);
}

std::string_view Rules::raw(const Token& token) const {
  return text_.substr(token.range.start, token.range.end - token.range.start);
}

bool Rules::take_if(TokenKind kind) {
  if (!at(kind)) return false;
  ++next_;
  return true;
}

Result<Token> Rules::expect(TokenKind kind) {
  if (!at(kind)) return tl::unexpected(unexpected());
  return take();
}

Result<std::string> Rules::expect_name() {
  if (!at_name()) return tl::unexpected(unexpected());
  return std::string(raw(take()));
}

Result<std::string> Rules::expect_word() {
  if (!is_spelled_as_name(peek().kind)) return tl::unexpected(unexpected());
  return std::string(raw(take()));
}

Result<std::string> Rules::expect_text() {
  const Token token = TRY(expect(TokenKind::text));
  auto read = read_text_token(raw(token));
  if (read) return std::move(*read);
  return tl::unexpected(refusal(
      Code::invalid, text_,
      {"SC1012",
       fmt::format("Syntax error, invalid string literal token '{}'.", shortened(raw(token))),
       token.range}));
}

Error Rules::unexpected() const {
  const Token& token = peek();
  const std::string_view shown = shortened(raw(token));
  Diagnostic diagnostic{"SC1001", fmt::format("Syntax error, incorrect syntax near '{}'.", shown),
                        token.range};
  if (token.kind == end)
    diagnostic = {"SC1001", "Syntax error, unexpected end-of-file.", token.range};
  if (token.kind == broken_text) {
    diagnostic.code = "SC1012";
    diagnostic.message = fmt::format("Syntax error, invalid string literal token '{}'.", shown);
  }
  return refusal(Code::invalid, text_, std::move(diagnostic));
}

Error Rules::too_large(std::string message) const {
  return refusal(Code::invalid, text_, {"SC1001", std::move(message), peek().range});
}

Result<ScalarPtr> Rules::make(Scalar::Node node, TextRange range) {
  if (++nodes_ > limits::sql_query_nodes_max) {
    return tl::unexpected(
        too_large(fmt::format("The query has more than {} parts.", limits::sql_query_nodes_max)));
  }
  ScalarPtr made = make_scalar(std::move(node), range);
  if (made->height <= limits::sql_query_depth_max) return made;
  return tl::unexpected(refusal(Code::invalid, text_, nested_too_deep()));
}

Result<QueryPtr> Rules::make(Query query) {
  QueryPtr made = make_query(std::move(query));
  if (made->height <= limits::sql_query_depth_max) return made;
  return tl::unexpected(refusal(Code::invalid, text_, nested_too_deep()));
}

Result<void> Rules::Level::check() const {
  if (rules_.levels_ <= levels_max) return {};
  return tl::unexpected(refusal(Code::invalid, rules_.text_, nested_too_deep()));
}

}  // namespace mayfly::cosmos::sql
