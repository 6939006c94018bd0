#include "dialect/fauna/database_path.h"

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

std::string DatabasePath::core_name() const {
  return is_root() ? std::string(root_database) : fmt::format("{}", fmt::join(names, "."));
}

DatabasePath DatabasePath::child(std::string name) const {
  DatabasePath database_path = *this;
  database_path.names.push_back(std::move(name));
  return database_path;
}

std::vector<std::string> split_path(std::string_view text) {
  return split(text, '/');
}

DatabasePath database_path_of(std::string_view core_name) {
  return core_name == root_database ? DatabasePath{} : DatabasePath{split(core_name, '.')};
}

}  // namespace mayfly::fauna
