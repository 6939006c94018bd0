// Errors in Kuzzle's form: {message, status, stack}, in version 2 with an id and a code. One table
// maps errors to ids; an error that is not in it is mapped by its Code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/kuzzle/requests/message.h"

namespace mayfly::kuzzle {

// A row of the table of errors.
struct ErrorRow {
  std::string_view id;  // of version 2; stored in Error::field
  std::uint32_t number;
  int status;  // of version 1
  int status_v2;
  Code code;
};

int status_of(const Error& error, const Generation& generation);
// The value of the member "error".
Object render_error(const Error& error, const Generation& generation);
// An error with the id of a row of the table.
tl::unexpected<Error> problem(std::string_view id, std::string message);
// The same, but version 2 has a message of its own: that of the id's row in Words::error_messages
// (generations/words.h), with `names` inserted. `message` is for version 1.
tl::unexpected<Error> problem_in_both(std::string_view id, std::string message,
                                      const std::vector<std::string>& names = {});
// The message for the client's version.
std::string message_of(const Error& error, const Generation& generation);

// --- errors that are used in several places ---
tl::unexpected<Error> wrong_type(std::string_view name, std::string_view expected);
tl::unexpected<Error> missing_argument(std::string_view name, std::string_view article = "a");
tl::unexpected<Error> missing_in_body(std::string_view name);
tl::unexpected<Error> admin_is_set();
// The document that the request names does not exist.
tl::unexpected<Error> no_such_document(const Message& message);
tl::unexpected<Error> already_exists();
// The documents in the answer would be too large; `field` names the member to reduce.
tl::unexpected<Error> too_large_for_one_answer(std::string field);
tl::unexpected<Error> no_such_collection(std::string_view index, std::string_view collection);

}  // namespace mayfly::kuzzle
