// The files of an export on this machine: schema (FSL) and documents.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace mayfly::app {

struct SchemaText {
  std::string name;  // the name under which it is pushed: without the folder, and without `schema/`
  std::string content;
};

struct ExportFiles {
  std::vector<SchemaText> schema;      // of *.fsl
  std::vector<std::string> documents;  // paths of *.json, *.jsonl and *.ndjson
  std::vector<std::string> others;     // files that are not part of an export
  std::uint64_t document_bytes = 0;    // size of all document files
};

// Finds all files below each given folder, in the order of their paths; a given file is taken
// itself. Skips names that begin with a dot. Fails with invalid if there is nothing to import, or
// if a file is compressed, belongs to an export that did not finish, or cannot be read.
Result<ExportFiles> find_export_files(const std::vector<std::string>& arguments);

}  // namespace mayfly::app
