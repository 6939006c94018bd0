#include "net/client.h"

#include <future>
#include <utility>

namespace mayfly::net {

Result<Response> fetch(Call call) {
  std::promise<Result<Response>> answer;
  Caller caller({.names_max = 1});
  caller.call(std::move(call), [&](Result<Response> got) { answer.set_value(std::move(got)); });
  return answer.get_future().get();
}

}  // namespace mayfly::net
