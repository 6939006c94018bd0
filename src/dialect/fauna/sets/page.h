// Pages of sets.
#pragma once

#include <optional>

#include "base/result.h"
#include "dialect/fauna/sets/cursors/cursor.h"

namespace mayfly::fauna {

struct SetPage {
  FqlArray data;
  std::optional<std::string> after;  // a cursor; nullopt on the last page
};

// Reads the page at the cursor's position. Documents that are elements themselves are shown as they
// are now.
Result<SetPage> read_page(Interpreter& run, Cursor cursor);
// `{ data, after }` with `after` null on the last page.
FqlValue page_value(SetPage page);
// Fails with invalid_bounds.
Result<std::size_t> page_size_of(Interpreter& run, const FqlValue& size);

}  // namespace mayfly::fauna
