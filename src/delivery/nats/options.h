// NatsOptions: where a NATS broker is, how the server logs in to it, and what it publishes there.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"

namespace mayfly::delivery {

struct NatsOptions {
  std::vector<std::string> urls =
      {};                             // nats:// or tls://, tried in turns; none: there is no broker
  std::string credentials_file = {};  // of NATS: a token and a key
  std::string user = {};
  std::string password = {};
  std::string token = {};
  std::string ca_file = {};  // whose certificates are trusted; empty: those that the system trusts
  // JetStream acknowledges a message once it is stored. Without it a message arrives at most once.
  bool uses_jetstream = true;
  std::string stream = {};                   // made where it is missing; empty: it is not made
  std::vector<std::string> subjects = {};    // that the stream holds: patterns of NATS
  Span duplicate_window = Span::seconds(0);  // in which it drops a message that is repeated
};

}  // namespace mayfly::delivery
