#include "dialect/cosmos/resources/names.h"

#include "base/limits.h"
#include "dialect/cosmos/errors.h"
#include "value/json/json.h"

namespace mayfly::cosmos {

Result<std::string> read_name(const Value& body) {
  const Value id = body.member("id");
  if (!id.is(Kind::text)) {
    return tl::unexpected(bad_request(
        "The input content is invalid because the required properties - 'id; ' - are missing.",
        "id"));
  }
  const std::string& name = id.text();
  // Clients remove "." and ".." from URLs.
  const bool is_step = name == "." || name == "..";
  const bool is_valid = !is_step && !name.empty() && name.size() <= limits::name_bytes_max &&
                        name.back() != ' ' && name.find_first_of("/\\#?") == std::string::npos;
  if (is_valid) return name;
  return tl::unexpected(bad_request("The input name '" + name +
                                        "' is invalid. Ensure to provide a unique non-empty string "
                                        "less than '255' characters.",
                                    "id"));
}

}  // namespace mayfly::cosmos
