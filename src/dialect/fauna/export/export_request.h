// `GET /export/1/documents`: a page of a collection's documents as of one instant, for `mayfly
// export --fauna`. An addition of Mayfly: the service has no such path.
//
//   ?collection=NAME
//   ?at=MICROS               the instant, since 1970
//   ?after=TOKEN             of the page before
//
//   {"documents": [lines, in the form that an import takes], "after": token, on the last page none,
//    "left_out": [{"id", "reason"}]: documents that no import takes}
//
// A query could not do this: its later pages show documents as of now, and it computes fields,
// which may fail.
#pragma once

#include "dialect/fauna/auth/principal.h"
#include "dialect/fauna/query.h"
#include "net/message.h"

namespace mayfly::fauna {

net::Response answer_export(const net::Request& request, const SharedServices& shared,
                            const Principal& principal);

}  // namespace mayfly::fauna
