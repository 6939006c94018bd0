// Errors as Kuzzle words them: {message, status, stack} in its first version, with an id and a code
// in its second. One table says which is which; what is not in it goes by its Code.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dialect/kuzzle/requests/message.h"

namespace mayfly::kuzzle {

int status_of(const Error& error, Shape shape);
// The object behind "error".
Object render_error(const Error& error, Shape shape);
// An error whose words are known by a row of the table.
tl::unexpected<Error> problem(std::string_view id, std::string message);
// One that version 2 words differently: by the row's own words, in which `names` stand.
tl::unexpected<Error> problem_in_both(std::string_view id, std::string message,
                                      const std::vector<std::string>& names = {});
// In the words of the client's version.
std::string message_of(const Error& error, Shape shape);

// --- words that are used in several places ---
tl::unexpected<Error> wrong_type(std::string_view name, std::string_view wanted);
tl::unexpected<Error> missing_argument(std::string_view name, std::string_view article = "a");
tl::unexpected<Error> missing_in_body(std::string_view name);
tl::unexpected<Error> admin_is_set();
// Of the document that the request names.
tl::unexpected<Error> no_such_document(const Message& message);
tl::unexpected<Error> already_exists();
// What an answer shows of documents would hold too much; `field` asks for fewer.
tl::unexpected<Error> too_large_for_one_answer(std::string field);
tl::unexpected<Error> no_such_place(std::string_view index, std::string_view collection);

}  // namespace mayfly::kuzzle
