#include "dialect/centrali/queries/paging.h"

#include "dialect/centrali/limits.h"
#include "dialect/common/requests/parameters.h"

namespace mayfly::centrali {

Result<Paging> parse_paging(const net::Request& request) {
  constexpr std::int64_t rows_max = limits::page_rows_max;
  auto size = TRY(integer_parameter(request, "pageSize", 1, rows_max));
  if (const auto limit = TRY(integer_parameter(request, "limit", 1, rows_max)); !size) size = limit;
  constexpr std::int64_t pages_max = limits::page_offset_max + 1;
  return paging_of_page(TRY(integer_parameter(request, "page", 1, pages_max)), size);
}

Result<Paging> paging_of_page(std::optional<std::int64_t> page, std::optional<std::int64_t> size) {
  Paging paging;
  if (size) paging.limit = static_cast<std::size_t>(*size);
  if (page) paging.offset = static_cast<std::size_t>(*page - 1) * paging.limit;
  if (paging.offset <= limits::page_offset_max) return paging;
  return fail(Code::invalid,
              "a page begins at row " + std::to_string(limits::page_offset_max) +
                  " at most; narrow the filter instead",
              "page");
}

void render_meta(const Paging& paging, bool has_more, std::optional<std::size_t> total,
                 JsonWriter& json) {
  json.name("meta").begin_object();
  json.member("page", paging.offset / paging.limit + 1);
  json.member("pageSize", paging.limit);
  if (total) json.member("total", *total);
  json.member("hasMore", has_more);
  json.end_object();
}

void render_meta(std::size_t total, JsonWriter& json) {
  json.name("meta").begin_object();
  json.member("total", total);
  json.end_object();
}

}  // namespace mayfly::centrali
