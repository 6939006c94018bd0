// Source text that schemas hold becomes something that can be called.
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

// The lambda that the text is: `x => x + 1`, `(.a > 1)`. `name`: of the source, in diagnostics.
// Fails where it is none: it was checked when it was written.
Result<std::shared_ptr<const Callable>> compile(Interpreter& run, std::string name,
                                                const std::string& text);
// The same of a definition's code.
Result<std::shared_ptr<const Callable>> compile(Interpreter& run, const FqlCode& code);
// The lambda that the text is where these names have these values.
Result<std::shared_ptr<const Callable>> compile_within(Interpreter& run, std::string text,
                                                       const std::vector<std::string>& names,
                                                       std::vector<FqlValue> values);
// What is wrong with the source of a lambda, as messages say it; nothing where it is one.
std::optional<std::string> complaint_about_lambda(std::string name, const std::string& text);
// The value of an expression: the default of a field.
Result<FqlValue> evaluate_text(Interpreter& run, std::string name, const std::string& text);
Result<FqlValue> evaluate_code(Interpreter& run, const FqlCode& code);

}  // namespace mayfly::fauna
