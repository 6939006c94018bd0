// NameTable: finds equal names among many in time that grows with their number only, whatever names
// a client picks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mayfly {

// Views are kept, not copied: they must outlive the table.
class NameTable {
 public:
  explicit NameTable(std::size_t names_expected);

  // The number of the equal name that was added before; or nothing, and the name is added with the
  // next number.
  std::optional<std::size_t> add(std::string_view name);
  std::optional<std::size_t> find(std::string_view name) const;
  std::size_t size() const { return names_.size(); }

 private:
  std::size_t slot_of(std::string_view name) const;
  void grow();

  std::vector<std::string_view> names_;
  std::vector<std::uint32_t> slots_;  // number + 1; 0 is empty; none at all while the names are few
};

}  // namespace mayfly
