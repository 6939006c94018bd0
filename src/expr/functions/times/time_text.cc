// Arithmetic on times that are texts (ticks.h).
#include <algorithm>

#include "expr/functions/families.h"
#include "expr/functions/times/ticks.h"

namespace mayfly {
namespace {

namespace calendar = std::chrono;

constexpr Int128 nanos_per_tick = 100;

std::int64_t months_of(const CivilTime& t) {
  return static_cast<int>(t.date.year()) * std::int64_t{12} +
         static_cast<unsigned>(t.date.month()) - 1;
}

std::int64_t ticks_of_day(const CivilTime& t) {
  return ((t.hour * 60 + t.minute) * 60 + t.second) * ticks_per_second + t.fraction;
}

// The time n months later, on the same day of the month or else its last; nullopt outside the years
// 0001 to 9999.
std::optional<Ticks> months_later(Ticks from, Int128 n) {
  const CivilTime t = civil(from);
  const Int128 months = months_of(t) + n;
  if (months < 12 || months >= Int128{12} * 10'000) return std::nullopt;
  const calendar::year year{static_cast<int>(months / 12)};
  const calendar::month month{static_cast<unsigned>(months % 12) + 1};
  const calendar::day last = (year / month / calendar::last).day();
  const calendar::sys_days days = year / month / std::min(t.date.day(), last);
  return Ticks{days.time_since_epoch().count() * ticks_per_day + ticks_of_day(t)};
}

Result<Value> add_to_time(const Arguments& a) {
  const TimePart* part = time_part_of(a[0]);
  const auto n = whole_number(a[1]);
  const auto t = ticks_of(a[2]);
  if (part == nullptr || !n || !t) return Value();
  if (part->months == 0) {
    return render_ticks(t->count + Int128{*n} * part->nanos / nanos_per_tick);
  }
  const auto later = months_later(*t, Int128{*n} * part->months);
  return later ? render_ticks(later->count) : Value();
}

// How many boundaries of the part lie between the two.
Result<Value> difference(const Arguments& a) {
  const TimePart* part = time_part_of(a[0]);
  const auto from = ticks_of(a[1]);
  const auto to = ticks_of(a[2]);
  if (part == nullptr || !from || !to) return Value();
  if (part->months != 0) {
    return months_of(civil(*to)) / part->months - months_of(civil(*from)) / part->months;
  }
  const auto boundaries = [&](Ticks t) {
    return floor_divide(t.count * nanos_per_tick, part->nanos);
  };
  const Int128 crossed = boundaries(*to) - boundaries(*from);
  const auto whole = static_cast<std::int64_t>(crossed);
  return whole == crossed ? Value(whole) : Value(static_cast<double>(crossed));
}

// --- bins ---

std::optional<Ticks> bin_of_months(Ticks t, Ticks origin, Int128 months) {
  const Int128 difference_from_origin = months_of(civil(t)) - months_of(civil(origin));
  const Int128 bin = floor_divide(difference_from_origin, months);
  const auto start = months_later(origin, bin * months);
  if (!start || start->count <= t.count) return start;
  return months_later(origin, (bin - 1) * months);
}

Result<Value> bin_of_time(const Arguments& a) {
  const auto t = ticks_of(a[0]);
  const TimePart* part = time_part_of(a[1]);
  const auto size = a.size() > 2 ? whole_number(a[2]) : 1;
  const auto origin = a.size() > 3 ? ticks_of(a[3]) : Ticks{0};
  if (!t || part == nullptr || !size || *size <= 0 || !origin) return Value();
  if (part->months != 0) {
    const auto start = bin_of_months(*t, *origin, Int128{*size} * part->months);
    return start ? render_ticks(start->count) : Value();
  }
  const Int128 nanos = Int128{*size} * part->nanos;
  const Int128 difference_from_origin = (Int128{t->count} - origin->count) * nanos_per_tick;
  const Int128 start = floor_divide(difference_from_origin, nanos) * nanos;
  return render_ticks(origin->count + floor_divide(start, nanos_per_tick));
}

Result<Value> is_time_text(const Arguments& a) {
  return Value(ticks_of(a[0]).has_value());
}

}  // namespace

std::span<const Function> time_text_functions() {
  static const Function table[] = {
      {.name = "is_time_text",
       .summary = "Whether it is a text that says a day, or a day and a time.",
       .arguments_min = 1,
       .arguments_max = 1,
       .apply = is_time_text,
       .examples = {{R"("2026-03-06")", "true"},
                    {R"("2026-03-06Z")", "true"},
                    {R"("2026-03-06 15:29:00Z")", "true"},
                    {R"("2026-03-06T15:29:59.1234567")", "true"},
                    {R"("2026-03-06T15:29:59.")", "false"},
                    {R"("2026-03-06T15:29:59.12345678")", "false"},
                    {R"("2026-03-06T15:29")", "false"},
                    {R"("2026-3-6")", "false"},
                    {R"("2026-02-29")", "false"},
                    {"2026", "false"},
                    {"missing", "false"}},
       .gives_truth = true,
       .is_never_missing = true},
      n_ary("time_text_add", 3, 3,
            "So many years, months, days … nanoseconds later. A part is named by its name or "
            "yyyy, mm, dd, hh, mi, ss, ms, mcs, ns.",
            add_to_time,
            {{R"("yyyy", 1, "2020-07-03T00:00:00.0000000")", R"("2021-07-03T00:00:00.0000000Z")"},
             {R"("mm", -1, "2020-07-31")", R"("2020-06-30T00:00:00.0000000Z")"},
             {R"("hour", 1, "2020-07-03T23:30:00Z")", R"("2020-07-04T00:30:00.0000000Z")"},
             {R"("ss", -25, "2020-07-03T00:00:00")", R"("2020-07-02T23:59:35.0000000Z")"},
             {R"("ns", 250, "2020-07-03T00:00:00")", R"("2020-07-03T00:00:00.0000002Z")"},
             {R"("year", 8000, "2020-07-03")", "missing"},
             {R"("week", 1, "2020-07-03")", "missing"},
             {R"("dd", 0.5, "2020-07-03")", "missing"},
             {R"("dd", 1, "3 July")", "missing"}}),
      {.name = "time_text_difference",
       .summary = "How many beginnings of that part lie between the first time and the second.",
       .arguments_min = 3,
       .arguments_max = 3,
       .apply = difference,
       .examples =
           {{R"("yyyy", "2018-03-05T05:00:00.0000000", "2019-02-04T16:00:00.0000000")", "1"},
            {R"("mm", "2018-03-05T05:00:00.0000000", "2019-02-04T16:00:00.0000000")", "11"},
            {R"("dd", "2018-03-05T05:00:00.0000000", "2019-02-04T16:00:00.0000000")", "336"},
            {R"("hh", "2018-03-05T05:00:00.0000000", "2019-02-04T16:00:00.0000000")", "8075"},
            {R"("yyyy", "2019-02-04T16:00:00.0000000", "2018-03-05T05:00:00.0000000")", "-1"},
            {R"("dd", "1970-01-01T00:00:01", "1969-12-31T23:59:59")", "-1"},
            {R"("ss", "2018-03-05", "x")", "missing"}}},
      n_ary("time_text_bin", 2, 4,
            "The beginning of the bin that a time lies in; bins are so many parts (1 if no number "
            "is given) long, counted from a time (1970-01-01 if none is given).",
            bin_of_time,
            {{R"("2021-01-08T18:35:00.0000000", "hh")", R"("2021-01-08T18:00:00.0000000Z")"},
             {R"("2021-01-08T18:35:00.0000000", "dd")", R"("2021-01-08T00:00:00.0000000Z")"},
             {R"("2021-01-08T18:35:00.0000000", "dd", 7)", R"("2021-01-07T00:00:00.0000000Z")"},
             {R"("2021-01-08T18:35:00.0000000", "dd", 7, "1601-01-01T00:00:00.0000000")",
              R"("2021-01-04T00:00:00.0000000Z")"},
             {R"("2021-05-08T18:35:00", "mm", 3)", R"("2021-04-01T00:00:00.0000000Z")"},
             {R"("2021-05-08", "yy", 1, "2000-06-01")", R"("2020-06-01T00:00:00.0000000Z")"},
             {R"("2021-01-08", "dd", 0)", "missing"},
             {R"("2021-01-08", "dd", 1, "x")", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
