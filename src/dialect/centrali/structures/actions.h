// What can be done with structures: one action a route.
#pragma once

#include "dialect/centrali/call.h"
#include "dialect/centrali/structures/directory.h"

namespace mayfly::centrali {

Result<net::Response> list_structures(CentraliCall& call);
Result<net::Response> create_structure(CentraliCall& call);
Result<net::Response> read_structure(CentraliCall& call);
Result<net::Response> update_structure(CentraliCall& call);
Result<net::Response> drop_structure(CentraliCall& call);

// The workspace's database, which is created if it is missing. The caller holds Directory::edits().
Result<DatabaseInfoPtr> workspace_database(CentraliCall& call);

// The structure that a client names `called`. Fails with not_found.
Result<StructurePtr> find_structure(CentraliCall& call, const CatalogPtr& catalog,
                                    std::string_view called, std::string field);

}  // namespace mayfly::centrali
