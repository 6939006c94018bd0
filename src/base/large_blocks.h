// Memory of large blocks (bodies, answers, what waits for clients) goes back to the system when it
// is freed. Left to itself the allocator keeps such blocks in its heap after the first ones were
// freed, and one that lives on keeps all of the heap before it resident.
#pragma once

#include <malloc.h>

namespace mayfly {

// Smaller blocks are taken too often for a call of the system each.
inline constexpr int large_block_bytes_min = 256 << 10;

// For the whole process, before its threads begin.
inline void give_large_blocks_back() {
  mallopt(M_MMAP_THRESHOLD, large_block_bytes_min);
}

}  // namespace mayfly
