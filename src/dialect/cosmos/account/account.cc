// GET /: the first request of clients. Source: spec cosmos.md, section 6.
#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/attachments/attachment.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/reply.h"
#include "value/json/json.h"

namespace mayfly::cosmos {
namespace {

// Any name but "localhost", for which a client ignores the list of locations.
constexpr std::string_view account_name = "mayfly";
constexpr std::string_view region = "South Central US";

// The service's limit for an account. It limits nothing here.
constexpr std::string_view media_megabytes_reported_max = "2048";
constexpr std::uint64_t megabyte = 1 << 20;

// The supported query features, for clients that plan queries themselves.
constexpr std::string_view query_engine =
    R"({"maxSqlQueryInputLength":262144,"maxJoinsPerSqlQuery":10,"maxLogicalAndPerSqlQuery":2000,)"
    R"("maxLogicalOrPerSqlQuery":2000,"maxUdfRefPerSqlQuery":10,"maxInExpressionItemsCount":16000,)"
    R"("queryMaxInMemorySortDocumentCount":500,"maxQueryRequestTimeoutFraction":0.9,)"
    R"("sqlAllowNonFiniteNumbers":false,"sqlAllowAggregateFunctions":true,"sqlAllowSubQuery":true,)"
    R"("sqlAllowScalarSubQuery":true,"allowNewKeywords":true,"sqlAllowLike":true,)"
    R"("sqlAllowGroupByClause":true,"maxSpatialQueryCells":12,"spatialMaxGeometryPointCount":256,)"
    R"("sqlDisableOptimizationFlags":0,"sqlAllowTop":true,"enableSpatialIndexing":true})";

}  // namespace

Result<net::Response> read_account(CosmosCall& call) {
  View view = call.database().view();
  const std::uint64_t media_bytes =
      TRY(media_bytes_of_account(view, limits::attachments_summed_max));
  const std::uint64_t media_megabytes = (media_bytes + megabyte - 1) / megabyte;
  const Array locations{
      Object{{"name", region}, {"databaseAccountEndpoint", call.endpoint() + '/'}}};
  const Object account{
      {"_self", ""},
      {"id", account_name},
      {"_rid", "mayfly.documents.local"},
      {"media", "//media/"},
      {"addresses", "//addresses/"},
      {"_dbs", "//dbs/"},
      {"writableLocations", locations},
      {"readableLocations", locations},
      {"enableMultipleWriteLocations", false},
      {"continuousBackupEnabled", false},
      {"enableNRegionSynchronousCommit", false},
      {"enablePerPartitionFailoverBehavior", false},
      {"userReplicationPolicy",
       Object{{"asyncReplication", false}, {"minReplicaSetSize", 1}, {"maxReplicasetSize", 4}}},
      {"userConsistencyPolicy", Object{{"defaultConsistencyLevel", "Session"}}},
      {"systemReplicationPolicy",
       Object{{"minReplicaSetSize", 1}, {"maxReplicasetSize", 4}, {"asyncReplication", false}}},
      {"readPolicy", Object{{"primaryReadCoefficient", 1}, {"secondaryReadCoefficient", 1}}},
      {"queryEngineConfiguration", query_engine}};
  net::Response response;
  render_json(account, response.body);
  response.headers.emplace_back("x-ms-max-media-storage-usage-mb", media_megabytes_reported_max);
  response.headers.emplace_back("x-ms-media-storage-usage-mb", std::to_string(media_megabytes));
  return response;
}

}  // namespace mayfly::cosmos
