// NatsOptions: where a NATS broker is, how the server logs in to it, and what it publishes there.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"

namespace mayfly::delivery {

struct NatsOptions {
  std::vector<std::string> urls =
      {};  // nats:// or tls://, tried in rotation; none: there is no broker
  std::string credentials_file = {};  // a NATS credentials file: a token and a key
  std::string user = {};
  std::string password = {};
  std::string token = {};
  std::string ca_file = {};  // trusted certificates; empty: those that the system trusts
  // JetStream acknowledges a message once it is stored. Without it a message arrives at most once.
  bool uses_jetstream = true;
  std::string stream = {};                   // created if it is missing; empty: none is created
  std::vector<std::string> subjects = {};    // NATS patterns of the subjects that the stream holds
  Span duplicate_window = Span::seconds(0);  // in which the stream drops repeated messages
};

}  // namespace mayfly::delivery
