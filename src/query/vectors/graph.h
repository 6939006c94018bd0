// VectorGraph: vectors of one length, each under a number, and which of them are near another. It
// answers with most of the nearest, not all; who asks looks at the vectors themselves. A vector
// stands in it once: many equal ones would link to each other alone, and what lies behind them
// would not be found.
//
// Threads: one at a time for put() and remove(), while no other asks; any number for the rest.
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

  // In place of what has been under that number. Fails with too_large where memory is at its end.
  Result<void> put(std::uint32_t number, std::span<const float> vector);
  void remove(std::uint32_t number);

  // The same for vectors that the graph does not tell apart, and another one for all others.
  Bytes identity_of(std::span<const float> vector) const;
  // Numbers of near ones, the nearest first; fewer where there are not as many.
  std::vector<std::uint32_t> near(std::span<const float> vector, std::size_t count) const;

  std::size_t dimensions() const;
  // What it takes for so many vectors, about.
  static std::size_t bytes_of(std::size_t vectors, std::size_t dimensions);

 private:
  struct Own;
  std::unique_ptr<Own> own_;
};

}  // namespace mayfly::query
