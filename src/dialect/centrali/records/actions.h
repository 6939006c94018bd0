// What can be done with records: one action a route.
#pragma once

#include "dialect/centrali/call.h"

namespace mayfly::centrali {

// --- one record ---
Result<net::Response> create_record(CentraliCall& call);
Result<net::Response> read_record(CentraliCall& call);
Result<net::Response> patch_record(CentraliCall& call);
Result<net::Response> replace_record(CentraliCall& call);
Result<net::Response> remove_record(CentraliCall& call);
Result<net::Response> restore_record(CentraliCall& call);
Result<net::Response> upsert_record(CentraliCall& call);
Result<net::Response> list_versions(CentraliCall& call);
Result<net::Response> read_version(CentraliCall& call);
Result<net::Response> list_changes(CentraliCall& call);

// --- many, all or none ---
Result<net::Response> bulk_create(CentraliCall& call);
Result<net::Response> bulk_patch(CentraliCall& call);
Result<net::Response> bulk_remove(CentraliCall& call);

// --- many, each for itself ---
Result<net::Response> batch_create(CentraliCall& call);
Result<net::Response> batch_patch(CentraliCall& call);
Result<net::Response> batch_remove(CentraliCall& call);

}  // namespace mayfly::centrali
