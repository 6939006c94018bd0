#include "expr/meter.h"

namespace mayfly {

Result<void> Meter::look() {
  if (now_ == nullptr || now_() < deadline_) return {};
  return fail(
      Code::timed_out,
      "The request took longer than it may (request_time_max); narrow the filter, ask for smaller "
      "pages or add an index.");
}

Result<void> Meter::build(std::size_t bytes) {
  built_ += bytes;
  if (built_ <= limits::query_bytes_max) return {};
  return fail(Code::too_large, "An expression builds more than query_bytes_max (" +
                                   std::to_string(limits::query_bytes_max) + " bytes) at once.");
}

std::size_t weight(const Value& value) {
  std::size_t sum = sizeof(Value);
  switch (value.kind()) {
    case Kind::text: return sum + value.text().size();
    case Kind::binary: return sum + value.binary().bytes.size();
    case Kind::reference:
      return sum + value.reference().collection.size() + value.reference().id.size();
    case Kind::array:
      for (const Value& item : value.array()) sum += weight(item);
      return sum;
    case Kind::object:
      for (const auto& [name, member] : value.object()) {
        sum += sizeof(std::string) + name.size() + weight(member);
      }
      return sum;
    default: return sum;
  }
}

}  // namespace mayfly
