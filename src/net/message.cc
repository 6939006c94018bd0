// Look-ups in a request's short lists: for the dozen headers that clients send, a scan is faster
// than a map.
#include "net/message.h"

namespace mayfly::net {
namespace {

const std::string* first_of(const std::vector<Pair>& pairs, std::string_view name) {
  for (const Pair& pair : pairs) {
    if (pair.first == name) return &pair.second;
  }
  return nullptr;
}

}  // namespace

const std::string* Request::header(std::string_view name) const {
  return first_of(headers, name);
}

const std::string* Request::parameter(std::string_view name) const {
  return first_of(parameters, name);
}

}  // namespace mayfly::net
