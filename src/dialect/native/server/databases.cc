// Databases: named groups of collections.
#include "dialect/common/requests/json_body.h"
#include "dialect/native/actions.h"
#include "dialect/native/headers/location.h"

namespace mayfly::native {
namespace {

Value database_value(const DatabaseInfo& database, const Catalog& catalog) {
  const std::size_t collections = catalog.collections(database.id).size();
  return Object{{"name", Value(database.name)},
                {"created_at", Value(database.created_at)},
                {"collections", Value(static_cast<std::int64_t>(collections))}};
}

net::Response describe(const NativeCall& call, int status, const DatabaseInfo& database) {
  return json_response(status, render_json(database_value(database, *call.database().catalog())));
}

net::Response describe_created(const NativeCall& call, const DatabaseInfo& database) {
  net::Response response = describe(call, 201, database);
  response.headers.emplace_back("Location", location_of(database.name));
  return response;
}

}  // namespace

Result<net::Response> list_databases(NativeCall& call) {
  const CatalogPtr catalog = call.database().catalog();
  Array all;
  for (const DatabaseInfoPtr& database : catalog->databases()) {
    all.push_back(database_value(*database, *catalog));
  }
  return json_response(200, render_json(Object{{"databases", std::move(all)}}));
}

Result<net::Response> create_database(NativeCall& call) {
  const Object body = TRY(parse_object(call.request.body));
  MemberReader members(body);
  const auto name = TRY(members.text("name"));
  TRY(members.finish());
  if (!name) return tl::unexpected(members.wrong_kind("name", "given"));
  return describe_created(call, *TRY(call.database().create_database(*name)));
}

Result<net::Response> put_database(NativeCall& call) {
  const Object body = TRY(parse_optional_object(call.request.body));
  TRY(MemberReader(body).finish());
  const std::string& name = call["database"];
  if (const auto found = call.database().catalog()->find_database(name)) {
    return describe(call, 200, *found);
  }
  auto created = call.database().create_database(name);
  if (created) return describe_created(call, **created);
  // Another request was quicker: the database exists, which is all that was requested.
  const auto found = call.database().catalog()->find_database(name);
  if (created.error().code == Code::exists && found) return describe(call, 200, *found);
  return tl::unexpected(std::move(created).error());
}

Result<net::Response> get_database(NativeCall& call) {
  const auto found = TRY(find_database(call, *call.database().catalog()));
  return describe(call, 200, *found);
}

Result<net::Response> drop_database(NativeCall& call) {
  const auto found = TRY(find_database(call, *call.database().catalog()));
  TRY(call.database().drop_database(found->id));
  return empty_response();
}

}  // namespace mayfly::native
