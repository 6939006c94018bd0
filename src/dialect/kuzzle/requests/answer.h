// From a message that has been understood to the reply of its route.
#pragma once

#include <functional>
#include <optional>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/requests/envelope.h"
#include "dialect/kuzzle/requests/routes.h"

namespace mayfly::kuzzle {

// The route that a message names.
Result<const Route*> route_of(const Message& message);

// Reads what of the message takes long to read; null: all has been read.
using ReadRest = std::function<Result<void>()>;
// Asks for the rights first, by the route, the place and the token; then it reads the rest.
Reply answer_route(const Route& route, Call& call, const ReadRest& read_rest = {});
// What is wrong with a request over HTTP before its body has come, if anything is: its rights, or
// its size (missing: not known).
std::optional<Reply> refuse_by_head(const Route& route, Call& call,
                                    std::optional<std::size_t> body_bytes);
// How long a body may be there: a login says little.
std::size_t body_bytes_max_of(const Route& route);
Result<void> check_body_bytes(const Route& route, std::size_t bytes);

// The same of a request whose body names the action: a client that has not logged in says little,
// unless the role `anonymous` allows everything.
std::optional<Reply> refuse_unnamed_by_head(Call& call, std::optional<std::size_t> body_bytes);
Result<void> check_unnamed_body(Call& call, std::size_t bytes);
// How long it may be. Fails where the token of the head does not count.
Result<std::size_t> unnamed_body_bytes_max(Call& call);

Reply reply_of(const Error& error, const Message& message);
// The same to what is no request, or names no route. Its token, if it has one for a single use, is
// used up.
Reply refuse_misunderstood(const Error& error, const Call& call);

// What a request is told that found the buffer full, or the server's own bounds met.
Error overloaded();
// The same of what the server itself refuses, in Kuzzle's words.
Error worded(const Error& refusal);

}  // namespace mayfly::kuzzle
