// Which collections of an export have documents whose times would have to be kept.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/result.h"

namespace mayfly::app {

// Those of `names` of which the files have a document with a `ts`. Reads each file up to where
// nothing more can be found. What is no document is no failure here.
Result<std::set<std::string>> collections_with_times(const std::vector<std::string>& files,
                                                     const std::set<std::string>& names);

}  // namespace mayfly::app
