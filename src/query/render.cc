// Queries and plans as indented text.
#include <fmt/format.h>

#include "expr/analyse.h"
#include "expr/render.h"
#include "query/explain.h"

namespace mayfly::query {
namespace {

std::string routing_text(const std::optional<Bytes>& routing) {
  if (!routing) return " of all routings";
  return routing->empty() ? "" : " of routing " + render_literal(Value(*routing));
}

std::string keys_text(const std::vector<DocumentKey>& keys) {
  constexpr std::size_t shown_max = 3;
  std::string out;
  for (std::size_t i = 0; i < std::min(keys.size(), shown_max); ++i) {
    if (i > 0) out += ", ";
    out += render_literal(Value(keys[i].id));
  }
  if (keys.size() > shown_max) out += fmt::format(", … ({} in all)", keys.size());
  return out;
}

std::string line_of(const Scan& n) {
  return "scan " + n.collection->name + routing_text(n.routing) +
         (n.lens.shows_trash ? " with trash" : "");
}

std::string line_of(const Lookup& n) {
  std::string out = "lookup " + n.collection->name + ":";
  for (const DocumentKey& key : n.keys) {
    out += ' ' + (key.routing.empty() ? "" : render_literal(Value(key.routing)) + "/") +
           render_literal(Value(key.id));
  }
  return out + (n.lens.shows_trash ? " with trash" : "");
}

std::string line_of(const Values& n) {
  std::string out = "values";
  for (const Value& row : n.rows) out += ' ' + render_literal(row);
  return out;
}

std::string line_of(const Outer&) {
  return "outer";
}

template <class Tree>
std::string line_of(const FilterOf<Tree>& n) {
  return "filter " + render(*n.condition);
}
template <class Tree>
std::string line_of(const ProjectOf<Tree>& n) {
  return "project " + render(*n.value);
}
template <class Tree>
std::string line_of(const UnnestOf<Tree>& n) {
  return fmt::format("unnest ${} in {}", n.slot, render(*n.over));
}

std::string order_text(const std::vector<SortKey>& keys, Ties ties) {
  std::string out;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    out += (i > 0 ? ", " : "") + render(*keys[i].value) +
           (keys[i].is_descending ? " descending" : "") +
           (keys[i].null_is_greatest ? " with null greatest" : "");
  }
  if (ties == Ties::ascending) out += ", then by key";
  if (ties == Ties::descending) out += ", then by key descending";
  return out;
}

std::string line_of(const Sort& n) {
  return "sort by " + order_text(n.keys, n.ties);
}
std::string line_of(const PlannedSort& n) {
  std::string out = n.rows_max ? fmt::format("top {} by ", *n.rows_max) : "sort by ";
  if (n.sorts_runs) out = "runs, " + out;
  if (n.one_of_each) out = "one of each, " + out;
  return out + order_text(n.keys, n.ties);
}

template <class Tree>
std::string line_of(const GroupOf<Tree>& n) {
  std::string out = "group";
  for (std::size_t i = 0; i < n.keys.size(); ++i) {
    out += (i > 0 ? ", " : " by ") + n.keys[i].name + ": " + render(*n.keys[i].value);
  }
  for (std::size_t i = 0; i < n.aggregates.size(); ++i) {
    const NamedAggregate& a = n.aggregates[i];
    out += fmt::format("{}{}: {}({})", i > 0 ? ", " : " into ", a.name, a.aggregate->name,
                       render(*a.value));
  }
  return out;
}

template <class Tree>
std::string line_of(const SliceOf<Tree>& n) {
  if (!n.limit) return fmt::format("skip {}", n.offset);
  return n.offset == 0 ? fmt::format("take {}", *n.limit)
                       : fmt::format("skip {}, take {}", n.offset, *n.limit);
}

std::string line_of(const Distinct&) {
  return "distinct";
}
std::string line_of(const PlannedDistinct& n) {
  return n.is_sorted ? "distinct, as sorted" : "distinct";
}
template <class Tree>
std::string line_of(const ConcatOf<Tree>&) {
  return "concat";
}

std::string path_text(const Access& n, const KeyScan& path) {
  const char* word = n.lens.shows_trash ? "trash" : n.is_current ? "scan" : "history";
  return fmt::format("{} {}{}{}", word, n.collection->name, routing_text(n.routing),
                     path.reverse ? ", backwards" : "");
}

std::string path_text(const Access& n, const Points& path) {
  return fmt::format("point {}: {}", n.collection->name, keys_text(path.keys));
}

std::string path_text(const Access& n, const IndexScan& path) {
  return fmt::format("index {} of {}{}{}{}", path.index.name, n.collection->name,
                     routing_text(n.routing), path.reverse ? ", backwards" : "",
                     path.may_repeat ? ", each document once" : "");
}

std::string line_of(const Access& n) {
  std::string out = std::visit([&](const auto& path) { return path_text(n, path); }, n.path);
  if (n.served && !std::holds_alternative<Points>(n.path)) out += ": " + render(*n.served);
  return out;
}

// Whether the reason for a path is shown.
enum class Reasons { hidden, shown };

// The lines that stand below the node's own: of an access path, its residual condition and its
// reason.
std::vector<std::string> lines_below(const Access& n, Reasons reasons) {
  std::vector<std::string> lines;
  if (n.residual) lines.push_back("where " + render(*n.residual));
  if (reasons == Reasons::shown) lines.push_back("because " + n.reason);
  return lines;
}
template <class Node>
std::vector<std::string> lines_below(const Node&, Reasons) {
  return {};
}

// One node a line.
template <class Tree>
void append_lines(const Tree& tree, Reasons reasons, std::size_t depth, std::string& out) {
  const auto append = [&](std::size_t deeper, const std::string& line) {
    out.append((depth + deeper) * 2, ' ');
    out += line + '\n';
  };
  std::visit(
      [&](const auto& node) {
        append(0, line_of(node));
        for (const std::string& line : lines_below(node, reasons)) append(1, line);
      },
      tree.node);
  for (const auto& input : inputs_of(tree)) append_lines(*input, reasons, depth + 1, out);
}

template <class Tree>
std::string lines_of(const Tree& tree, Reasons reasons) {
  std::string out;
  append_lines(tree, reasons, 0, out);
  return out;
}

void foreign_identities(const Expr& e, std::string& out) {
  const auto* foreign = e.as<expr::Foreign>();
  if (foreign && !foreign->identity.empty()) out += foreign->identity + '\n';
  for_each_operand(e, [&](const Expr& operand) { foreign_identities(operand, out); });
}

// The collection that the node names. That of an Access is not part of the identity.
CollectionPtr collection_in(const Scan& n) {
  return n.collection;
}
CollectionPtr collection_in(const Lookup& n) {
  return n.collection;
}
template <class Node>
CollectionPtr collection_in(const Node&) {
  return nullptr;
}

// Appends what two trees may differ in although their lines are the same.
template <class Tree>
void append_unrendered(const Tree& tree, std::string& out) {
  const CollectionPtr collection =
      std::visit([](const auto& node) { return collection_in(node); }, tree.node);
  if (collection) out += std::to_string(collection->id) + '\n';
  for (const ExprPtr& e : expressions_of(tree)) foreign_identities(*e, out);
  for (const auto& input : inputs_of(tree)) append_unrendered(*input, out);
}

template <class Tree>
std::string with_unrendered(const Tree& tree) {
  std::string text = render(tree);
  append_unrendered(tree, text);
  return text;
}

}  // namespace

std::string render(const Query& query) {
  return lines_of(query, Reasons::hidden);
}
std::string render(const PlanTree& tree) {
  return lines_of(tree, Reasons::hidden);
}

std::string explain(const Plan& plan) {
  return lines_of(*plan.root, Reasons::shown);
}

std::string identity(const Query& query) {
  return with_unrendered(query);
}
std::string identity(const PlanTree& tree) {
  return with_unrendered(tree);
}

std::uint64_t fingerprint(const Query& query) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : identity(query))
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace mayfly::query
