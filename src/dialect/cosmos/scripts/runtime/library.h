// The globals of a script, beside those of the language: getContext(), console and __. Not offered:
// attachments. Source: spec cosmos.md, section 24.
#pragma once

#include <string_view>

namespace mayfly::cosmos {

// The prelude (script/engine/engine.h) of scripts whose host is a ScriptHost; run_script() says to
// it what they are about. Its driver takes the steps
//   next    carries out the oldest operation that waits and calls its callback; false: none waits
//   result  gives {"request"} as a pre-trigger leaves it, else {"response", "answers"}, the latter:
//           whether the response was set
extern const std::string_view script_library;

}  // namespace mayfly::cosmos
