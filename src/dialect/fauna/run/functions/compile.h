// Compiles the FQL code of schemas into functions and values.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/fauna/run/functions/callable.h"

namespace mayfly::fauna {

class Interpreter;
struct FqlCode;
using CallablePtr = std::shared_ptr<const Callable>;

// Compiles a lambda: `x => x + 1`, `(.a > 1)`. `name` is the name of the source in diagnostics.
// Fails if the text is no lambda, which was checked when it was written.
Result<std::shared_ptr<const Callable>> compile(Interpreter& run, std::string name,
                                                const std::string& text);
// The same for code in a definition.
Result<std::shared_ptr<const Callable>> compile(Interpreter& run, const FqlCode& code);
// Compiles a lambda in a scope in which these names have these values.
Result<std::shared_ptr<const Callable>> compile_within(Interpreter& run, std::string text,
                                                       const std::vector<std::string>& names,
                                                       std::vector<FqlValue> values);
// The error in the source of a lambda, for messages; nullopt if it is valid.
std::optional<std::string> lambda_error(std::string name, const std::string& text);
// Evaluates an expression, such as the default of a field.
Result<FqlValue> evaluate_text(Interpreter& run, std::string name, const std::string& text);
Result<FqlValue> evaluate_code(Interpreter& run, const FqlCode& code);

}  // namespace mayfly::fauna
