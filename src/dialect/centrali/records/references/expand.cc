#include "dialect/centrali/records/references/expand.h"

#include <set>

#include "base/limits.h"
#include "dialect/centrali/limits.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/structures/actions.h"
#include "value/json/writer.h"

namespace mayfly::centrali {
namespace {

Result<void> add_path(std::string_view path, const std::string& place, ExpandTree& tree) {
  constexpr std::string_view prefix = "data.";
  if (path.starts_with(prefix)) path.remove_prefix(prefix.size());
  ExpandTree* at = &tree;
  for (std::size_t depth = 1;; ++depth) {
    const std::string_view name = path.substr(0, path.find('.'));
    if (name.empty()) return fail(Code::invalid, "a field to expand has no name", place);
    if (depth > limits::expand_depth_max) {
      return fail(
          Code::invalid,
          "references are followed at most " + std::to_string(limits::expand_depth_max) + " deep",
          place);
    }
    at = &at->fields[std::string(name)];
    if (name.size() == path.size()) return {};
    path.remove_prefix(name.size() + 1);
  }
}

Result<void> add_include(const Value& include, const std::string& prefix, const std::string& place,
                         ExpandTree& tree);

Result<void> add_relation(const Value& item, const std::string& prefix, const std::string& place,
                          ExpandTree& tree) {
  if (item.is(Kind::text)) return add_path(prefix + item.text(), place, tree);
  const Value relation = item.member("relation");
  if (!relation.is(Kind::text)) {
    return fail(Code::invalid, place + " names no relation", place + ".relation");
  }
  TRY(add_path(prefix + relation.text(), place, tree));
  const Value further = item.member("include");
  if (further.is_missing() || further.is_null()) return {};
  return add_include(further, prefix + relation.text() + ".", place + ".include", tree);
}

Result<void> add_include(const Value& include, const std::string& prefix, const std::string& place,
                         ExpandTree& tree) {
  if (!include.is(Kind::array)) return fail(Code::invalid, place + " takes a list", place);
  for (std::size_t i = 0; i < include.array().size(); ++i) {
    TRY(add_relation(include.array()[i], prefix, place + "." + std::to_string(i), tree));
  }
  return {};
}

// The ids in a reference, or in an array of them.
std::vector<std::string> ids_in(const Value& value) {
  std::vector<std::string> ids;
  if (value.is(Kind::text)) ids.push_back(value.text());
  if (!value.is(Kind::array)) return ids;
  for (const Value& item : value.array()) {
    if (item.is(Kind::text)) ids.push_back(item.text());
  }
  return ids;
}

Value field_of(const Document& document, std::string_view name) {
  return document.body.member(name);
}

Error too_large() {
  return {Code::too_large, "the expanded records are too large; ask for fewer records or fields",
          "expand"};
}

}  // namespace

Result<ExpandTree> parse_expand(std::string_view text) {
  ExpandTree tree;
  while (!text.empty()) {
    const std::string_view path = text.substr(0, text.find(','));
    text.remove_prefix(std::min(path.size() + 1, text.size()));
    TRY(add_path(path, "expand", tree));
  }
  return tree;
}

Result<ExpandTree> parse_include(const Value& include, const std::string& place) {
  ExpandTree tree;
  TRY(add_include(include, "", place, tree));
  return tree;
}

// The target of the field's property; empty if it may be any structure.
Result<std::string> Expansion::target_of(const Structure& structure,
                                         const std::string& field) const {
  const Shape* property = structure.shape.find(field);
  if (property == nullptr && structure.mode != Structure::Mode::strict) return std::string();
  if (property != nullptr && !property->items.empty()) property = &property->items.front();
  if (property != nullptr && is_reference(*property)) return target_name(*property);
  return fail(Code::invalid, "'" + field + "' is no reference of '" + structure.name + "'",
              "expand");
}

Result<void> Expansion::read(const std::string& target, const std::vector<std::string>& ids) {
  const auto workspace = call_.directory.workspace(view_.catalog_ptr(), call_.workspace);
  Candidates candidates;
  if (const StructurePtr one = target.empty() ? nullptr : workspace->find(target)) {
    candidates.push_back({one, true});
  }
  for (const std::string& id : ids) {
    TRY(meter_.tick());
    const auto [at, is_new] = found_.try_emplace({target, id});
    if (!is_new || !check(DocumentKey::of(id))) continue;
    if (found_.size() > limits::expanded_records_max) {
      return fail(Code::too_large,
                  "one request expands at most " + std::to_string(limits::expanded_records_max) +
                      " records; ask for a smaller page",
                  "expand");
    }
    if (target.empty()) candidates = candidates_in(*workspace, id);
    auto record = find_record(candidates, id, view_, view_.live());
    if (record) {
      bytes_read_ += record->document.body.bytes().size();
      if (bytes_read_ > limits::query_bytes_max) return tl::unexpected(too_large());
      at->second = *std::move(record);
    } else if (record.error().code != Code::not_found) {
      return tl::unexpected(std::move(record).error());
    }
  }
  return {};
}

Result<void> Expansion::resolve(const StructurePtr& structure,
                                const std::vector<Document>& documents) {
  structure_ = structure;
  return resolve(structure, documents, tree_);
}

Result<void> Expansion::resolve(const StructurePtr& structure,
                                const std::vector<Document>& documents, const ExpandTree& tree) {
  for (const auto& [field, further] : tree.fields) {
    const std::string target = TRY(target_of(*structure, field));
    std::map<StructurePtr, std::vector<Document>> next;
    std::set<const FoundRecord*> seen;  // the references of a record are followed once
    for (const Document& document : documents) {
      TRY(meter_.tick());
      const auto ids = ids_in(field_of(document, field));
      TRY(read(target, ids));
      if (further.fields.empty()) continue;
      for (const std::string& id : ids) {
        const auto& found = found_.at({target, id});
        if (found && seen.insert(&*found).second) {
          next[found->structure].push_back(found->document);
        }
      }
    }
    for (const auto& [at, found] : next) TRY(resolve(at, found, further));
  }
  return {};
}

void Expansion::render(const Document& document, std::string& out) const {
  render_members(*structure_, document, tree_, out);
}

void Expansion::render_members(const Structure& structure, const Document& document,
                               const ExpandTree& tree, std::string& out) const {
  JsonWriter json(out);
  json.name("_expanded").begin_object();
  for (const auto& [field, further] : tree.fields) {
    if (failure_) return;
    json.name(field);
    // A path that does not apply has failed in resolve().
    const std::string target = target_of(structure, field).value_or("");
    const Value value = field_of(document, field);
    if (!value.is(Kind::array)) {
      render_one(target, value, further, out);
      continue;
    }
    json.begin_array();
    for (const Value& id : value.array()) render_one(target, id, further, out);
    json.end_array();
  }
  json.end_object();
}

Result<void> Expansion::outcome() const {
  if (failure_) return tl::unexpected(*failure_);
  return {};
}

bool Expansion::may_go_on(const std::string& out) const {
  if (failure_) return false;
  if (out.size() > limits::query_bytes_max) {
    failure_ = too_large();
  } else if (auto ticked = meter_.tick(); !ticked) {
    failure_ = std::move(ticked).error();
  }
  return !failure_;
}

void Expansion::render_one(const std::string& target, const Value& id, const ExpandTree& tree,
                           std::string& out) const {
  if (!may_go_on(out)) return;
  const auto at = id.is(Kind::text) ? found_.find({target, id.text()}) : found_.end();
  if (at == found_.end() || !at->second) return JsonWriter(out).null();
  const FoundRecord& found = *at->second;
  const RecordStyle style{.structure = *found.structure, .workspace = call_.workspace};
  if (tree.fields.empty()) return render_record(found.document, style, out);
  const auto inside = [&](std::string& text) {
    render_members(*found.structure, found.document, tree, text);
  };
  render_record_with(found.document, style, inside, out);
}

}  // namespace mayfly::centrali
