// NameTable: finds equal names among many. Its time is linear in their number, whatever names a
// client chooses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace mayfly {

// Keeps views, no copies: the texts must outlive the table.
class NameTable {
 public:
  explicit NameTable(std::size_t names_expected);

  // The index of the equal name added before. Otherwise adds the name with the next index and
  // returns nullopt.
  std::optional<std::size_t> add(std::string_view name);
  std::optional<std::size_t> find(std::string_view name) const;
  std::size_t size() const { return names_.size(); }

 private:
  std::size_t slot_of(std::string_view name) const;
  void grow();

  std::vector<std::string_view> names_;
  std::vector<std::uint32_t>
      slots_;  // index + 1; 0: empty; no slots at all while there are few names
};

}  // namespace mayfly
