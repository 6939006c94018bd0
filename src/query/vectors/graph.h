// VectorGraph: vectors of one length, each under a number, linked to their neighbors. A search
// finds most of the nearest vectors, not all, so the caller compares the vectors themselves. Each
// distinct vector is stored once: many equal vectors would link only to each other, and vectors
// beyond them would not be found.
//
// Threads: put() and remove() need exclusive access; any number of threads may use the rest.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"

namespace mayfly::query {

enum class VectorMetric : std::uint8_t { cosine, dot_product, euclidean };

class VectorGraph {
 public:
  VectorGraph(std::size_t dimensions, VectorMetric metric);
  ~VectorGraph();
  VectorGraph(const VectorGraph&) = delete;
  VectorGraph& operator=(const VectorGraph&) = delete;

  // Adds the vector under that number, or replaces the one there. Fails with too_large when memory
  // is exhausted.
  Result<void> put(std::uint32_t number, std::span<const float> vector);
  // A number without a vector is not an error. The memory of the vector is not freed; put() under
  // the same number uses it again.
  void remove(std::uint32_t number);

  // The same bytes for vectors that the graph does not distinguish, and different bytes for all
  // others.
  Bytes identity_of(std::span<const float> vector) const;
  // The numbers of up to `count` near vectors, the nearest first. `vector` has the graph's length.
  std::vector<std::uint32_t> near(std::span<const float> vector, std::size_t count) const;

  std::size_t dimensions() const;
  // About how many bytes of memory so many vectors take.
  static std::size_t bytes_of(std::size_t vectors, std::size_t dimensions);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mayfly::query
