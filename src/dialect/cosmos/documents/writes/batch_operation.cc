// One operation of a batch.
#include <algorithm>
#include "dialect/cosmos/documents/writes/batch.h"

#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/documents/writes/patch.h"
#include "dialect/cosmos/documents/writes/patched.h"
#include "dialect/cosmos/documents/writes/write.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/stored/tokens.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos {
namespace {

struct OperationName {
  std::string_view name;
  BatchOperation::Kind kind;
};
constexpr OperationName operation_names[] = {
    {"Create", BatchOperation::Kind::create}, {"Upsert", BatchOperation::Kind::upsert},
    {"Read", BatchOperation::Kind::read},     {"Replace", BatchOperation::Kind::replace},
    {"Patch", BatchOperation::Kind::patch},   {"Delete", BatchOperation::Kind::remove}};

std::string member_text(const Value& row, std::string_view name) {
  const Value text = row.member(name);
  return text.is(Kind::text) ? text.text() : std::string();
}

// The condition of a row; empty if there is none. A malformed condition must not be ignored.
Result<std::string> condition_of(const Value& row, std::string_view name) {
  const Value tag = row.member(name);
  if (tag.is(Kind::text)) return tag.text();
  if (tag.is_missing() || tag.is_null()) return std::string();
  return tl::unexpected(bad_request("A condition is a tag, which is a text.", std::string(name)));
}

Result<BatchOperation> parse_batch_operation(const Value& row) {
  BatchOperation operation;
  const std::string name = member_text(row, "operationType");
  const auto* known = std::find_if(std::begin(operation_names), std::end(operation_names),
                                   [&](const OperationName& k) { return k.name == name; });
  if (known == std::end(operation_names)) {
    return tl::unexpected(
        bad_request("'" + name + "' is no operation of a batch.", "operationType"));
  }
  operation.kind = known->kind;
  operation.id = member_text(row, "id");
  operation.body = row.member("resourceBody");
  operation.if_match = parse_if_match(TRY(condition_of(row, "ifMatch")));
  operation.if_none_match = TRY(condition_of(row, "ifNoneMatch"));
  operation.is_minimal = row.member("minimalReturnPreference").is_true();
  const Value key = row.member("partitionKey");
  if (key.is(Kind::text)) operation.key = TRY(parse_partition_values(key.text()));
  return operation;
}

class Runner {
 public:
  Runner(CosmosCall& call, Transaction& transaction, const Container& container,
         const std::optional<Bytes>& routing)
      : call_(call), transaction_(transaction), container_(container), routing_(routing) {}

  Result<OperationResult> run(const BatchOperation& operation) {
    using Op = BatchOperation::Kind;
    switch (operation.kind) {
      case Op::create: return write(operation, WriteMode::create);
      case Op::upsert: return write(operation, WriteMode::upsert);
      case Op::replace: return write(operation, WriteMode::replace);
      case Op::read: return read(operation);
      case Op::patch: return patch(operation);
      case Op::remove: return remove(operation);
    }
    return OperationResult{};
  }
  int substatus() const { return substatus_; }

 private:
  Result<DocumentKey> key_of(const BatchOperation& operation) {
    if (!routing_) return tl::unexpected(key_is_missing());
    TRY(check_granted_partition(call_, container_.definition.key, *routing_));
    DocumentKey key{*routing_, operation.id};
    TRY(check(key));
    return key;
  }

  Result<OperationResult> write(const BatchOperation& operation, WriteMode mode) {
    NewDocument document = TRY(take_document(operation.body, container_.definition));
    TRY(check_granted_partition(call_, container_.definition.key, document.routing));
    if (routing_ && document.routing != *routing_) {
      substatus_ = key_differs_substatus;
      return tl::unexpected(
          bad_request("PartitionKey extracted from document doesn't match the one specified in the "
                      "header"));
    }
    if (mode == WriteMode::replace && operation.id != document.id) {
      return tl::unexpected(bad_request("Replacing a document cannot change its id."));
    }
    Bytes packed = document.packed;
    const WriteResult written = TRY(write_document(call_.rid_numbers, transaction_, container_,
                                                   std::move(document), mode, operation.if_match));
    return shown(operation, written.is_new ? 201 : 200, written.key, std::move(packed));
  }

  Result<OperationResult> patch(const BatchOperation& operation) {
    const DocumentKey key = TRY(key_of(operation));
    const Patch patch = TRY(parse_patch(operation.body, container_.definition.key));
    NewDocument document = TRY(patched(transaction_, container_, key, patch));
    Bytes packed = document.packed;
    TRY(write_document(call_.rid_numbers, transaction_, container_, std::move(document),
                       WriteMode::replace, operation.if_match));
    return shown(operation, 200, key, std::move(packed));
  }

  Result<OperationResult> read(const BatchOperation& operation) {
    const DocumentKey key = TRY(key_of(operation));
    View& view = transaction_.view();
    auto document = TRY(view.get(*container_.collection, key, view.live()));
    if (!document) return tl::unexpected(no_such_resource());
    OperationResult outcome{.status = 200, .key = key};
    const std::string& known = operation.if_none_match;
    if (known == "*" || (!known.empty() && parse_etag(known) == document->version.written_at)) {
      outcome.status = 304;
      return outcome;
    }
    outcome.packed = Bytes(document->body.bytes());
    outcome.document = std::move(document);
    outcome.is_own = transaction_.written(container_.collection, key).has_value();
    return outcome;
  }

  Result<OperationResult> remove(const BatchOperation& operation) {
    const DocumentKey key = TRY(key_of(operation));
    TRY(remove_document(transaction_, container_, key, operation.if_match));
    return OperationResult{.status = 204, .key = key, .is_own = true};
  }

  Result<OperationResult> shown(const BatchOperation& operation, int status, DocumentKey key,
                                Bytes packed) {
    View& view = transaction_.view();
    OperationResult outcome{.status = status, .key = std::move(key), .is_own = true};
    outcome.document = TRY(view.get(*container_.collection, outcome.key, view.live()));
    if (!operation.is_minimal && !call_.wants_minimal()) outcome.packed = std::move(packed);
    return outcome;
  }

  CosmosCall& call_;
  Transaction& transaction_;
  const Container& container_;
  const std::optional<Bytes>& routing_;
  int substatus_ = 0;
};

}  // namespace

Result<std::vector<BatchOperation>> parse_batch(const Value& body) {
  if (!body.is(Kind::array)) {
    return tl::unexpected(bad_request("The body of a batch is an array of operations."));
  }
  if (body.array().empty()) {
    return tl::unexpected(bad_request("Batch request has no operations."));
  }
  if (body.array().size() > limits::batch_operations_max) {
    return tl::unexpected(bad_request("Batch request has more operations than what is supported."));
  }
  std::vector<BatchOperation> operations;
  for (const Value& row : body.array()) operations.push_back(TRY(parse_batch_operation(row)));
  return operations;
}

Result<OperationResult> run_operation(CosmosCall& call, Transaction& transaction,
                                      const Container& container, const BatchOperation& operation,
                                      const std::optional<Bytes>& routing) {
  Runner runner(call, transaction, container, routing);
  auto outcome = runner.run(operation);
  if (outcome || outcome.error().code == Code::contended) return outcome;
  return OperationResult{.status = status_of(outcome.error().code),
                         .substatus = runner.substatus(),
                         .message = outcome.error().message};
}

}  // namespace mayfly::cosmos
