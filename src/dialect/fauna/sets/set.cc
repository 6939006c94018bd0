#include "dialect/fauna/sets/set.h"

#include <fmt/format.h>

#include "dialect/fauna/limits.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/sets/cursors/cursor.h"
#include "value/order/order.h"

namespace mayfly::fauna {
namespace {

// `{ from, to }`; nullopt if the value is no range.
std::optional<IdRange> range_in(const FqlValue& value) {
  if (!value.is(FqlKind::object) || value.object().empty()) return std::nullopt;
  IdRange range;
  for (const auto& [name, bound] : value.object().members()) {
    if (name == "from") {
      range.from = bound;
    } else if (name == "to") {
      range.to = bound;
    } else {
      return std::nullopt;
    }
  }
  return range;
}

Result<IdRange> range_of(Interpreter& run, const FqlValue& value) {
  if (auto range = range_in(value)) return *std::move(range);
  return run.fail_argument("range",
                           "should be an object contining `{ from }`, `{ to }`, or `{ from, to }` "
                           "fields");
}

Result<FqlValue> id_bound(Interpreter& run, const FqlValue& input, std::string_view name) {
  if (input.is(FqlKind::document)) return FqlValue(Id{input.document()->id});
  if (input.is(FqlKind::id)) return input;
  if (input.is(FqlKind::whole)) return FqlValue(Id{std::to_string(input.whole().number)});
  const bool is_number = input.is(FqlKind::text) && !input.text().empty() &&
                         input.text().find_first_not_of("0123456789") == std::string::npos;
  if (is_number) return FqlValue(Id{input.text()});
  return run.fail_argument("range", fmt::format("The `{}` field must be a document id.", name));
}

Result<std::optional<FqlArray>> bound_of(Interpreter& run, const std::optional<FqlValue>& input,
                                         std::string_view name, std::size_t values) {
  if (!input) return std::nullopt;
  FqlArray bound = input->is(FqlKind::array) ? input->array() : FqlArray{*input};
  if (values == 0 && bound.size() == 1) bound[0] = TRY(id_bound(run, bound[0], name));
  if (bound.size() > std::max<std::size_t>(values, 1)) {
    return run.fail_argument(
        "range", fmt::format("The field `{}` can have at most {} values", name, values));
  }
  return bound;
}

// The depth of the contents of a node.
struct DepthOf {
  static std::uint16_t of(const SetPtr& set) { return set->depth; }
  static std::uint16_t of(const CallablePtr& function) { return function->depth(); }
  static std::uint16_t of(const FqlArray& values) {
    std::uint16_t deepest = 0;
    for (const FqlValue& value : values) deepest = std::max(deepest, value.depth());
    return deepest;
  }

  static std::uint16_t of(const std::optional<FqlArray>& values) {
    return values ? of(*values) : std::uint16_t{0};
  }
  static std::uint16_t of(const std::optional<FqlValue>& value) {
    return value ? value->depth() : std::uint16_t{0};
  }

  std::uint16_t operator()(const FqlSet::All& all) const {
    return std::max(of(all.from), of(all.to));
  }
  std::uint16_t operator()(const FqlSet::IndexRead& read) const {
    return std::max({of(read.terms), of(read.from), of(read.to)});
  }
  std::uint16_t operator()(const FqlSet::Where& where) const {
    return std::max(of(where.in), of(where.predicate));
  }
  std::uint16_t operator()(const FqlSet::Mapped& mapped) const {
    return std::max(of(mapped.in), of(mapped.by));
  }
  std::uint16_t operator()(const FqlSet::FlatMapped& flat) const {
    return std::max(of(flat.in), of(flat.by));
  }
  std::uint16_t operator()(const FqlSet::Ordered& ordered) const {
    std::uint16_t deepest = of(ordered.in);
    for (const SetOrdering& key : ordered.keys) {
      if (key.by) deepest = std::max(deepest, of(key.by));
    }
    return deepest;
  }
  std::uint16_t operator()(const FqlSet::Concat& concat) const {
    return std::max(of(concat.first), of(concat.second));
  }
  std::uint16_t operator()(const FqlSet::Items& items) const { return of(*items.items); }
  template <class Node>
  std::uint16_t operator()(const Node& node) const {
    if constexpr (requires { node.in; }) return of(node.in);
    return 0;
  }
};

}  // namespace

FqlSet::FqlSet(Node made_of, std::optional<Instant> as_of)
    : node(std::move(made_of)),
      at(as_of),
      depth(static_cast<std::uint16_t>(std::min(std::visit(DepthOf(), node) + 1, UINT16_MAX))) {}

SetPtr FqlSet::over(const SetPtr& in, Node node) {
  auto made = std::make_shared<FqlSet>(std::move(node), in->at);
  made->page_size = in->page_size;
  return made;
}

SetPtr FqlSet::mapped(const SetPtr& in, CallablePtr by, bool is_projection) {
  return over(in, Mapped{in, std::move(by), is_projection});
}

Result<FqlValue> set_value(Run& run, SetPtr set) {
  TRY(run.make(sizeof(FqlSet)));
  FqlValue value(std::move(set));
  TRY(run.check_depth(value));
  return value;
}

SetPtr input_of(const FqlSet& set) {
  return std::visit(
      [](const auto& node) -> SetPtr {
        if constexpr (requires { node.in; }) return node.in;
        return nullptr;
      },
      set.node);
}

Result<bool> equal_sets(Run& run, const FqlSet& a, const FqlSet& b) {
  if (&a == &b) return true;
  constexpr std::size_t bytes_max = limits::fql_result_bytes_max;
  const auto left = encode_set(run, a, bytes_max);
  if (!left && left.error().code != Code::unsupported) return tl::unexpected(left.error());
  const auto right = encode_set(run, b, bytes_max);
  if (!right && right.error().code != Code::unsupported) return tl::unexpected(right.error());
  return left && right && order(*left, *right) == 0;
}

Result<IdRange> id_range(Interpreter& run, const FqlValue& range) {
  IdRange input = TRY(range_of(run, range));
  if (input.from) input.from = TRY(id_bound(run, *input.from, "from"));
  if (input.to) input.to = TRY(id_bound(run, *input.to, "to"));
  return input;
}

Result<FqlValue> read_index(Interpreter& run, const std::string& collection,
                            const std::string& index, std::span<const FqlValue> arguments) {
  TRY(run.check_effect(Effect::read, index));
  const FqlCollectionPtr of = TRY(run.usable_collection(collection));
  if (!run.at() && TRY(run.permissions().reading(*of, {})).is_never()) {
    return run.fail_denied_reading(*of);
  }
  const IndexDefinition* const definition = of->definition->find_index(index);
  if (definition == nullptr) {
    return run.fail("invalid_index_invocation",
                    fmt::format("The index `{}.{}` is not queryable.", of->name, index));
  }
  const std::size_t terms = definition->terms.size();
  const bool has_range = arguments.size() == terms + 1;
  if (arguments.size() != terms && !has_range) {
    return run.fail("invalid_function_invocation",
                    fmt::format("callee function expects {}, but {} {} provided.",
                                Arity{terms, terms + 1}.text(), arguments.size(),
                                arguments.size() == 1 ? "was" : "were"));
  }
  FqlSet::IndexRead read{.collection = of->name,
                         .index = index,
                         .terms = {},
                         .is_of_query = !run.permissions().uses_other_role()};
  read.terms.assign(arguments.begin(), arguments.begin() + static_cast<std::ptrdiff_t>(terms));
  if (has_range) {
    const IdRange range = TRY(range_of(run, arguments.back()));
    read.from = TRY(bound_of(run, range.from, "from", definition->values.size()));
    read.to = TRY(bound_of(run, range.to, "to", definition->values.size()));
  }
  if (of->core == nullptr || of->core->find_index(core_index_name(*definition)) == nullptr) {
    if (!definition->terms.empty() || !definition->values.empty()) {
      return run.fail("invalid_index_invocation",
                      fmt::format("The index `{}.{}` is not queryable.", of->name, index));
    }
  }
  return set_value(run, std::move(read), run.at());
}

}  // namespace mayfly::fauna
