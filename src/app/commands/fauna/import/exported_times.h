// Which collections of an export have documents with times that an import would have to keep.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace mayfly::app {

// The collections in `names` that have a document with a `ts` in the files. Stops reading a file
// once nothing more can be found in it. Ignores text that is no document.
Result<std::set<std::string>> collections_with_times(const std::vector<std::string>& files,
                                                     const std::set<std::string>& names);

}  // namespace mayfly::app
