// The operators' options of the Centrali API.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/service/settings.h"

namespace mayfly {

struct CentraliOptions {
  struct Client {
    std::string id;
    std::string secret;
  };
  std::vector<Client> clients = {};  // service accounts, which may request tokens
  std::string signing_key = {};      // of those tokens
  // Whether webhooks and functions may call this machine and private networks.
  bool may_reach_private = false;
  bool functions_reach_out = false;  // whether functions may make requests over HTTP

  // Compares with every client, each in constant time.
  bool has_client(std::string_view id, std::string_view secret) const;
};

// The rows of the settings, and the options that they give. The signing key is random.
Settings::Table centrali_settings();
CentraliOptions centrali_options(const Settings& settings);
// Fails with invalid if a service account is not `id:secret`.
Result<void> check_centrali_settings(const Settings& settings);

}  // namespace mayfly
