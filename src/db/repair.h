// Mending a database after rows of it were lost (store/repair.h): what can be made of the rest is
// made anew, so that no answer contradicts another.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.h"
#include "store/store.h"

namespace mayfly {

struct Mended {
  std::size_t collections = 0;
  std::size_t indexes = 0;  // filled anew out of the documents
  // Those that could not be, with the reason; they are gone.
  std::vector<std::string> dropped_indexes;
};

// Takes the store for itself and closes it at the end. Its instants go on from the newest commit.
// Fails as Database::open().
Result<Mended> mend(std::unique_ptr<store::Store> store);

}  // namespace mayfly
