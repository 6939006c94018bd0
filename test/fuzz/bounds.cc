// Measures what a run costs. Memory is counted by the sanitizer's hooks if there is a sanitizer,
// else by operator new. Time is the processor's, so other programs on the machine do not lengthen
// it.
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <new>
#include <vector>

#include "fuzz.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define MAYFLY_HAS_MALLOC_HOOKS 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define MAYFLY_HAS_MALLOC_HOOKS 1
#endif
#endif

#ifdef MAYFLY_HAS_MALLOC_HOOKS
// Of the sanitizers' runtime; g++ comes without the header that says so.
extern "C" {
std::size_t __sanitizer_get_allocated_size(const volatile void* place);
int __sanitizer_install_malloc_and_free_hooks(void (*taken)(const volatile void*, std::size_t),
                                              void (*given_back)(const volatile void*));
}
#else
#include <malloc.h>
#endif

namespace {

std::atomic<std::size_t> bytes_held{0};
std::atomic<std::size_t> bytes_held_most{0};

void count_taken(std::size_t bytes) {
  const std::size_t held = bytes_held.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  if (held > bytes_held_most.load(std::memory_order_relaxed)) {
    bytes_held_most.store(held, std::memory_order_relaxed);
  }
}

void count_given_back(std::size_t bytes) {
  bytes_held.fetch_sub(bytes, std::memory_order_relaxed);
}

}  // namespace

#ifdef MAYFLY_HAS_MALLOC_HOOKS

namespace {

void taken(const volatile void* place, std::size_t) {
  count_taken(__sanitizer_get_allocated_size(place));
}
void given_back(const volatile void* place) {
  if (place != nullptr) count_given_back(__sanitizer_get_allocated_size(place));
}
[[maybe_unused]] const int are_installed =
    __sanitizer_install_malloc_and_free_hooks(taken, given_back);

}  // namespace

#else

void* operator new(std::size_t bytes) {
  void* place = std::malloc(bytes == 0 ? 1 : bytes);
  if (place == nullptr) throw std::bad_alloc();
  count_taken(malloc_usable_size(place));
  return place;
}
void operator delete(void* place) noexcept {
  if (place != nullptr) count_given_back(malloc_usable_size(place));
  std::free(place);
}
void operator delete(void* place, std::size_t) noexcept {
  operator delete(place);
}

#endif

namespace mayfly::fuzz {

void run_within_bounds(BytesView input) {
  const std::vector<char> exact(input.begin(), input.end());
  const std::clock_t begin = std::clock();
  const std::size_t before = bytes_held.load(std::memory_order_relaxed);
  bytes_held_most.store(before, std::memory_order_relaxed);
  run({exact.data(), exact.size()});
  const std::size_t most = bytes_held_most.load(std::memory_order_relaxed);
  const bool keeps_within_run_bytes_max = most - before <= run_bytes_max;
  CHECK(keeps_within_run_bytes_max);
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const bool keeps_within_run_seconds_max = seconds <= run_seconds_max;
  CHECK(keeps_within_run_seconds_max);
}

}  // namespace mayfly::fuzz
