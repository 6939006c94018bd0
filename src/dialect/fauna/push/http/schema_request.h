// The paths below /schema/1: the files of a schema over HTTP, as the command line client uses them.
//
//   GET  files, files/NAME                   POST update, diff, validate
//   GET  status, staged/status               POST commit, abandon, staged/commit, staged/abandon
//   GET, POST, DELETE items/KIND/NAME        POST items/KIND
//   POST merge                               Mayfly's own: for `mayfly import`
//
// A stage is a set of files that waits for its commit. It was validated when it was staged.
#pragma once

#include "dialect/fauna/auth/principal.h"
#include "dialect/fauna/query.h"
#include "net/message.h"

namespace mayfly::fauna {

inline constexpr std::string_view schema_path = "/schema/1/";

net::Response answer_schema(const net::Request& request, const SharedServices& shared,
                            const Principal& principal);

}  // namespace mayfly::fauna
