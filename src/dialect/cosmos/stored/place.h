// Where a thing lies that a permission or a request names: found by ids, whichever way it is
// named. Source: spec cosmos.md, sections 1.2 and 23.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"

namespace mayfly::cosmos {

// What leads on from a database or container.
struct Step {
  ResourceKind kind;
  std::string name;
  bool is_rid = false;                // the name is one
  std::optional<Bytes> routing = {};  // of a document, where it is known
};

struct Place {
  DatabaseInfoPtr database;
  ContainerPtr container;  // null pointer: it is none, and lies in none
  std::vector<Step> below;
  std::vector<ResourceKind> kinds;  // from the database down; of a feed its own is the last

  Bytes rid() const;  // the container's, or else the database's
};

// Nothing where the database or container is not there.
std::optional<Place> place_of(const Call& call, const Catalog& catalog, const Address& address);

// Whether what the call asks for is what was granted, or lies in it. In a feed lies what it lists,
// but not the rest of what it is the feed of.
Result<bool> covers(const Place& granted, const Place& asked, const Call& call);
// The same for places that need no looking up.
bool covers(const Place& granted, const Place& asked);

// When what the first step below the container leads to came to be: a document or a script. Of a
// document that the place names without its routing, the call's header says that. Nothing where it
// is not there, or is something else.
Result<std::optional<Instant>> creation_of(Place place, const Call& call);

// A text that two links share when they lead to the same place. Below the container names and rids
// stay as they are.
std::string identity_of(const Call& call, const Catalog& catalog, const std::string& link);

}  // namespace mayfly::cosmos
