#include "dialect/native/openapi/schemas.h"

#include <algorithm>

namespace mayfly::native {
namespace {

// Members that several schemas share: a word in capitals stands for them.
constexpr std::string_view document_members = R"(
    "id": {"type": "string", "minLength": 1},
    "partition": {"$ref": "#/components/schemas/Partition"},
    "created_at": {"$ref": "#/components/schemas/Time"},
    "written_at": {"$ref": "#/components/schemas/Time"},
    "expires_at": {"$ref": "#/components/schemas/TimeOrNull"},
    "revision": {"type": "integer", "minimum": 1},
    "etag": {"type": "string"},
    "author": {"type": ["string", "null"]},
    "updater": {"type": ["string", "null"]},
    "hold": {"$ref": "#/components/schemas/Hold"},
    "lifetime": {"type": "string", "enum": ["at", "never", "after", "inherit"],
      "description": "what decides expires_at; only if a list requests it"},
    "after": {"type": "integer", "minimum": 1, "description":
      "the seconds of the lifetime after, counted from the second of each write"},
    "data": {"type": "object"})";
constexpr std::string_view promise_members = R"(
    "default_ttl": {"$ref": "#/components/schemas/DefaultTtl"},
    "stamp_ttl": {"$ref": "#/components/schemas/StampTtl"},
    "writers_may_set_ttl": {"type": "boolean"},
    "keep_history_for": {"$ref": "#/components/schemas/Keeping"},
    "keep_trash_for": {"$ref": "#/components/schemas/Keeping"},
    "keep_feed_for": {"$ref": "#/components/schemas/Keeping"},
    "keep_purges_for": {"$ref": "#/components/schemas/Keeping"},
    "expire_to_trash": {"type": "boolean"},
    "indexed": {"type": "boolean"})";

struct SchemaRow {
  std::string_view name;
  std::string_view json;
};
constexpr SchemaRow schema_table[] = {
    {"Time", R"({"type": "string", "format": "date-time",
      "description": "RFC 3339, UTC, with no, three or six digits of fraction"})"},
    {"TimeOrNull", R"({"oneOf": [{"$ref": "#/components/schemas/Time"}, {"type": "null"}]})"},
    {"Error", R"({"type": "object", "required": ["error"], "additionalProperties": false,
      "properties": {"error": {"type": "object", "required": ["code", "message"],
        "additionalProperties": false, "properties": {
          "code": {"type": "string", "enum": ["invalid", "unauthenticated", "forbidden",
            "not_found", "exists", "stale", "contended", "too_large", "throttled", "timed_out",
            "unsupported", "no_space", "corrupt", "internal"]},
          "message": {"type": "string"},
          "field": {"type": "string", "description": "the member, parameter or header at fault"}
      }}}})"},
    {"Health", R"({"type": "object", "required": ["status"], "additionalProperties": false,
      "properties": {"status": {"type": "string", "enum": ["ok", "not_ready"]},
        "reason": {"type": "string", "description": "why it is not ready"},
        "warnings": {"type": "array", "items": {"type": "string"},
          "description": "problems that do not stop requests"}}})"},
    {"Metrics", R"({"type": "string", "description": "the text format that Prometheus reads"})"},
    {"Anything", R"({"type": "object"})"},
    {"Server", R"({"type": "object", "required": ["name", "version", "clock", "now"],
      "additionalProperties": false, "properties": {
        "name": {"type": "string"}, "version": {"type": "string"},
        "clock": {"type": "string", "enum": ["system", "virtual"]},
        "now": {"$ref": "#/components/schemas/Time"}}})"},
    {"Clock", R"({"type": "object", "required": ["now", "kind"], "additionalProperties": false,
      "properties": {"now": {"$ref": "#/components/schemas/Time"},
        "kind": {"type": "string", "enum": ["system", "virtual"]}}})"},
    {"ClockMove", R"({"description": "either member", "oneOf": [
      {"type": "object", "required": ["advance_seconds"], "additionalProperties": false,
        "properties": {"advance_seconds": {"type": "number", "minimum": 0}}},
      {"type": "object", "required": ["set"], "additionalProperties": false,
        "properties": {"set": {"$ref": "#/components/schemas/Time"}}}]})"},
    {"Job", R"({"type": "object", "additionalProperties": false,
      "required": ["name", "lane", "lease", "running", "due", "last_run", "took_seconds", "runs",
        "failures", "last_error"],
      "properties": {"name": {"type": "string"},
        "lane": {"type": "string", "enum": ["main", "events", "evaluation", "housekeeping",
          "lengthy"],
          "description": "the thread that runs it"},
        "lease": {"type": ["string", "null"]}, "running": {"type": "boolean"},
        "due": {"$ref": "#/components/schemas/TimeOrNull"},
        "last_run": {"$ref": "#/components/schemas/TimeOrNull"},
        "took_seconds": {"type": "number", "minimum": 0, "description": "of the last run"},
        "runs": {"type": "integer", "minimum": 0},
        "failures": {"type": "integer", "minimum": 0},
        "last_error": {"type": ["string", "null"], "description": "of the last run"}}})"},
    {"JobList", R"({"type": "object", "required": ["jobs"], "additionalProperties": false,
      "properties": {"jobs": {"type": "array",
        "items": {"$ref": "#/components/schemas/Job"}}}})"},
    {"Sweeper", R"({"type": "object", "additionalProperties": false,
      "required": ["paused", "next_due", "overdue_collections", "expired", "trash_purged",
        "batches", "swept_at"],
      "properties": {"paused": {"type": "boolean"},
        "next_due": {"$ref": "#/components/schemas/TimeOrNull"},
        "overdue_collections": {"type": "integer"}, "expired": {"type": "integer"},
        "trash_purged": {"type": "integer"}, "batches": {"type": "integer"},
        "swept_at": {"$ref": "#/components/schemas/TimeOrNull"}}})"},
    {"SweeperRun", R"({"type": "object", "required": ["recorded"], "additionalProperties": false,
      "properties": {"recorded": {"type": "integer", "minimum": 0,
        "description": "how many due expirations were recorded"}}})"},
    {"NewBackup", R"({"type": "object", "required": ["name"], "additionalProperties": false,
      "properties": {"name": {"type": "string", "minLength": 1, "maxLength": 100,
        "description": "letters, digits, '-', '_' and '.', which is not the first"}}})"},
    {"Backup", R"({"type": "object", "required": ["name", "instant", "bytes", "files"],
      "additionalProperties": false, "properties": {
        "name": {"type": "string"},
        "instant": {"$ref": "#/components/schemas/Time"},
        "bytes": {"type": "integer", "minimum": 0},
        "files": {"type": "integer", "minimum": 0}}})"},
    {"BackupList", R"({"type": "object", "required": ["backups"], "additionalProperties": false,
      "properties": {"backups": {"type": "array",
        "items": {"$ref": "#/components/schemas/Backup"}}}})"},
    {"NewDatabase", R"({"type": "object", "required": ["name"], "additionalProperties": false,
      "properties": {"name": {"$ref": "#/components/schemas/Name"}}})"},
    {"Name", R"({"type": "string", "minLength": 1, "maxLength": 255})"},
    {"Nothing", R"({"type": "object", "additionalProperties": false})"},
    {"Database", R"({"type": "object", "required": ["name", "created_at", "collections"],
      "additionalProperties": false, "properties": {
        "name": {"$ref": "#/components/schemas/Name"},
        "created_at": {"$ref": "#/components/schemas/Time"},
        "collections": {"type": "integer", "minimum": 0}}})"},
    {"DatabaseList", R"({"type": "object", "required": ["databases"],
      "additionalProperties": false, "properties": {"databases": {"type": "array",
        "items": {"$ref": "#/components/schemas/Database"}}}})"},
    {"DefaultTtl", R"({
      "description": "null: none; never: no end; a number: seconds after the second of the write",
      "oneOf": [{"type": "null"}, {"type": "string", "enum": ["never"]},
        {"type": "integer", "minimum": 1, "maximum": 2147483647}]})"},
    {"StampTtl",
     R"({"description": "puts an expires_at on documents that are written without a lifetime",
      "oneOf": [{"type": "null"}, {"type": "object", "required": ["seconds"],
        "additionalProperties": false, "properties": {
          "seconds": {"type": "integer", "minimum": 1, "maximum": 2147483647},
          "when": {"type": "string", "enum": ["creation", "every_write"]}}}]})"},
    {"Keeping", R"({"description": "seconds, 0 for not at all",
      "oneOf": [{"type": "integer", "minimum": 0, "maximum": 2147483647},
        {"type": "string", "enum": ["forever"]}]})"},
    {"NewIndex", R"({"type": "object", "required": ["name", "fields"],
      "additionalProperties": false, "properties": {
        "name": {"$ref": "#/components/schemas/Name"},
        "fields": {"type": "array", "items": {"type": "object", "required": ["path"],
          "additionalProperties": false, "properties": {"path": {"type": "string"},
            "order": {"type": "string", "enum": ["asc", "desc"]},
            "each": {"type": "boolean", "description": "an entry for each item"}}}},
        "unique": {"type": "boolean"}}})"},
    {"Index", R"({"type": "object", "required": ["name", "fields", "unique", "ready"],
      "additionalProperties": false, "properties": {
        "name": {"$ref": "#/components/schemas/Name"},
        "fields": {"type": "array", "items": {"type": "object", "required": ["path", "order"],
          "additionalProperties": false, "properties": {"path": {"type": "string"},
            "order": {"type": "string", "enum": ["asc", "desc"]},
            "each": {"type": "boolean", "description": "an entry for each item"}}}},
        "unique": {"type": "boolean"},
        "ready": {"type": "boolean", "description": "queries use it"}}})"},
    {"IndexList", R"({"type": "object", "required": ["indexes"], "additionalProperties": false,
      "properties": {"indexes": {"type": "array",
        "items": {"$ref": "#/components/schemas/Index"}}}})"},
    {"Promises", R"({"type": "object", "additionalProperties": false, "properties": { PROMISES}})"},
    {"PutCollection", R"({"type": "object", "additionalProperties": false, "properties": { PROMISES,
        "indexes": {"type": "array", "items": {"$ref": "#/components/schemas/NewIndex"}}}})"},
    {"NewCollection", R"({"type": "object", "required": ["name"], "additionalProperties": false,
      "properties": {
        "name": {"$ref": "#/components/schemas/Name"}, PROMISES,
        "indexes": {"type": "array", "items": {"$ref": "#/components/schemas/NewIndex"}}}})"},
    {"Collection", R"({"type": "object", "additionalProperties": false,
      "required": ["name", "created_at", "changed_at", "default_ttl", "stamp_ttl",
        "writers_may_set_ttl", "keep_history_for", "keep_trash_for", "keep_feed_for",
        "keep_purges_for", "expire_to_trash", "indexed", "indexes"],
      "properties": {
        "name": {"$ref": "#/components/schemas/Name"},
        "created_at": {"$ref": "#/components/schemas/Time"},
        "changed_at": {"$ref": "#/components/schemas/Time"}, PROMISES,
        "indexes": {"type": "array", "items": {"$ref": "#/components/schemas/Index"}}}})"},
    {"CollectionList", R"({"type": "object", "required": ["collections"],
      "additionalProperties": false, "properties": {"collections": {"type": "array",
        "items": {"$ref": "#/components/schemas/Collection"}}}})"},
    {"Data", R"({"type": "object", "description": "the document itself"})"},
    {"Partition", R"({"type": "array", "description":
      "the values of the partition key, if the collection has partitions; {}: no value"})"},
    {"Document", R"({"type": "object", "additionalProperties": false,
      "required": ["id", "created_at", "written_at", "expires_at", "revision", "etag", "author",
        "updater", "data"],
      "properties": {DOCUMENT}})"},
    {"DocumentList", R"({"type": "object", "required": ["documents", "next"],
      "additionalProperties": false, "properties": {
        "documents": {"type": "array", "items": {"$ref": "#/components/schemas/Document"}},
        "next": {"type": ["string", "null"], "description": "for ?page=; null: no more"}}})"},
    {"Version", R"({"type": "object", "additionalProperties": false,
      "required": ["id", "created_at", "written_at", "expires_at", "revision", "etag", "author",
        "updater", "superseded_at", "data"],
      "properties": {"superseded_at": {"$ref": "#/components/schemas/TimeOrNull"}, DOCUMENT}})"},
    {"History", R"({"type": "object", "required": ["versions"], "additionalProperties": false,
      "properties": {"versions": {"type": "array", "description": "newest first",
        "items": {"$ref": "#/components/schemas/Version"}}}})"},
    {"RemovedDocument", R"({"type": "object", "additionalProperties": false,
      "required": ["id", "created_at", "written_at", "expires_at", "revision", "etag", "author",
        "updater", "removed_at", "data"],
      "properties": {"removed_at": {"$ref": "#/components/schemas/Time"},
        "expired": {"type": "boolean", "enum": [true], "description": "it died"}, DOCUMENT}})"},
    {"Hold", R"({"type": "object", "required": ["reason", "by", "held_at"],
      "additionalProperties": false, "properties": {"reason": {"type": "string"},
        "by": {"type": ["string", "null"]},
        "held_at": {"$ref": "#/components/schemas/Time"},
        "lifetime": {"type": "string", "enum": ["at", "never", "after", "inherit"],
          "description": "the lifetime after the release"},
        "after": {"type": "integer", "minimum": 1},
        "expires_at": {"$ref": "#/components/schemas/Time"}}})"},
    {"NewHold", R"({"type": "object", "additionalProperties": false,
      "properties": {"reason": {"type": "string", "maxLength": 1024}}})"},
    {"HeldDocument", R"({"type": "object", "additionalProperties": false,
      "required": ["id", "created_at", "written_at", "expires_at", "revision", "etag", "author",
        "updater", "removed_at", "hold", "data"],
      "properties": {"removed_at": {"$ref": "#/components/schemas/TimeOrNull"},
        "expired": {"type": "boolean", "enum": [true]}, DOCUMENT}})"},
    {"HoldList", R"({"type": "object", "required": ["documents", "next"],
      "additionalProperties": false, "properties": {
        "documents": {"type": "array", "items": {"$ref": "#/components/schemas/HeldDocument"}},
        "next": {"type": ["string", "null"]}}})"},
    {"Deaths", R"({"type": "object", "required": ["documents", "exact"],
      "additionalProperties": false, "properties": {
        "documents": {"type": "integer", "minimum": 0},
        "exact": {"type": "boolean", "description": "false: the store's estimate"}}})"},
    {"Forecast", R"({"type": "object", "required": ["now", "slots"], "additionalProperties": false,
      "properties": {"now": {"$ref": "#/components/schemas/Time"},
        "slots": {"type": "array", "items": {"type": "object", "required": ["until", "deaths"],
          "additionalProperties": false, "properties": {
            "until": {"$ref": "#/components/schemas/Time"},
            "deaths": {"$ref": "#/components/schemas/Deaths"}}}}}})"},
    {"NewDefault", R"({"type": "object", "required": ["default_ttl"], "additionalProperties": true,
      "properties": {"default_ttl": {"$ref": "#/components/schemas/DefaultTtl"}}})"},
    {"Preview", R"({"type": "object",
      "required": ["now", "at_once", "within_a_day", "within_a_week"],
      "additionalProperties": false, "properties": {
        "now": {"$ref": "#/components/schemas/Time"},
        "at_once": {"$ref": "#/components/schemas/Deaths"},
        "within_a_day": {"$ref": "#/components/schemas/Deaths"},
        "within_a_week": {"$ref": "#/components/schemas/Deaths"}}})"},
    {"PurgeList", R"({"type": "object", "required": ["records", "intact", "has_more"],
      "additionalProperties": false, "properties": {
        "records": {"type": "array", "items": {"type": "object", "additionalProperties": false,
          "required": ["number", "purged_at", "versions", "previous", "hash"], "properties": {
            "number": {"type": "integer", "minimum": 1},
            "purged_at": {"$ref": "#/components/schemas/Time"},
            "versions": {"type": "array", "items": {"$ref": "#/components/schemas/PurgedVersion"}},
            "previous": {"type": "string"}, "hash": {"type": "string"}}}},
        "intact": {"type": "boolean", "description": "each hash fits its record and the next"},
        "has_more": {"type": "boolean"}}})"},
    {"PurgedVersion", R"({"type": "object", "additionalProperties": false,
      "required": ["id", "how", "written_at", "ended_at", "by"], "properties": {
        "id": {"type": "string"}, "routing": {"type": "string"},
        "how": {"type": "string", "enum": ["expired", "out_of_trash", "removed", "erased"]},
        "written_at": {"$ref": "#/components/schemas/Time"},
        "ended_at": {"$ref": "#/components/schemas/Time"},
        "by": {"type": ["string", "null"]}}})"},
    {"TrashList", R"({"type": "object", "required": ["documents", "next"],
      "additionalProperties": false, "properties": {
        "documents": {"type": "array", "description": "the oldest removal first",
          "items": {"$ref": "#/components/schemas/RemovedDocument"}},
        "next": {"type": ["string", "null"]}}})"},
    {"Count", R"({"type": "object", "required": ["count"], "additionalProperties": false,
      "properties": {"count": {"type": "integer", "minimum": 0}}})"},
    {"Query", R"({"type": "object", "additionalProperties": false, "properties": {
        "filter": {"type": "string"}, "sort": {"type": "string"}, "select": {"type": "string"},
        "limit": {"type": "integer", "minimum": 1, "maximum": 1000}, "page": {"type": "string"},
        "as_of": {"$ref": "#/components/schemas/Time"},
        "lifetime": {"type": "boolean", "description": "show what decides each document's end"},
        "explain": {"type": "boolean", "description": "return the plan without running it"}}})"},
    {"Plan", R"({"type": "object", "required": ["plan"], "additionalProperties": false,
      "properties": {"plan": {"type": "string"}}})"},
    {"QueryAnswer", R"({"oneOf": [{"$ref": "#/components/schemas/DocumentList"},
      {"$ref": "#/components/schemas/Plan"}]})"},
    {"Operation", R"({"type": "object", "required": ["op", "collection"],
      "additionalProperties": false, "properties": {
        "op": {"type": "string", "enum": ["create", "put", "patch", "remove", "restore"]},
        "collection": {"$ref": "#/components/schemas/Name"},
        "id": {"type": "string", "minLength": 1, "description": "required except for a create"},
        "data": {"type": "object", "description": "of a create, put or patch"},
        "ttl": {"type": "integer", "minimum": 1, "maximum": 2147483647},
        "expires_at": {"$ref": "#/components/schemas/Time"},
        "never": {"type": "boolean", "enum": [true]},
        "inherit": {"type": "boolean", "enum": [true]},
        "after": {"type": "integer", "minimum": 1, "maximum": 2147483647, "description":
          "the document expires this many seconds after the second of its last write"},
        "if_match": {"type": "string", "description": "of a put, patch or remove"},
        "final": {"type": "boolean", "description": "of a remove: past the trash"},
        "author": {"type": "string", "description": "instead of Mayfly-Author"},
        "partition": {"$ref": "#/components/schemas/Partition"}}})"},
    {"Transaction", R"({"type": "object", "required": ["operations"],
      "additionalProperties": false, "properties": {"operations": {"type": "array",
        "minItems": 1, "maxItems": 1000,
        "items": {"$ref": "#/components/schemas/Operation"}}}})"},
    {"TransactionAnswer", R"({"type": "object", "required": ["committed_at", "results"],
      "additionalProperties": false, "properties": {
        "committed_at": {"$ref": "#/components/schemas/Time"},
        "results": {"type": "array", "description": "one for each operation, in their order",
          "items": {"type": "object", "additionalProperties": false,
            "required": ["op", "collection", "id", "created", "etag", "expires_at"],
            "properties": {
              "op": {"type": "string"}, "collection": {"$ref": "#/components/schemas/Name"},
              "id": {"type": "string"}, "created": {"type": "boolean"},
              "etag": {"type": ["string", "null"], "description": "null: the document is gone"},
              "expires_at": {"$ref": "#/components/schemas/TimeOrNull"}}}}}})"},
    {"Event", R"({"type": "object", "additionalProperties": false,
      "required": ["kind", "id", "version_at", "committed_at", "position"], "properties": {
        "kind": {"type": "string", "enum": ["created", "replaced", "removed", "expired",
          "restored", "forgotten"]},
        "id": {"type": "string"}, "partition": {"$ref": "#/components/schemas/Partition"},
        "version_at": {"$ref": "#/components/schemas/Time"},
        "death": {"$ref": "#/components/schemas/Time"},
        "committed_at": {"$ref": "#/components/schemas/Time"},
        "position": {"type": "string"}}})"},
    {"EventList", R"({"type": "object", "required": ["events", "last", "has_more", "gap"],
      "additionalProperties": false, "properties": {
        "events": {"type": "array", "items": {"$ref": "#/components/schemas/Event"}},
        "last": {"type": ["string", "null"], "description": "for ?after="},
        "has_more": {"type": "boolean"},
        "gap": {"type": "boolean", "description": "events after ?after= are no longer kept"}}})"},
    {"EventStream", R"({"type": "string", "description":
      "server-sent events: id is a position, event the kind or gap, data an Event"})"},
};

constexpr std::string_view any_text = R"({"type": "string"})";
constexpr std::string_view any_time = R"({"$ref": "#/components/schemas/Time"})";
constexpr std::string_view only_true = R"({"type": "boolean", "enum": [true]})";

constexpr Parameter parameter_table[] = {
    {"database", ParameterLocation::path, "the database's name", any_text},
    {"collection", ParameterLocation::path, "the collection's name", any_text},
    {"index", ParameterLocation::path, "the index's name", any_text},
    {"subscription", ParameterLocation::path, "the subscription's id", any_text},
    {"id", ParameterLocation::path, "the document's id", any_text},
    {"name", ParameterLocation::path, "the backup's name", any_text},
    {"id", ParameterLocation::query, "the document's id; the default is a new UUID", any_text},
    {"ttl", ParameterLocation::query, "the document expires this many seconds from now",
     R"({"type": "integer", "minimum": 1, "maximum": 2147483647})"},
    {"expires_at", ParameterLocation::query, "the document expires at this instant in the future",
     any_time},
    {"never", ParameterLocation::query,
     "the document never expires, whatever the collection's default is", only_true},
    {"inherit", ParameterLocation::query, "the document follows the collection's default again",
     only_true},
    {"lifetime", ParameterLocation::query, "show what decides each document's end",
     R"({"type": "boolean"})"},
    {"partition", ParameterLocation::query, "the document's partition, as in [\"a\"]", any_text},
    {"final", ParameterLocation::query, "remove past the trash", R"({"type": "boolean"})"},
    {"as_of", ParameterLocation::query, "what a reader at this instant would have seen", any_time},
    {"removed_at", ParameterLocation::query, "only the version that was removed at this instant",
     any_time},
    {"filter", ParameterLocation::query, "a condition, as in: age >= 3 and not exists(deleted)",
     any_text},
    {"sort", ParameterLocation::query, "fields, as in: -age,name,@written_at", any_text},
    {"select", ParameterLocation::query, "members of the body to show, as in: name,address.city",
     any_text},
    {"limit", ParameterLocation::query, "the maximum number of rows",
     R"({"type": "integer", "minimum": 1, "maximum": 1000, "default": 100})"},
    {"page", ParameterLocation::query, "the member next of the previous page", any_text},
    {"after", ParameterLocation::query, "the member last of the previous page; 0 is the beginning",
     any_text},
    {"slot", ParameterLocation::query, "the length of a slot",
     R"({"type": "string", "enum": ["hour", "day"], "default": "hour"})"},
    {"slots", ParameterLocation::query, "the number of slots",
     R"({"type": "integer", "minimum": 1, "maximum": 400, "default": 24})"},
    {"wait_seconds", ParameterLocation::query, "how long to wait if there is no event yet",
     R"({"type": "integer", "minimum": 0, "maximum": 60, "default": 0})"},
    {"Last-Event-ID", ParameterLocation::header, "for a stream: like ?after=, which it overrides",
     any_text},
    {"If-Match", ParameterLocation::header, "entity tags, or *", any_text},
    {"If-None-Match", ParameterLocation::header, "entity tags, or *", any_text},
    {"Mayfly-Author", ParameterLocation::header, "the author of the change", any_text},
};

void replace_word(std::string& text, std::string_view word, std::string_view by) {
  const std::size_t at = text.find(word);
  if (at != std::string::npos) text.replace(at, word.size(), by);
}

}  // namespace

std::vector<Schema> schemas() {
  std::vector<Schema> all;
  for (const SchemaRow& row : schema_table) {
    Schema& schema = all.emplace_back(Schema{row.name, std::string(row.json)});
    replace_word(schema.json, "DOCUMENT", document_members);
    replace_word(schema.json, "PROMISES", promise_members);
  }
  for (Schema& schema : subscription_schemas()) all.push_back(std::move(schema));
  return all;
}

const Parameter* find_parameter(std::string_view name, ParameterLocation location) {
  const auto* found = std::find_if(
      std::begin(parameter_table), std::end(parameter_table),
      [&](const Parameter& row) { return row.name == name && row.location == location; });
  return found == std::end(parameter_table) ? nullptr : found;
}

}  // namespace mayfly::native
