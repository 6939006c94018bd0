// What is printed about skipped documents: the first few for each reason, and the number of the
// others.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mayfly::app {

class RefusalLines {
 public:
  // Whether the refusal gets a line of its own. `reason`: "User 12: why", or "why" if the document
  // is not known. Documents of one collection that differ only in the id share a reason.
  bool shows(const std::string& reason);
  // One line for each reason with more refusals than are shown, by collection and reason.
  std::vector<std::string> summary() const;

 private:
  std::map<std::string, std::uint64_t> counts_;  // by reason, without the id
};

}  // namespace mayfly::app
