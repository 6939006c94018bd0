#include "dialect/cosmos/headers/api_version.h"

#include <algorithm>
#include <iterator>

#include "dialect/cosmos/errors.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view api_versions[] = {
    "2014-08-21", "2015-04-08", "2015-06-03", "2015-08-06", "2015-12-16", "2016-05-30",
    "2016-07-11", "2016-11-14", "2017-01-19", "2017-02-22", "2017-05-03", "2017-11-15",
    "2018-06-18", "2018-08-31", "2018-09-17", "2018-12-31", "2019-10-14", "2020-07-15",
    "2020-11-05", "2024-05-15", "2024-06-06"};

}  // namespace

Result<void> check_api_version(std::string_view version) {
  const auto* known = std::find(std::begin(api_versions), std::end(api_versions), version);
  if (known != std::end(api_versions)) return {};
  return tl::unexpected(bad_request(
      "Invalid API version. Ensure a valid x-ms-version header value is passed. Please update to "
      "the latest version of Azure Cosmos DB SDK.",
      "x-ms-version"));
}

}  // namespace mayfly::cosmos
