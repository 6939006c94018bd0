// TargetCollection: the collection that a command works on. Also the flags for the lifetime of a
// document.
#pragma once

#include <string>

#include "app/commands/remote.h"
#include "base/result.h"

namespace mayfly::app {

struct TargetCollection {
  Remote remote;
  std::string database;
  std::string collection;

  std::string path() const { return collection_path(database, collection); }
};
// The flags --url, --key, --database and --collection. Subcommands of `verb` accept them, too.
void add_collection_flags(CLI::App& verb, TargetCollection& target);

// The flag --author.
void add_author(CLI::App& verb, std::string& author);

struct LifetimeFlags {
  std::string ttl;
  std::string expires_at;
  bool is_never = false;
  bool inherits = false;
};
// The flags --ttl, --expires-at, --never and --inherit, at most one of which may be given.
void add_lifetime(CLI::App& verb, LifetimeFlags& flags);
// The query string of a write, with its '?'; empty if no flag is given. Fails with invalid.
Result<std::string> lifetime_query(const LifetimeFlags& flags);

}  // namespace mayfly::app
