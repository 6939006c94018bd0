// Who asks, as far as there is nobody but the anonymous.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "value/json.h"

namespace mayfly::kuzzle {

Result<std::string> check_token(Call& call) {
  const Value token = call.message.body.member("token");
  const bool has_token = token.is(Kind::text) && !token.text().empty();
  if (has_token) return R"({"valid":false,"state":"Json Web Token Error"})";
  if (call.is_v2())
    return fmt::format(R"({{"valid":true,"kuid":"{}","expiresAt":-1}})", anonymous_id);
  return R"({"valid":false,"state":"Json Web Token Error"})";
}

Result<std::string> get_current_user(Call&) {
  return render_json(Object{{"_id", anonymous_id},
                            {"_source", Object{{"profileIds", Array{"anonymous"}}}},
                            {"strategies", Array()}});
}

}  // namespace mayfly::kuzzle
