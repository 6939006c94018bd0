#include "net/calls/client.h"

#include <future>
#include <utility>

namespace mayfly::net {

Result<Response> fetch(OutgoingCall call) {
  Caller caller({.names_max = 1});
  return fetch(std::move(call), caller);
}

Result<Response> fetch(OutgoingCall call, Caller& caller) {
  std::promise<Result<Response>> answer;
  caller.call(std::move(call), [&](Result<Response> got) { answer.set_value(std::move(got)); });
  return answer.get_future().get();
}

}  // namespace mayfly::net
