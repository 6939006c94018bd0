// The differences between two sets of schema files, as the command line client shows them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "dialect/fauna/push/files.h"

namespace mayfly::fauna {

enum class DiffForm : std::uint8_t {
  semantic,  // by item and member
  summary,   // titles of items only
  textual    // by line
};
std::optional<DiffForm> diff_form(std::string_view name);

// Empty if nothing changes. Files that do not parse count as empty, except in the textual form.
std::string render_diff(const SchemaFiles& before, const SchemaFiles& after, DiffForm form);
std::string render_text_diff(const SchemaFiles& before, const SchemaFiles& after);
// With colours for a terminal.
std::string colored_diff(const std::string& diff);

}  // namespace mayfly::fauna
