// The files of an export on this machine: FSL, and documents.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace mayfly::app {

struct SchemaText {
  std::string name;  // as it is pushed: without the folder, and without `schema/`
  std::string content;
};

struct ExportFiles {
  std::vector<SchemaText> schema;      // of *.fsl
  std::vector<std::string> documents;  // paths of *.json, *.jsonl and *.ndjson
  std::vector<std::string> others;     // that are no part of an export
  std::uint64_t document_bytes = 0;    // of all documents' files
};

// All below each folder in the order of their paths; a file stands for itself. What begins with a
// dot is not looked at. Fails with invalid where there is nothing to import, or where a file is
// compressed, of an export that did not end, or cannot be read.
Result<ExportFiles> find_export_files(const std::vector<std::string>& given);

}  // namespace mayfly::app
