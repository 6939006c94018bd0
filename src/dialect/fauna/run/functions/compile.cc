#include "dialect/fauna/run/functions/compile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/definition.h"
#include "dialect/fauna/syntax/parser.h"

namespace mayfly::fauna {
namespace {

tl::unexpected<Error> fail_parse(Interpreter& run, const Diagnostics& diagnostics) {
  return run.fail({.code = "invalid_query",
                   .message = validation_message(diagnostics.size()),
                   .hints = {{render(diagnostics)}}});
}

// Parses each text only once in a run. `kind` is the way of parsing.
Result<ProgramPtr> program_of(Interpreter& run, std::string_view kind, const SourcePtr& source,
                              Parsed<ProgramPtr> (*parse)(const SourcePtr& source)) {
  const std::string key = fmt::format("{}\n{}\n{}", kind, source->name, source->text);
  if (ProgramPtr program = run.parsed(key)) return program;
  auto parsed = parse(source);
  if (!parsed) return fail_parse(run, parsed.error());
  TRY(run.keep_parsed(key, *parsed));
  return *std::move(parsed);
}

Result<CallablePtr> function_in(Interpreter& run, const FqlValue& value) {
  if (value.is(FqlKind::function)) return value.function();
  return run.fail("invalid_query", "Body must be a lambda expression.");
}

}  // namespace

Result<CallablePtr> compile(Interpreter& run, std::string name, const std::string& text) {
  const SourcePtr source = make_source(std::move(name), text);
  const ProgramPtr program = TRY(program_of(run, "lambda", source, parse_lambda));
  return function_in(run, TRY(run.run_separate(program, {})));
}

Result<CallablePtr> compile(Interpreter& run, const FqlCode& code) {
  if (!code.program) return compile(run, code.source->name, code.source->text);
  TRY(run.keep_parsed(code.program));
  return function_in(run, TRY(run.run_separate(code.program, {})));
}

Result<CallablePtr> compile_within(Interpreter& run, std::string text,
                                   const std::vector<std::string>& names,
                                   std::vector<FqlValue> values) {
  const std::string key = fmt::format("cursor\n{}\n{}", fmt::join(names, ","), text);
  ProgramPtr program = run.parsed(key);
  if (!program) {
    const Template query{make_source("*cursor*", std::move(text)), {}};
    auto parsed = parse_query(query, names);
    if (!parsed) return fail_parse(run, parsed.error());
    program = *std::move(parsed);
    TRY(run.keep_parsed(key, program));
  }
  return function_in(run, TRY(run.run_separate(program, std::move(values))));
}

std::optional<std::string> lambda_error(std::string name, const std::string& text) {
  const SourcePtr source = make_source(std::move(name), text);
  const auto parsed = parse_lambda(source);
  return parsed ? std::nullopt : std::optional(render(parsed.error()));
}

Result<FqlValue> evaluate_text(Interpreter& run, std::string name, const std::string& text) {
  const SourcePtr source = make_source(std::move(name), text);
  return run.run_separate(TRY(program_of(run, "expression", source, parse_expression)), {});
}

Result<FqlValue> evaluate_code(Interpreter& run, const FqlCode& code) {
  if (!code.program) return evaluate_text(run, code.source->name, code.source->text);
  TRY(run.keep_parsed(code.program));
  return run.run_separate(code.program, {});
}

}  // namespace mayfly::fauna
