// MemoryStore: the obviously right engine. An ordered map under one mutex, each key with the
// versions that some open snapshot still needs. For tests, simulation and `--data :memory:`;
// nothing survives the process.
#pragma once

#include <memory>

#include "store/store.h"

namespace mayfly::store {

std::unique_ptr<Store> open_memory();

}  // namespace mayfly::store
