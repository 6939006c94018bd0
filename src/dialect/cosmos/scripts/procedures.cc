// Executes stored procedures. Source: spec cosmos.md, section 24.
#include "base/limits.h"
#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/scripts/runtime/run.h"
#include "dialect/cosmos/stored/stored.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

constexpr double units_of_execution = 5.52;

// The arguments: [1, "two"], or one value alone.
Result<Array> arguments_in(std::string_view body) {
  if (body.empty()) return Array();
  const Value given = TRY(parse_json(body));
  return given.is(Kind::array) ? given.array() : Array{given};
}

Result<Restriction> partition_of(CosmosCall& call, const Container& container) {
  Restriction restriction = TRY(restriction_of(call, container));
  if (restriction.routing) return restriction;
  const PartitionKey& key = container.definition.key;
  if (!key.is_system) return tl::unexpected(key_is_missing());
  return Restriction{.values = {}, .routing = routing_of(key, {})};
}

// Escapes as encodeURIComponent does, so the text is valid in a header.
std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kept = "-_.!~*'()";
  constexpr char digits[] = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    const bool is_plain = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                          (c >= 'a' && c <= 'z') || kept.find(c) != std::string_view::npos;
    if (is_plain) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += digits[byte >> 4];
    encoded += digits[byte & 15];
  }
  return encoded;
}

net::Response answer_with(const CosmosCall& call, const Container& container,
                          const ScriptOutcome& outcome) {
  net::Response response;
  const Value& body = outcome.messages.response;
  if (!body.is_missing()) response.body = render_json(body);
  add_container_headers(container, response);
  if (call.has_flag("x-ms-documentdb-script-enable-logging")) {
    response.headers.emplace_back("x-ms-documentdb-script-log-results",
                                  percent_encoded(outcome.log));
  }
  set_charge(units_of_execution, response);
  return response;
}

}  // namespace

Result<net::Response> execute_procedure(CosmosCall& call) {
  const Array arguments = TRY(arguments_in(call.request.body));
  RequestScripts scripts = TRY(RequestScripts::begin(call));
  ContainerPtr container;
  ScriptOutcome outcome;
  Instant began_at;
  const auto work = [&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    const Owner owner = TRY(find_owner(call, view.catalog(), view));
    const StoredResource stored = TRY(find_stored(call, owner, view));
    container = TRY(call.containers.find(view.catalog(), call.address));
    began_at = transaction.now();
    auto partition = TRY(partition_of(call, *container));
    const ScriptEnvironment environment{call, transaction, *container, std::move(partition),
                                        scripts};
    outcome = TRY(run_script(environment, read_definition(stored), arguments, {}));
    return {};
  };
  const Instant at = TRY(call.database().transact(work));
  report_as_committed(outcome.messages.response, etag_of(began_at), at);
  return answer_with(call, *container, outcome);
}

}  // namespace mayfly::cosmos
