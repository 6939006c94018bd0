// The files of a database's schema: the texts that were pushed, and what FQL has changed since.
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

// Parsed files. Fails with invalid: all their diagnostics.
Result<std::vector<fsl::File>> parse_files(const SchemaFiles& files);

// One item of the live schema.
struct LiveItem {
  const SystemCollection* kind;
  std::string name;
  FqlObject document;
};
Result<std::vector<LiveItem>> live_items(Reading& reading);

// As they are now: texts that no longer say what their documents say are replaced, those of items
// that are gone are cut out, new ones follow in main.fsl.
Result<SchemaFiles> active_files(Reading& reading);
// The ones that wait for a commit; nothing where none do.
Result<std::optional<SchemaFiles>> staged_files(Reading& reading);

Result<void> store_active(Interpreter& run, const SchemaFiles& files);
Result<void> store_staged(Interpreter& run, const SchemaFiles& files);
// Whether the active files are still those over which the stage was made.
Result<bool> is_staged_over(Reading& reading, const SchemaFiles& active);
// Fails with not_found where nothing is staged.
Result<void> remove_staged(Interpreter& run);

}  // namespace mayfly::fauna
