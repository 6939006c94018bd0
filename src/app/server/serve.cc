#include "app/server/serve.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/metrics/inspection.h"
#include "app/metrics/table.h"
#include "app/ports/announce.h"
#include "app/ports/exposure.h"
#include "app/ports/identity.h"
#include "app/ports/ports.h"
#include "app/readiness.h"
#include "app/server/data.h"
#include "app/server/jobs.h"
#include "app/server/shutdown_timeout.h"
#include "app/settings/delivery.h"
#include "base/limits.h"
#include "base/random.h"
#include "base/service/kill_point.h"
#include "base/service/logging.h"
#include "base/threads/large_blocks.h"
#include "db/clock/clock_limits.h"
#include "db/clock/database_clock.h"
#include "db/expiry/sweeper.h"
#include "dialect/common/events/stream.h"
#include "dialect/common/page_token.h"
#include "net/connections/tls.h"
#include "net/server.h"
#include "net/threads/workers_limits.h"
#include "query/kept/kept_results.h"
#include "query/vectors/vector_indexes.h"
#include "script/pool.h"
#include "script/runner.h"
#include "store/durable_files.h"

namespace mayfly::app {
namespace {

class StoreDurability final : public net::Durability {
 public:
  explicit StoreDurability(Database& database) : database_(database) {}
  std::uint64_t applied() const override { return database_.shown(); }
  std::uint64_t durable() const override { return durable_version(database_); }
  void sync(std::uint64_t mark) override { make_durable(database_, mark); }

 private:
  Database& database_;
};

// Creates the directory for backups if it is missing. Fails with invalid if it cannot be used.
Result<void> prepare_backups(const Settings& settings) {
  const std::string& directory = settings.text("backup.directory");
  if (directory.empty()) return {};
  std::error_code error;
  keep_files_private();
  if (!store::make_directories_durably(directory)) {
    error = std::error_code(errno, std::generic_category());
  } else if (access(directory.c_str(), R_OK | W_OK | X_OK) != 0) {
    error = std::error_code(errno, std::generic_category());
  }
  if (!error) return {};
  return fail(
      Code::invalid,
      fmt::format("backup.directory: {} cannot hold backups: {}", directory, error.message()),
      "backup.directory");
}

Result<Credentials> credentials_of(const Settings& settings) {
  Credentials credentials{.keys = settings.list("auth.keys")};
  for (const std::string& key : credentials.keys) hide_in_logs(key);
  for (const DialectRow& row : dialects()) {
    if (row.check != nullptr) TRY(row.check(settings));
    const std::string_view closing = row.closing_setting;
    if (!closing.empty() && !settings.list(closing).empty()) credentials.closed_by = closing;
  }
  TRY(check_exposure(settings, credentials));
  return credentials;
}

Result<void> check_parts(const Settings& settings) {
  TRY(check_names(settings));
  TRY(check_delivery(settings));
  return check_ports(settings);
}

// Blocks the signals that the server waits for, in this thread and all threads that it starts.
sigset_t block_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGHUP);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// Runs the jobs of this thread until a signal ends the server.
void wait_for_end(const sigset_t& signals, Jobs& jobs, const std::function<void()>& reload) {
  const timespec between{0, limits::clock_floor_every.micros * 1'000};
  for (int came = 0; came != SIGINT && came != SIGTERM;) {
    came = sigtimedwait(&signals, nullptr, &between);
    if (came == SIGHUP) reload();
    if (came < 0) jobs.run_due(JobLane::main);
  }
}

// Gives how many connections are allowed. Sockets and files share one bound of the process, which
// this raises if the system permits; the store takes up to half of it.
std::size_t allow_connections() {
  constexpr rlim_t target = 65'536;
  constexpr rlim_t kept_for_others = 32;
  rlimit limit = {};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return limits::connections_max;
  limit.rlim_cur = std::max(limit.rlim_cur, std::min(limit.rlim_max, target));
  setrlimit(RLIMIT_NOFILE, &limit);
  getrlimit(RLIMIT_NOFILE, &limit);
  const rlim_t left = std::max(limit.rlim_cur / 2, kept_for_others + 1) - kept_for_others;
  return std::min<std::size_t>(left, limits::connections_max);
}

// What ports with TLS need; empty if there is none.
struct Tls {
  std::string certificate;
  std::unique_ptr<net::TlsContext> context;
};

Result<Tls> make_tls(const Settings& settings, const std::optional<Identity>& configured,
                     Instant now) {
  const auto& rows = dialects();
  const bool is_spoken = std::any_of(rows.begin(), rows.end(), [&](const DialectRow& row) {
    return settings.port(port_setting(row)) && speaks_tls(settings, row);
  });
  if (!is_spoken) return Tls{};
  const Identity identity = configured ? *configured : own_identity(settings.text("data"), now);
  auto context = net::TlsContext::make(identity);
  if (!context) {
    return tl::unexpected(std::move(context).error().during(settings.text("tls.certificate")));
  }
  return Tls{identity.certificate, *std::move(context)};
}

// Reads the certificate files again; open connections keep their certificate.
void reload_identity(const Settings& settings, const Tls& tls, Instant now) {
  if (tls.context == nullptr) {
    return log(LogLevel::info, "SIGHUP: no port takes TLS, so there is no certificate to reload");
  }
  const auto renewed = [&]() -> Result<void> {
    const auto configured = TRY(configured_identity(settings));
    return tls.context->renew(configured ? *configured : own_identity(settings.text("data"), now));
  }();
  if (renewed) return log(LogLevel::info, "SIGHUP: the certificate was reloaded");
  log(LogLevel::error, "SIGHUP: the new certificate cannot be used; the current one stays",
      {{"error", renewed.error().message}});
}

net::ServerOptions server_options(const Settings& settings, const Ports& ports, const Tls& tls,
                                  net::Durability& durability, std::size_t connections_max) {
  net::ServerOptions options;
  options.connections_max = connections_max;
  for (const auto& port : ports) {
    options.listeners.push_back({std::string(port->host.name), settings.text("host"), port->number,
                                 &port->handler, port->speaks_tls ? tls.context.get() : nullptr,
                                 port->preflights});
    options.listeners.back().allows_any_host = settings.flag("insecure");
    options.listeners.back().allows_plain = allows_plain(settings);
  }
  options.durability = &durability;
  options.threads = static_cast<int>(settings.integer("threads"));
  options.workers = static_cast<int>(settings.integer("workers"));
  options.requests_max = static_cast<std::size_t>(settings.integer("requests"));
  options.request_time_max = Span::seconds(settings.integer("request_seconds"));
  options.cors_origins = settings.list("cors.origins");
  options.hosts = settings.list("hosts");
  options.logs_access = settings.flag("log.access");
  return options;
}

// Flushes the rest and the clock; acknowledged writes are on disk already.
Result<void> leave_durable(Database& database, script::Runner& functions) {
  functions.stop();
  KILL_POINT("stop.drained");
  database.jobs().stop();
  TRY(database.persist_clock());
  KILL_POINT("stop.clock_persisted");
  database.store().sync(database.store().applied());
  return {};
}

void prepare(const Ports& ports, Readiness& readiness, Metrics& metrics) {
  for (const auto& port : ports) {
    port->handler.set_readiness(readiness);
    port->handler.set_metrics(metrics);
  }
}

struct Scripts {
  script::Pool pool;
  script::Runner runner;
};

// What queries keep in memory for later queries.
struct QueryCaches {
  explicit QueryCaches(Database& database) : vectors(database) {}

  query::VectorIndexes vectors;
  query::KeptResults results;
};

}  // namespace

Result<void> serve(const Settings& settings, std::FILE* out) {
  start_logging(TRY(parse_log_level(settings.text("log.level"))),
                TRY(parse_log_format(settings.text("log.format"))));
  TRY(net::can_resolve(settings.text("host")));
  const Credentials credentials = TRY(credentials_of(settings));
  const auto configured = TRY(configured_identity(settings));
  TRY(check_parts(settings));  // before anything is created on disk
  TRY(arm_kill_point(std::getenv("MAYFLY_KILL_AT")));
  return_large_blocks();
  const sigset_t signals = block_signals();
  const std::size_t connections_max = allow_connections();  // before the store opens its files
  const auto clock = TRY(parse_clock(settings.text("clock")));
  TRY(check_addresses(settings));  // before anything is created that a failure would leave behind
  TRY(prepare_backups(settings));
  const auto data = TRY(open_data(settings, clock));
  Database* const database = data->database.get();
  StoreDurability durability(*database);
  // Clients check a certificate by their own time, so the system's time is used even with a virtual
  // clock.
  const Tls tls = TRY(make_tls(settings, configured, data->system.now()));
  const PageTokens page_tokens = PageTokens::of(*database);
  Random random(Random::system_seed());
  Metrics metrics(metrics_table());
  Readiness readiness(database->store());
  readiness.set_clock_distance([database] { return clock_distance(*database); });
  Inspection inspection(*database);
  EventHub events(*database);
  Scripts scripts;
  QueryCaches caches(*database);
  const auto deliveries = make_deliveries(settings, *database, random);
  const Services services{
      .database = *database,
      .manual_clock = data->manual ? &*data->manual : nullptr,
      .random = random,
      .credentials = credentials,
      .page_tokens = page_tokens,
      .settings = &settings,
      .metrics = &metrics,
      .readiness = [&readiness] { return readiness.check(); },
      .events = &events,
      .deliveries = deliveries.get(),
      .certificate = tls.certificate,
      .is_reached_by_others = is_reached_by_others(settings),
      .scripts = &scripts.pool,
      .runner = &scripts.runner,
      .vectors = &caches.vectors,
      .kept = &caches.results,
      .end = [] { kill(getpid(), SIGTERM); },
  };
  const auto ports = make_ports(settings, services);
  TRY(check_exposure(settings, credentials, ports));
  prepare(ports, readiness, metrics);
  net::ServerOptions options = server_options(settings, ports, tls, durability, connections_max);
  options.clock = &data->used();
  const auto server = TRY(net::Server::start(options));
  watch(metrics, {*database, *server, inspection, *deliveries, data->manual.has_value()});
  readiness.serves(*server);
  const std::vector<JobHandle> jobs = add_server_jobs(
      {*database, *server, inspection, options.requests_max, data->manual.has_value()});
  if (settings.flag("sweeper.paused")) database->sweeper().pause();
  database->jobs().start();
  announce({settings, ports, server->ports(), data->manual.has_value()}, out);
  wait_for_end(signals, database->jobs(),
               [&] { reload_identity(settings, tls, data->system.now()); });
  log(LogLevel::info, "stopping");
  readiness.stops();
  const ShutdownTimeout last_resort(limits::shutdown_time_max);
  server->stop();
  return leave_durable(*database, scripts.runner);
}

}  // namespace mayfly::app
