#include "base/result.h"

namespace mayfly {

const char* name_of(Code code) {
  switch (code) {
    case Code::invalid: return "invalid";
    case Code::unauthenticated: return "unauthenticated";
    case Code::forbidden: return "forbidden";
    case Code::not_found: return "not_found";
    case Code::exists: return "exists";
    case Code::stale: return "stale";
    case Code::contended: return "contended";
    case Code::too_large: return "too_large";
    case Code::throttled: return "throttled";
    case Code::timed_out: return "timed_out";
    case Code::unsupported: return "unsupported";
    case Code::no_space: return "no_space";
    case Code::corrupt: return "corrupt";
    case Code::internal: return "internal";
  }
  return "internal";
}

Error Error::during(std::string_view action) && {
  message = std::string(action) + ": " + message;
  return std::move(*this);
}

}  // namespace mayfly
