#include "dialect/cosmos/documents/writes/batch.h"

#include <algorithm>

#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/ranges/named_range.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/scripts/triggers.h"
#include "dialect/cosmos/ttl/hint.h"
#include "value/json/json.h"
#include "value/json/writer.h"
#include "value/packed/packed.h"

namespace mayfly::cosmos {
namespace {

constexpr int failed_dependency = 424;
constexpr int answer_is_too_large = 3402;
constexpr double units_per_operation = 5.52;

bool has_failed(const OperationResult& outcome) {
  return outcome.status >= 400;
}

// Reads the versions of the written documents, which are known at the commit, and with them their
// tags.
void read_versions(const Transaction& transaction, const Container& container, Instant at,
                   std::vector<OperationResult>& outcomes) {
  for (OperationResult& outcome : outcomes) {
    if (!outcome.document || !outcome.is_own) continue;
    if (auto written = transaction.written(container.collection, outcome.key)) {
      outcome.document = std::move(written);
    } else {
      outcome.document->version.written_at = at;
    }
  }
}

void render_outcome(const Container& container, const OperationResult& outcome, std::string& out) {
  JsonWriter json(out);
  json.begin_object();
  json.member("statusCode", outcome.status);
  json.member("subStatusCode", outcome.substatus);
  json.member("requestCharge", units_per_operation);
  json.member("retryAfterMilliseconds", 0);
  if (outcome.document) {
    json.member("eTag", etag_of(outcome.document->version.written_at));
    if (!outcome.packed.empty()) {
      Document shown = *outcome.document;
      shown.body = Packed(outcome.packed);
      json.name("resourceBody");
      render_document(container, shown, out);
    }
  }
  if (!outcome.message.empty()) json.member("message", outcome.message);
  json.end_object();
}

net::Response render_outcomes(const Container& container,
                              const std::vector<OperationResult>& outcomes) {
  net::Response response;
  if (std::any_of(outcomes.begin(), outcomes.end(), has_failed)) response.status = 207;
  JsonWriter json(response.body);
  json.begin_array();
  for (const OperationResult& outcome : outcomes) {
    render_outcome(container, outcome, response.body);
  }
  json.end_array();
  for (const OperationResult& outcome : outcomes) {
    if (!outcome.document || !outcome.is_own) continue;
    const std::string_view hint = hint_of(outcome.document->body, container.definition);
    if (hint.empty()) continue;
    response.headers.emplace_back(hint_header, hint);
    break;
  }
  add_container_headers(container, response);
  set_charge(units_per_operation * static_cast<double>(outcomes.size()), response);
  return response;
}

// Bounds the bytes that all operations read. Writes are bounded by the size of the request.
void check_bytes_read(const BatchOperation& operation, OperationResult& outcome,
                      std::size_t& bytes_read) {
  if (operation.kind != BatchOperation::Kind::read) return;
  bytes_read += outcome.packed.size();
  if (bytes_read <= limits::batch_answer_bytes_max) return;
  outcome = {.status = status_of(Code::too_large),
             .substatus = answer_is_too_large,
             .message = "Response size is too large"};
}

// --- all or nothing ---

Result<Bytes> routing_of_batch(CosmosCall& call, const Container& container,
                               const std::vector<BatchOperation>& operations) {
  const Restriction restriction = TRY(restriction_of(call, container));
  if (!restriction.routing) {
    return tl::unexpected(restriction.has_key() ? key_does_not_correspond() : key_is_missing());
  }
  const PartitionKey& key = container.definition.key;
  for (const BatchOperation& operation : operations) {
    if (!operation.key || routing_of(key, *operation.key) == *restriction.routing) continue;
    return tl::unexpected(bad_request(
        "One or more operations within the batch request have a different partition key "
        "value than the request."));
  }
  return *restriction.routing;
}

Result<net::Response> answer_batch(CosmosCall& call,
                                   const std::vector<BatchOperation>& operations) {
  ContainerPtr container;
  std::vector<OperationResult> outcomes;
  const auto work = [&](Transaction& transaction) -> Result<void> {
    container = TRY(call.containers.find(transaction.view().catalog(), call.address));
    const Bytes routing = TRY(routing_of_batch(call, *container, operations));
    outcomes.clear();
    std::size_t bytes_read = 0;
    for (const BatchOperation& operation : operations) {
      outcomes.push_back(TRY(run_operation(call, transaction, *container, operation, routing)));
      check_bytes_read(operation, outcomes.back(), bytes_read);
      if (has_failed(outcomes.back())) return fail(Code::stale, "an operation has failed");
    }
    return {};
  };
  const auto committed = [&](const Transaction& transaction, Instant at) {
    read_versions(transaction, *container, at, outcomes);
  };
  const auto done = call.database().transact(work, committed);
  if (done) return render_outcomes(*container, outcomes);
  if (outcomes.empty() || !has_failed(outcomes.back())) return tl::unexpected(done.error());
  const std::size_t place = outcomes.size() - 1;
  OperationResult failed = std::move(outcomes.back());
  outcomes.assign(operations.size(), OperationResult{.status = failed_dependency});
  outcomes[place] = std::move(failed);
  return render_outcomes(*container, outcomes);
}

// --- each by itself ---

// A client sends an operation to the range of its key. If that range has split since, the answer is
// gone, and the client looks the range up again.
std::optional<OperationResult> outcome_in_other_range(const CosmosCall& call,
                                                      const Container& container,
                                                      const BatchOperation& operation) {
  const std::string_view id = named_range_id(call);
  const Definition& definition = container.definition;
  if (id.empty() || definition.ranges.is_one()) return std::nullopt;
  const PartitionValues values =
      operation.key ? *operation.key : values_in(definition.key, operation.body);
  if (!is_whole(definition.key, values)) return std::nullopt;  // another check refuses it
  const KeyRange* range = definition.ranges.find(id);
  const bool is_there =
      range != nullptr && range->epks.contains(epk_of(values, hash_of(definition.key)));
  if (is_there) return std::nullopt;
  return OperationResult{.status = gone_status,
                         .substatus = range_is_gone_substatus,
                         .message = range_is_gone().message};
}

OperationResult run_alone(CosmosCall& call, ContainerPtr& container,
                          const BatchOperation& operation) {
  std::vector<OperationResult> outcome(1);
  const auto work = [&](Transaction& transaction) -> Result<void> {
    container = TRY(call.containers.find(transaction.view().catalog(), call.address));
    std::optional<Bytes> routing;
    if (operation.key) routing = routing_of(container->definition.key, *operation.key);
    const auto elsewhere = outcome_in_other_range(call, *container, operation);
    outcome[0] = elsewhere ? *elsewhere
                           : TRY(run_operation(call, transaction, *container, operation, routing));
    if (has_failed(outcome[0])) return fail(Code::stale, "the operation has failed");
    return {};
  };
  const auto committed = [&](const Transaction& transaction, Instant at) {
    read_versions(transaction, *container, at, outcome);
  };
  const auto done = call.database().transact(work, committed);
  if (!done && !has_failed(outcome[0])) {
    return {.status = status_of(done.error().code), .message = done.error().message};
  }
  return std::move(outcome[0]);
}

Result<net::Response> answer_bulk(CosmosCall& call, const std::vector<BatchOperation>& operations) {
  const bool goes_on = call.has_flag("x-ms-cosmos-batch-continue-on-error");
  ContainerPtr container = TRY(call.containers.find(*call.database().catalog(), call.address));
  std::vector<OperationResult> outcomes;
  bool is_over = false;
  std::size_t bytes_read = 0;
  for (const BatchOperation& operation : operations) {
    outcomes.push_back(is_over ? OperationResult{.status = failed_dependency}
                               : run_alone(call, container, operation));
    check_bytes_read(operation, outcomes.back(), bytes_read);
    is_over = is_over || (!goes_on && has_failed(outcomes.back()));
  }
  return render_outcomes(*container, outcomes);
}

}  // namespace

Result<net::Response> run_batch(CosmosCall& call) {
  TRY(refuse_triggers(call));
  if (call.request.body.size() > limits::document_bytes_max) {
    return fail(Code::too_large, "Request size is too large");
  }
  const auto operations = TRY(parse_batch(TRY(parse_json(call.request.body))));
  return call.has_flag("x-ms-cosmos-batch-atomic") ? answer_batch(call, operations)
                                                   : answer_bulk(call, operations);
}

}  // namespace mayfly::cosmos
