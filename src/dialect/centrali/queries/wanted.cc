#include "dialect/centrali/queries/wanted.h"

#include <algorithm>
#include <array>

#include "base/limits.h"
#include "dialect/common/limits.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/common/requests/selected_fields.h"

namespace mayfly::centrali {
namespace {

// Parameters that are not comparisons.
constexpr std::array<std::string_view, 15> settings{
    "structureId",  "collectionId",    "page",     "pageSize",     "limit",
    "sort",         "fields",          "search",   "searchFields", "searchField",
    "includeTotal", "includeArchived", "resource", "expand",       "ids"};

std::vector<std::string> split(std::string_view list) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(part.size() + 1, list.size()));
    if (!part.empty()) parts.emplace_back(part);
  }
  return parts;
}

Result<void> check_count(const std::vector<std::string>& names, std::string_view place) {
  if (names.size() <= limits::selected_fields_max) return {};
  return fail(Code::invalid,
              std::string(place) + " has at most " + std::to_string(limits::selected_fields_max) +
                  " fields",
              std::string(place));
}

template <class List>
bool contains(const List& list, std::string_view name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

Result<void> read_search(const net::Request& request, const Structure& structure, Wanted& wanted) {
  const auto text = TRY(text_parameter(request, "search"));
  if (!text || text->empty()) return {};
  std::vector<std::string> names;
  for (const std::string_view name : {"searchFields", "searchField"}) {
    const auto given = TRY(text_parameter(request, name));
    if (given && names.empty()) names = split(*given);
  }
  const auto fields = TRY(parse_search_fields(names, structure));
  wanted.conditions.push_back(lower_search(*text, fields));
  return {};
}

Result<void> read_comparisons(const net::Request& request, const Structure& structure,
                              Wanted& wanted) {
  for (const auto& [name, text] : request.parameters) {
    if (contains(settings, name)) continue;
    const NamedComparison comparison = TRY(parse_comparison(name));
    wanted.conditions.push_back(TRY(lower(comparison, operand_of(text, comparison, structure))));
  }
  return {};
}

}  // namespace

Result<Selection> parse_selection(const std::vector<std::string>& names) {
  TRY(check_count(names, "fields"));
  Selection selection;
  const auto path_of = [](const Path& path) -> const Path& { return path; };
  for (const std::string& name : names) {
    if (name == "data") {
      selection.has_all_data = true;
      continue;
    }
    NamedField field = TRY(parse_field(name));
    if (field.kind == NamedField::Kind::data) {
      add_selected(std::move(field.field.path), path_of, selection.data);
    } else {
      selection.own.push_back(std::move(field));
    }
  }
  return selection;
}

Result<std::vector<NamedField>> parse_search_fields(const std::vector<std::string>& names,
                                                    const Structure& structure) {
  std::vector<NamedField> fields;
  const Value* initial = structure.facet.find("defaultSearchField");
  const bool has_initial = names.empty() && initial != nullptr && initial->is(Kind::text);
  const auto add = [&fields](const std::string& name) -> Result<void> {
    const bool is_data = name.starts_with("data.");
    fields.push_back(TRY(parse_field(is_data ? name : "data." + name)));
    return {};
  };
  TRY(check_count(names, "searchFields"));
  if (has_initial) TRY(add(initial->text()));
  for (const std::string& name : names) TRY(add(name));
  return fields;
}

Result<Wanted> parse_flat(const net::Request& request, const Structure& structure) {
  Wanted wanted;
  wanted.paging = TRY(parse_paging(request));
  if (const auto sort = TRY(text_parameter(request, "sort"))) {
    wanted.order = TRY(lower_sort(*sort));
  }
  if (const auto fields = TRY(text_parameter(request, "fields"))) {
    wanted.selection = TRY(parse_selection(split(*fields)));
  }
  if (const auto expand = TRY(text_parameter(request, "expand"))) {
    wanted.expand = TRY(parse_expand(*expand));
  }
  if (const auto ids = TRY(text_parameter(request, "ids"))) {
    const auto comparison = TRY(parse_comparison("id[in]"));
    wanted.conditions.push_back(TRY(lower(comparison, operand_of(*ids, comparison, structure))));
  }
  wanted.includes_total = TRY(boolean_parameter(request, "includeTotal")).value_or(false);
  wanted.includes_archived = TRY(includes_archived(request));
  TRY(read_search(request, structure, wanted));
  TRY(read_comparisons(request, structure, wanted));
  return wanted;
}

query::QueryPtr query_of(const Wanted& wanted, const Structure& structure, Instant now) {
  const Lens lens = wanted.includes_archived ? Lens::trash(now) : Lens::live(now);
  query::QueryPtr query = query::scan(structure.collection, lens, routing_of_records(structure));
  if (!wanted.conditions.empty()) {
    query = query::filter(std::move(query), expr::all_of(wanted.conditions));
  }
  if (!wanted.order.empty()) query = query::sort(std::move(query), wanted.order);
  return query;
}

}  // namespace mayfly::centrali
