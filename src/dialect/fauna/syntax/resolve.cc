#include "dialect/fauna/syntax/resolve.h"

#include <unordered_map>
#include <vector>

namespace mayfly::fauna {
namespace {

// The names of one frame while its body is walked. A name that is bound again hides the binding
// before, for as long as its block lasts.
struct FrameNames {
  FrameNames* around = nullptr;
  Lambda* lambda = nullptr;  // null for the outermost frame
  std::unordered_map<std::string, std::vector<std::uint32_t>> slots = {};
  std::uint32_t size = 0;

  std::uint32_t bind(const std::string& name) {
    if (!name.empty()) slots[name].push_back(size);
    return size++;
  }
  // The slot of a name; one that a frame around binds is captured, by each lambda in between.
  std::optional<std::uint32_t> find(const std::string& name) {
    const auto bound = slots.find(name);
    if (bound != slots.end() && !bound->second.empty()) return bound->second.back();
    const auto from = around == nullptr ? std::nullopt : around->find(name);
    if (!from) return std::nullopt;
    const std::uint32_t to = bind(name);
    lambda->captures.push_back({*from, to, name});
    return to;
  }
};

class Resolver {
 public:
  explicit Resolver(FrameNames& frame) : frame_(frame) {}

  void walk(const ExpressionPtr& tree) {
    if (tree) std::visit(*this, tree->node);
  }
  void walk(const ExpressionList& trees) {
    for (const ExpressionPtr& tree : trees) walk(tree);
  }

  void operator()(Literal&) {}
  void operator()(Variable& variable) { variable.slot = frame_.find(variable.name); }
  void operator()(TextTemplate& text) {
    for (const auto& part : text.parts) {
      if (const auto* const tree = std::get_if<ExpressionPtr>(&part)) walk(*tree);
    }
  }
  void operator()(ObjectOf& object) {
    for (const ObjectField& field : object.fields) walk(field.value);
  }
  void operator()(ArrayOf& array) { walk(array.items); }
  void operator()(Block& block) {
    std::vector<std::string> bound;
    for (auto& statement : block.statements) {
      auto* const let = std::get_if<Let>(&statement);
      walk(let == nullptr ? std::get<ExpressionPtr>(statement) : let->value);
      if (let == nullptr) continue;
      let->slot = frame_.bind(let->name);
      bound.push_back(let->name);
    }
    for (const std::string& name : bound) frame_.slots[name].pop_back();
  }
  void operator()(If& whole) {
    walk(whole.condition);
    walk(whole.yes);
    walk(whole.no);
  }
  void operator()(At& whole) {
    walk(whole.time);
    walk(whole.body);
  }
  void operator()(Lambda& lambda) {
    FrameNames inner{&frame_, &lambda};
    for (const Parameter& parameter : lambda.parameters) inner.bind(parameter.name);
    Resolver(inner).walk(lambda.body);
    lambda.frame_size = inner.size;
  }
  void operator()(Chain& chain) {
    walk(chain.receiver);
    for (Step& step : chain.steps) {
      if (auto* const index = std::get_if<IndexStep>(&step.what)) walk(index->arguments);
      if (auto* const call = std::get_if<CallStep>(&step.what)) walk(call->arguments);
      if (auto* const method = std::get_if<MethodStep>(&step.what)) walk(method->arguments);
    }
  }
  void operator()(Unary& unary) { walk(unary.operand); }
  void operator()(Operations& operations) {
    walk(operations.first);
    for (const Operation& operation : operations.rest) walk(operation.operand);
  }
  void operator()(Projection& projection) {
    walk(projection.of);
    walk(projection.element);
  }

 private:
  FrameNames& frame_;
};

}  // namespace

void resolve(Program& program, std::span<const std::string> arguments) {
  FrameNames outermost;
  for (std::uint32_t i = 0; i < program.values; ++i) outermost.bind(value_name(i));
  for (const std::string& argument : arguments) outermost.bind(argument);
  Resolver(outermost).walk(program.root);
  program.frame_size = outermost.size;
}

}  // namespace mayfly::fauna
