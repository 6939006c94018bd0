#include "store/store.h"

namespace mayfly::store {

void Rows::append(BytesView key, BytesView value, Version version) {
  entries_.push_back({arena_.size(), static_cast<std::uint32_t>(key.size()),
                      static_cast<std::uint32_t>(value.size()), version});
  arena_.insert(arena_.end(), key.begin(), key.end());
  arena_.insert(arena_.end(), value.begin(), value.end());
}

}  // namespace mayfly::store
