// Allocations: what the engine's library takes from malloc while a script runs. The library bounds
// the heap in which its objects lie, but not what hangs on them: the text of a string, the elements
// of an array, the bytes of a buffer. One operation may ask for gigabytes of those, and nothing
// looks at the script before it is done. So the library's calls of malloc, calloc and realloc come
// here first. What a thread's script takes is counted; past a bound, large pieces are refused, and
// the library does what it does where there is no memory: the operation fails.
//
// Small pieces are never refused: there are places where the library cannot do without, and would
// end the process.
#pragma once

#include <cstddef>

namespace mayfly::cosmos {

struct Allocations {
  std::size_t bytes = 0;        // taken since somebody has last looked
  void (*ask_for_look)(void*);  // soon; called in the midst of an allocation
  void* asked = nullptr;        // its argument
};

// Makes the library's calls come here; before its first one. False where they are not found.
bool count_allocations();

// Counts this thread's in `allocations` from now on; null: no more. Gives what it was before.
Allocations* count_in(Allocations* allocations);

}  // namespace mayfly::cosmos
