// Renders and parses lines of an export. The body goes through pack(), the canonical form of a
// document: numbers keep their kind, and a body that the server would refuse is refused here.
#include "app/commands/transfer/document_line.h"

#include "base/limits.h"
#include "dialect/common/requests/json_body.h"
#include "value/json/json.h"
#include "value/json/writer.h"
#include "value/packed/packed.h"

namespace mayfly::app {
namespace {

// Appends the members that say when the document ends, named as in a write. `facts`: the document
// or its hold.
void append_lifetime(const Value& facts, Following following, JsonWriter& json) {
  const Value kind = facts.member("lifetime"), end = facts.member("expires_at"),
              after = facts.member("after");
  const bool is_after = after.is(Kind::integer);
  const bool follows =
      (kind.text() == "inherit" || is_after) && following == Following::as_following;
  if (kind.text() == "never") {
    json.member("never", true);
  } else if (end.is(Kind::text) && !follows) {
    json.member("expires_at", end);
  } else if (is_after) {
    json.member("after", after);
  } else {
    json.member("inherit", true);
  }
}

void append_hold(const Value& hold, JsonWriter& json) {
  Object members;
  for (const char* name : {"reason", "by"}) {
    Value fact = hold.member(name);
    if (fact.is(Kind::text)) members.append(name, std::move(fact));
  }
  json.member("hold", members);
}

Result<DocumentLine::Hold> read_hold(const Value& arguments, const std::string& id,
                                     const Value* partition) {
  if (!arguments.is(Kind::object)) return fail(Code::invalid, R"("hold" must be an object)");
  MemberReader members(arguments.object(), "hold");
  DocumentLine::Hold hold{.id = id};
  if (partition != nullptr) hold.partition = render_json(*partition);
  const std::string reason = TRY(members.text("reason")).value_or(std::string());
  hold.body = render_json(Object{{"reason", Value(reason)}});
  hold.by = TRY(members.text("by")).value_or(std::string());
  TRY(members.finish());
  return hold;
}

Error about_data(Error error) {
  error.message = "\"data\": " + error.message;
  return error;
}

// Reads the members that say when the document ends, which an operation has as well.
Result<Object> read_lifetime(MemberReader& members, std::optional<Instant>& expires_at) {
  Object read;
  for (const char* word : {"ttl", "after"}) {
    const auto seconds = TRY(members.integer(word, 1, limits::ttl_seconds_max));
    if (seconds) read.append(word, *seconds);
  }
  expires_at = TRY(members.time("expires_at"));
  if (expires_at) {
    read.append("expires_at", TRY(members.text("expires_at")).value_or(""));
  }
  for (const char* word : {"never", "inherit"}) {
    const auto flag = TRY(members.boolean(word));
    if (!flag) continue;
    if (!*flag) return fail(Code::invalid, std::string("\"") + word + "\" is true or left out");
    read.append(word, true);
  }
  if (read.size() <= 1) return read;
  return fail(Code::invalid,
              "at most one of ttl, expires_at, never, inherit and after may be given");
}

}  // namespace

Result<void> append_line(const Value& document, Following following, std::string& out) {
  const Value id = document.member("id"), kind = document.member("lifetime"),
              author = document.member("author"), created_at = document.member("created_at");
  if (!id.is(Kind::text) || !kind.is(Kind::text) || !created_at.is(Kind::text)) {
    return fail(Code::internal, "the server's answer is no list of documents with their lifetimes");
  }
  const Bytes packed = TRY(pack(document.member("data")));
  JsonWriter json(out);
  json.begin_object();
  json.member("id", id);
  const Value partition = document.member("partition"), hold = document.member("hold");
  if (!partition.is_missing()) json.member("partition", partition);
  const bool waits = hold.member("lifetime").is(Kind::text);
  append_lifetime(waits ? hold : document, following, json);
  if (hold.is(Kind::object)) append_hold(hold, json);
  if (author.is(Kind::text)) json.member("author", author);
  json.member("created_at", created_at);
  Packed(packed).render(json.name("data").begin_value());
  json.end_object();
  out += '\n';
  return {};
}

Result<DocumentLine> parse_line(std::string_view line, std::string_view collection, Instant now) {
  const Value value = TRY(parse_json(line, {.bytes_max = limits::import_line_bytes_max,
                                            .depth_max = limits::document_depth_max + 1}));
  if (!value.is(Kind::object)) return fail(Code::invalid, "the line is no JSON object");
  const Object& object = value.object();
  MemberReader members(object);
  const auto id = TRY(members.text("id"));
  if (!id) return fail(Code::invalid, "the line has no \"id\"");
  DocumentLine read;
  JsonWriter json(read.operation);
  json.begin_object();
  json.member("op", "put");
  json.member("collection", collection);
  json.member("id", *id);
  const Value* partition = members.find("partition");
  if (partition != nullptr) json.member("partition", *partition);
  Object lifetime = TRY(read_lifetime(members, read.expires_at));
  if (const Value* hold = members.find("hold")) {
    read.hold = TRY(read_hold(*hold, *id, partition));
    // Only the hold keeps the document: a write whose end is in the past would be refused.
    if (read.expires_at && *read.expires_at <= now) lifetime = Object{{"never", true}};
    read.expires_at.reset();
  }
  json.members(lifetime);
  if (const auto author = TRY(members.text("author"))) json.member("author", *author);
  TRY(members.time("created_at"));  // checked, not used: a put has an instant of its own
  const Value* data = members.find("data");
  if (data == nullptr) return fail(Code::invalid, "the line has no \"data\"");
  TRY(members.finish());
  const Bytes packed = TRY(pack(*data).map_error(about_data));
  Packed(packed).render(json.name("data").begin_value());
  json.end_object();
  return read;
}

}  // namespace mayfly::app
