// Texts in JSON: escaping is canonical, so that equal texts are equal bytes. render_json_text
// (json.h) writes them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace mayfly {

// The text between the quotes of a JSON literal, unescaped; nothing where an escape is wrong or
// half of a surrogate pair stands alone. `raw` must hold no unescaped quote.
std::optional<std::string> unescape_json(std::string_view raw);
// Appends the canonical escaped form, without the quotes.
void put_escaped_json(std::string& out, std::string_view text);
bool needs_escapes(std::string_view text);

}  // namespace mayfly
