// The actions of all routes; each answers one kind of request.
#pragma once

#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

Result<net::Response> read_account(Call& call);

Result<net::Response> create_database(Call& call);
Result<net::Response> list_databases(Call& call);
Result<net::Response> read_database(Call& call);
Result<net::Response> drop_database(Call& call);

Result<net::Response> create_container(Call& call);
Result<net::Response> list_containers(Call& call);
Result<net::Response> read_container(Call& call);
Result<net::Response> replace_container(Call& call);
Result<net::Response> drop_container(Call& call);
Result<net::Response> list_partition_ranges(Call& call);

Result<net::Response> create_document(Call& call);  // and upsert
Result<net::Response> list_documents(Call& call);
Result<net::Response> read_document(Call& call);
Result<net::Response> replace_document(Call& call);
Result<net::Response> remove_document(Call& call);
Result<net::Response> remove_partition(Call& call);

}  // namespace mayfly::cosmos
