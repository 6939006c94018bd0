#include "dialect/native/call.h"

#include <fmt/format.h>

#include "base/limits.h"
#include "value/json/tokens.h"

namespace mayfly::native {

net::Response json_response(int status, std::string body) {
  return {.status = status, .body = std::move(body)};
}

net::Response empty_response() {
  return {.status = 204, .content_type = {}};
}

Result<DatabaseInfoPtr> find_database(const NativeCall& call, const Catalog& catalog) {
  const std::string& name = call["database"];
  if (DatabaseInfoPtr found = catalog.find_database(name)) return found;
  return fail(Code::not_found, fmt::format("there is no database named '{}'", name), "database");
}

Result<CollectionPtr> find_collection(const NativeCall& call, const Catalog& catalog) {
  const DatabaseInfoPtr database = TRY(find_database(call, catalog));
  return find_collection(catalog, database->id, call["collection"]);
}

Result<CollectionPtr> find_collection(const Catalog& catalog, DatabaseId database,
                                      const std::string& name) {
  if (CollectionPtr found = catalog.find_collection(database, name)) return found;
  return fail(Code::not_found, fmt::format("there is no collection named '{}'", name),
              "collection");
}

Result<std::string> author_of(const NativeCall& call) {
  const std::string* author = call.request.header("mayfly-author");
  if (author == nullptr) return std::string();
  TRY(check_author(*author, "Mayfly-Author"));
  return *author;
}

Result<void> check_author(std::string_view author, std::string_view field) {
  if (author.size() <= limits::author_bytes_max && is_utf8(author)) return {};
  return fail(Code::invalid,
              fmt::format("an author is at most {} bytes of UTF-8 text", limits::author_bytes_max),
              std::string(field));
}

}  // namespace mayfly::native
