#include "expr/evaluation/meter.h"

#include "base/threads/run_permit.h"

namespace mayfly {

// Smaller amounts are not reported.
constexpr std::size_t reported_above_bytes = 1 << 20;

Result<void> Meter::check() {
  if (RunPermit* permit = current_run_permit()) TRY(permit->renew());
  if (now_ == nullptr || now_() < deadline_) return {};
  return fail(
      Code::timed_out,
      "The request took longer than it may (request_time_max); narrow the filter, ask for smaller "
      "pages or add an index.");
}

Result<void> Meter::build(std::size_t bytes) {
  built_ += bytes;
  if (built_ <= limits::query_bytes_max) {
    if (RunPermit* permit = current_run_permit(); permit && built_ > reported_above_bytes) {
      permit->report_peak(built_);
    }
    return {};
  }
  return fail(Code::too_large, "An expression builds more than query_bytes_max (" +
                                   std::to_string(limits::query_bytes_max) + " bytes) at once.");
}

namespace {

// Adds to `sum`, and stops once it exceeds query_bytes_max. Shared parts of a value count as often
// as they are reached. Recursion is as deep as the value.
void add_weight(const Value& value, std::size_t& sum) {
  sum += sizeof(Value);
  switch (value.kind()) {
    case Kind::text: sum += value.text().size(); break;
    case Kind::binary: sum += value.binary().bytes.size(); break;
    case Kind::reference:
      sum += value.reference().collection.size() + value.reference().id.size();
      break;
    case Kind::array:
      for (const Value& item : value.array()) {
        if (sum > limits::query_bytes_max) return;
        add_weight(item, sum);
      }
      break;
    case Kind::object:
      for (const auto& [name, member] : value.object()) {
        if (sum > limits::query_bytes_max) return;
        sum += sizeof(std::string) + name.size();
        add_weight(member, sum);
      }
      break;
    default: break;
  }
}

}  // namespace

std::size_t weight(const Value& value) {
  std::size_t sum = 0;
  add_weight(value, sum);
  return sum;
}

}  // namespace mayfly
