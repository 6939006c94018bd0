#include "dialect/centrali/events/notice_filter.h"

#include "base/threads/thread_time.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/queries/lower.h"
#include "expr/evaluation/evaluate.h"
#include "value/patch.h"

namespace mayfly::centrali {
namespace {

bool names(const std::set<std::string, std::less<>>& called, const Structure& structure) {
  return called.contains(structure.slug) || called.contains(structure.id) ||
         called.contains(structure.name);
}

// The value that filters are evaluated on: the data, and for an update also the data after it.
Value filtered(const Notice& notice) {
  const Value data = notice.payload.member("data");
  const Value after = data.member("after");
  if (notice.type != "record_updated" || !after.is(Kind::object)) return data;
  return assign(after, data);
}

}  // namespace

Result<bool> NoticeFilter::wants(const Notice& notice) const {
  const bool is_envelope = notice.type.find('.') != std::string::npos;
  if (events.empty() ? is_envelope : !events.contains(notice.type)) return false;
  if (!structures.empty() && !names(structures, *notice.structure)) return false;
  if (filters.empty()) return true;
  const Instant begun = thread_time();
  const Value data = filtered(notice);
  Meter meter;  // without a deadline: filters are comparisons and never nest
  for (const ExprPtr& filter : filters) {
    const auto fits = truth(*filter, ValueScope(data), meter);
    if (thread_time() - begun > limits::event_filter_time_max) {
      return fail(Code::throttled, "the filters of the stream take too long", "filter");
    }
    if (!fits || *fits != Truth::yes) return false;
  }
  return true;
}

Result<void> add_event_name(std::string_view name, NoticeFilter& filter) {
  if (!is_event_name(name)) {
    return fail(Code::invalid, "there is no event '" + std::string(name) + "'", "events");
  }
  filter.events.emplace(name);
  return {};
}

Result<ExprPtr> parse_event_filter(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view path = text.substr(0, colon);
  if (colon == std::string_view::npos || !path.starts_with("data.")) {
    return fail(Code::invalid, "a filter is written data.field:value or data.field:operator:value",
                "filter");
  }
  NamedField field = TRY(parse_field(path));
  NamedComparison comparison{std::move(field), find_operator("eq")};
  std::string_view value = text.substr(colon + 1);
  const std::size_t second = value.find(':');
  const Operator* op =
      second == std::string_view::npos ? nullptr : find_operator(value.substr(0, second));
  if (op != nullptr) {
    comparison.op = op;
    value.remove_prefix(second + 1);
  }
  static const Structure anything;
  auto lowered = lower(comparison, operand_of(value, comparison, anything));
  if (!lowered) lowered.error().field = "filter";
  return lowered;
}

}  // namespace mayfly::centrali
