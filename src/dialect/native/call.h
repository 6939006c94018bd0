// Call: one request on its way through the dialect, with all that answering it needs.
#pragma once

#include <mutex>
#include <string>
#include <string_view>

#include "dialect/dialect.h"
#include "net/router.h"

namespace mayfly::native {

// What all requests share.
struct Shared {
  Services services;
  std::string openapi;             // the description of the API, made once
  std::string backup_directory;    // where backups are put; empty: none are made
  std::mutex clock_is_moved = {};  // one move of the virtual clock at a time
  std::mutex backup_is_made = {};  // one backup at a time
};

struct Call {
  Shared& shared;
  const net::Request& request;
  const net::Match& match;

  Database& database() const { return shared.services.database; }
  // A segment of the path that the route's pattern names.
  const std::string& operator[](std::string_view name) const { return match[name]; }
};

// Answers one route. Fails as errors.h renders it.
using Action = Result<net::Response> (*)(Call&);

net::Response json_response(int status, std::string body);
net::Response empty_response();

// What the path names, in the catalog given. Fails with not_found, `field` naming the segment.
Result<DatabaseInfoPtr> find_database(const Call& call, const Catalog& catalog);
Result<CollectionPtr> find_collection(const Call& call, const Catalog& catalog);
Result<CollectionPtr> find_collection(const Catalog& catalog, DatabaseId database,
                                      const std::string& name);
// On whose behalf the caller writes: the header Mayfly-Author; empty where it does not say.
Result<std::string> author_of(const Call& call);
// Fails with invalid where the text is no author's name.
Result<void> check_author(std::string_view author, std::string_view field);

}  // namespace mayfly::native
