#include "dialect/cosmos/scripts/allocations.h"

#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include "dialect/cosmos/limits.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view library_name = "libmozjs";
// A look costs less than what it takes to fill so much memory.
constexpr std::size_t bytes_between_looks = 4 << 20;
// Above the tables that the library cannot do without.
constexpr std::size_t large_piece_bytes = 1 << 20;

thread_local Allocations* counting = nullptr;

// Whether the thread's script may have so much more.
bool is_granted(std::size_t bytes) {
  Allocations* const own = counting;
  if (own == nullptr) return true;
  const bool is_large = bytes >= large_piece_bytes;
  if (is_large && (bytes > limits::script_burst_bytes_max ||
                   own->bytes > limits::script_burst_bytes_max - bytes)) {
    return false;
  }
  own->bytes += bytes;
  if (own->bytes >= bytes_between_looks) own->ask_for_look(own->asked);
  return true;
}

void* counted_malloc(std::size_t bytes) {
  return is_granted(bytes) ? std::malloc(bytes) : nullptr;
}

void* counted_calloc(std::size_t count, std::size_t each) {
  std::size_t bytes = 0;
  const bool fits = !__builtin_mul_overflow(count, each, &bytes);
  return fits && is_granted(bytes) ? std::calloc(count, each) : nullptr;
}

void* counted_realloc(void* piece, std::size_t bytes) {
  const std::size_t before = piece == nullptr ? 0 : malloc_usable_size(piece);
  const bool is_allowed = bytes <= before || is_granted(bytes - before);
  return is_allowed ? std::realloc(piece, bytes) : nullptr;
}

// --- finding the calls ---

template <class T>
T* at(ElfW(Addr) address) {
  return reinterpret_cast<T*>(address);
}

// The library calls functions of other libraries through slots that hold their addresses.
struct Counted {
  std::string_view name;
  void* by;
  bool is_found = false;
};
std::array counted{Counted{"malloc", reinterpret_cast<void*>(&counted_malloc)},
                   Counted{"calloc", reinterpret_cast<void*>(&counted_calloc)},
                   Counted{"realloc", reinterpret_cast<void*>(&counted_realloc)}};

// Where they lie, and which of them the loader has made read-only.
struct Slots {
  const ElfW(Sym) * symbols = nullptr;
  const char* names = nullptr;
  std::span<const ElfW(Rela)> rows[2];
  ElfW(Addr) base = 0;
  ElfW(Addr) read_only_from = 0;
  ElfW(Addr) read_only_to = 0;
};

void fill(Counted& function, ElfW(Addr) slot, const Slots& slots) {
  const auto page_bytes = static_cast<ElfW(Addr)>(sysconf(_SC_PAGESIZE));
  void* const page = at<void>(slot / page_bytes * page_bytes);
  const bool is_read_only = slot >= slots.read_only_from && slot < slots.read_only_to;
  if (is_read_only && mprotect(page, page_bytes, PROT_READ | PROT_WRITE) != 0) return;
  std::memcpy(at<void>(slot), &function.by, sizeof function.by);
  function.is_found = !is_read_only || mprotect(page, page_bytes, PROT_READ) == 0;
}

void read_dynamic(const ElfW(Dyn) * row, Slots& slots) {
  const ElfW(Rela) * first[2] = {};
  std::size_t bytes[2] = {};
  for (; row->d_tag != DT_NULL; ++row) {
    switch (row->d_tag) {
      case DT_SYMTAB: slots.symbols = at<const ElfW(Sym)>(row->d_un.d_ptr); break;
      case DT_STRTAB: slots.names = at<const char>(row->d_un.d_ptr); break;
      case DT_RELA: first[0] = at<const ElfW(Rela)>(row->d_un.d_ptr); break;
      case DT_RELASZ: bytes[0] = row->d_un.d_val; break;
      case DT_JMPREL: first[1] = at<const ElfW(Rela)>(row->d_un.d_ptr); break;
      case DT_PLTRELSZ: bytes[1] = row->d_un.d_val; break;
      default: break;
    }
  }
  for (const int i : {0, 1}) slots.rows[i] = {first[i], bytes[i] / sizeof(ElfW(Rela))};
}

Slots slots_of(const dl_phdr_info& library) {
  Slots slots{.base = library.dlpi_addr};
  for (const auto& part : std::span(library.dlpi_phdr, library.dlpi_phnum)) {
    const ElfW(Addr) start = slots.base + part.p_vaddr;
    if (part.p_type == PT_DYNAMIC) read_dynamic(at<const ElfW(Dyn)>(start), slots);
    if (part.p_type != PT_GNU_RELRO) continue;
    slots.read_only_from = start;
    slots.read_only_to = start + part.p_memsz;
  }
  return slots;
}

// Ends the walk over the libraries at the one that is meant.
int look_at(dl_phdr_info* library, std::size_t, void*) {
  if (std::string_view(library->dlpi_name).find(library_name) == std::string_view::npos) return 0;
  const Slots slots = slots_of(*library);
  for (const auto& rows : slots.rows) {
    for (const ElfW(Rela) & row : rows) {
      const auto symbol = ELF64_R_SYM(row.r_info);
      if (symbol == 0) continue;
      const std::string_view name = slots.names + slots.symbols[symbol].st_name;
      for (Counted& function : counted) {
        if (function.name == name) fill(function, slots.base + row.r_offset, slots);
      }
    }
  }
  return 1;
}

}  // namespace

bool count_allocations() {
  dl_iterate_phdr(look_at, nullptr);
  return std::all_of(counted.begin(), counted.end(),
                     [](const Counted& function) { return function.is_found; });
}

Allocations* count_in(Allocations* allocations) {
  return std::exchange(counting, allocations);
}

}  // namespace mayfly::cosmos
