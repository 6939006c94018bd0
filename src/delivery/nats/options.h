// NatsOptions: where a NATS broker is, how the server logs in to it, and what it publishes there.
#pragma once

#include <string>
#include <vector>

#include "base/clock.h"

namespace mayfly::delivery {

struct NatsOptions {
  // nats:// or tls://, tried in this order; none: there is no broker.
  std::vector<std::string> urls = {};
  std::string credentials_file = {};  // a NATS credentials file: a token and a key
  std::string user = {};
  std::string password = {};
  std::string token = {};
  std::string ca_file = {};  // trusted certificates; empty: those that the system trusts
  // JetStream acknowledges a message once it is stored. Without it a message arrives at most once.
  bool uses_jetstream = true;
  std::string stream = {};                 // created if it is missing; empty: none is created
  std::vector<std::string> subjects = {};  // NATS patterns of the subjects that the stream holds
  // How long a stream that is created here recognises repeated messages and drops them. If that of
  // an existing stream is shorter, this is logged.
  Span duplicate_window = Span::seconds(0);
};

}  // namespace mayfly::delivery
