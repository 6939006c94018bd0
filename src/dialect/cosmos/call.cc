#include "dialect/cosmos/call.h"

#include "dialect/cosmos/headers/text.h"

namespace mayfly::cosmos {

std::string_view CosmosCall::header(std::string_view name) const {
  const std::string* value = request.header(name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

bool CosmosCall::has_flag(std::string_view name) const {
  return equal_in_any_case(header(name), "true");
}

bool CosmosCall::is_query() const {
  return has_flag("x-ms-documentdb-isquery") ||
         to_lower(header("content-type")).starts_with("application/query+json");
}

bool CosmosCall::is_plan_request() const {
  return has_flag("x-ms-cosmos-is-query-plan-request");
}

bool CosmosCall::wants_minimal() const {
  return equal_in_any_case(header("prefer"), "return=minimal");
}

std::string endpoint_of(const net::Request& request) {
  const auto header = [&request](std::string_view name) {
    const std::string* value = request.header(name);
    return value == nullptr ? std::string_view() : std::string_view(*value);
  };
  const std::string_view forwarded_scheme = header("x-forwarded-proto");
  const std::string_view forwarded_host = header("x-forwarded-host");
  const std::string_view scheme = !forwarded_scheme.empty() ? forwarded_scheme
                                  : request.is_secure       ? "https"
                                                            : "http";
  const std::string_view host = !forwarded_host.empty() ? forwarded_host : header("host");
  return std::string(scheme).append("://").append(host);
}

}  // namespace mayfly::cosmos
