#include "dialect/fauna/run/compile.h"

#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/syntax/parser.h"

namespace mayfly::fauna {
namespace {

tl::unexpected<Error> fail_parse(Interpreter& run, const Diagnostics& diagnostics) {
  return run.fail({.code = "invalid_query",
                   .message = validation_message(diagnostics.size()),
                   .hints = {render(diagnostics)}});
}

Result<CallablePtr> function_in(Interpreter& run, const FqlValue& value) {
  if (value.is(FqlKind::function)) return value.function();
  return run.fail("invalid_query", "Body must be a lambda expression.");
}

}  // namespace

Result<CallablePtr> compile(Interpreter& run, std::string name, const std::string& text) {
  const SourcePtr source = make_source(std::move(name), text);
  auto parsed = parse_lambda(source);
  if (!parsed) return fail_parse(run, parsed.error());
  return function_in(run, TRY(run.run_apart(*std::move(parsed), {})));
}

Result<CallablePtr> compile_within(Interpreter& run, std::string text,
                                   const std::vector<std::string>& names,
                                   std::vector<FqlValue> values) {
  const Template query{make_source("*cursor*", std::move(text)), {}};
  auto parsed = parse_query(query, names);
  if (!parsed) return fail_parse(run, parsed.error());
  return function_in(run, TRY(run.run_apart(*std::move(parsed), std::move(values))));
}

std::optional<std::string> complaint_about_lambda(std::string name, const std::string& text) {
  const SourcePtr source = make_source(std::move(name), text);
  const auto parsed = parse_lambda(source);
  return parsed ? std::nullopt : std::optional(render(parsed.error()));
}

Result<FqlValue> evaluate_text(Interpreter& run, std::string name, const std::string& text) {
  const SourcePtr source = make_source(std::move(name), text);
  auto parsed = parse_expression(source);
  if (!parsed) return fail_parse(run, parsed.error());
  return run.run_apart(*std::move(parsed), {});
}

}  // namespace mayfly::fauna
