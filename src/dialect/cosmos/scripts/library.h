// What a script finds around it beside the language: getContext(), console and __.
// Not offered: attachments.
// Source: spec cosmos.md, section 24.
#pragma once

#include <string_view>

namespace mayfly::cosmos {

// An expression for Script::add_function, in a script whose host is a ScriptHost. Its value takes
// the names of:
//   next      carries out the oldest operation that waits and calls its callback; false: none waits
//   request   the body of the request as the script leaves it
//   response  the body of the response
extern const std::string_view script_library;

}  // namespace mayfly::cosmos
