// Address: the resource that a path names. `/dbs/shop/colls/carts/docs/1` is a document, and
// `/dbs/shop/colls/carts/docs` the feed of the documents of a container. Source: spec cosmos.md,
// sections 1.2, 3.1 and 5.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/result.h"
#include "dialect/cosmos/resources/resource.h"

namespace mayfly::cosmos {

struct Address {
  struct Part {
    ResourceKind kind;
    std::string name;  // or rid
  };
  std::vector<Part> parts;  // from the database (or offer) downwards, each with its name
  ResourceKind kind = ResourceKind::account;  // of the addressed resource or feed
  bool is_feed = false;
  bool is_partition_removal = false;  // …/operations/partitionkeydelete
  // The rid of the database or container that the request's token is for: another one of that name
  // is not found. Empty: any of that name.
  Bytes granted = {};

  // The name of the part of that kind; empty if there is none.
  const std::string& name_of(ResourceKind part) const;
  // "dbs/shop/colls/carts": the path of a resource, or of a feed's owner, with unescaped names.
  std::string link() const;
};

// Fails with not_found if the path does not begin as one of the service's, or if no such kind can
// be there. Fails with invalid if it continues with a word that is no kind, and if an escape is
// malformed.
Result<Address> parse_address(std::string_view path);
// The same for a link in resources and permissions, which has no leading slash and no escapes. It
// names a resource, never an operation on one. Fails with not_found.
Result<Address> parse_link(std::string_view link);

}  // namespace mayfly::cosmos
