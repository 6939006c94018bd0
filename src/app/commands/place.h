// Place: the collection that a command works on, and how a document of it is to end.
#pragma once

#include <string>

#include "app/commands/remote.h"
#include "base/result.h"

namespace mayfly::app {

struct Place {
  Remote remote;
  std::string database;
  std::string collection;

  std::string path() const { return collection_path(database, collection); }
};
// The flags --url, --key, --database and --collection. Verbs below `verb` take them, too.
void add_place(CLI::App& verb, Place& place);

// The flag --author.
void add_author(CLI::App& verb, std::string& author);

struct LifetimeGiven {
  std::string ttl;
  std::string expires_at;
  bool is_never = false;
  bool inherits = false;
};
// The flags --ttl, --expires-at, --never and --inherit, at most one of which may be given.
void add_lifetime(CLI::App& verb, LifetimeGiven& given);
// As the query string of a write, with its '?'; empty where nothing is given. Fails with invalid.
Result<std::string> lifetime_query(const LifetimeGiven& given);

}  // namespace mayfly::app
