// The history of one record, as long as its structure keeps it (structures/promises.h): its
// versions, and the changes from each to the next.
#include <algorithm>

#include "dialect/centrali/queries/paging.h"
#include "dialect/centrali/records/actions.h"
#include "dialect/centrali/records/find.h"
#include "dialect/centrali/render.h"
#include "dialect/common/requests/parameters.h"
#include "value/json/writer.h"
#include "value/order/order.h"

namespace mayfly::centrali {
namespace {

struct RecordHistory {
  StructurePtr structure;
  std::vector<Document> versions;  // of this life, newest first
};

Result<RecordHistory> history_of(CentraliCall& call) {
  const std::string& id = call.match["record"];
  RecordAndView shown = TRY(find_with_view(call, id, TRY(includes_archived(call.request))));
  const FoundRecord& found = shown.found;
  RecordHistory history{found.structure, {}};
  auto versions = TRY(shown.view.history(*found.structure->collection, DocumentKey::of(id)));
  // An earlier record of the same id is another record. The archive repeats the last version.
  for (Document& version : versions) {
    if (version.created_at == found.document.created_at) {
      history.versions.push_back(std::move(version));
    }
  }
  const auto is_shown = [&](const Document& v) { return v.revision == found.document.revision; };
  if (std::none_of(history.versions.begin(), history.versions.end(), is_shown)) {
    history.versions.insert(history.versions.begin(), found.document);
  }
  return history;
}

// Appends a page of `count` entries and its `meta`.
template <class Put>
void render_list(const Paging& paging, std::size_t count, const Put& put, std::string& out) {
  const std::size_t from = std::min(paging.offset, count);
  const std::size_t to = std::min(from + paging.limit, count);
  JsonWriter json(out);
  json.begin_object();
  json.name("data").begin_array();
  for (std::size_t i = from; i < to; ++i) put(i);
  json.end_array();
  render_meta(paging, to < count, count, json);
  json.end_object();
}

// The fields at the top of the data that differ: {"field": {"before", "after"}}; a missing side is
// left out.
Value changes_between(const Value& before, const Value& after) {
  Object changes;
  const auto add = [&](const std::string& name) {
    const Value was = before.member(name);
    const Value is = after.member(name);
    if (same(was, is) || changes.find(name) != nullptr) return;
    changes.set(name, Object{{"before", was}, {"after", is}});
  };
  if (before.is(Kind::object)) {
    for (const auto& [name, value] : before.object()) add(name);
  }
  for (const auto& [name, value] : after.object()) add(name);
  return changes;
}

void render_change(const RecordHistory& history, std::size_t i, std::string& out) {
  const Document& version = history.versions[i];
  const bool has_before = i + 1 < history.versions.size();
  const bool is_first = version.revision == 1;
  const Value before = has_before ? history.versions[i + 1].body.unpack() : Value(Object{});
  Object change{{"version", static_cast<std::int64_t>(version.revision)},
                {"operation", is_first ? "created" : "updated"},
                {"changedAt", render_time(version.version.written_at)},
                {"changedBy",
                 version.updater.empty() ? Value(nullptr) : Value(std::string(version.updater))}};
  // The changes of the oldest version that is kept are unknown, because its predecessor is gone.
  change.set("changes", has_before || is_first ? changes_between(before, version.body.unpack())
                                               : Value(nullptr));
  JsonWriter(out).value(std::move(change));
}

}  // namespace

Result<net::Response> list_versions(CentraliCall& call) {
  const Paging paging = TRY(parse_paging(call.request));
  const RecordHistory history = TRY(history_of(call));
  const RecordStyle style{.structure = *history.structure, .workspace = call.workspace};
  net::Response response;
  render_list(
      paging, history.versions.size(),
      [&](std::size_t i) { render_record(history.versions[i], style, response.body); },
      response.body);
  return response;
}

Result<net::Response> read_version(CentraliCall& call) {
  const std::int64_t number = TRY(parse_integer(call.match["version"], "version", 1, INT32_MAX));
  const RecordHistory history = TRY(history_of(call));
  for (const Document& version : history.versions) {
    if (static_cast<std::int64_t>(version.revision) != number) continue;
    net::Response response;
    render_record(version, {.structure = *history.structure, .workspace = call.workspace},
                  response.body);
    return response;
  }
  return fail(Code::not_found, "version not found: " + std::to_string(number), "version");
}

Result<net::Response> list_changes(CentraliCall& call) {
  const Paging paging = TRY(parse_paging(call.request));
  const RecordHistory history = TRY(history_of(call));
  net::Response response;
  render_list(
      paging, history.versions.size(),
      [&](std::size_t i) { render_change(history, i, response.body); }, response.body);
  return response;
}

}  // namespace mayfly::centrali
