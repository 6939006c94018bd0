// Which requests a port takes at all. It is decided by the head alone, before a body is read and
// before a handler answers: a browser runs pages of anybody, and what such a page sends comes from
// the user's own machine.
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
  // `hosts`: the names, beside those of this machine, that a port without credentials answers to.
  Guard(Cors cors, std::vector<std::string> hosts)
      : cors_(std::move(cors)), hosts_(std::move(hosts)) {}

  const Cors& cors() const { return cors_; }

  struct Denial {
    Refusal refusal;
    const char* setting = "";  // that admits such requests; empty where none does
    std::string value = {};    // what was refused: an origin, a host
  };
  // Why the request may not come in at this port; nothing where it may. `has_body`: one has come or
  // is still to come.
  std::optional<Denial> check(const Accepted& accepted, const Listen& listen, bool has_body) const;

 private:
  std::optional<Denial> check_page(const Accepted& accepted) const;
  std::optional<Denial> check_host(const Request& request, const Listen& listen) const;

  const Cors cors_;
  const std::vector<std::string> hosts_;
};

}  // namespace mayfly::net
