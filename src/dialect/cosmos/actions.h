// The actions of all routes (requests/routes.h). Each answers one kind of request, and fails as
// errors.h renders it.
#pragma once

#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

Result<net::Response> read_account(CosmosCall& call);

Result<net::Response> create_database(CosmosCall& call);
Result<net::Response> list_databases(CosmosCall& call);
Result<net::Response> query_databases(CosmosCall& call);
Result<net::Response> read_database(CosmosCall& call);
Result<net::Response> drop_database(CosmosCall& call);

Result<net::Response> create_container(CosmosCall& call);
Result<net::Response> list_containers(CosmosCall& call);
Result<net::Response> query_containers(CosmosCall& call);
Result<net::Response> read_container(CosmosCall& call);
Result<net::Response> replace_container(CosmosCall& call);
Result<net::Response> drop_container(CosmosCall& call);
Result<net::Response> list_partition_ranges(CosmosCall& call);

Result<net::Response> create_document(CosmosCall& call);  // and upsert
Result<net::Response> list_documents(CosmosCall& call);
Result<net::Response> read_document(CosmosCall& call);
Result<net::Response> replace_document(CosmosCall& call);
Result<net::Response> remove_document(CosmosCall& call);
Result<net::Response> patch_document(CosmosCall& call);
Result<net::Response> remove_partition(CosmosCall& call);
Result<net::Response> run_batch(CosmosCall& call);  // and bulk
Result<net::Response> query_documents(CosmosCall& call);
Result<net::Response> plan_query(CosmosCall& call);
Result<net::Response> read_change_feed(CosmosCall& call);
bool is_change_feed(const CosmosCall& call);  // whether it reads the change feed, not a list

Result<net::Response> create_attachment(CosmosCall& call);  // and upsert
Result<net::Response> list_attachments(CosmosCall& call);
Result<net::Response> query_attachments(CosmosCall& call);
Result<net::Response> read_attachment(CosmosCall& call);
Result<net::Response> replace_attachment(CosmosCall& call);
Result<net::Response> remove_attachment(CosmosCall& call);
Result<net::Response> read_media(CosmosCall& call);
Result<net::Response> replace_media(CosmosCall& call);

Result<net::Response> list_offers(CosmosCall& call);
Result<net::Response> query_offers(CosmosCall& call);
Result<net::Response> read_offer(CosmosCall& call);
Result<net::Response> replace_offer(CosmosCall& call);
Result<net::Response> list_conflicts(CosmosCall& call);
Result<net::Response> find_no_conflict(CosmosCall& call);  // not found: there never is a conflict

// Users, permissions, client encryption keys and scripts.
Result<net::Response> create_stored(CosmosCall& call);  // and upsert
Result<net::Response> list_stored(CosmosCall& call);
Result<net::Response> query_stored(CosmosCall& call);
Result<net::Response> read_stored(CosmosCall& call);
Result<net::Response> replace_stored(CosmosCall& call);
Result<net::Response> remove_stored(CosmosCall& call);
Result<net::Response> execute_procedure(CosmosCall& call);

}  // namespace mayfly::cosmos
