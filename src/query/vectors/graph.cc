// The only user of hnswlib. Its header defines functions, so it is included in one file only.
#include "query/vectors/graph.h"

#include <hnswlib/hnswlib.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <string>

#include "base/check.h"
#include "base/crypto/crypto.h"
#include "query/vectors/limits.h"

namespace mayfly::query {
namespace {

using Hnsw = hnswlib::HierarchicalNSW<float>;
constexpr std::size_t initial_capacity = 1'024;

std::unique_ptr<hnswlib::SpaceInterface<float>> space_of(std::size_t dimensions,
                                                         VectorMetric metric) {
  if (metric == VectorMetric::dot_product) {
    return std::make_unique<hnswlib::InnerProductSpace>(dimensions);
  }
  return std::make_unique<hnswlib::L2Space>(dimensions);
}

// Among vectors of equal length, the nearest one has the smallest angle.
std::vector<float> unit(std::span<const float> vector) {
  double squares = 0;
  for (const float x : vector) squares += static_cast<double>(x) * x;
  const double length = std::sqrt(squares);
  std::vector<float> made(vector.begin(), vector.end());
  if (length > 0) {
    for (float& x : made) x = static_cast<float>(x / length);
  }
  return made;
}

}  // namespace

struct VectorGraph::Impl {
  std::size_t dimensions;
  VectorMetric metric;
  std::unique_ptr<hnswlib::SpaceInterface<float>> space;
  Hnsw graph;

  Impl(std::size_t d, VectorMetric m)
      : dimensions(d),
        metric(m),
        space(space_of(d, m)),
        graph(space.get(), initial_capacity, limits::vector_links_max, limits::vector_build_width) {
    graph.setEf(limits::vector_search_width);
  }

  std::vector<float> normalized(std::span<const float> vector) const {
    CHECK(vector.size() == dimensions);
    if (metric == VectorMetric::cosine) return unit(vector);
    return {vector.begin(), vector.end()};
  }
};

VectorGraph::VectorGraph(std::size_t dimensions, VectorMetric metric)
    : impl_(std::make_unique<Impl>(dimensions, metric)) {}
VectorGraph::~VectorGraph() = default;

Result<void> VectorGraph::put(std::uint32_t number, std::span<const float> vector) {
  const std::vector<float> normalized = impl_->normalized(vector);
  Hnsw& graph = impl_->graph;
  try {
    if (graph.cur_element_count == graph.max_elements_) {
      graph.resizeIndex(graph.max_elements_ + graph.max_elements_ / 4);
    }
    graph.addPoint(normalized.data(), number);
  } catch (const std::exception& error) {
    return fail(Code::too_large, std::string("the graph of vectors: ") + error.what());
  }
  return {};
}

void VectorGraph::remove(std::uint32_t number) {
  try {
    impl_->graph.markDelete(number);
  } catch (const std::exception&) {
    // The number is not in the graph, or was removed before.
  }
}

Bytes VectorGraph::identity_of(std::span<const float> vector) const {
  std::vector<float> normalized = impl_->normalized(vector);
  for (float& x : normalized) x += 0.0F;  // zero has one sign
  return sha256(
      {reinterpret_cast<const char*>(normalized.data()), normalized.size() * sizeof(float)});
}

std::vector<std::uint32_t> VectorGraph::near(std::span<const float> vector,
                                             std::size_t count) const {
  std::vector<std::uint32_t> numbers;
  if (impl_->graph.cur_element_count == 0) return numbers;
  const std::vector<float> normalized = impl_->normalized(vector);
  auto found = impl_->graph.searchKnn(normalized.data(), count);
  for (; !found.empty(); found.pop()) {
    numbers.push_back(static_cast<std::uint32_t>(found.top().second));
  }
  std::reverse(numbers.begin(), numbers.end());  // the farthest was on top
  return numbers;
}

std::size_t VectorGraph::dimensions() const {
  return impl_->dimensions;
}

std::size_t VectorGraph::bytes_of(std::size_t vectors, std::size_t dimensions) {
  // The lowest level has twice as many links; a sixteenth of the vectors is on a higher level. The
  // rest is the number, the lock, two copies of the identity, and spare room for a quarter more.
  constexpr std::size_t beside = 240;
  return vectors * (dimensions * sizeof(float) +
                    (2 * limits::vector_links_max + 2) * sizeof(std::uint32_t) + beside);
}

}  // namespace mayfly::query
