// Which requests a port accepts at all. The head alone decides, before a body is read and before a
// handler answers. A browser runs pages of any site, and their requests come from the user's own
// machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "net/access/cors.h"
#include "net/handler.h"
#include "net/message.h"
#include "net/requests/refusal.h"
#include "net/server.h"

namespace mayfly::net {

// Threads: immutable, any.
class Guard {
 public:
  // `hosts`: host names, beside those of this machine, for which a port without credentials
  // answers.
  Guard(Cors cors, std::vector<std::string> hosts)
      : cors_(std::move(cors)), hosts_(std::move(hosts)) {}

  const Cors& cors() const { return cors_; }

  struct Denial {
    Refusal refusal;
    const char* setting = "";  // the setting that would permit it; empty: none
    std::string value = {};    // what was refused: an origin, a host
  };
  // Why this port must refuse the request; empty if it may be answered. `has_body`: a body has
  // arrived or will.
  std::optional<Denial> check(const AcceptedRequest& accepted, const ListenerOptions& listener,
                              bool has_body) const;

 private:
  std::optional<Denial> check_page(const AcceptedRequest& accepted) const;
  std::optional<Denial> check_host(const Request& request, const ListenerOptions& listener) const;

  const Cors cors_;
  const std::vector<std::string> hosts_;
};

}  // namespace mayfly::net
