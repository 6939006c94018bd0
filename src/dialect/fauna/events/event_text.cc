#include "dialect/fauna/events/event_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/crypto/crypto.h"
#include "dialect/fauna/events/sources/streamable.h"
#include "dialect/fauna/run/interpreter.h"
#include "dialect/fauna/values/text/times.h"
#include "dialect/fauna/wire/formats/tagged.h"

namespace mayfly::fauna {
namespace {

constexpr EffectLimit stream_requests{Effect::read, "stream requests"};

// Compares the two states of one document.
class DocumentComparison {
 public:
  DocumentComparison(const OpenedSource& opened, Interpreter& run, const Event& event)
      : source_(opened.source), run_(run), base_(followed_set(*source_.set)), id_(event.key.id) {
    DocumentHandle handle{.collection = followed_collection(base_), .id = event.key.id};
    handle.routing = event.key.routing;
    const bool had_state =
        event.kind == Event::Kind::replaced || event.kind == Event::Kind::removed;
    const bool has_state = event.kind == Event::Kind::created ||
                           event.kind == Event::Kind::replaced ||
                           event.kind == Event::Kind::restored;
    if (had_state) before_ = as_of(handle, event.committed_at - mayfly::Span{1});
    if (has_state) after_ = as_of(handle, event.committed_at);
  }

  struct Shown {
    std::string_view type;
    FqlValue data;
  };
  Result<std::optional<Shown>> look() {
    const Run::EffectScope reads_only(run_, stream_requests);
    const Permissions::EventScope events(run_.permissions());
    if (is_another()) return std::nullopt;
    TRY(drop_missing(before_));
    TRY(drop_missing(after_));
    if (!TRY(counts())) return std::nullopt;
    const auto after = TRY(element(*source_.set, after_));
    const auto before = TRY(element(after ? *without_maps() : *source_.set, before_));
    if (!before && !after) return std::nullopt;
    const std::string_view type = !before ? "add" : after ? "update" : "remove";
    const DocumentHandle& of = after ? *after_ : *before_;
    const Interpreter::AsOf as_of(run_, of.at);
    FqlValue data = TRY(run_.show(after ? *after : *before));
    return Shown{type, std::move(data)};
  }

 private:
  using State = std::optional<DocumentHandle>;

  static DocumentHandle as_of(DocumentHandle handle, Instant at) {
    handle.at = at;
    return handle;
  }

  Result<void> drop_missing(State& state) {
    if (state && !TRY(run_.exists(FqlValue(*state)))) state.reset();
    return {};
  }

  // Whether one of the selected fields has changed.
  Result<bool> counts() {
    if (source_.fields.empty() || !before_) return true;
    for (const FieldNames& path : source_.fields) {
      const FqlValue was = TRY(field(*before_, path));
      if (!after_) {
        if (!was.is_null()) return true;
      } else if (!TRY(run_.equal(was, TRY(field(*after_, path))))) {
        return true;
      }
    }
    return false;
  }

  Result<FqlValue> field(const DocumentHandle& of, const FieldNames& path) {
    const Interpreter::AsOf as_of(run_, of.at);
    FqlValue value(of);
    for (const std::string& name : path) {
      if (TRY(run_.is_null(value))) return FqlValue();
      value = TRY(run_.field(value, name));
    }
    return value;
  }

  // Whether the source is a Set.single() of another document.
  bool is_another() const {
    const auto* items = base_.as<FqlSet::Items>();
    return items != nullptr && items->items->front().document()->id != id_;
  }

  // The set before it is mapped, which is enough to decide whether a state is an element.
  const FqlSet* without_maps() const {
    const FqlSet* set = source_.set.get();
    while (const auto* mapped = set->as<FqlSet::Mapped>()) set = mapped->in.get();
    return set;
  }

  // The element that the set has for a state; nullopt if the state is no element.
  Result<std::optional<FqlValue>> element(const FqlSet& set, const State& state) {
    if (!state) return std::nullopt;
    const Interpreter::AsOf as_of(run_, state->at);
    return made_of(set, *state);
  }

  Result<std::optional<FqlValue>> made_of(const FqlSet& set, const DocumentHandle& of) {
    if (const auto* where = set.as<FqlSet::Where>()) {
      auto in = TRY(made_of(*where->in, of));
      if (!in || TRY(run_.call_predicate(*where->predicate, "pred", std::span(&*in, 1)))) return in;
      return std::nullopt;
    }
    if (const auto* mapped = set.as<FqlSet::Mapped>()) {
      auto in = TRY(made_of(*mapped->in, of));
      if (!in) return std::nullopt;
      if (mapped->is_projection) return TRY(run_.project(*in, mapped->by));
      return TRY(run_.call_back(*mapped->by, "mapper", std::span(&*in, 1)));
    }
    if (!TRY(is_within(of))) return std::nullopt;
    return FqlValue(of);
  }

  Result<bool> is_within(const DocumentHandle& of) {
    const auto* read = base_.as<FqlSet::IndexRead>();
    if (read == nullptr) return true;
    const FqlCollectionPtr in = TRY(run_.usable_collection(read->collection));
    const IndexDefinition* index = in->definition->find_index(read->index);
    if (index == nullptr || index->terms.size() != read->terms.size()) {
      return run_.fail("invalid_index_invocation",
                       fmt::format("The index `{}.{}` is not queryable.", in->name, read->index));
    }
    for (std::size_t i = 0; i < index->terms.size(); ++i) {
      if (!TRY(has_term(of, index->terms[i], read->terms[i]))) return false;
    }
    return true;
  }

  Result<bool> has_term(const DocumentHandle& of, const Term& term, const FqlValue& expected) {
    const FqlValue stored = TRY(field(of, field_names(term)));
    if (!term.is_each || !stored.is(FqlKind::array)) return run_.equal(stored, expected);
    for (const FqlValue& item : stored.array()) {
      if (TRY(run_.equal(item, expected))) return true;
    }
    return false;
  }

  const FqlEventSource& source_;
  Interpreter& run_;
  const FqlSet& base_;
  const std::string& id_;
  State before_;
  State after_;
};

// `abort` is JSON.
std::string render_error(std::string_view code, std::string_view message,
                         const std::optional<std::string>& abort, const EventStats& stats) {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.member("type", "error");
  json.name("error").begin_object();
  json.member("code", code);
  json.member("message", message);
  if (abort) json.raw_member("abort", *abort);
  json.end_object();
  put_stats(stats, json);
  json.end_object();
  return out;
}

std::string render_failure(const QueryFailure& failure, const CommitContext& context,
                           const EventStats& stats) {
  std::optional<std::string> abort;
  if (failure.abort) abort = encode_tagged(completed(*failure.abort, context));
  return render_error(failure.code, failure.message, abort, stats);
}

std::string render_change(const DocumentComparison::Shown& shown, const Event& event,
                          const CommitContext& context, const EventStats& stats) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("type", shown.type);
  encode_tagged(completed(shown.data, context), json.name("data").begin_value());
  json.member("txn_ts", event.committed_at.micros);
  json.member("cursor",
              render_cursor(event_position(FeedPosition{event.committed_at, event.number})));
  put_stats(stats, json);
  json.end_object();
  return text;
}

EventStats stats_of(const RunCounts& counts, Instant begun) {
  return {counts.compute_ops(), counts.reads, counts.bytes_read, monotonic_now() - begun};
}

}  // namespace

void EventStats::add(const EventStats& more) {
  compute_ops += more.compute_ops;
  reads += more.reads;
  bytes_read += more.bytes_read;
  time = mayfly::Span{time.micros + more.time.micros};
}

void put_stats(const EventStats& stats, JsonWriter& json) {
  json.name("stats").begin_object();
  json.member("read_ops", stats.reads);
  json.member("storage_bytes_read", stats.bytes_read);
  json.member("compute_ops", stats.compute_ops);
  json.member("processing_time_ms", stats.time.micros / 1'000);
  json.raw_member("rate_limits_hit", "[]");
  json.end_object();
}

Result<EventText> render_event(const OpenedSource& opened, View& view, const Event& event,
                               Meter meter) {
  const Instant begun = monotonic_now();
  const QueryEnvironment query_environment = opened.environment();
  Interpreter run(query_environment, view, nullptr, meter);
  auto shown = DocumentComparison(opened, run, event).look();
  EventText made{.stats = stats_of(run.counts(), begun)};
  const CommitContext context{opened.page_tokens, opened.principal.database_path,
                              event.committed_at};
  if (shown) {
    if (*shown) made.text = render_change(**shown, event, context, made.stats);
    return made;
  }
  if (shown.error().field == "as_of") {
    made.text = render_too_old(event.committed_at);
  } else if (run.failure()) {
    made.text = render_failure(TRY(run.result_failure()), context, made.stats);
  } else {
    return tl::unexpected(shown.error());
  }
  made.is_error = true;
  return made;
}

std::string render_status(const EventPosition& at) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.member("type", "status");
  json.member("txn_ts", at.committed_at.micros);
  json.member("cursor", render_cursor(at));
  put_stats({}, json);
  json.end_object();
  return text;
}

std::string render_event_error(std::string_view code, std::string_view message) {
  return render_error(code, message, std::nullopt, {});
}

std::string render_too_old(Instant start) {
  return render_event_error(
      "invalid_stream_start_time",
      fmt::format("Stream start time {} is too far in the past. Recreate the stream and try again.",
                  render_time(FqlTime::of(start))));
}

// cursor := base64url(instant(i64) part(u64))
std::string render_cursor(const EventPosition& at) {
  Bytes bytes;
  put_i64(bytes, at.committed_at.micros);
  put_u64(bytes, at.part);
  return encode_base64url(bytes);
}

std::optional<EventPosition> parse_cursor(std::string_view text) {
  const auto bytes = decode_base64url(text);
  if (!bytes) return std::nullopt;
  Reader in(*bytes);
  const EventPosition at{Instant{in.i64()}, in.u64()};
  if (!in.done()) return std::nullopt;
  return at;
}

}  // namespace mayfly::fauna
