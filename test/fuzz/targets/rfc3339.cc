// Times in RFC 3339: an accepted time agrees with the C library's calendar, and a rendered one
// reads back.
#include "value/rfc3339.h"

#include <cstdlib>
#include <ctime>

#include "base/limits.h"
#include "fuzz.h"

namespace mayfly::fuzz {
namespace {

int digits(std::string_view text, std::size_t at, std::size_t count) {
  return std::atoi(std::string(text.substr(at, count)).c_str());
}

// Of a text that was taken: what it says, by timegm.
Instant by_calendar(std::string_view text) {
  std::tm fields{};
  fields.tm_year = digits(text, 0, 4) - 1900;
  fields.tm_mon = digits(text, 5, 2) - 1;
  fields.tm_mday = digits(text, 8, 2);
  fields.tm_hour = digits(text, 11, 2);
  fields.tm_min = digits(text, 14, 2);
  fields.tm_sec = digits(text, 17, 2);
  const std::tm written = fields;
  std::int64_t seconds = timegm(&fields);
  // A day that no month has would have become another.
  if (written.tm_sec < 60 && written.tm_hour < 24) {
    CHECK(fields.tm_mon == written.tm_mon && fields.tm_mday == written.tm_mday);
  }
  std::size_t at = 19;
  std::int64_t micros = 0;
  if (text[at] == '.') {
    std::int64_t unit = 100'000;
    for (++at; text[at] >= '0' && text[at] <= '9'; ++at, unit /= 10)
      micros += (text[at] - '0') * unit;
  }
  if (text[at] == '+' || text[at] == '-') {
    CHECK(text.size() == at + 6);
    const int offset = digits(text, at + 1, 2) * 3600 + digits(text, at + 4, 2) * 60;
    seconds -= text[at] == '-' ? -offset : offset;
  } else {
    CHECK((text[at] == 'Z' || text[at] == 'z') && text.size() == at + 1);
  }
  return {seconds * 1'000'000 + micros};
}

void check_instant(Instant t) {
  const Instant shown = std::clamp(t, limits::instant_min, limits::instant_max);
  for (const Fraction fraction : {Fraction::shortest, Fraction::micros}) {
    const auto again = parse_rfc3339(render_rfc3339(t, fraction));
    CHECK(again.has_value() && *again == shown);
  }
  const auto millis = parse_rfc3339(render_rfc3339(t, Fraction::millis));
  CHECK(millis.has_value() && *millis <= shown && shown - *millis < Span::millis(1));
  const auto second = parse_rfc3339(render_rfc3339(t, Fraction::none));
  CHECK(second.has_value() && *second == shown.floor_second());
}

void check_order(Instant a, Instant b) {
  const std::string left = render_rfc3339(a, Fraction::micros);
  const std::string right = render_rfc3339(b, Fraction::micros);
  CHECK((left < right) == (std::clamp(a, limits::instant_min, limits::instant_max) <
                           std::clamp(b, limits::instant_min, limits::instant_max)));
}

}  // namespace

void run(BytesView input) {
  if (const auto t = parse_rfc3339(input)) {
    CHECK(*t >= limits::instant_min && *t <= limits::instant_max);
    CHECK(*t == by_calendar(input));
    check_instant(*t);
    CHECK(parse_date(input.substr(0, 10)).has_value());
  }
  if (const auto date = parse_date(input)) {
    CHECK(input.size() == 10 && render_date(*date) == input);
    CHECK(parse_rfc3339(Bytes(input) + "T00:00:00Z")->micros == date->days * 86'400'000'000);
  }
  Reader in(input);
  const Instant a{in.i64()}, b{in.i64()};
  check_instant(a);
  check_order(a, b);
  const auto date = parse_date(render_date(Date{static_cast<std::int32_t>(in.u32())}));
  CHECK(date.has_value());
}

}  // namespace mayfly::fuzz
