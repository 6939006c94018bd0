// Expansion: a record is shown with the records that its references name, as data._expanded.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialect/centrali/limits.h"
#include "dialect/centrali/records/find.h"
#include "expr/evaluation/meter.h"

namespace mayfly::centrali {

// Which references are followed: fields of the data by name, each with the references of its
// target.
struct ExpandTree {
  std::map<std::string, ExpandTree, std::less<>> fields;
};
// "author,author.company", with or without "data." before each. Fails with invalid if a path is
// empty or longer than limits::expand_depth_max.
Result<ExpandTree> parse_expand(std::string_view text);
// [{"relation": "author", "include": […]}, "author.company"]
Result<ExpandTree> parse_include(const Value& include, const std::string& place);

// The records that a page's references lead to. The view outlives it.
class Expansion {
 public:
  Expansion(CentraliCall& call, View& view, ExpandTree tree, const Meter& meter)
      : call_(call), view_(view), tree_(std::move(tree)), meter_(meter) {}

  // Reads the records that the documents of one structure refer to. Fails with invalid if a path
  // names a property that is no reference, with too_large over limits::expanded_records_max or
  // limits::query_bytes_max of bodies, and as the meter.
  Result<void> resolve(const StructurePtr& structure, const std::vector<Document>& documents);

  // Appends "_expanded":{…} as a member of the document's data; nothing if no path applies. A
  // reference that leads to no record (any more) is null. A record is shown at each mention of it,
  // so `out`, the whole answer, is bounded here: after limits::query_bytes_max nothing more is
  // appended, and outcome() fails.
  void render(const Document& document, std::string& out) const;
  // Whether everything rendered so far is complete. Fails with too_large, and as the meter.
  Result<void> outcome() const;
  bool is_empty() const { return tree_.fields.empty(); }

 private:
  using RecordReference = std::pair<std::string, std::string>;  // target, id
  struct Level;

  Result<void> resolve(const StructurePtr& structure, const std::vector<Document>& documents,
                       const ExpandTree& tree);
  Result<void> read(const std::string& target, const std::vector<std::string>& ids);
  Result<std::string> target_of(const Structure& structure, const std::string& field) const;
  void render_members(const Structure& structure, const Document& document, const ExpandTree& tree,
                      std::string& out) const;
  void render_one(const std::string& target, const Value& id, const ExpandTree& tree,
                  std::string& out) const;
  bool may_go_on(const std::string& out) const;

  CentraliCall& call_;
  View& view_;
  ExpandTree tree_;
  StructurePtr structure_;
  std::map<RecordReference, std::optional<FoundRecord>> found_;
  std::size_t bytes_read_ = 0;  // of the bodies of found_
  mutable Meter meter_;
  mutable std::optional<Error> failure_;  // of rendering
};

}  // namespace mayfly::centrali
