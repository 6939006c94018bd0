// Escapes and unescapes JSON strings. Escaping is canonical: equal texts have equal bytes.
// render_json_text (json.h) writes the quotes as well.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mayfly {

// The unescaped text between the quotes of a JSON string; nullopt if an escape is invalid or a
// surrogate has no partner. `raw` must not contain an unescaped quote.
std::optional<std::string> unescape_json(std::string_view raw);
// Appends the canonical escaped form, without the quotes.
void put_escaped_json(std::string& out, std::string_view text);
bool needs_escapes(std::string_view text);

}  // namespace mayfly
