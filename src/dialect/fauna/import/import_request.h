// `POST /import/1`: documents of an export, one line of JSON each, as `mayfly import` sends them.
// An addition of Mayfly: the service has no such path.
//
//   ?on_refused=stop|skip    what follows a document that cannot be written; stop by default
//   ?ts_field=NAME           a field that keeps the `ts` of the export
//
//   {"created", "replaced", "unchanged", "expired": numbers,
//    "refused": [{"document": its number from 0, "reason": text}], "collections": [names]}
#pragma once

#include "dialect/fauna/auth/principal.h"
#include "dialect/fauna/query.h"
#include "net/message.h"

namespace mayfly::fauna {

net::Response answer_import(const net::Request& request, const SharedServices& shared,
                            const Principal& principal);

}  // namespace mayfly::fauna
