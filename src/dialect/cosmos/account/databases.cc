// The actions on databases.
#include "dialect/cosmos/account/offers.h"
#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/queries/resources.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/names.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "value/json/json.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {
namespace {

void render_database(const DatabaseInfo& database, std::string& out) {
  const Bytes rid = database_rid(database.id);
  const std::string self = "dbs/" + render_rid(rid) + '/';
  JsonWriter json(out);
  json.begin_object();
  json.member("id", database.name);
  render_system_properties({.rid = rid, .self = self, .changed_at = database.created_at}, json);
  json.member("_colls", "colls/");
  json.member("_users", "users/");
  json.end_object();
}

net::Response describe(int status, const DatabaseInfo& database) {
  std::string body;
  render_database(database, body);
  return one_resource(status, std::move(body), etag_of(database.created_at));
}

RenderOne render_in(const std::vector<DatabaseInfoPtr>& databases) {
  return [&databases](std::size_t i, std::string& out) -> Result<void> {
    render_database(*databases[i], out);
    return {};
  };
}

}  // namespace

Result<net::Response> create_database(CosmosCall& call) {
  const std::string name = TRY(read_name(TRY(parse_json(call.request.body))));
  const Value throughput = TRY(requested_throughput(call));
  const auto created = call.database().create_database(name);
  if (created && !throughput.is_missing()) {
    TRY(store_throughput(call, **created, database_rid((*created)->id), throughput));
  }
  if (created) return describe(201, **created);
  if (created.error().code == Code::exists) return tl::unexpected(id_is_taken());
  return tl::unexpected(created.error());
}

Result<net::Response> list_databases(CosmosCall& call) {
  const std::vector<DatabaseInfoPtr> all = call.database().catalog()->databases();
  return list_resources(call, ResourceKind::database, {}, all.size(), render_in(all));
}

Result<net::Response> query_databases(CosmosCall& call) {
  const std::vector<DatabaseInfoPtr> all = call.database().catalog()->databases();
  return query_resources(call, ResourceKind::database, {}, all.size(), render_in(all));
}

Result<net::Response> read_database(CosmosCall& call) {
  const CatalogPtr catalog = call.database().catalog();
  return describe(200, *TRY(Containers::find_database(*catalog, call.address)));
}

Result<net::Response> drop_database(CosmosCall& call) {
  const CatalogPtr catalog = call.database().catalog();
  TRY(call.database().drop_database(TRY(Containers::find_database(*catalog, call.address))->id));
  return removed();
}

}  // namespace mayfly::cosmos
