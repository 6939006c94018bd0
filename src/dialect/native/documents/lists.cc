// Lists of documents: listing, counting, queries. A page continues after the last document of the
// page before it, whatever was written or has expired meanwhile. Each page shows its own instant,
// or the requested one.
#include <fmt/format.h>

#include "base/limits.h"
#include "dialect/common/requests/json_body.h"
#include "dialect/common/requests/meter.h"
#include "dialect/common/requests/parameters.h"
#include "dialect/native/actions.h"
#include "dialect/native/documents/envelope.h"
#include "dialect/native/documents/write.h"
#include "dialect/native/filter/filter.h"
#include "dialect/native/pages.h"
#include "query/explain.h"
#include "query/planning/planner.h"
#include "query/run.h"
#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::native {
namespace {

// The parameters of a list, with the same names in the query string and in the body.
struct ListParameters {
  std::optional<std::string> filter;
  std::optional<std::string> sort;
  std::optional<std::string> select;
  std::optional<std::string> page;
  std::optional<std::int64_t> limit;
  std::optional<Instant> as_of;
  bool shows_lifetime = false;
  bool explain = false;
};

Result<ListParameters> read_parameters(const net::Request& request) {
  ListParameters asked;
  asked.filter = TRY(text_parameter(request, "filter"));
  asked.sort = TRY(text_parameter(request, "sort"));
  asked.select = TRY(text_parameter(request, "select"));
  asked.page = TRY(text_parameter(request, "page"));
  asked.limit = TRY(integer_parameter(request, "limit", 1, limits::page_rows_max));
  asked.as_of = TRY(time_parameter(request, "as_of"));
  asked.shows_lifetime = TRY(boolean_parameter(request, "lifetime")).value_or(false);
  return asked;
}

Result<ListParameters> read_body(std::string_view text) {
  const Object body = TRY(parse_optional_object(text));
  MemberReader members(body);
  ListParameters asked;
  asked.filter = TRY(members.text("filter"));
  asked.sort = TRY(members.text("sort"));
  asked.select = TRY(members.text("select"));
  asked.page = TRY(members.text("page"));
  asked.limit = TRY(members.integer("limit", 1, limits::page_rows_max));
  asked.as_of = TRY(members.time("as_of"));
  asked.shows_lifetime = TRY(members.boolean("lifetime")).value_or(false);
  asked.explain = TRY(members.boolean("explain")).value_or(false);
  TRY(members.finish());
  return asked;
}

// A list that is ready to run: its collection, its parameters, and the query.
struct List {
  View view;
  CollectionPtr collection;
  query::QueryPtr query;
  std::string name;  // for tokens
};

Result<List> open_list(const NativeCall& call, const ListParameters& asked) {
  const ExprPtr condition = asked.filter ? TRY(parse_filter(*asked.filter)) : nullptr;
  auto keys = asked.sort ? TRY(parse_sort(*asked.sort)) : std::vector<query::SortKey>();
  View view = call.database().view();
  const auto collection = TRY(find_collection(call, view.catalog()));
  const Lens lens =
      asked.as_of ? TRY(view.as_of(*asked.as_of, *collection).map_error(about_as_of)) : view.live();
  const bool is_routed = collection->body.is_partitioned();
  query::QueryPtr query =
      query::scan(collection, lens, is_routed ? std::nullopt : std::optional(Bytes()));
  if (condition) query = query::filter(query, condition);
  if (!keys.empty()) query = query::sort(query, std::move(keys));
  const std::string moment = asked.as_of ? std::to_string(asked.as_of->micros) : "now";
  std::string name = fmt::format("native documents {} {}", collection->id, moment);
  return List{std::move(view), collection, std::move(query), std::move(name)};
}

Error about_page(Error error) {
  if (error.code == Code::invalid && error.field.empty()) error.field = "page";
  return error;
}

Result<net::Response> explain(List& list) {
  const auto plan = TRY(query::plan_on(list.query, list.view));
  return json_response(200, render_json(Object{{"plan", Value(query::explain(plan))}}));
}

Result<net::Response> answer(const NativeCall& call, const ListParameters& asked) {
  Selection selection{.shows_lifetime_kind = asked.shows_lifetime};
  if (asked.select) selection.members = TRY(parse_selection(*asked.select));
  List list = TRY(open_list(call, asked));
  if (asked.explain) return explain(list);
  query::RunOptions options{
      .rows_max = static_cast<std::size_t>(asked.limit.value_or(limits::page_rows_default)),
      .meter = meter_of(call.request)};
  if (asked.page) {
    const Bytes place = TRY(open_page(call, list.name, *asked.page));
    options.bookmark = TRY(query::decode_bookmark(place).map_error(about_page));
  }
  auto answered = query::answer(list.query, list.view, options);
  if (!answered && asked.page) return tl::unexpected(about_page(std::move(answered).error()));
  const query::RowsPage page = TRY(std::move(answered));
  std::string body;
  JsonWriter json(body);
  json.begin_object();
  json.name("documents").begin_array();
  Meter meter = options.meter;
  for (const query::QueryRow& row : page.rows) {
    TRY(meter.tick(1 + static_cast<std::uint32_t>(selection.members.size())));
    render_document(*row.document, selection, body);
  }
  json.end_array();
  json.text_or_null("next",
                    page.next ? seal_page(call, list.name, encode(*page.next)) : std::string());
  json.end_object();
  return json_response(200, std::move(body));
}

}  // namespace

Result<net::Response> list_documents(NativeCall& call) {
  return answer(call, TRY(read_parameters(call.request)));
}

Result<net::Response> query_documents(NativeCall& call) {
  return answer(call, TRY(read_body(call.request.body)));
}

Result<net::Response> count_documents(NativeCall& call) {
  List list = TRY(open_list(call, TRY(read_parameters(call.request))));
  const auto plan = TRY(query::plan(list.query, {list.view.now(), std::nullopt}));
  const auto counted = TRY(query::count(plan, list.view, meter_of(call.request)));
  const auto rows = static_cast<std::int64_t>(counted.rows);
  return json_response(200, render_json(Object{{"count", Value(rows)}}));
}

}  // namespace mayfly::native
