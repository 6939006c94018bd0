// Cron expressions: one is refused with the name of its field, or each next time is later. In a
// zone without changes of the clocks that time also matches the expression.
#include "dialect/centrali/triggers/schedules/cron.h"

#include "dialect/centrali/functions/limits.h"
#include "fuzz.h"

namespace mayfly::fuzz {

void run(BytesView input) {
  using centrali::Cron;
  const auto cron = Cron::parse(input);
  if (!cron) {
    CHECK(cron.error().code == Code::invalid && cron.error().field == "cronExpression");
    return;
  }
  CHECK(input.size() <= limits::cron_bytes_max);
  static const centrali::ZonePtr utc = *centrali::find_zone("UTC");
  static const centrali::ZonePtr berlin = *centrali::find_zone("Europe/Berlin");
  constexpr int times = 4;
  Instant fits = Instant::from_seconds(1'772'186'400);  // 2026-02-27T10:00:00Z
  Instant goes_on = fits;
  for (int i = 0; i < times; ++i) {
    const Instant next = cron->next(fits, *utc);
    CHECK(next > fits && !next.is_never());
    CHECK(cron->matches(utc->civil(next)));
    fits = next;
    const Instant there = cron->next(goes_on, *berlin);
    CHECK(there > goes_on && !there.is_never());
    goes_on = there;
  }
}

}  // namespace mayfly::fuzz
