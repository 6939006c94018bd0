// The requested part of a list, and its `meta`.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/limits.h"
#include "base/result.h"
#include "net/message.h"
#include "value/json/writer.h"

namespace mayfly::centrali {

struct Paging {
  std::size_t offset = 0;
  std::size_t limit = limits::page_rows_default;
};

// page (from 1) and pageSize or limit. Fails with invalid over limits::page_rows_max and
// page_offset_max.
Result<Paging> parse_paging(const net::Request& request);
Result<Paging> paging_of_page(std::optional<std::int64_t> page, std::optional<std::int64_t> size);
// Appends the member "meta": {"page":…,"pageSize":…,"total":…,"hasMore":…}
void render_meta(const Paging& paging, bool has_more, std::optional<std::size_t> total,
                 JsonWriter& json);
// The same for a list without pages: {"total":…}
void render_meta(std::size_t total, JsonWriter& json);

}  // namespace mayfly::centrali
