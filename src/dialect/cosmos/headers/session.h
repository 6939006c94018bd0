// Session tokens: up to which commit of a container a client has seen it. The number is that of the
// collection (db/rows/commit_number.h), of each key range the same.
//
//   tokens := token { "," token }
//   token  := range ":" [ version "#" ] number { "#" region "=" number }
#pragma once

#include <string>
#include <string_view>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"

namespace mayfly::cosmos {

// Fails with invalid where the request's token is none, and with not_found, substatus 1002, where
// it is of a commit that the container has not had.
Result<void> check_session(Call& call, const Container& container);

// Up to now: of one key range, where `range` is one or the container has no other, or else of all;
// and the header `lsn`.
void add_session(const Container& container, const KeyRange* range, net::Response& response);
// Clients of before 2018-06-18 take what follows the range for a number: they would fail over
// `0:-1#12`, and are given `0:12`.
void write_session_token_as_of(std::string_view api_version, net::Response& response);

}  // namespace mayfly::cosmos
