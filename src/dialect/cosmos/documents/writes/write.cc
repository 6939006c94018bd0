#include "dialect/cosmos/documents/writes/write.h"

#include "dialect/cosmos/documents/rid_numbers.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/ttl/ttl.h"

namespace mayfly::cosmos {
namespace {

constexpr Instant no_version{-1};

Result<bool> is_there(Transaction& transaction, const Container& container,
                      const DocumentKey& key) {
  View& view = transaction.view();
  return TRY(view.get(*container.collection, key, view.live())).has_value();
}

}  // namespace

PutOptions::Expect expectation(WriteMode mode) {
  switch (mode) {
    case WriteMode::create: return PutOptions::Expect::absent;
    case WriteMode::replace: return PutOptions::Expect::present;
    case WriteMode::upsert: break;
  }
  return PutOptions::Expect::anything;
}

IfMatch parse_if_match(std::string_view header) {
  if (header.empty()) return {};
  if (header == "*") return {.is_given = true, .is_any = true};
  return {.is_given = true, .written_at = parse_etag(header).value_or(no_version)};
}

Result<WriteResult> write_document(RidNumbers& numbers, Transaction& transaction,
                                   const Container& container, NewDocument document, WriteMode mode,
                                   const IfMatch& if_match) {
  const DocumentKey key{document.routing, document.id};
  TRY(check_ttl(document.ttl));
  PutOptions options{.expect = expectation(mode), .lifetime = FromBody{}};
  bool is_new = mode == WriteMode::create;
  if (mode == WriteMode::upsert) is_new = !TRY(is_there(transaction, container, key));
  if (is_new) {
    options.facet = facet_of(numbers.next(transaction.now()));
  } else if (if_match.is_given && !if_match.is_any) {
    options.if_written_at = if_match.written_at;
  }
  is_new = TRY(transaction.put(container.collection, key, std::move(document.packed), options)
                   .map_error(with_service_message));
  return WriteResult{is_new, key};
}

Result<void> remove_document(Transaction& transaction, const Container& container,
                             const DocumentKey& key, const IfMatch& if_match) {
  RemoveOptions options;
  if (if_match.is_given && !if_match.is_any) options.if_written_at = if_match.written_at;
  return transaction.remove(container.collection, key, options).map_error(with_service_message);
}

Error with_service_message(Error error) {
  switch (error.code) {
    case Code::exists: {
      const bool is_id = error.field.empty() || error.field == "id";
      return is_id ? id_is_taken() : Error{Code::exists, "Unique index constraint violation."};
    }
    case Code::not_found: return no_such_resource();
    case Code::stale: return condition_failed();
    case Code::too_large:
      error.message = "Request size is too large: " + error.message;
      return error;
    default: return error;
  }
}

}  // namespace mayfly::cosmos
