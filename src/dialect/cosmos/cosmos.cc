#include "dialect/cosmos/cosmos.h"

#include "base/limits.h"
#include "base/logging.h"
#include "db/jobs/jobs.h"
#include "dialect/cosmos/actions.h"
#include "dialect/cosmos/attachments/collector.h"
#include "dialect/cosmos/auth.h"
#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "dialect/cosmos/documents/patch.h"
#include "dialect/cosmos/documents/rid_numbers.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/http_date.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/rid.h"
#include "dialect/cosmos/routes.h"
#include "dialect/cosmos/scripts/triggers.h"
#include "dialect/cosmos/stored/stored.h"
#include "dialect/cosmos/stored/tokens.h"
#include "dialect/cosmos/text.h"
#include "net/head_handler.h"
#include "value/json.h"

namespace mayfly {
namespace cosmos {
namespace {

constexpr int owner_is_gone_substatus = 1003;
constexpr int gone = 410;
constexpr int range_is_gone_substatus = 1002;
constexpr int other_container_substatus = 1024;
constexpr std::string_view health_paths[] = {"/ready", "/alive"};
// Where emulators of the service show the certificate to trust; scripts wait for it, too.
constexpr std::string_view certificate_path = "/_explorer/emulator.pem";

class Cosmos final : public Dialect, public net::HeadHandler {
 public:
  explicit Cosmos(const Services& services)
      : services_(services),
        keys_(services.credentials),
        began_(render_http_date(services.database.now())),
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
  net::Response refuse(const Error& error) const override {
    return render_error(error, {}, services_.random.uuid());
  }

  // Everybody has the key that emulators are known by.
  bool is_open() const override {
    const Credentials& credentials = services_.credentials;
    return credentials.account_key.empty() && !lacks_account_key(credentials);
  }

  bool is_quick(const net::Request& request) const override {
    if (is_open_to_all(request.path)) return true;
    auto address = parse_address(request.path);
    if (!address) return true;
    const Call call = make_call(request, *std::move(address));
    bool is_known = false;
    const Route* route = find_route(request.method, call.address, form_of(call), is_known);
    if (route == nullptr) return true;
    const bool may_evaluate = route->action == patch_document && may_hold_condition(request.body);
    return route->is_quick && !names_triggers(call) && !may_evaluate;
  }
  bool is_urgent(const net::Request& request) const override {
    return is_open_to_all(request.path);
  }

  net::Response answer(const net::Request& request) override {
    if (is_health(request.path)) return tell_health(request.path);
    if (request.path == certificate_path) return show_certificate();
    const std::string activity_id = services_.random.uuid();
    auto address = parse_address(request.path);
    if (!address) return render_error(address.error(), {}, activity_id);
    Call call = make_call(request, *std::move(address));
    auto answered = dispatch(call);
    net::Response response =
        answered ? *std::move(answered)
                 : render_error(answered.error(), {call.status, call.substatus}, activity_id);
    add_common_headers(call, activity_id, response);
    response.headers.emplace_back("date", render_http_date(services_.database.now()));
    response.headers.emplace_back("x-ms-last-state-change-utc", began_);
    return response;
  }

 private:
  static bool is_health(std::string_view path) {
    return path == health_paths[0] || path == health_paths[1];
  }

  static bool is_open_to_all(std::string_view path) {
    return is_health(path) || path == certificate_path;
  }

  // It is alive while it answers, and ready unless the server says why not.
  net::Response tell_health(std::string_view path) const {
    const bool asks = path == health_paths[0] && services_.readiness;
    const Result<void> ready = asks ? services_.readiness() : Result<void>{};
    if (ready) return {.body = R"({"status":"ok"})"};
    net::Response response{.status = 503};
    render_json(Object{{"status", "not_ready"}, {"reason", ready.error().message}}, response.body);
    return response;
  }

  net::Response show_certificate() const {
    if (!services_.certificate.empty()) {
      return {.content_type = "application/x-pem-file", .body = services_.certificate};
    }
    return refuse({Code::not_found, "there is no certificate, because this server speaks no TLS"});
  }

  Call make_call(const net::Request& request, Address address) const {
    return {request, services_, containers_, rid_numbers_, std::move(address), {}};
  }

  Result<net::Response> dispatch(Call& call) const {
    call.principal = TRY(keys_.authenticate(call.request, call.address));
    bool is_known = false;
    const Route* route = find_route(call.request.method, call.address, form_of(call), is_known);
    if (route == nullptr) {
      call.status = is_known ? 405 : 0;
      return fail(is_known ? Code::invalid : Code::not_found,
                  "there is nothing to " + call.request.method + " at this path");
    }
    if (call.principal.resource_token) {
      const Grant grant = TRY(verify_token(*call.principal.resource_token, services_.credentials,
                                           services_.database.now()));
      TRY(check_grant(grant, call, route->is_write));
    }
    if (route->is_write && !call.principal.may_write) {
      return fail(Code::forbidden, "The given request [" + call.request.method +
                                       "] cannot be authorized by a read-only key");
    }
    TRY(check_target(call));
    auto answered = route->action(call);
    if (!answered && answered.error().code == Code::not_found && call.substatus == 0 &&
        lacks_owner(call)) {
      call.substatus = owner_is_gone_substatus;
    }
    return answered;
  }

  // Reads see every commit. What is asked for may not be stronger than what the account tells.
  static Result<void> check_consistency(std::string_view level) {
    for (const std::string_view known : {"", "Session", "ConsistentPrefix", "Eventual"}) {
      if (equal_in_any_case(level, known)) return {};
    }
    return tl::unexpected(bad_request(
        "The consistency level " + std::string(level) +
        " of the request is invalid: that of the account is Session, and it may not be stronger."));
  }

  // What a client has in mind that divides the container into ranges, of which there is one here,
  // or that has encrypted for it and knows it by its rid.
  static Result<void> check_target(Call& call) {
    const std::string_view range = call.header("x-ms-documentdb-partitionkeyrangeid");
    if (!range.empty() && range != "0" && !range.ends_with(",0")) {
      call.status = gone;
      call.substatus = range_is_gone_substatus;
      return fail(Code::not_found, "The requested partition key range is gone.");
    }
    TRY(check_consistency(call.header("x-ms-consistency-level")));
    const std::string_view rid = call.header("x-ms-cosmos-intended-collection-rid");
    if (rid.empty()) return {};
    const auto container = call.containers.find(*call.database().catalog(), call.address);
    if (!container || render_rid((*container)->rid) == rid) return {};
    call.substatus = other_container_substatus;
    return tl::unexpected(
        bad_request("The container is not the one that the request is intended for."));
  }

  // Whether what should hold the addressed thing is not there: clients that know a container by its
  // rid look for it by its name again.
  static bool lacks_owner(Call& call) {
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

  const Services services_;
  const AccountKeys keys_;
  const std::string began_;
  mutable Containers containers_;
  mutable RidNumbers rid_numbers_;
  AttachmentCollector collector_;
  const JobHandle collecting_;
};

}  // namespace
}  // namespace cosmos

std::unique_ptr<Dialect> make_cosmos(const Services& services) {
  return std::make_unique<cosmos::Cosmos>(services);
}

}  // namespace mayfly
