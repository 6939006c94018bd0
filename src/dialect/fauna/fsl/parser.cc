#include "dialect/fauna/fsl/parser.h"

#include <fmt/format.h>

#include <map>

#include "dialect/fauna/fsl/rules.h"
#include "dialect/fauna/syntax/grammar/parse_whole.h"

namespace mayfly::fauna::fsl {
namespace {

std::string_view kind_of(const Item& item) {
  if (std::holds_alternative<Role>(item.what)) return "role";
  if (std::holds_alternative<AccessProvider>(item.what)) return "access provider";
  return "collection or function";
}

}  // namespace

Parsed<File> parse_file(const SourcePtr& source) {
  auto items = parse_whole<FileRules>(Template{source, {}}, &FileRules::whole_file);
  if (!items) return tl::unexpected(std::move(items).error());
  return File{source, std::move(*items)};
}

Result<void> check_names(std::span<const File> files) {
  std::map<std::pair<std::string_view, std::string_view>, std::string_view> seen;
  for (const File& file : files) {
    for (const Item& item : file.items) {
      for (const Name* name : {&item.name, item.alias ? &*item.alias : nullptr}) {
        if (name == nullptr) continue;
        const auto [first, is_new] =
            seen.emplace(std::pair(kind_of(item), std::string_view(name->text)), file.source->name);
        if (is_new || first->second == file.source->name) continue;
        return fail(mayfly::Code::invalid,
                    fmt::format("Duplicate {} `{}` in {} (originally seen in {})", kind_of(item),
                                name->text, file.source->name, first->second));
      }
    }
  }
  return {};
}

}  // namespace mayfly::fauna::fsl
