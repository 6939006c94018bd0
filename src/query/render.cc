// Queries and plans as indented text.
#include <fmt/format.h>

#include "expr/analyse.h"
#include "expr/render.h"
#include "query/explain.h"
#include "query/query.h"

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

std::string line_of(const Filter& n) {
  return "filter " + render(*n.condition);
}
std::string line_of(const Project& n) {
  return "project " + render(*n.value);
}
std::string line_of(const Unnest& n) {
  return fmt::format("unnest ${} in {}", n.slot, render(*n.over));
}

std::string line_of(const Sort& n) {
  std::string out = n.rows_max ? fmt::format("top {} by ", *n.rows_max) : "sort by ";
  if (n.sorts_runs) out = "runs, " + out;
  if (n.one_of_each) out = "one of each, " + out;
  for (std::size_t i = 0; i < n.keys.size(); ++i) {
    out += (i > 0 ? ", " : "") + render(*n.keys[i].value) +
           (n.keys[i].is_descending ? " descending" : "") +
           (n.keys[i].null_is_greatest ? " with null greatest" : "");
  }
  if (n.ties == Ties::ascending) out += ", then by key";
  if (n.ties == Ties::descending) out += ", then by key descending";
  return out;
}

std::string line_of(const Group& n) {
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

std::string line_of(const Slice& n) {
  if (!n.limit) return fmt::format("skip {}", n.offset);
  return n.offset == 0 ? fmt::format("take {}", *n.limit)
                       : fmt::format("skip {}, take {}", n.offset, *n.limit);
}

std::string line_of(const Distinct& n) {
  return n.is_sorted ? "distinct, as sorted" : "distinct";
}
std::string line_of(const Concat&) {
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

// One node a line. Below an access path stand its residual condition, and its reason if shown.
enum class Reasons { hidden, shown };
void render(const Query& query, Reasons reasons, std::size_t depth, std::string& out) {
  const auto line = [&](std::size_t deeper, const std::string& text) {
    out.append((depth + deeper) * 2, ' ');
    out += text + '\n';
  };
  line(0, std::visit([](const auto& node) { return line_of(node); }, query.node));
  if (const auto* access = query.as<Access>()) {
    if (access->residual) line(1, "where " + render(*access->residual));
    if (reasons == Reasons::shown) line(1, "because " + access->reason);
  }
  for (const QueryPtr& input : inputs_of(query)) render(*input, reasons, depth + 1, out);
}

void foreign_identities(const Expr& e, std::string& out) {
  const auto* foreign = e.as<expr::Foreign>();
  if (foreign && !foreign->identity.empty()) out += foreign->identity + '\n';
  for_each_operand(e, [&](const Expr& operand) { foreign_identities(operand, out); });
}

// Appends what two queries may differ in although render() shows them alike.
void append_unrendered(const Query& query, std::string& out) {
  CollectionPtr collection;
  if (const auto* scan = query.as<Scan>()) collection = scan->collection;
  if (const auto* lookup = query.as<Lookup>()) collection = lookup->collection;
  if (collection) out += std::to_string(collection->id) + '\n';
  for (const ExprPtr& e : expressions_of(query)) foreign_identities(*e, out);
  for (const QueryPtr& input : inputs_of(query)) append_unrendered(*input, out);
}

}  // namespace

std::string render(const Query& query) {
  std::string out;
  render(query, Reasons::hidden, 0, out);
  return out;
}

std::string explain(const Plan& plan) {
  std::string out;
  render(*plan.root, Reasons::shown, 0, out);
  return out;
}

std::string identity(const Query& query) {
  std::string text = render(query);
  append_unrendered(query, text);
  return text;
}

std::uint64_t fingerprint(const Query& query) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  for (const char c : identity(query))
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace mayfly::query
