// Lines of the log about requests: each one, where that is wanted, and those that were not let in.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/service/logging.h"
#include "net/access/guard.h"
#include "net/message.h"

namespace mayfly::net {

// A request's target without what gives rights: the values of parameters such as `jwt` and `sig`.
std::string without_secrets(std::string_view target);

// Which request, at which port.
struct Logged {
  const Request& request;
  std::string_view port;
  std::string_view id;
};

struct Answered {
  int status = 0;
  std::uint64_t bytes = 0;  // of the answer, its head too
  Span took;
};

// One line about an answered request.
void log_access(LogLevel level, const Logged& logged, const Answered& answered);
// One line about a request that the guard refused, or whose credentials were. Of many in one second
// only limits::refusals_logged_max are written; the next line says how many were not.
void log_denial(const Logged& logged, const Guard::Denial& denial);
void log_unauthenticated(const Logged& logged);
// Whether a dialect may write a line of its own about a refusal, which counts as one of those;
// `left_out` is what the line says. False where warnings are not logged.
bool takes_refusal_line(std::uint64_t& left_out);

}  // namespace mayfly::net
