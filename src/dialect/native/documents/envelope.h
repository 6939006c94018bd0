// A document on the wire: the facts that the database keeps about it, and its body under "data",
// rendered from its stored form.
#pragma once

#include <string>
#include <vector>

#include "db/rows/document.h"

namespace mayfly::native {

// Which parts of a document are shown.
struct Selection {
  std::vector<Path> members = {};    // paths in the body, none within another; empty: all
  bool shows_lifetime_kind = false;  // with "lifetime": at, never, after or inherit
};
// "a,b.c", as ?select= has it. Fails with invalid, and with too_large over
// limits::selected_fields_max; array positions are not selectable.
Result<std::vector<Path>> parse_selection(std::string_view text);
Result<Path> parse_selected(std::string_view text);

void render_document(const Document& document, const Selection& selection, std::string& out);
// With "removed_at".
void render_removed(const Document& document, std::string& out);
// With "superseded_at".
void render_version(const Document& document, std::string& out);

}  // namespace mayfly::native
