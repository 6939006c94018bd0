// Errors as Kuzzle words them: {message, status, stack} in its first version, with an id and a code
// in its second. One table says which is which; what is not in it goes by its Code.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "dialect/kuzzle/message.h"

namespace mayfly::kuzzle {

int status_of(const Error& error, Shape shape);
// The object behind "error".
Object render_error(const Error& error, Shape shape);
// An error whose words are known by a row of the table.
tl::unexpected<Error> problem(std::string_view id, std::string message);

// --- words that are used in several places ---
tl::unexpected<Error> wrong_type(std::string_view name, std::string_view wanted);
tl::unexpected<Error> missing_argument(std::string_view name, std::string_view article = "a");
tl::unexpected<Error> admin_is_set();
tl::unexpected<Error> no_such_document(Shape shape, std::string_view id);
// What an answer shows of documents would hold too much; `field` asks for fewer.
tl::unexpected<Error> too_large_for_one_answer(std::string field);
tl::unexpected<Error> no_such_place(std::string_view index, std::string_view collection);

}  // namespace mayfly::kuzzle
