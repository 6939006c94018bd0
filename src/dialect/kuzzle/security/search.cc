// Searches for users, profiles and roles, and their mappings.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/search/limits.h"
#include "dialect/kuzzle/search/scrolls.h"
#include "dialect/kuzzle/security/objects.h"
#include "dialect/kuzzle/security/store.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

// Profiles may be searched by their roles, and roles by their controllers, besides or instead of a
// query.
std::string_view short_name(const ObjectKind& sort) {
  if (sort.collection == profiles) return "roles";
  return sort.collection == roles ? "controllers" : "";
}

ExprPtr has_member(std::string_view object, const std::string& name) {
  Field field;
  field.path.steps.emplace_back(std::string(object));
  field.path.steps.emplace_back(name);
  return expr::call("exists", {expr::field(std::move(field))});
}

// Null if there is no such filter.
Result<ExprPtr> short_filter(const KuzzleCall& call, const ObjectKind& sort,
                             const search::Language& language) {
  const std::string_view name = short_name(sort);
  const Value list = name.empty() ? Value() : call.message.body.member(name);
  if (list.is_missing() || list.is_null()) return ExprPtr();
  if (!list.is(Kind::array)) return wrong_type(name, "array");
  if (list.array().empty()) return ExprPtr();
  if (sort.collection == profiles) {
    return search::parse_query(Object{{"terms", Object{{"policies.roleId", list}}}}, language);
  }
  ExprList conditions{has_member("controllers", "*")};
  if (list.array().size() > limits::search_clauses_max) {
    return fail(Code::too_large, "too many controllers are asked for", std::string(name));
  }
  for (const Value& one : list.array()) {
    if (!one.is(Kind::text)) return wrong_type(name, "array of strings");
    conditions.push_back(has_member("controllers", one.text()));
  }
  return expr::any_of(std::move(conditions));
}

// The body of the search. A generation that takes no whole searches reads only the short names, and
// for users the query; everything else is ignored.
Value search_of(const KuzzleCall& call, const Value& body, const ObjectKind& sort) {
  const std::string_view name = short_name(sort);
  if (!call.generation().takes_whole_searches) {
    const Value query = name.empty() ? body.member("query") : Value();
    return query.is(Kind::object) ? Object{{"query", query}} : Object();
  }
  if (name.empty() || !body.is(Kind::object)) return body;
  Value rest = body;
  rest.mutable_object().remove(name);
  return rest;
}

Result<std::shared_ptr<const search::Search>> parse_security_search(const KuzzleCall& call,
                                                                    const ObjectKind& sort,
                                                                    const Collection& collection,
                                                                    Instant now) {
  // Also searches fields that the mapping of roles does not name.
  const auto mapping = TRY(search::Mapping::parse(security_mapping(collection))).with_all_shown();
  search::Language language{.mapping = mapping, .now = now};
  const ExprPtr in_short = TRY(phrased_as_search(short_filter(call, sort, language)));
  language.read_query = TRY(query_language_of(call));
  const Value body = search_of(call, TRY(search_body(call)), sort);
  auto search_request = std::make_shared<search::Search>(
      TRY(phrased_as_search(search::parse_search(body, language))));
  if (in_short)
    search_request->query =
        search_request->query ? expr::all_of({search_request->query, in_short}) : in_short;
  // All of them, unless the request has a size.
  if (body.member("size").is_missing()) {
    search_request->size = std::min(
        call.shared.options.fetched_max,
        limits::search_window_max - std::min(search_request->from, limits::search_window_max));
  }
  TRY(set_page(call, *search_request));
  return search_request;
}

std::string render_found(const KuzzleCall& call, const search::Answer& found,
                         std::string_view scroll_id = {}) {
  std::vector<std::string> hits;
  for (const search::Hit& hit : found.hits) hits.push_back(render_security(call, hit.document));
  return render_security_hits(hits, found.total, scroll_id);
}

}  // namespace

Result<std::string> search_security(KuzzleCall& call) {
  const ObjectKind& sort = object_kind_of(call);
  const CollectionPtr collection = TRY(security_collection(call.database(), sort.collection));
  View view = call.database().view();
  const auto search_request = TRY(parse_security_search(call, sort, *collection, view.now()));
  const search::SearchContext context{view, collection, false, meter_of(call)};
  const auto keep_for = TRY(call.text("scroll"));
  if (!keep_for) {
    return render_found(call, TRY(phrased_as_search(search::answer(*search_request, context))));
  }
  const Span time = TRY(search::parse_duration(*keep_for));
  const auto page = TRY(phrased_as_search(search::begin_scroll(search_request, context)));
  const std::string id =
      TRY(call.shared.scrolls.keep(page.next, {call.client(), view.now(), time}));
  return render_found(call, page.answer, id);
}

Result<std::string> scroll_security(KuzzleCall& call) {
  const auto id = TRY(call.text("scrollId"));
  if (!id) return missing_argument("scrollId");
  const Span time = TRY(search::parse_duration(TRY(call.text("scroll")).value_or("")));
  const CollectionPtr collection =
      TRY(security_collection(call.database(), object_kind_of(call).collection));
  View view = call.database().view();
  const auto unknown = [] {
    return problem("services.storage.unknown_scroll_id",
                   "Non-existing or expired scroll identifier");
  };
  const auto of = call.shared.scrolls.place(*id, view.now());
  if (!of || *of != collection->id) return unknown();
  const auto scroll = call.shared.scrolls.take(*id, view.now());
  if (!scroll) return unknown();
  const search::SearchContext context{view, collection, false, meter_of(call)};
  auto page = search::go_on(*scroll, context);
  TRY(call.shared.scrolls.keep_again(*id, page ? page->next : *scroll,
                                     {call.client(), view.now(), time}));
  if (!page) return tl::unexpected(to_search_error(std::move(page).error()));
  return render_found(call, page->answer, *id);
}

Result<std::string> get_security_mapping(KuzzleCall& call) {
  const CollectionPtr collection =
      TRY(security_collection(call.database(), object_kind_of(call).collection));
  const Value properties = security_mapping(*collection).member("properties");
  return render_json(Object{{"mapping", properties}});
}

// The request's mapping is merged into the existing one.
Result<std::string> update_security_mapping(KuzzleCall& call) {
  const Object& search_request = *TRY(call.body());
  const Value* properties = search_request.find("properties");
  if (properties != nullptr && !properties->is(Kind::object)) {
    return wrong_type("properties", "object");
  }
  const CollectionPtr collection =
      TRY(security_collection(call.database(), object_kind_of(call).collection));
  const Value mapping = merge_deeply(mapping_of(*collection), search_request);
  TRY(search::Mapping::parse(mapping));
  CollectionChange change;
  change.facets[std::string(mapping_facet_of(*collection))] = render_json(mapping);
  TRY(call.database().change_collection(collection->id, change));
  if (!call.generation().shows_security_mapping) return R"({"acknowledged":true})";
  return render_json(security_mapping(
      *TRY(security_collection(call.database(), object_kind_of(call).collection))));
}

// Searches find writes immediately.
Result<std::string> refresh_security(KuzzleCall& call) {
  const std::string collection = TRY(call.collection());
  for (const std::string_view known : {users, profiles, roles}) {
    if (collection == known) return "null";
  }
  return problem(
      "api.assert.unexpected_argument",
      fmt::format("Unexpected argument \"{}\" (accepted arguments: users, profiles, roles)",
                  collection));
}

}  // namespace mayfly::kuzzle
