// Returns the memory of large blocks (bodies, responses, unsent data) to the system when it is
// freed. By default, the allocator begins to keep such blocks in its heap once some have been
// freed, and then one long-lived block keeps the whole heap before it resident.
#pragma once

#include <malloc.h>

namespace mayfly {

// Smaller blocks are allocated too often for a system call each: a scan allocates a block for every
// page, of twice limits::store_page_bytes_max at most.
inline constexpr int large_block_bytes_min = 1 << 20;

// The free memory that the allocator keeps at the end of each of its heaps for later requests. The
// bound above disables the allocator's own rule for that; then every query would return its memory
// and allocate it again.
inline constexpr int heap_end_bytes_max = 4 << 20;

// Applies to the whole process; call it before other threads start.
inline void return_large_blocks() {
  mallopt(M_MMAP_THRESHOLD, large_block_bytes_min);
  mallopt(M_TRIM_THRESHOLD, heap_end_bytes_max);
}

}  // namespace mayfly
