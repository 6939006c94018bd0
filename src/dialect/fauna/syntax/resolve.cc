#include "dialect/fauna/syntax/resolve.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <vector>

#include "dialect/fauna/limits.h"

namespace mayfly::fauna {
namespace {

// The number of lambdas that enclose a frame.
using FrameDepth = std::uint32_t;

// The slot of a name in one frame.
struct Binding {
  FrameDepth frame = 0;
  std::uint32_t slot = 0;
};

struct BoundName {
  std::uint32_t index = 0;             // index in Program::names
  std::vector<Binding> bindings = {};  // from the outermost frame to the innermost
};

// A frame while its body is walked.
struct OpenFrame {
  Lambda* lambda = nullptr;  // null for the outermost frame
  std::uint32_t size = 0;
  std::vector<BoundName*> bound = {};  // parameters and captures, which last as long as the frame
};

class Resolver {
 public:
  Resolver(Program& program, std::size_t captures_max)
      : program_(program), captures_max_(captures_max), remaining_captures_(captures_max) {}

  std::optional<Diagnostic> resolve(std::span<const std::string> arguments) {
    for (std::uint32_t i = 0; i < program_.values; ++i) bind_for_frame(value_name(i));
    for (const std::string& argument : arguments) bind_for_frame(argument);
    walk(program_.root);
    program_.frame_size = frames_.back().size;
    return std::move(fault_);
  }

  void walk(const ExpressionPtr& tree) {
    if (!tree || fault_) return;
    at_ = tree->span;
    std::visit(*this, tree->node);
  }
  void walk(const ExpressionList& trees) {
    for (const ExpressionPtr& tree : trees) walk(tree);
  }

  void operator()(Literal&) {}
  void operator()(Variable& variable) { variable.slot = find(variable.name); }
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
    std::vector<BoundName*> bound;
    for (auto& statement : block.statements) {
      auto* const let = std::get_if<Let>(&statement);
      walk(let == nullptr ? std::get<ExpressionPtr>(statement) : let->value);
      if (let == nullptr) continue;
      bound.push_back(&named(let->name));
      let->slot = bind(*bound.back());
    }
    unbind(bound);
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
    frames_.push_back({&lambda});
    for (const Parameter& parameter : lambda.parameters) bind_for_frame(parameter.name);
    walk(lambda.body);
    lambda.captures.shrink_to_fit();
    lambda.frame_size = frames_.back().size;
    unbind(frames_.back().bound);
    frames_.pop_back();
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
  FrameDepth depth() const { return static_cast<FrameDepth>(frames_.size() - 1); }

  BoundName& named(const std::string& name) {
    const auto known = names_.find(name);
    if (known != names_.end()) return known->second;
    const auto index = static_cast<std::uint32_t>(program_.names.size());
    program_.names.push_back(name);
    return names_.emplace(name, BoundName{index}).first->second;
  }

  // A new binding of a name hides the previous one until it is unbound.
  std::uint32_t bind(BoundName& name) { return bind(name, depth()); }
  std::uint32_t bind(BoundName& name, FrameDepth frame) {
    const std::uint32_t slot = frames_[frame].size++;
    name.bindings.push_back({frame, slot});
    return slot;
  }
  void bind_for_frame(const std::string& name) {
    if (name.empty()) {
      ++frames_.back().size;
      return;
    }
    BoundName& bound = named(name);
    bind(bound);
    frames_.back().bound.push_back(&bound);
  }
  static void unbind(const std::vector<BoundName*>& names) {
    for (BoundName* const name : names) name->bindings.pop_back();
  }

  // The slot of a name. If an enclosing frame binds it, each lambda in between captures it.
  std::optional<std::uint32_t> find(const std::string& name) {
    const auto known = names_.find(name);
    if (known == names_.end() || known->second.bindings.empty()) return std::nullopt;
    BoundName& bound = known->second;
    const Binding from = bound.bindings.back();
    if (depth() - from.frame > remaining_captures_) {
      refuse();
      return std::nullopt;
    }
    std::uint32_t slot = from.slot;
    for (FrameDepth frame = from.frame + 1; frame < frames_.size(); ++frame) {
      const std::uint32_t to = bind(bound, frame);
      frames_[frame].bound.push_back(&bound);
      frames_[frame].lambda->captures.push_back({slot, to, bound.index});
      --remaining_captures_;
      slot = to;
    }
    return slot;
  }

  void refuse() {
    fault_ = error_at(
        at_, fmt::format("The lambdas of the text take more than {} variables from around them",
                         captures_max_));
  }

  Program& program_;
  const std::size_t captures_max_;
  std::size_t remaining_captures_;
  std::map<std::string, BoundName, std::less<>> names_;
  std::vector<OpenFrame> frames_{OpenFrame{}};
  Span at_ = {};
  std::optional<Diagnostic> fault_;
};

}  // namespace

std::optional<Diagnostic> resolve(Program& program, std::span<const std::string> arguments) {
  const std::size_t captures_max = std::min(
      limits::fql_captures_max, limits::fql_captures_of_any_text + program.source->text.size() +
                                    limits::fql_captures_of_argument * arguments.size());
  return Resolver(program, captures_max).resolve(arguments);
}

}  // namespace mayfly::fauna
