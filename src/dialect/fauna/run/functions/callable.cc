#include "dialect/fauna/run/functions/callable.h"

#include <fmt/format.h>

namespace mayfly::fauna {

std::string Arity::text(std::string_view noun) const {
  if (min == 0 && max == 0) return fmt::format("no {}s", noun);
  if (min == 0 && max == any) return fmt::format("any number of {}s", noun);
  const char* const plural = (max == any ? min : max) == 1 ? "" : "s";
  if (max == any) return fmt::format("at least {} {}{}", min, noun, plural);
  if (min == max) return fmt::format("exactly {} {}{}", min, noun, plural);
  if (min + 1 == max) return fmt::format("{} or {} {}s", min, max, noun);
  return fmt::format("between {} and {} {}s", min, max, noun);
}

}  // namespace mayfly::fauna
