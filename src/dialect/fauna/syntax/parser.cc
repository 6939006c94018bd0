#include "dialect/fauna/syntax/parser.h"

#include <fmt/format.h>

#include "dialect/fauna/syntax/grammar/parse_whole.h"
#include "dialect/fauna/syntax/grammar/rules.h"
#include "dialect/fauna/syntax/print.h"
#include "dialect/fauna/syntax/resolve.h"
#include "dialect/fauna/syntax/tokens/lexer.h"

namespace mayfly::fauna {
namespace {

// The rules for paths: a path is parsed as a short lambda.
struct PathRules : Rules {
  using Rules::Rules;
  Result<ExpressionPtr> whole_path() {
    ExpressionPtr tree = TRY(expression(ShortLambda::taken));
    if (!at(TokenKind::end)) return expected("end-of-input");
    return tree;
  }
};

Parsed<ProgramPtr> parse_program(const Template& from, Result<ExpressionPtr> (Rules::*whole)(),
                                 std::span<const std::string> arguments) {
  auto root = parse_whole(from, whole);
  if (!root) return tl::unexpected(std::move(root).error());
  Program program{from.source, std::move(*root), static_cast<std::uint32_t>(from.values.size())};
  if (auto fault = resolve(program, arguments)) {
    return tl::unexpected(Diagnostics{*std::move(fault)});
  }
  return std::make_shared<const Program>(std::move(program));
}

tl::unexpected<Diagnostic> no_path(Span span) {
  return tl::unexpected(error_at(span, "Invalid field path"));
}

tl::expected<PathStep, Diagnostic> path_step_of(const Step& step) {
  if (step.is_optional) return no_path(step.span);
  if (const auto* const field = std::get_if<FieldStep>(&step.what)) return field->name;
  const auto* const index = std::get_if<IndexStep>(&step.what);
  if (index == nullptr || index->arguments.size() != 1) return no_path(step.span);
  const auto* const literal = index->arguments.front()->as<Literal>();
  if (literal == nullptr) return no_path(step.span);
  if (const auto* const name = std::get_if<std::string>(&literal->value)) return *name;
  const auto* const narrow = std::get_if<std::int32_t>(&literal->value);
  const auto* const wide = std::get_if<std::int64_t>(&literal->value);
  if (narrow == nullptr && wide == nullptr) return no_path(step.span);
  const std::int64_t number = narrow != nullptr ? *narrow : *wide;
  if (number < 0) return no_path(step.span);
  return number;
}

}  // namespace

Parsed<ProgramPtr> parse_query(const Template& query, std::span<const std::string> arguments) {
  return parse_program(query, &Rules::whole_query, arguments);
}

Parsed<ProgramPtr> parse_lambda(const SourcePtr& source) {
  return parse_program({source, {}}, &Rules::whole_lambda, {});
}

Parsed<ProgramPtr> parse_expression(const SourcePtr& source) {
  return parse_program({source, {}}, &Rules::whole_expression, {});
}

Parsed<TypePtr> parse_type(const SourcePtr& source) {
  return parse_whole(Template{source, {}}, &Rules::whole_type);
}

tl::expected<FieldPath, Diagnostic> path_of(const Expression& tree) {
  const auto* const lambda = tree.as<Lambda>();
  const bool is_short = lambda != nullptr && lambda->form == Lambda::Form::hidden;
  const auto* const chain = is_short ? lambda->body->as<Chain>() : nullptr;
  if (chain == nullptr || chain->receiver->as<Variable>() == nullptr) return no_path(tree.span);
  FieldPath path{{}, tree.span};
  for (const Step& step : chain->steps) {
    auto read = path_step_of(step);
    if (!read) return tl::unexpected(std::move(read).error());
    path.steps.push_back(std::move(*read));
  }
  return path;
}

Parsed<FieldPath> parse_path(const SourcePtr& source) {
  auto tree = parse_whole<PathRules>(Template{source, {}}, &PathRules::whole_path);
  if (!tree) return tl::unexpected(std::move(tree).error());
  auto path = path_of(**tree);
  if (!path) return tl::unexpected(Diagnostics{std::move(path).error()});
  return std::move(*path);
}

std::string render_path(const FieldPath& path) {
  std::string out;
  for (const PathStep& step : path.steps) {
    const auto* const name = std::get_if<std::string>(&step);
    if (name != nullptr && (is_identifier(*name) || is_keyword(*name))) {
      out.append(".").append(*name);
      continue;
    }
    if (out.empty()) out = ".";
    out += name != nullptr ? "[" + in_quotes(*name) + "]"
                           : fmt::format("[{}]", std::get<std::int64_t>(step));
  }
  return out;
}

}  // namespace mayfly::fauna
