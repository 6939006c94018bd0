// The globals of a compute function, beside those of the language: api, console, executionParams
// and triggerParams.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::centrali {

// The prelude (script/engine/engine.h) of functions, whose host is a FunctionHost. Its context:
// {"executionParams", "triggerParams"}.
extern const std::string_view function_library;
// The expression by which the sandbox defines the function of this code. Its evaluation fails if
// the code does not parse, throws or defines no run().
std::string function_expression(std::string_view code);

}  // namespace mayfly::centrali
