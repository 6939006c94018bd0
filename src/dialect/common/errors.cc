#include "dialect/common/errors.h"

#include <array>

#include "base/service/logging.h"

namespace mayfly {
namespace {

struct StatusOfCode {
  Code code;
  int status;
};

constexpr std::array rows = {
    StatusOfCode{Code::invalid, 400},     StatusOfCode{Code::unauthenticated, 401},
    StatusOfCode{Code::forbidden, 403},   StatusOfCode{Code::not_found, 404},
    StatusOfCode{Code::exists, 409},      StatusOfCode{Code::stale, 412},
    StatusOfCode{Code::contended, 409},   StatusOfCode{Code::too_large, 413},
    StatusOfCode{Code::throttled, 429},   StatusOfCode{Code::timed_out, 504},
    StatusOfCode{Code::unsupported, 400}, StatusOfCode{Code::no_space, 507},
    StatusOfCode{Code::corrupt, 500},     StatusOfCode{Code::internal, 500},
};

}  // namespace

int http_status(Code code) {
  for (const StatusOfCode& row : rows) {
    if (row.code == code) return row.status;
  }
  return 500;
}

void add_error_headers(Code code, net::Response& response) {
  if (code == Code::throttled || code == Code::no_space || code == Code::contended) {
    response.headers.emplace_back("Retry-After", "1");
  }
  if (code == Code::unauthenticated) {
    response.headers.emplace_back("WWW-Authenticate", "Bearer realm=\"mayfly\"");
  }
}

std::string client_message(const Error& error) {
  if (error.code == Code::internal || error.code == Code::corrupt) {
    log(LogLevel::error, "a request failed inside the server",
        {{"code", name_of(error.code)}, {"error", error.message}});
  }
  if (error.code == Code::internal) return "the server failed; its log says more";
  if (error.code == Code::corrupt) return "stored data is damaged; the log of the server says more";
  return error.message;
}

}  // namespace mayfly
