#include "app/commands/fauna/import/export_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

#include "app/commands/fauna/export_folder.h"

namespace mayfly::app {
namespace {

namespace fs = std::filesystem;

Result<std::vector<fs::path>> paths_below(const fs::path& root) {
  std::vector<fs::path> paths;
  std::error_code wrong;
  if (fs::is_regular_file(root, wrong)) return std::vector<fs::path>{root};
  fs::recursive_directory_iterator at(root, wrong);
  for (; !wrong && at != fs::recursive_directory_iterator(); at.increment(wrong)) {
    const bool is_hidden = at->path().filename().string().starts_with('.');
    if (is_hidden) at.disable_recursion_pending();
    if (!is_hidden && at->is_regular_file(wrong)) paths.push_back(at->path());
  }
  if (wrong) return fail(Code::invalid, "reading " + root.string() + ": " + wrong.message());
  std::sort(paths.begin(), paths.end());
  return paths;
}

std::string schema_name(const fs::path& root, const fs::path& path) {
  constexpr std::string_view folder = "schema/";
  std::string name =
      path == root ? path.filename().string() : path.lexically_relative(root).generic_string();
  if (name.starts_with(folder)) name.erase(0, folder.size());
  return name;
}

Result<std::string> content_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  if (file) return content.str();
  return fail(Code::invalid, "reading " + path.string() + " failed");
}

Result<void> add_file(const fs::path& root, const fs::path& path, ExportFiles& found) {
  const std::string ending = path.extension().string();
  if (ending == ".fsl") {
    std::string content = TRY(content_of(path));
    found.schema.push_back({schema_name(root, path), std::move(content)});
  } else if (ending == ".json" || ending == ".jsonl" || ending == ".ndjson") {
    found.documents.push_back(path.string());
    std::error_code wrong;
    const std::uintmax_t bytes = fs::file_size(path, wrong);
    if (!wrong) found.document_bytes += bytes;
  } else if (ending == ".gz" || ending == ".zip" || ending == ".zst" || ending == ".bz2") {
    return fail(Code::invalid, path.string() + " is compressed: unpack it first");
  } else if (ending == unfinished_ending) {
    return fail(Code::invalid, path.string() + " is of an export that did not end: export again");
  } else {
    found.others.push_back(path.string());
  }
  return {};
}

}  // namespace

Result<ExportFiles> find_export_files(const std::vector<std::string>& arguments) {
  ExportFiles found;
  for (const std::string& root : arguments) {
    for (const fs::path& path : TRY(paths_below(root))) TRY(add_file(root, path, found));
  }
  if (!found.schema.empty() || !found.documents.empty()) return found;
  return fail(Code::invalid,
              arguments.front() + " has no files that end in .fsl, .json, .jsonl or .ndjson");
}

}  // namespace mayfly::app
