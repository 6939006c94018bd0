// Turns a parsed message into the reply of its route.
#pragma once

#include <functional>
#include <optional>

#include "dialect/kuzzle/call.h"
#include "dialect/kuzzle/requests/envelope.h"
#include "dialect/kuzzle/requests/routes.h"

namespace mayfly::kuzzle {

// The route that a message names.
Result<const Route*> route_of(const Message& message);

// Parses the part of the message that takes long; null: everything is parsed.
using ReadRest = std::function<Result<void>()>;
// Checks rights by the route, the collection and the token, then parses the rest and runs the
// action.
Reply answer_route(const Route& route, KuzzleCall& call, const ReadRest& read_rest = {});
// The refusal of an HTTP request before its body is read, if there is one: it lacks rights, or its
// size (missing: not known) is too large.
std::optional<Reply> refuse_by_head(const Route& route, KuzzleCall& call,
                                    std::optional<std::size_t> body_bytes);
Result<void> check_body_bytes(const Route& route, std::size_t bytes);

// The same for a request whose body names the action. The body of a client that has not logged in
// must be small, unless the role `anonymous` allows everything.
std::optional<Reply> refuse_unnamed_by_head(KuzzleCall& call,
                                            std::optional<std::size_t> body_bytes);
Result<void> check_unnamed_body(KuzzleCall& call, std::size_t bytes);
// The bound on such a body. Fails if the token in the head is not valid.
Result<std::size_t> unnamed_body_bytes_max(KuzzleCall& call);

// The reply with this error in the form of the message's generation.
Reply reply_of(const Error& error, const Message& message);
// The reply to a message that is not a request or names no route. A single-use token in it is used
// up.
Reply refuse_unroutable(const Error& error, const KuzzleCall& call);

// The error of a request that finds the request buffer, or the server itself, full.
Error overloaded();
// A refusal of the server itself, as Kuzzle's error.
Error to_kuzzle_error(const Error& refusal);

}  // namespace mayfly::kuzzle
