// Log lines about requests: about each one, if enabled, and about refused ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/service/logging.h"
#include "net/access/guard.h"
#include "net/message.h"

namespace mayfly::net {

// A request's target without secrets: the values of parameters such as `jwt` and `sig` are hidden.
std::string without_secrets(std::string_view target);

// A request and its port, for a log line.
struct LoggedRequest {
  const Request& request;
  std::string_view port;
  std::string_view id;
};

struct AnswerSummary {
  int status = 0;
  std::uint64_t bytes = 0;  // of the answer, with its head
  Span took;
};

// One line about an answered request.
void log_access(LogLevel level, const LoggedRequest& logged, const AnswerSummary& answered);
// One line about a request that was refused by the guard or for its credentials. At most
// limits::refusals_logged_max are written each second; the next line contains how many were left
// out.
void log_denial(const LoggedRequest& logged, const Guard::Denial& denial);
void log_unauthenticated(const LoggedRequest& logged);
// Whether a dialect may write a refusal line of its own, which counts against the same bound. The
// line should contain `left_out`. False if warnings are not logged.
bool may_log_refusal(std::uint64_t& left_out);

}  // namespace mayfly::net
