// What a compute function finds around it beside the language: api, console, executionParams and
// triggerParams.
#pragma once

#include <string>
#include <string_view>

namespace mayfly::centrali {

// The prelude (script/engine/engine.h) of functions, whose host is a FunctionHost. Its context:
// {"executionParams", "triggerParams"}.
extern const std::string_view function_library;
// The expression by which the sandbox defines the function that this code makes of itself. Its
// evaluation fails where the code does not parse, throws or defines no run().
std::string function_expression(std::string_view code);

}  // namespace mayfly::centrali
