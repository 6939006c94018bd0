#include "dialect/fauna/run/weight.h"

#include <cstdint>

#include "dialect/fauna/run/bound.h"
#include "dialect/fauna/run/closure.h"
#include "dialect/fauna/sets/set.h"

namespace mayfly::fauna {
namespace {

constexpr std::size_t bytes_of_step = 256;

Result<void> weigh_into(Run& run, const FqlValue& value, std::size_t& weight);

// What a set is made of, as a cursor holds it.
struct WeighNode {
  Run& run;
  std::size_t& weight;

  Result<void> add(const SetPtr& set) const {
    TRY(run.meter().tick());
    ++weight;
    return std::visit(*this, set->node);
  }
  Result<void> add(const CallablePtr& function) const {
    ++weight;
    if (const auto* closure = dynamic_cast<const Closure*>(function.get())) {
      return add(closure->captured());
    }
    const auto* bound = dynamic_cast<const BoundMethod*>(function.get());
    return bound == nullptr ? Result<void>() : weigh_into(run, bound->self(), weight);
  }
  Result<void> add(const std::vector<FqlValue>& values) const {
    for (const FqlValue& value : values) TRY(weigh_into(run, value, weight));
    return {};
  }

  template <class Node>
  Result<void> operator()(const Node& node) const {
    if constexpr (requires { node.in; }) TRY(add(node.in));
    if constexpr (requires { node.by; }) TRY(add(node.by));
    if constexpr (requires { node.predicate; }) TRY(add(node.predicate));
    if constexpr (requires { node.items; }) TRY(add(*node.items));
    if constexpr (requires { node.terms; }) TRY(add(node.terms));
    if constexpr (requires { node.keys; }) {
      for (const SetOrdering& key : node.keys) TRY(add(key.by));
    }
    if constexpr (requires { node.second; }) {
      TRY(add(node.first));
      TRY(add(node.second));
    }
    return {};
  }
};

// Adds to `weight`.
Result<void> weigh_into(Run& run, const FqlValue& value, std::size_t& weight) {
  TRY(run.meter().tick());
  switch (value.kind()) {
    case FqlKind::text: weight += value.text().size(); return step_bytes(run, value.text().size());
    case FqlKind::bytes:
      weight += value.bytes().size();
      return step_bytes(run, value.bytes().size());
    case FqlKind::array:
      weight += 2;
      for (const FqlValue& item : value.array()) TRY(weigh_into(run, item, weight));
      return {};
    case FqlKind::object:
      weight += 2;
      for (const auto& [name, member] : value.object().members()) {
        weight += name.size();
        TRY(weigh_into(run, member, weight));
      }
      return {};
    case FqlKind::set: return WeighNode{run, weight}.add(value.set());
    case FqlKind::function: return WeighNode{run, weight}.add(value.function());
    default: ++weight; return {};
  }
}

}  // namespace

Result<std::size_t> weigh(Run& run, const FqlValue& value) {
  std::size_t weight = 0;
  TRY(weigh_into(run, value, weight));
  return weight;
}

Result<void> step_bytes(Run& run, std::size_t bytes) {
  return run.meter().tick(static_cast<std::uint32_t>(bytes / bytes_of_step));
}

}  // namespace mayfly::fauna
