// The globals of a script, beside those of the language: getContext(), console and __. Not offered:
// attachments. Source: spec cosmos.md, section 24.
#pragma once

#include <string_view>

namespace mayfly::cosmos {

// The prelude (script/engine/engine.h) of scripts whose host is a ScriptHost. Its context is the
// request and container, which run_script() passes. Operations are queued and run after the script
// has returned. The steps of its driver:
//   next    runs the oldest queued operation and calls its callback; false: none is queued
//   result  the bodies as the script leaves them: {"request"} of a pre-trigger, otherwise
//           {"response", "answers"}; `answers`: the script has set the response
extern const std::string_view script_library;

}  // namespace mayfly::cosmos
