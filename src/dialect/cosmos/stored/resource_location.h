// The location of a resource that a permission or a request names, by names or by rids. Source:
// spec cosmos.md, sections 1.2 and 23.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"

namespace mayfly::cosmos {

// A step below a database or container.
struct LocationStep {
  ResourceKind kind;
  std::string name;
  bool is_rid = false;                // `name` is a rid
  std::optional<Bytes> routing = {};  // of a document, if it is known
};

struct ResourceLocation {
  DatabaseInfoPtr database;
  ContainerPtr container;  // null pointer: it is not a container and not in one
  std::vector<LocationStep> below;
  std::vector<ResourceKind>
      kinds;  // from the database down; the last is the feed's own kind, if it is a feed

  Bytes rid() const;  // the container's, or else the database's
};

// Nothing if the database or container does not exist.
std::optional<ResourceLocation> location_of(const CosmosCall& call, const Catalog& catalog,
                                            const Address& address);

// Whether the requested resource is the granted one, or in it. A feed contains the resources that
// it lists, but nothing else of its owner.
Result<bool> covers(const ResourceLocation& granted, const ResourceLocation& asked,
                    const CosmosCall& call);
// The same without looking up rids: it may return false if one location has a rid and the other a
// name.
bool covers(const ResourceLocation& granted, const ResourceLocation& asked);

// The instant at which the document or script of the first step below the container was created. If
// the location has no routing for a document, the call's header has it. Nothing if it does not
// exist, or is something else.
Result<std::optional<Instant>> creation_of(ResourceLocation location, const CosmosCall& call);

// A text that is equal for two links to the same resource. Names and rids below the container are
// not resolved.
std::string identity_of(const CosmosCall& call, const Catalog& catalog, const std::string& link);

}  // namespace mayfly::cosmos
