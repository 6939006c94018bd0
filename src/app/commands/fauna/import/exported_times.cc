// Searches the documents for their collections.
#include "app/commands/fauna/import/exported_times.h"

#include "app/commands/fauna/import/open_file.h"
#include "app/limits.h"
#include "value/json/json.h"

namespace mayfly::app {
namespace {

// The collection of a document that has a `ts`, tagged or simple; otherwise empty.
std::string collection_with_time(const std::string& text) {
  const auto json = parse_json(text, {.bytes_max = limits::export_document_bytes_max});
  if (!json) return {};
  const Value tagged = json->member("@doc");
  const Value& document = tagged.is_missing() ? *json : tagged;
  if (document.member("ts").is_missing()) return {};
  const Value collection = document.member("coll"), named = collection.member("@mod");
  const Value& name = named.is_missing() ? collection : named;
  return name.is(Kind::text) ? name.text() : std::string();
}

}  // namespace

Result<std::set<std::string>> collections_with_times(const std::vector<std::string>& files,
                                                     const std::set<std::string>& names) {
  std::set<std::string> found;
  std::string document;
  for (const std::string& path : files) {
    const OpenFile file(path);
    if (!file.is_open()) return fail_to_read(path);
    DocumentReader reader(file.descriptor(), layout_of(path), limits::export_document_bytes_max);
    while (found.size() < names.size()) {
      const DocumentReader::Item item = TRY(reader.next(document));
      if (item == DocumentReader::Item::end) break;
      if (item == DocumentReader::Item::broken) continue;
      const std::string name = collection_with_time(document);
      if (names.contains(name)) found.insert(name);
    }
  }
  return found;
}

}  // namespace mayfly::app
