// Reading and writing JSON numbers.
#include "value/json/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "value/order/order.h"

namespace mayfly {
namespace {

struct NumberParts {
  bool is_number = false;
  std::size_t whole_digits = 0;
  std::size_t fraction_digits = 0;
  bool has_exponent = false;
};

std::size_t count_digits(std::string_view token, std::size_t at) {
  const std::size_t start = at;
  while (at < token.size() && token[at] >= '0' && token[at] <= '9') ++at;
  return at - start;
}

// number := -? (0 | [1-9][0-9]*) (. [0-9]+)? ([eE] [+-]? [0-9]+)?
NumberParts number_parts(std::string_view token) {
  NumberParts parts;
  std::size_t at = !token.empty() && token[0] == '-' ? 1 : 0;
  parts.whole_digits = count_digits(token, at);
  if (parts.whole_digits == 0 || (parts.whole_digits > 1 && token[at] == '0')) return parts;
  at += parts.whole_digits;
  if (at < token.size() && token[at] == '.') {
    parts.fraction_digits = count_digits(token, ++at);
    if (parts.fraction_digits == 0) return parts;
    at += parts.fraction_digits;
  }
  if (at < token.size() && (token[at] == 'e' || token[at] == 'E')) {
    parts.has_exponent = true;
    if (++at < token.size() && (token[at] == '+' || token[at] == '-')) ++at;
    const std::size_t digits = count_digits(token, at);
    if (digits == 0) return parts;
    at += digits;
  }
  parts.is_number = at == token.size();
  return parts;
}

// The exponent as written, limited to a magnitude that no number of digits can compensate.
std::int64_t exponent_of(std::string_view token) {
  const std::size_t exponent_mark = token.find_first_of("eE");
  if (exponent_mark == std::string_view::npos) return 0;
  std::size_t at = exponent_mark + 1;
  const bool negative = token[at] == '-';
  if (token[at] == '-' || token[at] == '+') ++at;
  std::int64_t exponent = 0;
  for (; at < token.size(); ++at) {
    exponent = std::min<std::int64_t>(exponent * 10 + (token[at] - '0'), 1'000'000'000'000);
  }
  return negative ? -exponent : exponent;
}

// Whether a number outside the range of double is too large, rather than too small.
bool is_too_large(std::string_view token, const NumberParts& parts) {
  const std::size_t start = token[0] == '-' ? 1 : 0;
  std::int64_t magnitude = static_cast<std::int64_t>(parts.whole_digits);
  for (std::size_t at = start; at < token.size() && (token[at] == '0' || token[at] == '.'); ++at) {
    if (token[at] == '0') --magnitude;
  }
  return magnitude + exponent_of(token) > 0;
}

NumberFault read_real(std::string_view token, const NumberParts& parts, Value& out) {
  double d = 0;
  const auto read = std::from_chars(token.data(), token.data() + token.size(), d);
  if (read.ec == std::errc::result_out_of_range) {
    if (is_too_large(token, parts)) return NumberFault::too_great;
    d = token[0] == '-' ? -0.0 : 0.0;
  }
  if (!std::isfinite(d)) return NumberFault::too_great;
  out = d;
  return NumberFault::none;
}

// The shortest decimal digits of a finite positive number, and the position of the point: 0.digits
// times 10^point.
struct Decimal {
  char digits[24];
  int count = 0;
  int point = 0;
};

Decimal shortest(double d) {
  char text[40];
  char* end = std::to_chars(text, text + sizeof text, d, std::chars_format::scientific).ptr;
  const char* exponent_mark = std::find(text, end, 'e');
  Decimal decimal;
  for (const char* c = text; c < exponent_mark; ++c) {
    if (*c != '.') decimal.digits[decimal.count++] = *c;
  }
  const char* exponent = exponent_mark[1] == '+' ? exponent_mark + 2 : exponent_mark + 1;
  std::from_chars(exponent, end, decimal.point);
  ++decimal.point;
  return decimal;
}

void put_exponent_form(std::string& out, const Decimal& decimal) {
  out.push_back(decimal.digits[0]);
  if (decimal.count > 1) {
    out.push_back('.');
    out.append(decimal.digits + 1, decimal.count - 1);
  }
  const int exponent = decimal.point - 1;
  out.append(exponent < 0 ? "e" : "e+");
  put_integer(out, exponent);
}

}  // namespace

NumberFault read_number(std::string_view token, Value& out) {
  const NumberParts parts = number_parts(token);
  if (!parts.is_number) return NumberFault::malformed;
  if (parts.fraction_digits == 0 && !parts.has_exponent) {
    std::int64_t n = 0;
    const auto read = std::from_chars(token.data(), token.data() + token.size(), n);
    if (read.ec == std::errc()) {
      out = n;
      return NumberFault::none;
    }
  }
  return read_real(token, parts, out);
}

std::string_view stored_form(std::string_view token) {
  const NumberParts parts = number_parts(token);
  if (!parts.is_number || parts.has_exponent) return {};
  if (parts.fraction_digits == 0) {
    return parts.whole_digits <= 18 && token != "-0" ? token : std::string_view();
  }
  std::size_t fraction_digits = parts.fraction_digits;
  while (fraction_digits > 1 && token.back() == '0') {
    token.remove_suffix(1);
    --fraction_digits;
  }
  // A double reproduces a decimal of up to 15 digits, and no shorter decimal gives the same double.
  // At most six decimal places avoid exponents.
  const bool is_exact = parts.whole_digits + fraction_digits <= 15 && fraction_digits <= 6;
  return is_exact ? token : std::string_view();
}

void put_integer(std::string& out, std::int64_t n) {
  char text[24];
  out.append(text, std::to_chars(text, text + sizeof text, n).ptr);
}

void put_real(std::string& out, double d) {
  if (!std::isfinite(d)) {
    out.append("null");
    return;
  }
  if (d == 0) {
    out.push_back('0');
    return;
  }
  if (d < 0) out.push_back('-');
  const Decimal decimal = shortest(std::fabs(d));
  if (decimal.point > 21 || decimal.point < -5) {
    put_exponent_form(out, decimal);
  } else if (decimal.point <= 0) {
    out.append("0.").append(-decimal.point, '0').append(decimal.digits, decimal.count);
  } else if (decimal.point >= decimal.count) {
    out.append(decimal.digits, decimal.count).append(decimal.point - decimal.count, '0');
  } else {
    out.append(decimal.digits, decimal.point).push_back('.');
    out.append(decimal.digits + decimal.point, decimal.count - decimal.point);
  }
}

void put_stored_real(std::string& out, double d) {
  if (d == 0 && std::signbit(d)) out.push_back('-');
  put_real(out, d);
  // Beyond int64, digits without a point are read as a real as well.
  if (d == std::trunc(d) && d >= -two_to_63 && d < two_to_63) out.append(".0");
}

}  // namespace mayfly
