// Memory of large blocks (bodies, answers, what waits for clients) goes back to the system when it
// is freed. Left to itself the allocator keeps such blocks in its heap after the first ones were
// freed, and one that lives on keeps all of the heap before it resident.
#pragma once

#include <malloc.h>

namespace mayfly {

// Smaller blocks are taken too often for a call of the system each: a scan takes a block for every
// page, twice limits::store_page_bytes_max at most.
inline constexpr int large_block_bytes_min = 1 << 20;

// What each of the allocator's heaps keeps free at its end for the next request. The bound above
// ends its own rule for that, and then every query would give its memory back and take it again.
inline constexpr int heap_end_bytes_max = 4 << 20;

// For the whole process, before its threads begin.
inline void give_large_blocks_back() {
  mallopt(M_MMAP_THRESHOLD, large_block_bytes_min);
  mallopt(M_TRIM_THRESHOLD, heap_end_bytes_max);
}

}  // namespace mayfly
