// What the server tells of itself.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/routes.h"
#include "value/json.h"

namespace mayfly::kuzzle {
namespace {

// The version whose words are spoken.
constexpr std::string_view spoken_version(Shape shape) {
  return shape == Shape::v2 ? "2.56.0" : shape == Shape::v1_late ? "1.12.0" : "1.2.13";
}

}  // namespace

Result<std::string> tell_now(Call& call) {
  return fmt::format(R"({{"now":{}}})", to_millis(call.database().now()));
}

Result<std::string> tell_api(Call&) {
  return render_json(public_api());
}

Result<std::string> tell_info(Call& call) {
  const Object kuzzle{{"version", spoken_version(call.shape())},
                      {"mayfly", MAYFLY_VERSION},
                      {"api", Object{{"routes", public_api()}}},
                      {"plugins", Object()}};
  return render_json(Object{{"serverInfo", Object{{"kuzzle", kuzzle}, {"services", Object()}}}});
}

Result<std::string> check_health(Call& call) {
  const auto& asks = call.shared.services.readiness;
  const Result<void> ready = asks ? asks() : Result<void>{};
  if (!ready) {
    return fail(Code::throttled, "the server is not ready: " + ready.error().message,
                "api.process.overloaded");
  }
  const Object services{
      {"internalCache", "green"}, {"memoryStorage", "green"}, {"storageEngine", "green"}};
  return render_json(Object{{"status", "green"}, {"services", services}});
}

Result<std::string> get_config(Call& call) {
  const TrashCollector& collector = call.shared.services.trash_collector;
  const Object garbage{{"cleanInterval", collector.every.micros / 1'000},
                       {"maxDelete", static_cast<std::int64_t>(collector.documents_max)}};
  const Object bounds{
      {"documentsFetchCount", static_cast<std::int64_t>(limits::documents_fetch_max)},
      {"documentsWriteCount", static_cast<std::int64_t>(limits::documents_write_max)}};
  return render_json(
      Object{{"version", spoken_version(call.shape())},
             {"services", Object{{"garbageCollector", garbage}}},
             {"limits", bounds},
             {"server",
              Object{{"maxRequestSize", static_cast<std::int64_t>(limits::bulk_body_bytes_max)}}}});
}

}  // namespace mayfly::kuzzle
