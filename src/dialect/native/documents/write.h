// Options of a request that writes a document: lifetime, conditions, author.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "db/write/transaction.h"
#include "dialect/native/call.h"
#include "dialect/native/headers/conditions.h"

namespace mayfly::native {

// ?ttl=, ?expires_at=, ?never=, ?inherit=, and `after` of transactions, before the instant of the
// write is known. Keep if none is given.
using RequestedLifetime = std::variant<Keep, Inherit, Never, After, Span, Instant>;

// The lifetime members of a request, as in the API.
struct LifetimeMembers {
  std::optional<std::int64_t> ttl;
  std::optional<Instant> expires_at;
  std::optional<bool> never;
  std::optional<bool> inherit;
  std::optional<std::int64_t> after;  // seconds after every write
};
// Fails with invalid, naming the member at fault, if there is more than one, or if `never` or
// `inherit` is false; `allowed_names` lists for the message the members that are allowed there.
Result<RequestedLifetime> pick_lifetime(const LifetimeMembers& members,
                                        std::string_view allowed_names);

struct DocumentWriteOptions {
  RequestedLifetime lifetime;
  Conditions conditions;
  std::string author;
};

// Fails with invalid, naming the parameter or header.
Result<DocumentWriteOptions> read_write(const NativeCall& call);
// The lifetime for a write at `now`. Fails with invalid if the instant has passed.
Result<LifetimeChange> lifetime_at(const RequestedLifetime& asked, Instant now);

// Checks the conditions for the document as the transaction sees it.
Result<void> check_conditions(const Conditions& conditions, Transaction& transaction,
                              const Collection& collection, const DocumentKey& key);

// Runs `work` on one document of the collection that the path names, and answers with the resulting
// document.
using EditWork =
    std::function<Result<void>(Transaction&, const CollectionPtr&, const DocumentKey&)>;
Result<net::Response> edit_document(NativeCall& call, const EditWork& work);

// The key of the document that the path names, in the partition of the parameter `partition`, if it
// is given. Fails with invalid.
Result<DocumentKey> key_of(const NativeCall& call, const Collection& collection);
Result<DocumentKey> key_of(const NativeCall& call, const Collection& collection, std::string id);

// The document of that key, merged with the patch and packed; `key` becomes the complete key. Fails
// with not_found, and as pack().
Result<Bytes> patched(Transaction& transaction, const Collection& collection, DocumentKey& key,
                      const Value& patch);

// Names the parameter as_of in an error about a past instant.
Error about_as_of(Error error);

}  // namespace mayfly::native
