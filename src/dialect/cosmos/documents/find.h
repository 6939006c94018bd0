// Which document a request is about: by name and partition key, or by rid.
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
// It has fewer values than the container's, or more.
Error key_does_not_correspond();

// Fails with invalid where the header does not say the whole key, not_found where a rid is no
// document's, forbidden where the request's token is for an earlier document.
Result<DocumentKey> addressed_document(Call& call, const Container& container, View& view);
// The same for a document of this partition, whatever the header says.
Result<DocumentKey> addressed_document(const Call& call, const Container& container, View& view,
                                       const Bytes& routing);
// The living document; fails as above. No document is not an error.
Result<std::optional<Document>> find_document(Call& call, const Container& container);

// The living document whose rid has that number. No document is not an error. Documents that other
// dialects have created may share one: the first that is accepted.
using Accepts = std::function<Result<bool>(const Document&)>;
Result<std::optional<Document>> find_by_number(const Call& call, const Container& container,
                                               std::uint64_t number, View& view,
                                               const Accepts& accepts = {});

// What headers restrict a feed or query to: the documents that have these values, and those whose
// EPKs lie in this range.
struct Restriction {
  PartitionValues values;           // none: whichever
  std::optional<Bytes> routing;     // nothing: they are the first of a hierarchical key only
  const KeyRange* range = nullptr;  // of the container; null: none is named
  std::optional<EpkRange> asked_epks = {};  // of EPKs themselves
  std::optional<EpkRange> epks = {};        // in the range and among these

  bool has_key() const { return routing || !values.empty(); }
};
// Fails with not_found, to be answered as gone, where the named range has split.
Result<Restriction> restriction_of(Call& call, const Container& container);

}  // namespace mayfly::cosmos
