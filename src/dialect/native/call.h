// NativeCall: one request to the dialect, with all that its action needs.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "dialect/dialect.h"
#include "net/router.h"

namespace mayfly::native {

// The state that all requests share.
struct Shared {
  Services services;
  std::string openapi;             // the description of the API, rendered once
  std::string backup_directory;    // directory of backups; empty: backups are off
  std::mutex clock_is_moved = {};  // one move of the virtual clock at a time
  std::mutex backup_is_made = {};  // one backup at a time
};

struct NativeCall {
  Shared& shared;
  const net::Request& request;
  const net::Match& match;

  Database& database() const { return shared.services.database; }
  // A segment of the path, by its name in the route's pattern.
  const std::string& operator[](std::string_view name) const { return match[name]; }
};

// Answers one route. errors.h renders its errors.
using Action = Result<net::Response> (*)(NativeCall&);

net::Response json_response(int status, std::string body);
net::Response empty_response();

// The database or collection that the path names, in the given catalog. Fails with not_found;
// `field` names the segment.
Result<DatabaseInfoPtr> find_database(const NativeCall& call, const Catalog& catalog);
Result<CollectionPtr> find_collection(const NativeCall& call, const Catalog& catalog);
Result<CollectionPtr> find_collection(const Catalog& catalog, DatabaseId database,
                                      const std::string& name);
// The author of the write: the header Mayfly-Author; empty if it is missing.
Result<std::string> author_of(const NativeCall& call);
// Fails with invalid if the text is no author's name.
Result<void> check_author(std::string_view author, std::string_view field);

}  // namespace mayfly::native
