#include "dialect/native/openapi/schemas.h"

namespace mayfly::native {

namespace {

// Schemas of requests.
std::vector<Schema> asked_schemas() {
  return {
      {"EventKind", R"({"type": "string", "enum": ["created", "replaced", "removed", "expired",
        "restored", "forgotten"]})"},
      {"NewSubscription", R"({"type": "object", "required": ["target"],
        "additionalProperties": false, "properties": {
          "name": {"type": "string"},
          "collections": {"type": "array", "items": {"$ref": "#/components/schemas/Name"},
            "description": "empty: all of the database"},
          "kinds": {"type": "array", "items": {"$ref": "#/components/schemas/EventKind"},
            "description": "empty: all"},
          "filter": {"type": "string", "description":
            "of the document after the event, or before it if the event ended it"},
          "target": {"type": "object", "minProperties": 1, "maxProperties": 1,
            "additionalProperties": false, "properties": {
              "webhook": {"type": "object", "required": ["url"],
                "additionalProperties": false, "properties": {"url": {"type": "string"},
                  "secret": {"type": "string", "minLength": 16,
                    "description": "the default is a new one"},
                  "batch_max": {"type": "integer", "minimum": 1, "maximum": 100,
                    "description": "a body is a list of so many messages at most"}}},
              "nats": {"type": "object", "additionalProperties": false,
                "description": "if the server has nats.url", "properties": {
                  "subject": {"type": "string", "description":
                    "the default is the setting nats.subject"}}}}},
          "from": {"$ref": "#/components/schemas/From"},
          "attempts_max": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 10}}})"},
      {"From", R"({"type": "string", "description":
        "now, beginning (all that the feeds keep) or an instant", "default": "now"})"},
      {"Replay", R"({"type": "object", "additionalProperties": false,
        "properties": {"from": {"type": "string", "description":
          "now, beginning (all that the feeds keep) or an instant", "default": "beginning"}}})"},
  };
}

// Schemas of answers.
std::vector<Schema> answered_schemas() {
  return {
      {"Subscription", R"({"type": "object", "additionalProperties": false,
        "required": ["id", "name", "collections", "kinds", "filter", "target", "attempts_max",
          "paused", "created_at", "state"],
        "properties": {
          "id": {"type": "string"}, "name": {"type": ["string", "null"]},
          "collections": {"type": "array", "items": {"$ref": "#/components/schemas/Name"}},
          "kinds": {"type": "array", "items": {"$ref": "#/components/schemas/EventKind"}},
          "filter": {"type": ["string", "null"]},
          "target": {"type": "object"},
          "attempts_max": {"type": "integer", "minimum": 1},
          "paused": {"type": "boolean"},
          "created_at": {"$ref": "#/components/schemas/Time"},
          "state": {"$ref": "#/components/schemas/SubscriptionState"}}})"},
      {"SubscriptionState", R"({"type": "object", "additionalProperties": false,
        "required": ["delivered", "dead", "waiting", "under_way", "oldest", "rests_until", "gap",
          "last_error", "failed_at", "delivered_at"],
        "properties": {
          "delivered": {"type": "integer", "minimum": 0},
          "dead": {"type": "integer", "minimum": 0},
          "waiting": {"type": "integer", "minimum": 0, "description":
            "messages that have been read and not delivered"},
          "under_way": {"type": "integer", "minimum": 0},
          "oldest": {"$ref": "#/components/schemas/TimeOrNull"},
          "rests_until": {"$ref": "#/components/schemas/TimeOrNull"},
          "gap": {"type": "boolean", "description": "events may be missing: they were no longer kept, or could not be read"},
          "last_error": {"type": ["string", "null"]},
          "failed_at": {"$ref": "#/components/schemas/TimeOrNull"},
          "delivered_at": {"$ref": "#/components/schemas/TimeOrNull"}}})"},
      {"SubscriptionList", R"({"type": "object", "required": ["subscriptions"],
        "additionalProperties": false, "properties": {"subscriptions": {"type": "array",
          "items": {"$ref": "#/components/schemas/Subscription"}}}})"},
      {"DeadLetter", R"({"type": "object", "additionalProperties": false,
        "required": ["id", "event", "collection", "attempts", "error", "died_at", "payload"],
        "properties": {"id": {"type": "string"}, "event": {"type": "string"},
          "collection": {"type": "string"}, "attempts": {"type": "integer", "minimum": 1},
          "error": {"type": "string"}, "died_at": {"$ref": "#/components/schemas/Time"},
          "payload": {"type": "object"}}})"},
      {"DeadLetterList", R"({"type": "object", "required": ["dead_letters", "next"],
        "additionalProperties": false, "properties": {"dead_letters": {"type": "array",
          "items": {"$ref": "#/components/schemas/DeadLetter"}},
          "next": {"type": ["string", "null"]}}})"},
      {"SentLetters", R"({"type": "object", "required": ["sent", "has_more", "next"],
        "additionalProperties": false, "properties": {"sent": {"type": "integer", "minimum": 0},
          "has_more": {"type": "boolean"}, "next": {"type": ["string", "null"]}}})"},
  };
}

}  // namespace

std::vector<Schema> subscription_schemas() {
  std::vector<Schema> all = asked_schemas();
  for (Schema& one : answered_schemas()) all.push_back(std::move(one));
  return all;
}

}  // namespace mayfly::native
