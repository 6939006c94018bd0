// Address: which resource a path is about. `/dbs/shop/colls/carts/docs/1` is a document, and
// `/dbs/shop/colls/carts/docs` the feed of the documents of a container.
// Source: spec cosmos.md, sections 1.2, 3.1 and 5.
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
  ResourceKind kind =
      ResourceKind::account;  // what is addressed: one such thing, or the feed of them
  bool is_feed = false;
  bool is_partition_removal = false;  // …/operations/partitionkeydelete
  // The rid of the database or container that the request's token is for: another one of that name
  // is not found. Empty: whichever has the name.
  Bytes granted = {};

  // The name of the part of that kind; empty where there is none.
  const std::string& name_of(ResourceKind part) const;
  // "dbs/shop/colls/carts": of one thing its own path, of a feed its owner's; names as they are.
  std::string link() const;
};

// Fails with not_found for a path that does not begin as one of the service's, or where nothing of
// the kind can lie; with invalid where it goes on with a word that is no kind, and where an escape
// is broken.
Result<Address> parse_address(std::string_view path);
// The same for a link as resources and permissions hold it: without a leading slash, not escaped.
// It is about a resource, never about an operation on one. Fails with not_found.
Result<Address> parse_link(std::string_view link);

}  // namespace mayfly::cosmos
