#include "dialect/cosmos/sql/parser/parser.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/sql/parser/rules.h"

namespace mayfly::cosmos::sql {
namespace {

using enum TokenKind;

constexpr std::int64_t count_max = 4'294'967'295;  // the service's bound

// The digits as a number, or nothing for other characters and beyond count_max.
std::optional<std::int64_t> read_count(std::string_view digits) {
  std::int64_t count = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  const bool is_whole = read.ec == std::errc() && read.ptr == digits.data() + digits.size();
  if (!is_whole || count > count_max) return std::nullopt;
  return count;
}

}  // namespace

// The error for an invalid number of rows.
struct Rules::CountRule {
  const char* code;
  const char* message;
};

Result<QueryPtr> Rules::whole_text() {
  QueryPtr whole = TRY(query());
  TRY(expect(end));
  return whole;
}

Result<QueryPtr> Rules::query() {
  const Level level(*this);
  TRY(level.check());
  static constexpr CountRule top{"SC2060",
                                 "The count value provided for a TOP clause must be an integer."};
  static constexpr CountRule offset{"SC2062",
                                    "The OFFSET count value exceeds the maximum allowed value."};
  static constexpr CountRule limit{"SC2061",
                                   "The LIMIT count value exceeds the maximum allowed value."};
  const std::uint32_t start = TRY(expect(word_select)).range.start;
  Query query;
  query.is_distinct = take_if(word_distinct);
  if (take_if(word_top)) query.top = TRY(count(top));
  query.selection = TRY(selection());
  if (take_if(word_from)) query.from = TRY(from());
  if (take_if(word_where)) query.where = TRY(scalar());
  if (take_if(word_group)) {
    TRY(expect(word_by));
    query.group_by = TRY(scalars());
  }
  if (take_if(word_order)) query.order_by = TRY(order_by());
  if (take_if(word_offset)) {
    query.slice.emplace();
    query.slice->offset = TRY(count(offset));
    TRY(expect(word_limit));
    query.slice->limit = TRY(count(limit));
  }
  query.range = since(start);
  return make(std::move(query));
}

Result<Count> Rules::count(const CountRule& rule) {
  if (at(parameter)) {
    const Token token = take();
    return Count{Parameter{std::string(raw(token))}, token.range};
  }
  if (!at(number)) return tl::unexpected(unexpected());
  const Token token = take();
  if (const auto rows = read_count(raw(token))) return Count{*rows, token.range};
  return tl::unexpected(refusal(Code::invalid, text_, {rule.code, rule.message, token.range}));
}

Result<Selection> Rules::selection() {
  if (at(star)) return SelectAll{take().range};
  if (take_if(word_value)) {
    ScalarPtr value = TRY(scalar());
    return SelectValue{std::move(value)};
  }
  SelectList list;
  do {
    list.items.push_back(TRY(select_item()));
  } while (take_if(comma));
  return list;
}

Result<SelectItem> Rules::select_item() {
  ScalarPtr value = TRY(scalar());
  SelectItem item{std::move(value), {}};
  item.alias = TRY(alias());
  return item;
}

Result<std::optional<std::string>> Rules::alias() {
  if (!take_if(word_as) && !at_name()) return std::nullopt;
  return TRY(expect_name());
}

Result<std::vector<Source>> Rules::from() {
  std::vector<Source> sources;
  do {
    if (sources.size() > limits::sql_joins_max) {
      return tl::unexpected(
          too_large(fmt::format("The query has more than {} JOINs.", limits::sql_joins_max)));
    }
    sources.push_back(TRY(source()));
  } while (take_if(word_join));
  return sources;
}

Result<Source> Rules::source() {
  const std::uint32_t start = peek().range.start;
  Source source;
  if (at_name() && peek(1).kind == word_in) {
    source.binding = Source::Binding::items;
    source.alias = TRY(expect_name());
    take();
    source.collection = TRY(collection());
  } else {
    source.collection = TRY(collection());
    source.alias = TRY(alias());
  }
  source.range = since(start);
  return source;
}

Result<std::variant<ScalarPtr, QueryPtr>> Rules::collection() {
  if (at(open_round)) return TRY(query_in_brackets());
  return TRY(collection_path());
}

Result<ScalarPtr> Rules::collection_path() {
  ScalarPtr path;
  if (at(open_square)) {
    path = TRY(array());
  } else if (at(parameter)) {
    const Token token = take();
    path = TRY(make(Parameter{std::string(raw(token))}, token.range));
  } else {
    const TextRange range = peek().range;
    auto name = TRY(expect_name());
    path = TRY(make(Name{std::move(name)}, range));
  }
  while (at(dot) || at(open_square)) {
    const TokenKind index = peek(1).kind;
    if (at(open_square) && index != number && index != TokenKind::text) {
      take();
      return tl::unexpected(unexpected());
    }
    if (at(open_square) && peek(2).kind != close_square) {
      next_ += 2;
      return tl::unexpected(unexpected());
    }
    path = TRY(step(std::move(path)));
  }
  return path;
}

Result<Ordering> Rules::order_by() {
  TRY(expect(word_by));
  Ordering ordering;
  if (take_if(word_rank)) ordering.by = Ordering::By::rank;
  do {
    ordering.items.push_back(TRY(order_item(ordering.by)));
  } while (take_if(comma));
  return ordering;
}

Result<OrderItem> Rules::order_item(Ordering::By by) {
  const std::size_t start = next_;
  ScalarPtr value = by == Ordering::By::rank ? TRY(operand()) : TRY(scalar());
  OrderItem item{std::move(value)};
  if (by == Ordering::By::rank && item.value->as<ScalarCall>() == nullptr) {
    next_ = start;
    return tl::unexpected(unexpected());
  }
  if (take_if(word_asc)) item.direction = Direction::ascending;
  if (take_if(word_desc)) item.direction = Direction::descending;
  return item;
}

Result<ScalarList> Rules::scalars() {
  ScalarList list;
  do {
    list.push_back(TRY(scalar()));
  } while (take_if(comma));
  return list;
}

Result<QueryPtr> Rules::query_in_brackets() {
  TRY(expect(open_round));
  QueryPtr inner = TRY(query());
  TRY(expect(close_round));
  return inner;
}

Result<QueryPtr> parse_query(std::string_view text) {
  if (text.size() <= limits::sql_query_bytes_max) return Rules(text).whole_text();
  return tl::unexpected(refusal(Code::invalid, text,
                                {"SC1001", fmt::format("The query text is longer than {} bytes.",
                                                       limits::sql_query_bytes_max)}));
}

}  // namespace mayfly::cosmos::sql
