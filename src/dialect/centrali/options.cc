#include "dialect/centrali/options.h"

#include "base/crypto/crypto.h"
#include "base/service/logging.h"
#include "dialect/centrali/limits.h"

namespace mayfly {

bool CentraliOptions::has_client(std::string_view id, std::string_view secret) const {
  bool found = false;
  for (const Client& known : clients) {
    found |= constant_time_equal(known.id, id) && constant_time_equal(known.secret, secret);
  }
  return found;
}

Settings::Table centrali_settings() {
  return {{.name = "centrali.clients",
           .kind = SettingKind::list,
           .help = "Service accounts of the Centrali API, each as `id:secret`.",
           .placeholder = "ID:SECRET",
           .secret = true}};
}

CentraliOptions centrali_options(const Settings& settings) {
  CentraliOptions options{.signing_key = random_bytes(limits::signing_key_bytes),
                          .may_reach_private = settings.flag("webhooks.allow_private"),
                          .functions_reach_out = settings.flag("functions.allow_outbound")};
  for (const std::string& pair : settings.list("centrali.clients")) {
    const std::size_t colon = pair.find(':');
    options.clients.push_back({pair.substr(0, colon), pair.substr(colon + 1)});
  }
  return options;
}

Result<void> check_centrali_settings(const Settings& settings) {
  for (const std::string& pair : settings.list("centrali.clients")) {
    const std::size_t colon = pair.find(':');
    if (colon == std::string::npos || colon == 0 || colon + 1 == pair.size()) {
      return fail(Code::invalid, "centrali.clients takes pairs ID:SECRET", "centrali.clients");
    }
    hide_in_logs(pair.substr(colon + 1));
  }
  return {};
}

}  // namespace mayfly
