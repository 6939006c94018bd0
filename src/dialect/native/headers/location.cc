#include "dialect/native/headers/location.h"

#include "db/rows/partition.h"
#include "net/url/percent.h"

namespace mayfly::native {

std::string location_of(std::string_view database) {
  return "/v1/databases/" + net::encode_percent(database);
}

std::string location_of(std::string_view database, std::string_view collection) {
  return location_of(database) + "/collections/" + net::encode_percent(collection);
}

std::string location_of(std::string_view database, std::string_view collection,
                        const DocumentKey& key) {
  std::string location =
      location_of(database, collection) + "/documents/" + net::encode_percent(key.id);
  if (!key.routing.empty()) {
    location += "?partition=" + net::encode_percent(render_partition(key.routing));
  }
  return location;
}

}  // namespace mayfly::native
