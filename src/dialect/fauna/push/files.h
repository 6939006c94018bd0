// The files of a database's schema: the pushed texts, updated with later changes by FQL.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialect/fauna/fsl/ast.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/schema/system.h"

namespace mayfly::fauna {

struct SchemaFile {
  std::string name;
  std::string content;
  bool operator==(const SchemaFile&) const = default;
};
using SchemaFiles = std::vector<SchemaFile>;  // by name
inline constexpr std::string_view main_file = "main.fsl";

// Parses the files. Fails with invalid; the message has all diagnostics.
Result<std::vector<fsl::File>> parse_files(const SchemaFiles& files);

// One item of the live schema.
struct LiveItem {
  const SystemCollection* kind;
  std::string name;
  FqlObject document;
};
Result<std::vector<LiveItem>> live_items(Reading& reading);

// The current files: the texts of items whose documents have changed are replaced, those of deleted
// items are cut out, and new items are appended to main.fsl.
Result<SchemaFiles> active_files(Reading& reading);
// The staged files; nullopt if nothing is staged.
Result<std::optional<SchemaFiles>> staged_files(Reading& reading);

Result<void> store_active(Interpreter& run, const SchemaFiles& files);
Result<void> store_staged(Interpreter& run, const SchemaFiles& files);
// Whether the active files are still those against which the files were staged.
Result<bool> is_staged_over(Reading& reading, const SchemaFiles& active);
// Fails with not_found if nothing is staged.
Result<void> remove_staged(Interpreter& run);

}  // namespace mayfly::fauna
