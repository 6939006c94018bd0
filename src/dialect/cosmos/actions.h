// The actions of all routes. Each answers one kind of request.
#pragma once

#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

Result<net::Response> read_account(Call& call);

Result<net::Response> create_database(Call& call);
Result<net::Response> list_databases(Call& call);
Result<net::Response> query_databases(Call& call);
Result<net::Response> read_database(Call& call);
Result<net::Response> drop_database(Call& call);

Result<net::Response> create_container(Call& call);
Result<net::Response> list_containers(Call& call);
Result<net::Response> query_containers(Call& call);
Result<net::Response> read_container(Call& call);
Result<net::Response> replace_container(Call& call);
Result<net::Response> drop_container(Call& call);
Result<net::Response> list_partition_ranges(Call& call);

Result<net::Response> create_document(Call& call);  // and upsert
Result<net::Response> list_documents(Call& call);
Result<net::Response> read_document(Call& call);
Result<net::Response> replace_document(Call& call);
Result<net::Response> remove_document(Call& call);
Result<net::Response> patch_document(Call& call);
Result<net::Response> remove_partition(Call& call);
Result<net::Response> run_batch(Call& call);  // and bulk
Result<net::Response> query_documents(Call& call);
Result<net::Response> plan_query(Call& call);
Result<net::Response> read_change_feed(Call& call);
bool is_change_feed(const Call& call);

Result<net::Response> create_attachment(Call& call);  // and upsert
Result<net::Response> list_attachments(Call& call);
Result<net::Response> query_attachments(Call& call);
Result<net::Response> read_attachment(Call& call);
Result<net::Response> replace_attachment(Call& call);
Result<net::Response> remove_attachment(Call& call);
Result<net::Response> read_media(Call& call);
Result<net::Response> replace_media(Call& call);

Result<net::Response> list_offers(Call& call);
Result<net::Response> query_offers(Call& call);
Result<net::Response> read_offer(Call& call);
Result<net::Response> replace_offer(Call& call);
Result<net::Response> list_conflicts(Call& call);
Result<net::Response> find_no_conflict(Call& call);

// Users, permissions and scripts.
Result<net::Response> create_stored(Call& call);  // and upsert
Result<net::Response> list_stored(Call& call);
Result<net::Response> query_stored(Call& call);
Result<net::Response> read_stored(Call& call);
Result<net::Response> replace_stored(Call& call);
Result<net::Response> remove_stored(Call& call);
Result<net::Response> execute_procedure(Call& call);

}  // namespace mayfly::cosmos
