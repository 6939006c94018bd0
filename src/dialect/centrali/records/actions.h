// What can be done with records: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

// --- one record ---
Result<net::Response> create_record(Call& call);
Result<net::Response> read_record(Call& call);
Result<net::Response> patch_record(Call& call);
Result<net::Response> replace_record(Call& call);
Result<net::Response> remove_record(Call& call);
Result<net::Response> restore_record(Call& call);
Result<net::Response> upsert_record(Call& call);
Result<net::Response> list_versions(Call& call);
Result<net::Response> read_version(Call& call);
Result<net::Response> list_changes(Call& call);

// --- many, all or none ---
Result<net::Response> bulk_create(Call& call);
Result<net::Response> bulk_patch(Call& call);
Result<net::Response> bulk_remove(Call& call);

// --- many, each for itself ---
Result<net::Response> batch_create(Call& call);
Result<net::Response> batch_patch(Call& call);
Result<net::Response> batch_remove(Call& call);

}  // namespace mayfly::centrali
