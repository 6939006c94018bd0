#include "dialect/cosmos/cosmos.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "base/limits.h"
#include "base/service/logging.h"
#include "db/jobs/jobs.h"
#include "dialect/common/requests/unauthenticated_body.h"
#include "dialect/cosmos/attachments/collector.h"
#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/rid_numbers.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/headers/api_version.h"
#include "dialect/cosmos/headers/http_date.h"
#include "dialect/cosmos/headers/session.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/ranges/named_range.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/requests/auth.h"
#include "dialect/cosmos/requests/open_request.h"
#include "dialect/cosmos/requests/routes.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/scripts/triggers.h"
#include "dialect/cosmos/stored/stored.h"
#include "dialect/cosmos/stored/tokens.h"
#include "net/handler.h"
#include "net/requests/limits.h"
#include "value/json/json.h"

namespace mayfly {
namespace cosmos {
namespace {

constexpr int owner_is_gone_substatus = 1003;
constexpr int other_container_substatus = 1024;

// The objects shared by the requests of one account.
struct SharedAccount {
  const Services services;
  const AccountKeys keys;
  const std::string began;
  Containers containers = {};
  RidNumbers rid_numbers = {};
};

// Reads see every commit. A request may not require a stronger level than the account reports.
Result<void> check_consistency(std::string_view level) {
  for (const std::string_view known : {"", "Session", "ConsistentPrefix", "Eventual"}) {
    if (equal_in_any_case(level, known)) return {};
  }
  return tl::unexpected(bad_request(fmt::format(
      "ConsistencyLevel {} specified in the request is invalid when service is configured with "
      "consistency level Session. Ensure the request consistency level is not stronger than the "
      "service consistency level.",
      level)));
}

// Checks the container against the request's headers: its key range, its session, and its rid,
// which clients that encrypt send.
Result<void> check_target(CosmosCall& call, const Route& route) {
  TRY(check_consistency(call.header("x-ms-consistency-level")));
  const std::string_view rid = call.header("x-ms-cosmos-intended-collection-rid");
  const bool reads_documents = !writes(route) && call.address.kind == ResourceKind::document;
  const bool has_session = reads_documents && !call.header("x-ms-session-token").empty();
  if (rid.empty() && !has_session && call.header(range_header).empty()) return {};
  const auto container = call.containers.find(*call.database().catalog(), call.address);
  if (!container) return {};
  TRY(named_range(call, **container));
  if (has_session) TRY(check_session(call, **container));
  if (rid.empty() || render_rid((*container)->rid) == rid) return {};
  call.substatus = other_container_substatus;
  return tl::unexpected(
      bad_request("The container is not the one that the request is intended for."));
}

// Whether the owner of the addressed resource does not exist. Clients that have cached a
// container's rid then look it up by its name again.
bool lacks_owner(CosmosCall& call) {
  const CatalogPtr catalog = call.database().catalog();
  if (call.address.is_partition_removal) return !call.containers.find(*catalog, call.address);
  switch (row_of(call.address.kind).owner) {
    case ResourceKind::database: return !Containers::find_database(*catalog, call.address);
    case ResourceKind::container:
    case ResourceKind::document: return !call.containers.find(*catalog, call.address);
    case ResourceKind::user: {
      View view = call.database().view();
      return !find_owner(call, view.catalog(), view);
    }
    default: return false;
  }
}

// One request for a resource, with its address or the error of its path, and its route or null.
class CosmosRequest final : public net::AcceptedRequest {
 public:
  CosmosRequest(const net::Request& request, SharedAccount& account)
      : AcceptedRequest(request),
        account_(account),
        call_{request, account.services, account.keys, account.containers, account.rid_numbers, {},
              {}} {
    auto address = parse_address(request.path);
    if (auto other = address_with_question_mark(address)) address = *std::move(other);
    if (!address) {
      failure_ = std::move(address).error();
      return;
    }
    call_.address = *std::move(address);
    route_ = find_route(request.method, call_.address, form_of(call_), is_known_);
  }

  net::Pace pace() const override {
    if (route_ == nullptr) return net::Pace::quick;
    if (request.body.size() > limits::quick_body_bytes_max) return net::Pace::worker;
    if (names_triggers(call_)) return net::Pace::worker;
    const auto is_slow_with = route_->is_slow_with;
    return is_slow_with && is_slow_with(request.body) ? net::Pace::worker : route_->pace;
  }

  std::optional<net::Response> refuse_head() override {
    if (has_short_body(request)) return std::nullopt;
    if (failure_) return refuse(*failure_);
    auto grant = admit();
    if (grant) return std::nullopt;
    return complete(tl::unexpected(std::move(grant).error()));
  }

  net::Response answer() override {
    if (failure_) return refuse(*failure_);
    return complete(dispatch());
  }

  net::Response refuse(const Error& error) const override {
    return render_error(error, {}, account_.services.random.uuid());
  }

 private:
  // Clients may leave a `?` in an id unescaped. Then they have signed the path including what looks
  // like a query. Returns that address, or nothing if they have signed the path before the `?`.
  std::optional<Result<Address>> address_with_question_mark(const Result<Address>& before) const {
    if (request.target.find('?') == std::string::npos) return std::nullopt;
    if (before && account_.keys.has_signed(request, *before)) return std::nullopt;
    auto whole = parse_address(request.target);
    if (!whole || !account_.keys.has_signed(request, *whole)) return std::nullopt;
    return whole;
  }

  net::Response complete(Result<net::Response> answered) const {
    const std::string activity_id = account_.services.random.uuid();
    net::Response response =
        answered
            ? *std::move(answered)
            : render_error(answered.error(), {call_.status, call_.substatus, call_.additional_info},
                           activity_id);
    add_common_headers(call_, activity_id, response);
    response.headers.emplace_back("date", render_http_date(account_.services.database.now()));
    response.headers.emplace_back("x-ms-last-state-change-utc", account_.began);
    return response;
  }

  // Resets the result of the head, or of an attempt without waiting, before a worker answers.
  void reset_answer() {
    call_.principal = {};
    call_.address.granted.clear();
    call_.status = call_.substatus = 0;
    call_.additional_info.clear();
  }

  // Checks by the head alone, without the database, whether the client may use the route. Returns
  // the grant of its resource token, if it has one.
  Result<std::optional<Grant>> admit() {
    reset_answer();
    call_.principal = TRY(account_.keys.authenticate(request, call_.address));
    TRY(check_api_version(call_.header("x-ms-version")));
    if (route_ == nullptr) {
      if (!is_known_) return tl::unexpected(no_such_resource());
      call_.status = 405;
      return fail(Code::invalid, "The requested verb is not supported.");
    }
    if (call_.principal.resource_token) {
      return TRY(verify_token(*call_.principal.resource_token, account_.keys,
                              account_.services.database.now()));
    }
    if (writes(*route_) && !call_.principal.may_write) {
      return fail(Code::forbidden, "The given request [" + request.method +
                                       "] cannot be authorized by a read-only key");
    }
    return std::nullopt;
  }

  Result<net::Response> dispatch() {
    if (const auto grant = TRY(admit())) TRY(check_grant(*grant, call_, *route_));
    TRY(check_target(call_, *route_));
    auto answered = route_->action(call_);
    if (!answered && answered.error().code == Code::not_found && call_.substatus == 0 &&
        lacks_owner(call_)) {
      call_.substatus = owner_is_gone_substatus;
    }
    return answered;
  }

  SharedAccount& account_;
  CosmosCall call_;
  std::optional<Error> failure_;
  const Route* route_ = nullptr;
  bool is_known_ = false;  // another method has a route
};

class Cosmos final : public Dialect {
 public:
  Cosmos(const Services& services, const CosmosOptions& options)
      : account_{services, AccountKeys(services.credentials, options),
                 render_http_date(services.database.now())},
        collector_(services.database),
        collecting_(services.database.jobs().add(collect_attachments())) {
    const auto adopted = adopt_containers(services.database);
    if (adopted) return;
    log(LogLevel::error, "containers of an older version could not be adopted",
        {{"error", adopted.error().message}});
  }

  std::string_view name() const override { return "cosmos"; }
  bool claims(std::string_view) const override { return true; }
  std::size_t body_bytes_max() const override { return limits::request_body_bytes_max; }
  net::AcceptedRequest& begin(const net::Request& request, net::AcceptedStorage& storage) override {
    if (is_open_to_all(request.path)) {
      return storage.emplace<OpenRequest>(request, account_.services, account_.keys);
    }
    return storage.emplace<CosmosRequest>(request, account_);
  }
  net::Response refuse(const Error& error) const override {
    return render_error(error, {}, account_.services.random.uuid());
  }

  // The well-known key of emulators is public.
  bool is_open() const override { return account_.keys.has_well_known_key(); }

  PortAccess access(const std::string& url) const override {
    constexpr std::string_view setting = "cosmos.key";
    if (account_.keys.lacks_key()) {
      return {.guard = PortAccess::closed,
              .sentence = fmt::format("refuses every request: {} is set and cosmos.key is not",
                                      account_.services.credentials.closing_setting()),
              .asks_for = setting};
    }
    const std::string connection = fmt::format("AccountEndpoint={}/;AccountKey=", url);
    if (!is_open()) {
      return {.guard = "account_key",
              .sentence = "asks for the key of cosmos.key",
              .connection = connection + "<cosmos.key>;",
              .asks_for = setting};
    }
    return {
        .guard = "well_known_key",
        .sentence = "takes the key that all Cosmos DB emulators have; set cosmos.key for another",
        .connection = fmt::format("{}{};", connection, well_known_key),
        .asks_for = setting};
  }

 private:
  JobSpec collect_attachments() {
    return {.name = "cosmos attachments",
            .lane = JobLane::lengthy,
            .lease = "cosmos attachments",
            .run = [this](const JobRun& run) -> Result<NextRun> {
              collector_.run_pass([&run] { return run.must_end(); });
              return NextRun::after(limits::attachment_passes_every);
            },
            .first_due = Instant::beginning()};
  }

  SharedAccount account_;
  AttachmentCollector collector_;
  const JobHandle collecting_;
};

}  // namespace
}  // namespace cosmos

std::unique_ptr<Dialect> make_cosmos(const Services& services) {
  const Settings* settings = services.settings;
  return make_cosmos(services, settings == nullptr ? CosmosOptions{} : cosmos_options(*settings));
}

std::unique_ptr<Dialect> make_cosmos(const Services& services, const CosmosOptions& options) {
  return std::make_unique<cosmos::Cosmos>(services, options);
}

}  // namespace mayfly
