#include "dialect/fauna/places.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace mayfly::fauna {
namespace {

std::vector<std::string> split(std::string_view text, char by) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(by), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

}  // namespace

std::string Place::core_name() const {
  return is_root() ? std::string(root_database) : fmt::format("{}", fmt::join(path, "."));
}

Place Place::child(std::string name) const {
  Place place = *this;
  place.path.push_back(std::move(name));
  return place;
}

std::vector<std::string> split_path(std::string_view text) {
  return split(text, '/');
}

Place place_of(std::string_view core_name) {
  return core_name == root_database ? Place{} : Place{split(core_name, '.')};
}

}  // namespace mayfly::fauna
