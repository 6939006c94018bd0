// Reading the private rows of a workspace, for actions.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "db/private_table.h"
#include "dialect/centrali/call.h"
#include "dialect/centrali/queries/paging.h"
#include "value/json/writer.h"

namespace mayfly::centrali {

// Null if the workspace has none.
template <class Row>
PrivateTable<Row> table_of(const CentraliCall& call, const Catalog& catalog) {
  const auto workspace = catalog.find_database(call.workspace);
  return workspace ? PrivateTable<Row>::find(catalog, workspace->id) : PrivateTable<Row>();
}

// Fails with not_found. `what` as in "compute function".
template <class Row>
Result<Row> find_row(const CentraliCall& call, View& view, std::string_view what,
                     const std::string& id) {
  auto found = TRY(table_of<Row>(call, view.catalog()).get(view, DocumentKey::of(id)));
  if (found) return *std::move(found);
  return fail(Code::not_found, std::string(what) + " not found: '" + id + "'");
}

// All of them, the oldest first.
template <class Row>
Result<std::vector<Row>> list_rows(const CentraliCall& call, View& view) {
  auto rows = TRY(table_of<Row>(call, view.catalog()).list(view));
  std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tie(a.created_at, a.id) < std::tie(b.created_at, b.id);
  });
  return rows;
}

// {"data": […], "meta": {"total"}}, with what `render` returns for each row.
template <class Row, class Render>
net::Response list_response(const std::vector<Row>& rows, const Render& render) {
  net::Response response;
  JsonWriter json(response.body);
  json.begin_object();
  json.name("data").begin_array();
  for (const Row& row : rows) json.raw(render(row));
  json.end_array();
  render_meta(rows.size(), json);
  json.end_object();
  return response;
}

}  // namespace mayfly::centrali
