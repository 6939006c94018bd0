// The body of POST /records/query.
#include "base/limits.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/queries/wanted.h"
#include "dialect/common/requests/json_body.h"

namespace mayfly::centrali {
namespace {

constexpr std::int64_t rows_max = limits::page_rows_max;
constexpr std::int64_t offset_max = limits::page_offset_max;

// A list of texts, or one comma-separated text.
Result<std::vector<std::string>> read_names(MemberReader& reader, std::string_view name) {
  std::vector<std::string> names;
  const Value* given = reader.find(name);
  if (given == nullptr || given->is_null()) return names;
  if (given->is(Kind::text)) {
    std::string_view rest = given->text();
    while (!rest.empty()) {
      const std::string_view part = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(part.size() + 1, rest.size()));
      names.emplace_back(part);
    }
    return names;
  }
  for (const Value& item : *TRY(reader.array(name))) {
    if (!item.is(Kind::text)) return tl::unexpected(reader.wrong_kind(name, "a list of texts"));
    names.push_back(item.text());
  }
  return names;
}

// "-createdAt", or {"field": "createdAt", "direction": "desc"}
Result<query::SortKey> read_sort_key(const Value& given, const std::string& place) {
  if (given.is(Kind::text)) {
    auto keys = TRY(lower_sort(given.text()));
    if (keys.size() == 1) return keys.front();
    return fail(Code::invalid, "one field is sorted by at a time", place);
  }
  if (!given.is(Kind::object)) return fail(Code::invalid, place + " names no field", place);
  MemberReader reader(given.object(), place);
  const auto field = TRY(reader.text("field"));
  const std::string direction = TRY(reader.text("direction")).value_or("asc");
  if (!field) return tl::unexpected(reader.wrong_kind("field", "a text"));
  if (direction != "asc" && direction != "desc") {
    return tl::unexpected(reader.wrong_kind("direction", "asc or desc"));
  }
  return lower_sort_key(*field, direction == "desc");
}

Result<void> read_sort(MemberReader& reader, Wanted& wanted) {
  const Value* sort = reader.find("sort");
  if (sort == nullptr || sort->is_null()) return {};
  if (sort->is(Kind::text)) {
    wanted.order = TRY(lower_sort(sort->text()));
    return {};
  }
  if (sort->is(Kind::object)) {
    wanted.order.push_back(TRY(read_sort_key(*sort, "sort")));
    return {};
  }
  const Array& keys = *TRY(reader.array("sort"));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    wanted.order.push_back(TRY(read_sort_key(keys[i], "sort." + std::to_string(i))));
  }
  return {};
}

// {"limit", "offset"}, or the flat form's page and pageSize.
Result<void> read_page(MemberReader& reader, Wanted& wanted) {
  auto size = TRY(reader.integer("pageSize", 1, rows_max));
  if (const auto limit = TRY(reader.integer("limit", 1, rows_max)); !size) size = limit;
  const Value* page = reader.find("page");
  if (page == nullptr || !page->is(Kind::object)) {
    const auto number = TRY(reader.integer("page", 1, offset_max + 1));
    wanted.paging = TRY(paging_of_page(number, size));
    return {};
  }
  MemberReader of_page(page->object(), "page");
  if (const auto limit = TRY(of_page.integer("limit", 1, rows_max))) size = limit;
  if (size) wanted.paging.limit = static_cast<std::size_t>(*size);
  if (const auto offset = TRY(of_page.integer("offset", 0, offset_max))) {
    wanted.paging.offset = static_cast<std::size_t>(*offset);
  }
  return of_page.finish();
}

// {"text": {"query", "fields"}}, or search and searchFields.
Result<void> read_text(MemberReader& reader, const Structure& structure, Wanted& wanted) {
  auto query = TRY(reader.text("search"));
  auto names = TRY(read_names(reader, "searchFields"));
  if (const Object* text = TRY(reader.object("text"))) {
    MemberReader of_text(*text, "text");
    query = TRY(of_text.text("query"));
    names = TRY(read_names(of_text, "fields"));
    TRY(of_text.finish());
  }
  if (!query || query->empty()) return {};
  const auto fields = TRY(parse_search_fields(names, structure));
  wanted.conditions.push_back(lower_search(*query, fields));
  return {};
}

Result<void> read_select(MemberReader& reader, Wanted& wanted) {
  auto names = TRY(read_names(reader, "fields"));
  if (const Object* select = TRY(reader.object("select"))) {
    MemberReader of_select(*select, "select");
    names = TRY(read_names(of_select, "fields"));
    TRY(of_select.finish());
  }
  if (!names.empty()) wanted.selection = TRY(parse_selection(names));
  return {};
}

}  // namespace

Result<Wanted> parse_canonical(const Object& body, const Structure& structure) {
  Wanted wanted;
  MemberReader reader(body);
  for (const std::string_view name : {"resource", "structureId", "collectionId"}) {
    static_cast<void>(reader.find(name));
  }
  for (const std::string_view name : {"where", "filter"}) {
    const Value* where = reader.find(name);
    if (where == nullptr || where->is_null()) continue;
    wanted.conditions.push_back(TRY(lower_where(*where, std::string(name))));
  }
  for (const std::string_view name : {"include", "expand"}) {
    const Value* given = reader.find(name);
    if (given == nullptr || given->is_null()) continue;
    wanted.expand = given->is(Kind::text) ? TRY(parse_expand(given->text()))
                                          : TRY(parse_include(*given, std::string(name)));
  }
  TRY(read_text(reader, structure, wanted));
  TRY(read_sort(reader, wanted));
  TRY(read_page(reader, wanted));
  TRY(read_select(reader, wanted));
  wanted.includes_total = TRY(reader.boolean("includeTotal")).value_or(false);
  wanted.includes_archived = TRY(reader.boolean("includeArchived")).value_or(false);
  TRY(reader.finish());
  return wanted;
}

}  // namespace mayfly::centrali
