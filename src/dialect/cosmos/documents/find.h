// Finding the document that a request is about, by name and partition key, or by rid.
#pragma once

#include <functional>
#include <optional>

#include "db/read/view.h"
#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/containers/keys/epk.h"

namespace mayfly::cosmos {

inline constexpr std::string_view partition_key_header = "x-ms-documentdb-partitionkey";

Error key_is_missing();
// The key has fewer or more values than the container's paths.
Error key_does_not_correspond();

// The key of the document that the path names. By name it is derived from path and header, so there
// may be no such document; by rid there is one. Fails with invalid if the header does not have the
// whole key, not_found if no document has the rid, forbidden if the request's token is for an
// earlier document or, by rid, for another partition.
Result<DocumentKey> addressed_document(CosmosCall& call, const Container& container, View& view);
// The same with the routing of the partition instead of the header, and without checking a token. A
// rid may be of a document in another partition: the caller checks the routing of the key.
Result<DocumentKey> addressed_document(const CosmosCall& call, const Container& container,
                                       View& view, const Bytes& routing);
// The living document; fails as above. It is no error if there is none.
Result<std::optional<Document>> find_document(CosmosCall& call, const Container& container);

// The living document whose rid has that number. It is no error if there is none. Documents that
// other dialects have created may share a number: the result is the first that is accepted.
using Accepts = std::function<Result<bool>(const Document&)>;
Result<std::optional<Document>> find_by_number(const CosmosCall& call, const Container& container,
                                               std::uint64_t number, View& view,
                                               const Accepts& accepts = {});

// The restriction of a feed or query by headers: to documents with these values of the partition
// key, and to documents whose EPKs are in this range. It points into the container.
struct Restriction {
  PartitionValues values;           // empty: any
  std::optional<Bytes> routing;     // of the whole key; nothing: there are no values, or only a
                                    // prefix of a hierarchical key
  const KeyRange* range = nullptr;  // of the container; null: the request names none
  std::optional<EpkRange> requested_epks = {};  // the range of EPKs in the headers
  std::optional<EpkRange> epks = {};            // the intersection of `range` and `requested_epks`

  bool has_key() const { return routing || !values.empty(); }
};
// Fails with invalid if a header is malformed or has too many values, and with not_found, which is
// answered as gone, if the named range has split.
Result<Restriction> restriction_of(CosmosCall& call, const Container& container);

}  // namespace mayfly::cosmos
