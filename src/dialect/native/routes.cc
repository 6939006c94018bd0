#include "dialect/native/routes.h"

#include <algorithm>
#include <iterator>

#include "dialect/native/actions.h"

namespace mayfly::native {
namespace {
namespace rows {

#define DATABASE "/v1/databases/{database}"
#define COLLECTION DATABASE "/collections/{collection}"

using Names = std::vector<std::string_view>;

const Names list_parameters{"filter", "sort", "limit", "page", "select", "as_of", "lifetime"};
const Names lifetimes{"ttl", "expires_at", "never", "inherit", "partition"};
const Names create_parameters{"id", "ttl", "expires_at", "never", "inherit", "partition"};
const Names partition{"partition"};
const Names of_version{"partition", "removed_at"};
const Names conditions{"If-Match", "If-None-Match"};
const Names write_headers{"If-Match", "If-None-Match", "Mayfly-Author"};
const Names author{"Mayfly-Author"};
constexpr net::Pace quick = net::Pace::quick;
constexpr net::Pace pooled = net::Pace::worker;
using enum RouteEffect;
constexpr bool urgent = true;

// clang-format off: each row begins with its columns
const Route server[] = {
    {{"GET", "/health", quick, open}, "getHealth", get_health,
     "Whether the server runs", {{200, "Health"}}, {}, {}, {}, urgent},
    {{"GET", "/ready", quick, open}, "getReadiness", get_readiness,
     "Whether the server takes requests", {{200, "Health"}, {503, "Health"}}, {}, {}, {}, urgent},
    {{"GET", "/metrics", quick, open}, "getMetrics", get_metrics,
     "The server's metrics", {{200, "Metrics"}}, {}, {}, {}, urgent, "text/plain"},
    {{"GET", "/v1/openapi.json", pooled, open}, "getOpenApi", describe_api,
     "This document", {{200, "Anything"}}},
    {{"GET", "/v1", quick, read}, "getServer", describe_server,
     "The server and its version", {{200, "Server"}}},
    {{"GET", "/v1/clock", quick, read}, "getClock", get_clock,
     "The server's time", {{200, "Clock"}}},
    {{"POST", "/v1/clock", pooled, admin}, "moveClock", move_clock,
     "Moves a virtual clock forward", {{200, "Clock"}}, {}, "ClockMove"},
    {{"GET", "/v1/jobs", quick, read}, "listJobs", list_jobs,
     "What runs in the background", {{200, "JobList"}}},
    {{"GET", "/v1/sweeper", quick, read}, "getSweeper", get_sweeper,
     "The state of the sweeper", {{200, "Sweeper"}}},
    {{"POST", "/v1/sweeper/pause", quick, admin}, "pauseSweeper", pause_sweeper,
     "Pauses the sweeper; answers stay exact", {{200, "Sweeper"}}},
    {{"POST", "/v1/sweeper/resume", quick, admin}, "resumeSweeper", resume_sweeper,
     "Resumes the sweeper", {{200, "Sweeper"}}},
    {{"POST", "/v1/sweeper/run", pooled, admin}, "runSweeper", run_sweeper,
     "Runs the sweeper once, also while it is paused", {{200, "SweeperRun"}}},

    {{"POST", "/v1/backups", pooled, admin}, "createBackup", create_backup,
     "Makes a backup while writers go on", {{201, "Backup"}}, {}, "NewBackup"},
    {{"GET", "/v1/backups", pooled, read}, "listBackups", list_backups,
     "The complete backups", {{200, "BackupList"}}},
    {{"DELETE", "/v1/backups/{name}", pooled, admin}, "removeBackup", remove_backup,
     "Removes a backup", {{204, {}}}},
};

const Route database[] = {
    {{"GET", "/v1/databases", pooled, read}, "listDatabases", list_databases,
     "All databases", {{200, "DatabaseList"}}},
    {{"POST", "/v1/databases", pooled, admin}, "createDatabase", create_database,
     "Creates a database", {{201, "Database"}}, {}, "NewDatabase"},
    {{"PUT", DATABASE, pooled, admin}, "putDatabase", put_database,
     "Creates a database unless it exists", {{200, "Database"}, {201, "Database"}}, {}, "Nothing"},
    {{"GET", DATABASE, pooled, read}, "getDatabase", get_database,
     "One database", {{200, "Database"}}},
    {{"DELETE", DATABASE, pooled, admin}, "dropDatabase", drop_database,
     "Drops a database with all its collections", {{204, {}}}},
};

const Route collection[] = {
    {{"GET", DATABASE "/collections", pooled, read}, "listCollections", list_collections,
     "All collections of a database", {{200, "CollectionList"}}},
    {{"POST", DATABASE "/collections", pooled, admin}, "createCollection", create_collection,
     "Creates a collection", {{201, "Collection"}}, {}, "NewCollection"},
    {{"PUT", COLLECTION, pooled, admin}, "putCollection", put_collection,
     "Creates a collection, or changes its policy",
     {{200, "Collection"}, {201, "Collection"}}, {}, "PutCollection"},
    {{"GET", COLLECTION, pooled, read}, "getCollection", get_collection,
     "One collection", {{200, "Collection"}}},
    {{"PATCH", COLLECTION, pooled, admin}, "changeCollection", change_collection,
     "Changes the policy of a collection", {{200, "Collection"}}, {}, "Promises"},
    {{"DELETE", COLLECTION, pooled, admin}, "dropCollection", drop_collection,
     "Drops a collection", {{204, {}}}},
    {{"GET", COLLECTION "/indexes", pooled, read}, "listIndexes", list_indexes,
     "The indexes of a collection", {{200, "IndexList"}}},
    {{"POST", COLLECTION "/indexes", pooled, admin}, "createIndex", create_index,
     "Creates an index", {{201, "Index"}}, {}, "NewIndex"},
    {{"DELETE", COLLECTION "/indexes/{index}", pooled, admin}, "dropIndex", drop_index,
     "Drops an index", {{204, {}}}},
};

const Route document[] = {
    {{"GET", COLLECTION "/documents", pooled, read}, "listDocuments", list_documents,
     "Documents, page by page", {{200, "DocumentList"}}, list_parameters},
    {{"POST", COLLECTION "/documents", quick, write}, "createDocument", create_document,
     "Creates a document; the body is the document",
     {{201, "Document"}}, create_parameters, "Data", write_headers},
    {{"PUT", COLLECTION "/documents/{id}", quick, write}, "putDocument", put_document,
     "Creates or replaces a document; the body is the document",
     {{200, "Document"}, {201, "Document"}}, lifetimes, "Data", write_headers},
    {{"PATCH", COLLECTION "/documents/{id}", quick, write}, "patchDocument", patch_document,
     "Merges the body into a document (RFC 7396)",
     {{200, "Document"}}, lifetimes, "Data", write_headers},
    {{"GET", COLLECTION "/documents/{id}", quick, read}, "getDocument", get_document,
     "One document", {{200, "Document"}, {304, {}}}, {"as_of", "partition"}, {}, conditions},
    {{"DELETE", COLLECTION "/documents/{id}", quick, write}, "removeDocument", remove_document,
     "Removes a document, to the trash where the collection keeps one",
     {{204, {}}}, {"final", "partition"}, {}, write_headers},
    {{"GET", COLLECTION "/documents/{id}/history", pooled, read}, "getHistory", get_history,
     "The versions of a document that are kept", {{200, "History"}}, partition},
    {{"GET", COLLECTION "/count", pooled, read}, "countDocuments", count_documents,
     "How many documents there are", {{200, "Count"}}, {"filter", "as_of"}},
    {{"POST", COLLECTION "/query", pooled, read}, "queryDocuments", query_documents,
     "Documents, page by page, with the query in the body", {{200, "QueryAnswer"}}, {}, "Query"},
};

const Route lifetime[] = {
    {{"POST", COLLECTION "/documents/{id}/touch", quick, write}, "touchDocument", touch_document,
     "Extends the lifetime of a document, never shortens it",
     {{200, "Document"}}, lifetimes, {}, write_headers},
    {{"PUT", COLLECTION "/holds/{id}", pooled, write}, "holdDocument", hold_document,
     "Holds a document: until its release it does not expire",
     {{204, {}}}, partition, "NewHold", author},
    {{"DELETE", COLLECTION "/holds/{id}", pooled, write}, "releaseDocument", release_document,
     "Releases all versions of a document or the one removed at that instant; an ended one expires "
     "now",
     {{204, {}}}, of_version, {}, author},
    {{"GET", COLLECTION "/holds", pooled, read}, "listHolds", list_holds,
     "Documents under hold", {{200, "HoldList"}}, {"limit", "page"}},
    {{"GET", COLLECTION "/forecast", pooled, read}, "tellForecast", get_forecast,
     "How many documents expire in each of the next hours or days",
     {{200, "Forecast"}}, {"slot", "slots"}},
    {{"POST", COLLECTION "/preview", pooled, read}, "previewDefault", preview_default,
     "How many documents would be expired under another default",
     {{200, "Preview"}}, {}, "NewDefault"},
    {{"GET", COLLECTION "/purges", pooled, read}, "listPurges", list_purges,
     "The record of purges, chained by hashes", {{200, "PurgeList"}}, {"after", "limit"}},
};

const Route transaction[] = {
    {{"POST", DATABASE "/transactions", pooled, write}, "runTransaction", run_transaction,
     "Writes several documents, all or none",
     {{200, "TransactionAnswer"}}, {}, "Transaction", author},
};

const Route history[] = {
    {{"GET", COLLECTION "/trash", pooled, read}, "listTrash", list_trash,
     "Removed documents", {{200, "TrashList"}}, {"limit", "page"}},
    {{"POST", COLLECTION "/trash/{id}/restore", pooled, write}, "restoreDocument", restore_document,
     "Restores a removed document", {{200, "Document"}}, lifetimes, {}, author},
    {{"DELETE", COLLECTION "/trash/{id}", pooled, write}, "forgetDocument", forget_document,
     "Erases a document from the trash for good", {{204, {}}}, partition, {}, author},
    {{"GET", COLLECTION "/feed", pooled, read}, "readFeed", read_feed,
     "The events of a collection, in the order of the commits",
     {{200, "EventList", "EventStream"}}, {"after", "limit", "wait_seconds"}, {},
     {"Last-Event-ID"}},
};

#define SUBSCRIPTION DATABASE "/subscriptions/{subscription}"

const Route subscription[] = {
    {{"GET", DATABASE "/subscriptions", pooled, read}, "listSubscriptions", list_subscriptions,
     "All subscriptions of a database", {{200, "SubscriptionList"}}},
    {{"POST", DATABASE "/subscriptions", pooled, admin}, "createSubscription", create_subscription,
     "Subscribes a target to events; the answer shows its secret once",
     {{201, "Subscription"}}, {}, "NewSubscription"},
    {{"GET", SUBSCRIPTION, pooled, read}, "getSubscription", get_subscription,
     "One subscription, and how far it has come", {{200, "Subscription"}}},
    {{"DELETE", SUBSCRIPTION, pooled, admin}, "removeSubscription", remove_subscription,
     "Removes a subscription", {{204, {}}}},
    {{"POST", SUBSCRIPTION "/pause", pooled, admin}, "pauseSubscription", pause_subscription,
     "Pauses a subscription, which keeps its place", {{200, "Subscription"}}},
    {{"POST", SUBSCRIPTION "/resume", pooled, admin}, "resumeSubscription", resume_subscription,
     "Resumes a subscription", {{200, "Subscription"}}},
    {{"POST", SUBSCRIPTION "/replay", pooled, admin}, "replaySubscription", replay_subscription,
     "Sends the events again from an instant on, or all that the feeds keep",
     {{200, "Subscription"}}, {}, "Replay"},
    {{"GET", SUBSCRIPTION "/dead_letters", pooled, read}, "listDeadLetters", list_dead_letters,
     "Messages that were given up", {{200, "DeadLetterList"}}, {"page"}},
    {{"POST", SUBSCRIPTION "/dead_letters/send", pooled, admin}, "sendDeadLetters",
     send_dead_letters, "Sends a page of them again", {{200, "SentLetters"}}, {"page"}},
};
// clang-format on

}  // namespace rows

const Group groups_table[] = {
    {"server", "Health, metrics, the clock, housekeeping and backups", rows::server},
    {"databases", "Create, list and drop databases", rows::database},
    {"collections", "Collections, their policies and their indexes", rows::collection},
    {"documents", "Read, write, query and count documents", rows::document},
    {"lifetimes", "Touch and hold documents; forecast, preview and record their ends",
     rows::lifetime},
    {"transactions", "Write several documents, all or none", rows::transaction},
    {"trash and feed", "Removed documents, and the events of a collection", rows::history},
    {"subscriptions", "Events that are sent to webhooks", rows::subscription},
};

}  // namespace

std::span<const Group> groups() {
  return groups_table;
}

std::span<const Route> routes() {
  static const std::vector<Route> all = [] {
    std::vector<Route> joined;
    for (const Group& group : groups_table) {
      joined.insert(joined.end(), group.routes.begin(), group.routes.end());
    }
    return joined;
  }();
  return all;
}

bool is_urgent_path(std::string_view path) {
  return std::any_of(std::begin(rows::server), std::end(rows::server),
                     [&](const Route& row) { return row.is_urgent && row.pattern == path; });
}

}  // namespace mayfly::native
