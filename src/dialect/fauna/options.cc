#include "dialect/fauna/options.h"

#include "base/service/logging.h"

namespace mayfly {

Settings::Table fauna_settings() {
  return {{.name = "fauna.secret",
           .initial = "",
           .help =
               "The secret of the root database of the Fauna API, with every right. The default "
               "is \"secret\", as in Fauna's container. If {closing} is set, there is no "
               "default and the API refuses this secret until you set another.",
           .placeholder = "SECRET",
           .secret = true}};
}

FaunaOptions fauna_options(const Settings& settings) {
  return {.secret = settings.text("fauna.secret")};
}

Result<void> check_fauna_settings(const Settings& settings) {
  const std::string& secret = settings.text("fauna.secret");
  if (secret.empty()) return {};
  hide_in_logs(secret);
  // In a secret, a colon starts the scope.
  if (secret.find(':') == std::string::npos) return {};
  return fail(Code::invalid, "fauna.secret takes a secret without ':'", "fauna.secret");
}

}  // namespace mayfly
