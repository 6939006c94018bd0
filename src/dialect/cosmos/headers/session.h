// Session tokens: the commit of a container up to which a client has seen it. The number is that of
// the collection (db/rows/commit_number.h), the same for each key range.
//
//   tokens := token { "," token }
//   token  := range ":" [ version "#" ] number { "#" region "=" number }
#pragma once

#include <string>
#include <string_view>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"

namespace mayfly::cosmos {

// Fails with invalid if the request's token is malformed, and with not_found, substatus 1002, if it
// is of a commit that the container has not had.
Result<void> check_session(CosmosCall& call, const Container& container);

// Adds the token up to now and the header `lsn`. The token is of one key range, which is named in a
// header, if `range` is not null or the container has only one; otherwise it has all.
void add_session(const Container& container, const KeyRange* range, net::Response& response);
// Clients before 2018-06-18 read the part after the range as a number. They cannot read `0:-1#12`
// and get `0:12`.
void write_session_token_as_of(std::string_view api_version, net::Response& response);

}  // namespace mayfly::cosmos
