#include "app/metrics/table.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

#include "app/dialects.h"
#include "app/metrics/process.h"
#include "base/threads/thread.h"
#include "db/clock/database_clock.h"
#include "db/expiry/sweeper.h"
#include "db/jobs/jobs.h"
#include "db/rows/malformed.h"
#include "dialect/common/answer_metrics.h"

namespace mayfly::app {
namespace {

struct TableRow {
  MetricRow row;
  double (*read)(const MetricSources&) = nullptr;  // both null: other code counts it
  Metrics::Samples (*read_all)(const MetricSources&) = nullptr;
};

template <class Number>
Metrics::Samples by_subscription(const MetricSources& source, const Number& number) {
  Metrics::Samples samples;
  for (const auto& [id, state] : source.deliveries.states()) {
    samples.push_back({{id}, static_cast<double>(number(state))});
  }
  return samples;
}

Metrics::Samples delivered_by_subscription(const MetricSources& source) {
  return by_subscription(source, [](const auto& state) { return state.progress.delivered; });
}

Metrics::Samples connected_by_target(const MetricSources& source) {
  Metrics::Samples samples;
  const auto closed = source.deliveries.closed_targets();
  for (const std::string& kind : source.deliveries.target_kinds()) {
    samples.push_back({{kind}, closed.contains(kind) ? 0.0 : 1.0});
  }
  return samples;
}

Metrics::Samples dead_by_subscription(const MetricSources& source) {
  return by_subscription(source, [](const auto& state) { return state.progress.dead; });
}

Metrics::Samples waiting_by_subscription(const MetricSources& source) {
  return by_subscription(source, [](const auto& state) { return state.waiting; });
}

Metrics::Samples lag_by_subscription(const MetricSources& source) {
  return by_subscription(source, [now = source.database.now()](const auto& state) {
    return state.oldest.is_never() ? 0.0 : static_cast<double>((now - state.oldest).micros) / 1e6;
  });
}

double seconds_overdue(const MetricSources& source) {
  const SweeperState state = source.database.sweeper().state();
  const Instant now = source.database.now();
  if (state.next_due >= now) return 0;
  return static_cast<double>((now - state.next_due).micros) / 1e6;
}

Metrics::Samples documents_by_database(const MetricSources& source) {
  Metrics::Samples samples;
  for (const auto& [name, documents] : source.inspection.documents()) {
    samples.push_back({{name}, static_cast<double>(documents)});
  }
  return samples;
}

template <class Number>
Metrics::Samples by_job(const MetricSources& source, const Number& number) {
  Metrics::Samples samples;
  for (const JobState& job : source.database.jobs().states()) {
    samples.push_back({{job.name}, number(job)});
  }
  return samples;
}

Metrics::Samples runs_by_job(const MetricSources& source) {
  return by_job(source, [](const JobState& job) { return static_cast<double>(job.runs); });
}

Metrics::Samples failures_by_job(const MetricSources& source) {
  return by_job(source, [](const JobState& job) { return static_cast<double>(job.failures); });
}

Metrics::Samples last_seconds_by_job(const MetricSources& source) {
  return by_job(source, [](const JobState& job) { return double(job.took.micros) / 1e6; });
}

// The memory of the process, in parts that add up to the total. The allocated bytes are read less
// often than the rest, so they may exceed the resident bytes of now.
Metrics::Samples memory_by_part(const MetricSources& source) {
  const ProcessMemory process = process_memory();
  const std::uint64_t own = process.resident_bytes - process.file_bytes;
  const std::uint64_t allocated = std::min(source.inspection.heap_bytes(), own);
  const std::uint64_t store = std::min(source.database.store().stats().bytes_in_memory, allocated);
  const std::uint64_t exchange =
      std::min<std::uint64_t>(source.server.stats().exchange_bytes, allocated - store);
  const std::pair<const char*, std::uint64_t> parts[] = {{"store", store},
                                                         {"requests", exchange},
                                                         {"heap", allocated - store - exchange},
                                                         {"code", process.file_bytes},
                                                         {"other", own - allocated}};
  Metrics::Samples samples;
  for (const auto& [part, bytes] : parts) samples.push_back({{part}, static_cast<double>(bytes)});
  return samples;
}

Metrics::Samples build_info(const MetricSources&) {
  return {{{MAYFLY_VERSION, __VERSION__}, 1.0}};
}

using S = const MetricSources&;

const TableRow metric_rows[] = {
    {{answers_metric,
      MetricKind::counter,
      "Answers by API and status, also those over a WebSocket.",
      {},
      {"api", "status"}}},
    {{answer_time_metric,
      MetricKind::histogram,
      "How long answers took, from the head of the request until the answer had left, by API and "
      "class of status (2xx, 4xx). Of an answer that goes on, until its beginning had left.",
      "seconds",
      {"api", "class"},
      latency_bounds()}},
    {{"mayfly_connections", MetricKind::gauge, "Open connections."},
     [](S s) { return static_cast<double>(s.server.stats().connections_open); }},
    {{"mayfly_connections_accepted_total", MetricKind::counter, "Connections accepted."},
     [](S s) { return static_cast<double>(s.server.stats().connections_accepted); }},
    {{"mayfly_connections_refused_total", MetricKind::counter,
      "Connections refused because there were too many."},
     [](S s) { return static_cast<double>(s.server.stats().connections_refused); }},
    {{"mayfly_requests_total", MetricKind::counter, "Requests that were read."},
     [](S s) { return static_cast<double>(s.server.stats().requests); }},
    {{"mayfly_requests_refused_total", MetricKind::counter,
      "Requests refused before or beside a handler: framing, size, web page or host name, "
      "slowness, overload, a disk that does not confirm."},
     [](S s) { return static_cast<double>(s.server.stats().requests_refused); }},
    {{"mayfly_requests_overloaded_total", MetricKind::counter, "Requests refused for overload."},
     [](S s) { return static_cast<double>(s.server.stats().requests_overloaded); }},
    {{"mayfly_requests_waiting", MetricKind::gauge, "Requests that wait for a worker or the disk."},
     [](S s) { return static_cast<double>(s.server.stats().requests_waiting); }},
    {{"mayfly_flush_seconds", MetricKind::gauge,
      "Age of the flush to disk that is in progress; 0 if there is none.", "seconds"},
     [](S s) { return static_cast<double>(s.server.stats().flushing_for.micros) / 1e6; }},
    {{"mayfly_exchange_bytes", MetricKind::gauge,
      "Memory used by the bodies of requests and responses.", "bytes"},
     [](S s) { return static_cast<double>(s.server.stats().exchange_bytes); }},
    {{"mayfly_streams", MetricKind::gauge, "Open streams, such as followed feeds."},
     [](S s) { return static_cast<double>(s.server.stats().streams_open); }},
    {{"mayfly_streams_overrun_total", MetricKind::counter,
      "Streams ended because their clients read too slowly."},
     [](S s) { return static_cast<double>(s.server.stats().streams_overrun); }},
    {{"mayfly_tls_handshakes_total", MetricKind::counter, "TLS handshakes that succeeded."},
     [](S s) { return static_cast<double>(s.server.stats().tls_handshakes); }},
    {{"mayfly_tls_failures_total", MetricKind::counter, "TLS handshakes that failed."},
     [](S s) { return static_cast<double>(s.server.stats().tls_failures); }},
    {{"mayfly_expired_total", MetricKind::counter, "Expirations of documents that were recorded."},
     [](S s) { return static_cast<double>(s.database.sweeper().state().expired); }},
    {{"mayfly_trash_purged_total", MetricKind::counter,
      "Removed documents that the sweeper took out of the trash: their time there or their own "
      "lifetime was over, or they were evicted."},
     [](S s) { return static_cast<double>(s.database.sweeper().state().trash_purged); }},
    {{"mayfly_sweeper_overdue_seconds", MetricKind::gauge,
      "Age of the oldest expiration that is due and not yet recorded.", "seconds"},
     seconds_overdue},
    {{"mayfly_sweeper_left_to_compaction", MetricKind::gauge,
      "Expired documents whose rows wait for compaction."},
     [](S s) { return static_cast<double>(s.database.sweeper().state().left_to_compaction); }},
    {{"mayfly_sweeper_failing_collections", MetricKind::gauge,
      "Collections whose expirations could not be recorded at the last attempt."},
     [](S s) { return static_cast<double>(s.database.sweeper().state().failing_collections); }},
    {{"mayfly_sweeper_failures_total", MetricKind::counter,
      "Failed attempts to record the expirations of a collection."},
     [](S s) { return static_cast<double>(s.database.sweeper().state().failures); }},
    {{"mayfly_sweeper_paused", MetricKind::gauge,
      "1 while the sweeper, the background task that records expirations, is paused."},
     [](S s) { return s.database.sweeper().state().is_paused ? 1.0 : 0.0; }},
    {{"mayfly_job_runs_total",
      MetricKind::counter,
      "Runs of a background job that have ended.",
      {},
      {"job"}},
     nullptr,
     runs_by_job},
    {{"mayfly_job_failures_total",
      MetricKind::counter,
      "Runs of a background job that have failed.",
      {},
      {"job"}},
     nullptr,
     failures_by_job},
    {{"mayfly_job_last_run_seconds",
      MetricKind::gauge,
      "How long the last run of a background job took.",
      "seconds",
      {"job"}},
     nullptr,
     last_seconds_by_job},
    {{"mayfly_subscription_delivered_total",
      MetricKind::counter,
      "Messages that the target of a subscription has taken.",
      {},
      {"subscription"}},
     nullptr,
     delivered_by_subscription},
    {{"mayfly_subscription_dead_total",
      MetricKind::counter,
      "Messages that a subscription has given up.",
      {},
      {"subscription"}},
     nullptr,
     dead_by_subscription},
    {{"mayfly_subscription_waiting",
      MetricKind::gauge,
      "Messages of a subscription that have been read and not delivered.",
      {},
      {"subscription"}},
     nullptr,
     waiting_by_subscription},
    {{"mayfly_subscription_lag_seconds",
      MetricKind::gauge,
      "The age of the first event of a subscription that has not been delivered.",
      "seconds",
      {"subscription"}},
     nullptr,
     lag_by_subscription},
    {{"mayfly_target_connected",
      MetricKind::gauge,
      "Whether messages can be sent to a kind of target, such as `nats`.",
      {},
      {"target"}},
     nullptr,
     connected_by_target},
    {{"mayfly_clock_ahead_seconds", MetricKind::gauge,
      "How far the data's time is ahead of the clock. Until the clock has caught up, it advances "
      "a microsecond per commit.",
      "seconds"},
     [](S s) { return static_cast<double>(clock_distance(s.database).ahead.micros) / 1e6; }},
    {{"mayfly_clock_behind_seconds", MetricKind::gauge,
      "How long the time of readers has stood still because of a commit in progress.", "seconds"},
     [](S s) { return static_cast<double>(clock_distance(s.database).behind.micros) / 1e6; }},
    {{"mayfly_commits_total", MetricKind::counter, "Commits to the store."},
     [](S s) { return static_cast<double>(s.database.store().stats().commits); }},
    {{"mayfly_syncs_total", MetricKind::counter, "Flushes to disk that commits waited for."},
     [](S s) { return static_cast<double>(s.database.store().stats().syncs); }},
    {{"mayfly_rows_forgotten_total", MetricKind::counter, "Obsolete rows that compaction dropped."},
     [](S s) { return static_cast<double>(s.database.store().stats().rows_forgotten); }},
    {{"mayfly_rows", MetricKind::gauge, "Rows in the store, estimated."},
     [](S s) { return static_cast<double>(s.database.store().stats().rows); }},
    {{"mayfly_disk_bytes", MetricKind::gauge, "Bytes on disk, estimated.", "bytes"},
     [](S s) { return static_cast<double>(s.database.store().stats().bytes_on_disk); }},
    {{"mayfly_memory_bytes",
      MetricKind::gauge,
      "Resident memory by part: the store's buffers, cache and tables; bodies of requests and "
      "answers; what else is allocated (heap); code and mapped files; and other, which is stacks, "
      "scripts and what the allocator keeps for later. The parts add up to the resident memory.",
      "bytes",
      {"part"}},
     nullptr,
     memory_by_part},
    {{"mayfly_documents",
      MetricKind::gauge,
      "Documents by database, with those that have expired and are not erased yet; an estimate "
      "where a collection has more than a thousand. Beyond a hundred databases the rest is "
      "\"other\".",
      {},
      {"database"}},
     nullptr,
     documents_by_database},
    {{"mayfly_clock_seconds", MetricKind::gauge,
      "The time that readers see, as seconds of Unix time.", "seconds"},
     [](S s) { return static_cast<double>(s.database.now().micros) / 1e6; }},
    {{"mayfly_clock_virtual", MetricKind::gauge, "1 where the clock is a virtual one."},
     [](S s) { return s.is_virtual ? 1.0 : 0.0; }},
    {{"mayfly_build_info",
      MetricKind::gauge,
      "Always 1; its labels say what is running.",
      {},
      {"version", "compiler"}},
     nullptr,
     build_info},
    {{"process_cpu_seconds_total", MetricKind::counter, "Time that processors spent on the server.",
      "seconds"},
     [](S) { return process_cpu_seconds(); }},
    {{"process_resident_memory_bytes", MetricKind::gauge, "Memory that the process has in RAM.",
      "bytes"},
     [](S) { return static_cast<double>(process_memory().resident_bytes); }},
    {{"process_virtual_memory_bytes", MetricKind::gauge, "Addresses that the process has mapped.",
      "bytes"},
     [](S) { return static_cast<double>(process_memory().virtual_bytes); }},
    {{"process_open_fds", MetricKind::gauge, "Files and sockets that are open."},
     [](S) { return static_cast<double>(process_open_files()); }},
    {{"process_max_fds", MetricKind::gauge, "How many files and sockets may be open."},
     [](S) { return static_cast<double>(process_open_files_max()); }},
    {{"process_start_time_seconds", MetricKind::gauge,
      "When the process was started, as seconds of Unix time.", "seconds"},
     [](S) { return process_start_seconds(); }},
    {{"mayfly_thread_failures_total", MetricKind::counter,
      "Exceptions that the server's threads caught and survived."},
     [](S) { return static_cast<double>(guarded_failures()); }},
    {{"mayfly_private_rows_malformed_total", MetricKind::counter,
      "Unreadable rows of an API's own data, such as webhooks and users, that were skipped."},
     [](S) { return static_cast<double>(malformed_rows()); }},
};

}  // namespace

const Metrics::Table& metrics_table() {
  static const Metrics::Table table = [] {
    Metrics::Table t;
    for (const TableRow& row : metric_rows) t.push_back(row.row);
    for (const DialectRow& row : dialects()) {
      t.insert(t.end(), row.metrics.begin(), row.metrics.end());
    }
    return t;
  }();
  return table;
}

void watch(Metrics& metrics, const MetricSources& sources) {
  for (const TableRow& row : metric_rows) {
    if (row.read != nullptr) {
      metrics.watch(row.row.name, [read = row.read, sources] { return read(sources); });
    }
    if (row.read_all != nullptr) {
      metrics.watch_all(row.row.name, [read = row.read_all, sources] { return read(sources); });
    }
  }
}

}  // namespace mayfly::app
