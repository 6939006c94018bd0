// Times that are texts (ticks.h), and their numeric parts.
#include "expr/functions/families.h"
#include "expr/functions/times/ticks.h"

namespace mayfly {
namespace {

namespace calendar = std::chrono;

Result<Value> part(const Arguments& a) {
  const TimePart* part = time_part_of(a[0]);
  const auto t = ticks_of(a[1]);
  return part != nullptr && t ? Value(part->of(civil(*t))) : Value();
}

template <int which>
Result<Value> part_at(const Arguments& a) {
  const auto t = ticks_of(a[0]);
  return t ? Value(time_parts[which].of(civil(*t))) : Value();
}

// --- from and to numbers ---

Result<Value> from_parts(const Arguments& a) {
  std::int64_t numbers[7] = {0, 1, 1, 0, 0, 0, 0};
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto n = whole_number(a[i]);
    if (!n || *n < 0 || *n >= ticks_per_second) return Value();
    numbers[i] = *n;
  }
  const calendar::year_month_day date{calendar::year{static_cast<int>(numbers[0])},
                                      calendar::month{static_cast<unsigned>(numbers[1])},
                                      calendar::day{static_cast<unsigned>(numbers[2])}};
  const bool is_in_range = numbers[0] >= 1 && numbers[0] <= 9'999 && numbers[1] <= 12 &&
                           numbers[2] <= 31 && numbers[3] < 24 && numbers[4] < 60 &&
                           numbers[5] < 60;
  if (!is_in_range || !date.ok()) return Value();
  const std::int64_t seconds = (numbers[3] * 60 + numbers[4]) * 60 + numbers[5];
  return render_ticks(Int128{calendar::sys_days(date).time_since_epoch().count()} * ticks_per_day +
                      seconds * ticks_per_second + numbers[6]);
}

Result<Value> to_ticks(const Arguments& a) {
  const auto t = ticks_of(a[0]);
  return t ? Value(t->count) : Value();
}

Result<Value> to_millis(const Arguments& a) {
  const auto t = ticks_of(a[0]);
  return t ? Value(static_cast<std::int64_t>(floor_divide(t->count, 10'000))) : Value();
}

template <int ticks>
Result<Value> from_number(const Arguments& a) {
  const auto n = whole_number(a[0]);
  return n ? render_ticks(Int128{*n} * ticks) : Value();
}

}  // namespace

std::span<const Function> time_part_functions() {
  static const Function table[] = {
      binary("time_text_part",
             "The year, month, day … of a time; of a part below the second all its fraction.", part,
             {{R"("yyyy", "2016-05-29T08:30:00.1301617")", "2016"},
              {R"("mm", "2016-05-29T08:30:00.1301617")", "5"},
              {R"("d", "2016-05-29T08:30:00.1301617")", "29"},
              {R"("hh", "2016-05-29T08:30:00.1301617")", "8"},
              {R"("n", "2016-05-29T08:30:00.1301617")", "30"},
              {R"("ss", "2016-05-29T08:30:00.1301617")", "0"},
              {R"("ms", "2016-05-29T08:30:00.1301617")", "130"},
              {R"("mcs", "2016-05-29T08:30:00.1301617")", "130161"},
              {R"("ns", "2016-05-29T08:30:00.1301617")", "130161700"},
              {R"("dd", 7)", "missing"}}),
      unary("time_text_year", "The year of a time.", part_at<0>, {{R"("2024-01-10")", "2024"}}),
      unary("time_text_month", "The month of a time.", part_at<1>, {{R"("2024-01-10")", "1"}}),
      unary("time_text_day", "The day of the month of a time.", part_at<2>,
            {{R"("2024-01-10")", "10"}, {R"("1989-03-03T12:12:12.1234567Z")", "3"}}),
      n_ary("time_text_from_parts", 3, 7,
            "The time of a year, month and day, and where given hour, minute, second and "
            "ticks of 100 ns; missing where there is no such time.",
            from_parts,
            {{"2017, 4, 20, 13, 15, 20, 3456789", R"("2017-04-20T13:15:20.3456789Z")"},
             {"2020, 2, 29", R"("2020-02-29T00:00:00.0000000Z")"},
             {"2021, 2, 29", "missing"},
             {"2021, 13, 1", "missing"},
             {"-2000, 1, 1", "missing"},
             {"2021, 1, 1, 24", "missing"},
             {"2021, 1, 1, missing", "missing"}}),
      unary("time_text_to_ticks", "Ticks of 100 ns since 1970-01-01T00:00:00Z.", to_ticks,
            {{R"("2020-07-09T23:20:13.4575530Z")", "15943368134575530"},
             {R"("1969-12-31")", "-864000000000"},
             {R"("x")", "missing"}}),
      unary("time_text_to_millis", "Milliseconds since 1970-01-01T00:00:00Z.", to_millis,
            {{R"("2020-07-09T23:20:13.4575530Z")", "1594336813457"},
             {R"("1969-12-31T23:59:59.9999")", "-1"}}),
      unary("ticks_to_time_text", "The time so many ticks of 100 ns after 1970-01-01T00:00:00Z.",
            from_number<1>,
            {{"15943368134575530", R"("2020-07-09T23:20:13.4575530Z")"},
             {"0.5", "missing"},
             {"9223372036854775807", "missing"}}),
      unary("millis_to_time_text", "The time so many milliseconds after 1970-01-01T00:00:00Z.",
            from_number<10'000>,
            {{"1597360794300", R"("2020-08-13T23:19:54.3000000Z")"},
             {"-11644473600000", R"("1601-01-01T00:00:00.0000000Z")"},
             {R"("0")", "missing"}}),
  };
  return table;
}

}  // namespace mayfly
