// How functions in Mayfly fail: Result<T> is a T or an Error. Our code throws nothing; an exception
// of a library is caught where the library is called.
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace mayfly {

// A code exists only where a caller reacts differently. Each dialect maps them once, in its
// errors.cc.
enum class Code {
  invalid,          // the input is wrong; `field` names the part that is
  unauthenticated,  // the request has no valid credentials
  forbidden,        // the user has no permission
  not_found,
  exists,       // something else already has that name, id or unique value
  stale,        // a precondition of the caller does not hold
  contended,    // lost to a concurrent change, or may not wait for one; trying again helps
  too_large,    // over a bound of a limits.h
  throttled,    // too much at once; trying again later helps
  timed_out,    // the deadline passed, or nothing waits for the result any more
  unsupported,  // understood, but not supported
  no_space,     // the disk is too full to make a write durable
  corrupt,      // stored bytes are not what was written
  internal      // a broken invariant of ours or of a library
};

// The stable name of a code, in logs and in the native dialect.
const char* name_of(Code code);

struct Error {
  Code code = Code::internal;
  std::string message;     // a sentence for the user
  std::string field = {};  // the member, parameter or header that is wrong; empty if there is none

  // Adds what was being done, never another meaning: "reading index price: …".
  Error during(std::string_view action) &&;
};

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Code code, std::string message, std::string field = {}) {
  return tl::unexpected<Error>(Error{code, std::move(message), std::move(field)});
}

namespace detail {
template <class T>
T take(Result<T>&& result) {
  return std::move(*result);
}
inline void take(Result<void>&&) {}
}  // namespace detail

// TRY(expression) is the value of a Result. If it holds an Error, the enclosing function returns
// that Error.
#define TRY(...)                                                                \
  ({                                                                            \
    auto try_result_ = (__VA_ARGS__);                                           \
    if (!try_result_) [[unlikely]]                                              \
      return ::tl::unexpected<::mayfly::Error>(std::move(try_result_).error()); \
    ::mayfly::detail::take(std::move(try_result_));                             \
  })

}  // namespace mayfly
