#include "dialect/centrali/queries/actions.h"

#include "dialect/centrali/queries/wanted.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/common/requests/meter.h"
#include "query/planning/planner.h"
#include "query/run.h"
#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::centrali {
namespace {

// The structure's name in the path, the query string or the body.
Result<std::string> queried_structure(const CentraliCall& call, const Object& body) {
  if (const std::string& slug = call.match["slug"]; !slug.empty()) return slug;
  MemberReader reader(body);
  for (const std::string_view name : {"resource", "structureId", "collectionId"}) {
    if (auto sent = TRY(reader.text(name))) return *std::move(sent);
    if (name == "resource") continue;
    if (const std::string* sent = call.request.parameter(name)) return *sent;
  }
  return fail(Code::invalid, "structureId is required", "structureId");
}

// The structure that a query reads, as of the now of the view.
struct QueriedStructure {
  View view;
  StructurePtr structure;
};
// `field` is the member of the request that holds the name.
Result<QueriedStructure> find_queried_structure(CentraliCall& call, const std::string& named,
                                                const std::string& field, bool with_archived) {
  Database& database = call.database();
  const auto find = [&](const CatalogPtr& catalog) {
    return find_structure(call, catalog, named, field);
  };
  const StructurePtr known = TRY(find(database.catalog()));
  View view = with_archived ? TRY(view_with_archive(call, {{known, true}})) : database.view();
  StructurePtr structure = TRY(find(view.catalog_ptr()));
  return QueriedStructure{std::move(view), std::move(structure)};
}

Result<std::size_t> count_of(const Wanted& wanted, const Structure& structure, View& view,
                             const Meter& meter) {
  Wanted unordered = wanted;
  unordered.order.clear();
  const query::Plan plan =
      TRY(query::plan(query_of(unordered, structure, view.now()), {.now = view.now(), .keep = {}}));
  return static_cast<std::size_t>(TRY(query::count(plan, view, meter)).rows);
}

// How many lookups in a document's body it takes to render it.
std::uint32_t lookups_of(const RecordStyle& style) {
  return 1 + (style.selection != nullptr ? static_cast<std::uint32_t>(style.selection->data.size())
                                         : 0);
}

Result<void> render_records(const std::vector<Document>& documents, const RecordStyle& style,
                            Meter& meter, std::string& out) {
  for (const Document& document : documents) {
    TRY(meter.tick(lookups_of(style)));
    render_record(document, style, out);
    if (style.expansion != nullptr) TRY(style.expansion->outcome());
    if (out.size() > limits::query_bytes_max) {
      return fail(Code::too_large, "the page is too large; ask for fewer records", "pageSize");
    }
  }
  return {};
}

// What is needed to render a page.
struct PageContext {
  CentraliCall& call;
  const Wanted& wanted;
  const StructurePtr& structure;
  View& view;
  const Meter& meter;
};

// Appends the records of the page; returns whether there are more after it.
Result<bool> render_page(const PageContext& context, std::string& out) {
  const Wanted& wanted = context.wanted;
  const query::QueryPtr asked = query::slice(
      query_of(wanted, *context.structure, context.view.now()), wanted.paging.offset, std::nullopt);
  Expansion expansion(context.call, context.view, wanted.expand, context.meter);
  Meter meter = context.meter;
  const RecordStyle style{.structure = *context.structure,
                          .workspace = context.call.workspace,
                          .selection = wanted.selection ? &*wanted.selection : nullptr,
                          .expansion = &expansion};
  query::RunOptions options{
      .rows_max = wanted.paging.limit, .bookmark = {}, .meter = context.meter};
  while (true) {
    query::RowsPage page = TRY(query::answer(asked, context.view, options));
    std::vector<Document> documents;
    for (query::QueryRow& row : page.rows) documents.push_back(*std::move(row.document));
    TRY(expansion.resolve(context.structure, documents));
    TRY(render_records(documents, style, meter, out));
    // Large records end a page of the query before it is full.
    options.rows_max -= documents.size();
    if (!page.next || options.rows_max == 0) return page.next.has_value();
    options.bookmark = std::move(page.next);
  }
}

Result<net::Response> answer(CentraliCall& call, const Wanted& wanted,
                             const StructurePtr& structure, View& view) {
  const Meter meter = meter_of(call.request);
  net::Response response;
  JsonWriter json(response.body);
  json.begin_object();
  json.name("data").begin_array();
  const bool has_more = TRY(render_page({call, wanted, structure, view, meter}, response.body));
  std::optional<std::size_t> total;
  if (wanted.includes_total) total = TRY(count_of(wanted, *structure, view, meter));
  json.end_array();
  render_meta(wanted.paging, has_more, total, json);
  json.end_object();
  return response;
}

}  // namespace

Result<net::Response> list_records(CentraliCall& call) {
  const std::string named = TRY(queried_structure(call, {}));
  auto [view, structure] =
      TRY(find_queried_structure(call, named, "structureId", TRY(includes_archived(call.request))));
  const Wanted wanted = TRY(parse_flat(call.request, *structure));
  return answer(call, wanted, structure, view);
}

Result<net::Response> query_records(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  const std::string named = TRY(queried_structure(call, body));
  const bool with_archived = TRY(MemberReader(body).boolean("includeArchived")).value_or(false);
  auto [view, structure] = TRY(find_queried_structure(call, named, "resource", with_archived));
  const Wanted wanted = TRY(parse_canonical(body, *structure));
  return answer(call, wanted, structure, view);
}

Result<net::Response> count_records(CentraliCall& call) {
  const std::string named = TRY(queried_structure(call, {}));
  auto [view, structure] =
      TRY(find_queried_structure(call, named, "structureId", TRY(includes_archived(call.request))));
  const Wanted wanted = TRY(parse_flat(call.request, *structure));
  const auto count =
      static_cast<std::int64_t>(TRY(count_of(wanted, *structure, view, meter_of(call.request))));
  return net::Response{.body = render_json(Object{{"count", count}})};
}

Result<net::Response> read_records_by_ids(CentraliCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  MemberReader reader(body);
  const Array* ids = TRY(reader.array("ids"));
  if (ids == nullptr) return fail(Code::invalid, "ids is required", "ids");
  if (ids->size() > limits::page_rows_max) {
    return fail(Code::invalid,
                "one request takes at most " + std::to_string(limits::page_rows_max) + " ids",
                "ids");
  }
  const auto named = queried_structure(call, body);
  Meter meter = meter_of(call.request);
  View view = call.database().view();
  net::Response response;
  JsonWriter json(response.body);
  json.begin_object();
  json.name("data").begin_array();
  std::size_t found_count = 0;
  for (const Value& id : *ids) {
    if (!id.is(Kind::text)) return fail(Code::invalid, "an id must be a text", "ids");
    const auto places = TRY(candidates_of(call, view.catalog_ptr(), id.text(), named.value_or("")));
    const auto found = find_record(places, id.text(), view, view.live());
    if (!found && found.error().code == Code::not_found) continue;
    if (!found) return tl::unexpected(found.error());
    ++found_count;
    TRY(render_records({found->document},
                       {.structure = *found->structure, .workspace = call.workspace}, meter,
                       response.body));
  }
  json.end_array();
  render_meta(found_count, json);
  json.end_object();
  return response;
}

}  // namespace mayfly::centrali
