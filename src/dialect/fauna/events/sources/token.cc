#include "dialect/fauna/events/sources/token.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/common/limits.h"
#include "dialect/fauna/sets/cursors/cursor.h"
#include "value/packed/packed.h"

namespace mayfly::fauna {
namespace {

using mayfly::Value;

// Bytes in a token, so that with the seal, in base64, it is no larger than other page tokens.
constexpr std::size_t source_bytes_max = limits::page_token_bytes_max / 2;

// The list name with which tokens are sealed.
std::string list_of(const DatabasePath& database_path) {
  return "fauna event source " + database_path.core_name();
}

Value value_of(const FieldNames& path) {
  Array names;
  for (const std::string& name : path) names.emplace_back(name);
  return Value(std::move(names));
}

tl::unexpected<Error> broken_token() {
  return fail(Code::invalid, "the token is broken");
}

Result<FieldNames> path_of(const Value& names) {
  if (!names.is(Kind::array)) return broken_token();
  FieldNames path;
  for (const Value& name : names.array()) {
    if (!name.is(Kind::text)) return broken_token();
    path.push_back(name.text());
  }
  return path;
}

// content := created_at(i64; 0 until it is sealed), then {"set", "fields"} packed
Result<FqlEventSource> decode_content(Interpreter& run, BytesView content) {
  Reader in(content);
  FqlEventSource source{.set = nullptr, .created_at = Instant{in.i64()}};
  if (!in.ok()) return broken_token();
  const Packed packed(in.rest());
  TRY(packed.check());
  const Value held = packed.unpack();
  source.set = TRY(decode_set(run, held.member("set")));
  const Value fields = held.member("fields");
  if (!fields.is(Kind::array)) return broken_token();
  for (const Value& field : fields.array()) source.fields.push_back(TRY(path_of(field)));
  return source;
}

}  // namespace

Result<FqlValue> event_source_value(Interpreter& run, const FqlEventSource& source) {
  Array fields;
  for (const FieldNames& field : source.fields) fields.push_back(value_of(field));
  const auto set = encode_set(run, *source.set, source_bytes_max);
  if (!set && set.error().code == Code::unsupported) {
    return run.fail("invalid_receiver",
                    "can't call `.eventSource()` because " + set.error().message + ".");
  }
  if (!set) return tl::unexpected(set.error());
  const auto held = pack(Value(Object{{"set", *set}, {"fields", std::move(fields)}}));
  const bool is_too_large =
      held ? held->size() > source_bytes_max : held.error().code == Code::too_large;
  if (is_too_large) {
    return run.fail(
        "value_too_large",
        fmt::format("Value too large: an event source holds at most {} bytes", source_bytes_max));
  }
  Bytes content;
  put_i64(content, 0);
  content += TRY(held);
  TRY(run.make(content.size()));
  return FqlValue(EventSourceToken{.text = {}, .content = std::move(content)});
}

Result<FqlEventSource> event_source_of(Interpreter& run, const FqlValue& value) {
  const EventSourceToken& token = value.event_source_token();
  if (!token.content.empty()) return decode_content(run, token.content);
  const auto& query_environment = run.environment();
  const Bytes content = TRY(query_environment.page_tokens.open(
      list_of(query_environment.database_path), token.text, run.instant()));
  return decode_content(run, content);
}

namespace {

// Whether the value has parts to complete; most results have none.
bool is_unsettled(const FqlValue& value) {
  const auto holds = [](const FqlArray& items) {
    return std::any_of(items.begin(), items.end(), is_unsettled);
  };
  const auto has = [](const FqlObject& object) {
    return std::any_of(object.members().begin(), object.members().end(),
                       [](const auto& member) { return is_unsettled(member.second); });
  };
  switch (value.kind()) {
    case FqlKind::transaction_time:
    case FqlKind::event_source: return true;
    case FqlKind::array: return holds(value.array());
    case FqlKind::object: return has(value.object());
    case FqlKind::shown_document: return has(value.shown_document().fields);
    case FqlKind::shown_page: return value.shown_page().data && holds(*value.shown_page().data);
    default: return false;
  }
}

}  // namespace

FqlValue completed(const FqlValue& shown, const CommitContext& context) {
  if (!is_unsettled(shown)) return shown;
  return with_leaves(shown, [&](const FqlValue& leaf) -> std::optional<FqlValue> {
    if (leaf.is(FqlKind::transaction_time)) return FqlTime::of(context.at);
    if (!leaf.is(FqlKind::event_source)) return std::nullopt;
    const EventSourceToken& token = leaf.event_source_token();
    if (token.content.empty()) return std::nullopt;
    Bytes content;
    put_i64(content, context.at.micros);
    content += token.content.substr(sizeof(std::int64_t));
    return FqlValue(EventSourceToken{
        .text =
            context.page_tokens.seal({.list = list_of(context.database_path), .place = content})});
  });
}

}  // namespace mayfly::fauna
