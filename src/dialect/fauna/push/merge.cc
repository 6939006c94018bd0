#include "dialect/fauna/push/merge.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "dialect/fauna/push/items.h"

namespace mayfly::fauna {
namespace {

using ItemName = std::pair<std::string_view, std::string>;  // kind and name

ItemName name_of_item(const fsl::Item& item) {
  return {kind_of(item).name, item.name.text};
}

std::set<ItemName> names_of_items(const std::vector<fsl::File>& files) {
  std::set<ItemName> names;
  for (const fsl::File& file : files) {
    for (const fsl::Item& item : file.items) names.insert(name_of_item(item));
  }
  return names;
}

// The texts of a file's items that are not in the set, with the comments above them.
std::string kept_items(const fsl::File& file, const std::set<ItemName>& replaced) {
  std::string kept;
  for (const fsl::Item& item : file.items) {
    if (replaced.contains(name_of_item(item))) continue;
    const std::size_t begin = item.comment_span.begin;
    if (!kept.empty()) kept += '\n';
    kept += file.source->text.substr(begin, item.span.end - begin) + "\n";
  }
  return kept;
}

}  // namespace

Result<SchemaFiles> merged_files(const SchemaFiles& active, SchemaFiles new_files) {
  const std::set<ItemName> replaced = names_of_items(TRY(parse_files(new_files)));
  for (const fsl::File& file : TRY(parse_files(active))) {
    const std::string kept = kept_items(file, replaced);
    if (kept.empty()) continue;
    const auto there = std::find_if(
        new_files.begin(), new_files.end(),
        [&](const SchemaFile& candidate) { return candidate.name == file.source->name; });
    if (there == new_files.end()) {
      new_files.push_back({file.source->name, kept});
    } else {
      there->content += (there->content.ends_with('\n') ? "\n" : "\n\n") + kept;
    }
  }
  std::sort(new_files.begin(), new_files.end(),
            [](const SchemaFile& a, const SchemaFile& b) { return a.name < b.name; });
  return new_files;
}

}  // namespace mayfly::fauna
