#include "dialect/native/routes.h"

#include "dialect/native/actions.h"

namespace mayfly::native {
namespace {

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

// clang-format off: one row a line
const Route server_routes[] = {
    {"getHealth", "GET", "/health", get_health, quick, "Whether the server runs",
     {{200, "Health"}}, {}, {}, {}, Access::open},
    {"getReadiness", "GET", "/ready", get_readiness, quick, "Whether the server takes requests",
     {{200, "Health"}, {503, "Health"}}, {}, {}, {}, Access::open},
    {"getMetrics", "GET", "/metrics", get_metrics, quick, "The server's metrics",
     {{200, "Metrics"}}, {}, {}, {}, Access::open, "text/plain"},
    {"getOpenApi", "GET", "/v1/openapi.json", describe_api, pooled, "This document",
     {{200, "Anything"}}, {}, {}, {}, Access::open},
    {"getServer", "GET", "/v1", describe_server, quick, "The server and its version",
     {{200, "Server"}}},
    {"getClock", "GET", "/v1/clock", get_clock, quick, "The server's time",
     {{200, "Clock"}}},
    {"moveClock", "POST", "/v1/clock", move_clock, pooled, "Moves a virtual clock forward",
     {{200, "Clock"}}, {}, "ClockMove"},
    {"listJobs", "GET", "/v1/jobs", list_jobs, quick, "What runs in the background",
     {{200, "JobList"}}},
    {"getSweeper", "GET", "/v1/sweeper", get_sweeper, quick, "The state of the sweeper",
     {{200, "Sweeper"}}},
    {"pauseSweeper", "POST", "/v1/sweeper/pause", pause_sweeper, quick,
     "Pauses the sweeper; answers stay exact", {{200, "Sweeper"}}},
    {"resumeSweeper", "POST", "/v1/sweeper/resume", resume_sweeper, quick,
     "Resumes the sweeper", {{200, "Sweeper"}}},
    {"runSweeper", "POST", "/v1/sweeper/run", run_sweeper, pooled,
     "Runs the sweeper once, also while it is paused", {{200, "SweeperRun"}}},

    {"createBackup", "POST", "/v1/backups", create_backup, pooled,
     "Makes a backup while writers go on", {{201, "Backup"}}, {}, "NewBackup"},
    {"listBackups", "GET", "/v1/backups", list_backups, pooled, "The complete backups",
     {{200, "BackupList"}}},
    {"removeBackup", "DELETE", "/v1/backups/{name}", remove_backup, pooled, "Removes a backup",
     {{204, {}}}},
};

const Route database_routes[] = {
    {"listDatabases", "GET", "/v1/databases", list_databases, pooled, "All databases",
     {{200, "DatabaseList"}}},
    {"createDatabase", "POST", "/v1/databases", create_database, pooled, "Creates a database",
     {{201, "Database"}}, {}, "NewDatabase"},
    {"putDatabase", "PUT", DATABASE, put_database, pooled, "Creates a database unless it exists",
     {{200, "Database"}, {201, "Database"}}, {}, "Nothing"},
    {"getDatabase", "GET", DATABASE, get_database, pooled, "One database", {{200, "Database"}}},
    {"dropDatabase", "DELETE", DATABASE, drop_database, pooled,
     "Drops a database with all its collections", {{204, {}}}},
};

const Route collection_routes[] = {
    {"listCollections", "GET", DATABASE "/collections", list_collections, pooled,
     "All collections of a database", {{200, "CollectionList"}}},
    {"createCollection", "POST", DATABASE "/collections", create_collection, pooled,
     "Creates a collection", {{201, "Collection"}}, {}, "NewCollection"},
    {"putCollection", "PUT", COLLECTION, put_collection, pooled,
     "Creates a collection, or changes its policy",
     {{200, "Collection"}, {201, "Collection"}}, {}, "PutCollection"},
    {"getCollection", "GET", COLLECTION, get_collection, pooled, "One collection",
     {{200, "Collection"}}},
    {"changeCollection", "PATCH", COLLECTION, change_collection, pooled,
     "Changes the policy of a collection", {{200, "Collection"}}, {}, "Promises"},
    {"dropCollection", "DELETE", COLLECTION, drop_collection, pooled, "Drops a collection",
     {{204, {}}}},
    {"listIndexes", "GET", COLLECTION "/indexes", list_indexes, pooled,
     "The indexes of a collection", {{200, "IndexList"}}},
    {"createIndex", "POST", COLLECTION "/indexes", create_index, pooled, "Creates an index",
     {{201, "Index"}}, {}, "NewIndex"},
    {"dropIndex", "DELETE", COLLECTION "/indexes/{index}", drop_index, pooled, "Drops an index",
     {{204, {}}}},
};

const Route document_routes[] = {
    {"listDocuments", "GET", COLLECTION "/documents", list_documents, pooled,
     "Documents, page by page", {{200, "DocumentList"}}, list_parameters},
    {"createDocument", "POST", COLLECTION "/documents", create_document, quick,
     "Creates a document; the body is the document", {{201, "Document"}}, create_parameters,
     "Data", write_headers},
    {"putDocument", "PUT", COLLECTION "/documents/{id}", put_document, quick,
     "Creates or replaces a document; the body is the document",
     {{200, "Document"}, {201, "Document"}}, lifetimes, "Data", write_headers},
    {"patchDocument", "PATCH", COLLECTION "/documents/{id}", patch_document, quick,
     "Merges the body into a document (RFC 7396)", {{200, "Document"}}, lifetimes, "Data",
     write_headers},
    {"getDocument", "GET", COLLECTION "/documents/{id}", get_document, quick, "One document",
     {{200, "Document"}, {304, {}}}, {"as_of", "partition"}, {}, conditions},
    {"removeDocument", "DELETE", COLLECTION "/documents/{id}", remove_document, quick,
     "Removes a document, to the trash where the collection keeps one", {{204, {}}},
     {"final", "partition"}, {}, write_headers},
    {"getHistory", "GET", COLLECTION "/documents/{id}/history", get_history, pooled,
     "The versions of a document that are kept", {{200, "History"}}, partition},
    {"countDocuments", "GET", COLLECTION "/count", count_documents, pooled,
     "How many documents there are", {{200, "Count"}}, {"filter", "as_of"}},
    {"queryDocuments", "POST", COLLECTION "/query", query_documents, pooled,
     "Documents, page by page, with the query in the body", {{200, "QueryAnswer"}}, {}, "Query"},
};

const Route lifetime_routes[] = {
    {"touchDocument", "POST", COLLECTION "/documents/{id}/touch", touch_document, quick,
     "Extends the lifetime of a document, never shortens it", {{200, "Document"}}, lifetimes, {},
     write_headers},
    {"holdDocument", "PUT", COLLECTION "/holds/{id}", hold_document, pooled,
     "Holds a document: until its release it does not expire", {{204, {}}}, partition,
     "NewHold", author},
    {"releaseDocument", "DELETE", COLLECTION "/holds/{id}", release_document, pooled,
     "Releases all versions of a document or the one removed at that instant; an ended one expires "
     "now",
     {{204, {}}}, of_version, {}, author},
    {"listHolds", "GET", COLLECTION "/holds", list_holds, pooled, "Documents under hold",
     {{200, "HoldList"}}, {"limit", "page"}},
    {"tellForecast", "GET", COLLECTION "/forecast", get_forecast, pooled,
     "How many documents expire in each of the next hours or days", {{200, "Forecast"}},
     {"slot", "slots"}},
    {"previewDefault", "POST", COLLECTION "/preview", preview_default, pooled,
     "How many documents would be expired under another default", {{200, "Preview"}}, {},
     "NewDefault"},
    {"listPurges", "GET", COLLECTION "/purges", list_purges, pooled,
     "The record of purges, chained by hashes",
     {{200, "PurgeList"}}, {"after", "limit"}},
};

const Route transaction_routes[] = {
    {"runTransaction", "POST", DATABASE "/transactions", run_transaction, pooled,
     "Writes several documents, all or none", {{200, "TransactionAnswer"}}, {}, "Transaction",
     author},
};

const Route history_routes[] = {
    {"listTrash", "GET", COLLECTION "/trash", list_trash, pooled, "Removed documents",
     {{200, "TrashList"}}, {"limit", "page"}},
    {"restoreDocument", "POST", COLLECTION "/trash/{id}/restore", restore_document, pooled,
     "Restores a removed document", {{200, "Document"}}, lifetimes, {}, author},
    {"forgetDocument", "DELETE", COLLECTION "/trash/{id}", forget_document, pooled,
     "Erases a document from the trash for good", {{204, {}}}, partition, {}, author},
    {"readFeed", "GET", COLLECTION "/feed", read_feed, pooled,
     "The events of a collection, in the order of the commits",
     {{200, "EventList", "EventStream"}}, {"after", "limit", "wait_seconds"}, {},
     {"Last-Event-ID"}},
};

#define SUBSCRIPTION DATABASE "/subscriptions/{subscription}"

const Route subscription_routes[] = {
    {"listSubscriptions", "GET", DATABASE "/subscriptions", list_subscriptions, pooled,
     "All subscriptions of a database", {{200, "SubscriptionList"}}},
    {"createSubscription", "POST", DATABASE "/subscriptions", create_subscription, pooled,
     "Subscribes a target to events; the answer shows its secret once",
     {{201, "Subscription"}}, {}, "NewSubscription"},
    {"getSubscription", "GET", SUBSCRIPTION, get_subscription, pooled,
     "One subscription, and how far it has come", {{200, "Subscription"}}},
    {"removeSubscription", "DELETE", SUBSCRIPTION, remove_subscription, pooled,
     "Removes a subscription", {{204, {}}}},
    {"pauseSubscription", "POST", SUBSCRIPTION "/pause", pause_subscription, pooled,
     "Pauses a subscription, which keeps its place", {{200, "Subscription"}}},
    {"resumeSubscription", "POST", SUBSCRIPTION "/resume", resume_subscription, pooled,
     "Resumes a subscription", {{200, "Subscription"}}},
    {"replaySubscription", "POST", SUBSCRIPTION "/replay", replay_subscription, pooled,
     "Sends the events again from an instant on, or all that the feeds keep",
     {{200, "Subscription"}}, {}, "Replay"},
    {"listDeadLetters", "GET", SUBSCRIPTION "/dead_letters", list_dead_letters, pooled,
     "Messages that were given up", {{200, "DeadLetterList"}}, {"page"}},
    {"sendDeadLetters", "POST", SUBSCRIPTION "/dead_letters/send", send_dead_letters, pooled,
     "Sends a page of them again", {{200, "SentLetters"}}, {"page"}},
};
// clang-format on

const Group groups_table[] = {
    {"server", "Health, metrics, the clock, housekeeping and backups", server_routes},
    {"databases", "Create, list and drop databases", database_routes},
    {"collections", "Collections, their policies and their indexes", collection_routes},
    {"documents", "Read, write, query and count documents", document_routes},
    {"lifetimes", "Touch and hold documents; forecast, preview and record their ends",
     lifetime_routes},
    {"transactions", "Write several documents, all or none", transaction_routes},
    {"trash and feed", "Removed documents, and the events of a collection", history_routes},
    {"subscriptions", "Events that are sent to webhooks", subscription_routes},
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

}  // namespace mayfly::native
