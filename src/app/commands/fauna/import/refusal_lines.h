// What is printed of documents that are skipped: the first few of each reason, and of the others
// how many there were.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mayfly::app {

class RefusalLines {
 public:
  // Whether the refusal has a line of its own. `reason`: "User 12: why", or "why" where the
  // document is not known; that of another document of the collection is the same reason.
  bool shows(const std::string& reason);
  // A line for each reason that had more refusals than are shown, by collection and reason.
  std::vector<std::string> summary() const;

 private:
  std::map<std::string, std::uint64_t> counts_;  // by reason, without the id
};

}  // namespace mayfly::app
