// The parser's rules for types; types.h has the grammar.
#include "dialect/fauna/syntax/grammar/rules.h"

namespace mayfly::fauna {
namespace {

enum TypeRank : int { rank_function = 1, rank_union, rank_intersection };

Diagnostic variadic_error(Span span) {
  return error_at(span, "Invalid variadic argument");
}

}  // namespace

// The types in parentheses. They are parameters if `=>` follows.
struct Rules::RoundTypes {
  std::vector<ParameterType> parameters;
  std::optional<ParameterType> rest;
  Span first_name = {};  // span of the first parameter name, if any
  bool has_names = false;
};

Result<TypePtr> Rules::make_type(Type::Node node, std::uint32_t begin) {
  if (++nodes_ > limits::fql_nodes_max) {
    return refuse(error_at(since(begin), "The text has too many types"));
  }
  return std::make_shared<const Type>(Type{std::move(node), since(begin)});
}

Result<TypePtr> Rules::type(Defaults defaults) {
  return type_from(rank_function, defaults);
}

// Only a type that is itself an object may have defaults for its fields.
Result<TypePtr> Rules::type_from(int rank_min, Defaults defaults) {
  const Level level(*this);
  TRY(level.check());
  const std::uint32_t begin = token().begin;
  TypePtr left = at(open_round) ? TRY(round_type()) : TRY(type_operand(defaults));
  for (;;) {
    const Token mark = token();
    if (!token().follows_new_line && take_first('?')) {
      report_defaults(*left, {"Parent is nullable", span(mark.begin, mark.begin + 1)});
      if (left->as<NullableType>() == nullptr) {
        left = TRY(make_type(NullableType{std::move(left)}, begin));
      }
    } else if (at_on_same_line(bar) && rank_min <= rank_union) {
      report_defaults(*left, {"Parent is a union", left->span});
      UnionType whole{{std::move(left)}};
      while (at_on_same_line(bar)) {
        take();
        whole.members.push_back(TRY(type_from(rank_intersection, Defaults::refused)));
      }
      left = TRY(make_type(std::move(whole), begin));
    } else if (at_on_same_line(ampersand) && rank_min <= rank_intersection) {
      report_defaults(*left, {"Parent is not an object", left->span});
      IntersectionType whole{{std::move(left)}};
      while (at_on_same_line(ampersand)) {
        take();
        whole.members.push_back(TRY(type_from(rank_intersection + 1, Defaults::refused)));
      }
      left = TRY(make_type(std::move(whole), begin));
    } else if (at_on_same_line(lambda_arrow) && rank_min <= rank_function) {
      report_defaults(*left, {"Parent is not an object", left->span});
      RoundTypes from;
      from.parameters.push_back({"", std::move(left)});
      return function_type(std::move(from), begin);
    } else {
      return left;
    }
  }
}

void Rules::report_defaults(const Type& within, const Hint& reason) {
  const auto* const object = within.as<ObjectType>();
  if (object == nullptr) return;
  for (const FieldType& field : object->fields) {
    if (diagnostics_.size() >= limits::fql_errors_max) return;
    if (field.default_value) {
      Diagnostic refused =
          error_at(field.default_value->span, "Default values are not allowed here");
      refused.hints.push_back(reason);
      report(std::move(refused));
    }
    report_defaults(*field.type, reason);
  }
}

Result<TypePtr> Rules::function_type(RoundTypes from, std::uint32_t begin) {
  TRY(expect(lambda_arrow, "`=>`"));
  TypePtr result = TRY(type());
  return make_type(
      FunctionType{std::move(from.parameters), std::move(from.rest), std::move(result)}, begin);
}

Result<TypePtr> Rules::type_operand(Defaults defaults) {
  switch (token().kind) {
    case name: return named_type();
    case open_brace: return object_type(defaults);
    case number:
    case minus:
    case plus:
    case quote:
    case double_quote: return literal_type();
    case open_square: {
      const std::uint32_t begin = take().begin;
      TypeList items = TRY(type_list(close_square, "`,` or `]`"));
      return make_type(TupleType{std::move(items)}, begin);
    }
    default: return expected("type");
  }
}

Result<TypePtr> Rules::literal_type() {
  const std::uint32_t begin = token().begin;
  if (at(quote) || at(double_quote)) {
    std::string read = TRY(plain_text());
    return make_type(LiteralType{std::move(read)}, begin);
  }
  const auto read = TRY(signed_number());
  if (!read) return expected("type");
  LiteralType literal;
  if (const auto* const narrow = std::get_if<std::int32_t>(&*read)) {
    literal.value = std::int64_t{*narrow};
  } else if (const auto* const wide = std::get_if<std::int64_t>(&*read)) {
    literal.value = *wide;
  } else {
    literal.value = std::get<double>(*read);
  }
  return make_type(std::move(literal), begin);
}

// A name may contain dots: `FQL.Time`.
Result<TypePtr> Rules::named_type() {
  const std::uint32_t begin = take().begin;
  std::string spelled(text_of(since(begin)));
  if (spelled == "Any") return make_type(AnyType{}, begin);
  if (spelled == "Never") return make_type(NeverType{}, begin);
  if (spelled == "true" || spelled == "false") {
    return make_type(LiteralType{spelled == "true"}, begin);
  }
  while (at_on_same_line(dot) && peek().kind == name) {
    take();
    spelled.append(".").append(text(take()));
  }
  TypeList arguments;
  if (at(less) && !token().follows_new_line) {
    take();
    if (at(greater)) return expected("type");
    do {
      arguments.push_back(TRY(type()));
    } while (take_if(comma) && !at(greater));
    if (!take_first('>')) return expected("`,` or `>`");
  }
  return make_type(NamedType{std::move(spelled), std::move(arguments)}, begin);
}

Result<TypeList> Rules::type_list(TokenKind close, std::string_view expectation) {
  TypeList list;
  while (!at(close)) {
    list.push_back(TRY(type()));
    if (!take_if(comma)) break;
  }
  TRY(expect(close, expectation));
  return list;
}

Result<TypePtr> Rules::object_type(Defaults defaults) {
  const std::uint32_t begin = take().begin;
  ObjectType whole;
  Keys seen;
  while (!at(close_brace)) {
    TRY(object_type_member(whole, seen, defaults));
    const bool is_separated = take_if(comma) || take_if(semicolon) || token().follows_new_line;
    if (!is_separated) break;
  }
  TRY(expect(close_brace, "`,` or `}`"));
  return make_type(std::move(whole), begin);
}

Result<void> Rules::object_type_member(ObjectType& object, Keys& seen, Defaults defaults) {
  if (object.wildcard || object.is_open) {
    report(error_at(span_of(token()), object.is_open
                                          ? "Interface must be the last element in an object"
                                          : "Wildcard must be the last element in an object"));
  }
  if (take_if(ellipsis)) {
    object.is_open = true;
    return {};
  }
  if (take_if(star)) {
    TRY(expect(colon, "`:`"));
    object.wildcard = TRY(type());
    return {};
  }
  if (!at(name) && !at(quote) && !at(double_quote)) return expected("`}` or identifier");
  auto [spelled, key_span] = TRY(key());
  report_repeated(seen, spelled, key_span);
  TRY(expect(colon, "`:`"));
  FieldType field{std::move(spelled), key_span};
  field.type = TRY(type(defaults));
  if (!token().follows_new_line && take_first('=')) {
    field.default_value = TRY(expression());
    const Span default_span = field.default_value->span;
    if (defaults == Defaults::refused) {
      report(error_at(default_span, "Default values are not allowed here"));
    }
    report_defaults(*field.type, {"Parent has a conflicting default value", default_span});
  }
  object.fields.push_back(std::move(field));
  return {};
}

// `(A)` is A, `(A, B)` a tuple, `(a: A, ...B) => C` a function.
Result<TypePtr> Rules::round_type() {
  const std::uint32_t begin = take().begin;
  RoundTypes inner = TRY(round_types());
  if (at_on_same_line(lambda_arrow)) return function_type(std::move(inner), begin);
  if (inner.rest) return refuse(variadic_error(inner.rest->type->span));
  if (inner.has_names) {
    return refuse(error_at(inner.first_name, "Only lambda argument types may be named"));
  }
  if (inner.parameters.size() == 1) return inner.parameters.front().type;
  TupleType tuple;
  for (ParameterType& item : inner.parameters) tuple.items.push_back(std::move(item.type));
  return make_type(std::move(tuple), begin);
}

Result<Rules::RoundTypes> Rules::round_types() {
  RoundTypes inner;
  while (!at(close_round)) {
    ParameterType parameter;
    if (at(name) && peek().kind == colon) {
      if (!inner.has_names) inner.first_name = span_of(token());
      inner.has_names = true;
      parameter.name = text(TRY(expect_identifier()));
      take();
    }
    const bool is_rest = take_if(ellipsis);
    parameter.type = TRY(type());
    if (inner.rest) return refuse(variadic_error(inner.rest->type->span));
    if (is_rest) {
      inner.rest = std::move(parameter);
    } else {
      inner.parameters.push_back(std::move(parameter));
    }
    if (!take_if(comma)) break;
  }
  TRY(expect(close_round, "`)` or `,`"));
  return inner;
}

}  // namespace mayfly::fauna
