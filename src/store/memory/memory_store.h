// MemoryStore: the reference engine, simple enough to be obviously right. An ordered map under one
// mutex, with the versions of each key that some open snapshot still needs. For tests, simulation
// and `--data :memory:`; its data is lost with the process.
#pragma once

#include <memory>

#include "store/store.h"

namespace mayfly::store {

std::unique_ptr<Store> open_memory();

}  // namespace mayfly::store
