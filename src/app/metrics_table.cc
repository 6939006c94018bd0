#include "app/metrics_table.h"

#include <functional>
#include <iterator>

#include "base/thread.h"
#include "db/database_clock.h"
#include "db/sweeper.h"
#include "dialect/common/malformed.h"

namespace mayfly::app {
namespace {

struct Source {
  Database& database;
  const net::Server& server;
};

struct TableRow {
  MetricRow row;
  double (*ask)(const Source&);  // null: a dialect counts it by itself
};

double seconds_overdue(const Source& source) {
  const SweeperState state = source.database.sweeper().state();
  const Instant now = source.database.now();
  if (state.next_due >= now) return 0;
  return static_cast<double>((now - state.next_due).micros) / 1e6;
}

using S = const Source&;

const TableRow metric_rows[] = {
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
      "Requests refused for their framing, their size or overload."},
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
      "Removed documents that left the trash because keep_trash_for had passed."},
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
    {{"mayfly_sweeper_paused", MetricKind::gauge, "1 while the sweeper is paused."},
     [](S s) { return s.database.sweeper().state().is_paused ? 1.0 : 0.0; }},
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
    {{"mayfly_memory_bytes", MetricKind::gauge, "Bytes the store holds in memory.", "bytes"},
     [](S s) { return static_cast<double>(s.database.store().stats().bytes_in_memory); }},
    {{"mayfly_thread_failures_total", MetricKind::counter,
      "Exceptions that the server's threads caught and survived."},
     [](S) { return static_cast<double>(guarded_failures()); }},
    {{"mayfly_private_rows_malformed_total", MetricKind::counter,
      "Unreadable rows of a dialect's own data that were skipped."},
     [](S) { return static_cast<double>(malformed_rows()); }},
    {{"mayfly_kuzzle_requests_buffered", MetricKind::gauge,
      "Requests to the Kuzzle API beyond those that may run at once."},
     nullptr},
    {{"mayfly_kuzzle_requests_discarded_total", MetricKind::counter,
      "Requests to the Kuzzle API discarded because the buffer was full."},
     nullptr},
    {{"mayfly_kuzzle_overload_warnings_total", MetricKind::counter,
      "Warnings of the Kuzzle API that its buffer is filling up (core:overload)."},
     nullptr},
};

}  // namespace

const Metrics::Table& metrics_table() {
  static const Metrics::Table table = [] {
    Metrics::Table t;
    for (const TableRow& row : metric_rows) t.push_back(row.row);
    return t;
  }();
  return table;
}

void watch(Metrics& metrics, Database& database, const net::Server& server) {
  for (const TableRow& row : metric_rows) {
    if (row.ask == nullptr) continue;
    metrics.watch(row.row.name,
                  [ask = row.ask, source = Source{database, server}] { return ask(source); });
  }
}

}  // namespace mayfly::app
