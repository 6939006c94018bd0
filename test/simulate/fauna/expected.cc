// The model's answers to questions in FQL.
#include <algorithm>
#include <functional>
#include <tuple>

#include "base/check.h"
#include "simulate/fauna/fql.h"
#include "value/json/json.h"
#include "value/rfc3339.h"

namespace mayfly::simulate {
namespace {

using Lives = std::vector<const Life*>;
using FqlKind = FqlQuestion::Kind;

std::string one_line(const std::string& id, Instant ts, const std::optional<Instant>& ttl,
                     const Value& n, const Value& u, const std::string& s) {
  const auto number = [](const Value& value) {
    return value.is(mayfly::Kind::integer) ? std::to_string(value.integer()) : std::string("-");
  };
  return id + " ts " + std::to_string(ts.micros) + " ttl " +
         (ttl ? std::to_string(ttl->micros) : "-") + " n=" + number(n) + " u=" + number(u) +
         " s=" + s + "\n";
}

std::string fql_line(const Life& life) {
  const auto value = [](const std::optional<int>& n) { return n ? Value(*n) : Value(nullptr); };
  return one_line(life.id, life.written_at,
                  life.death.is_never() ? std::nullopt : std::optional(life.death),
                  value(life.body.n), value(life.body.u), life.body.s);
}

// A document of a reply; `null` if it is missing.
std::string fql_line(const Value& document) {
  if (document.is(mayfly::Kind::null)) return "null\n";
  const Value ttl = document.member("ttl");
  return one_line(
      document.member("id").text(), parse_rfc3339(document.member("ts").text()).value(),
      ttl.is(mayfly::Kind::text) ? std::optional(parse_rfc3339(ttl.text()).value()) : std::nullopt,
      document.member("n"), document.member("u"), document.member("s").text());
}

// In collections with numeric ids, these are in numeric order, before all others.
std::tuple<bool, std::int64_t, std::string> rank_of(const CollectionModel& c,
                                                    const std::string& id) {
  const bool is_number = c.fql && is_fql_id(id);
  return {!is_number, is_number ? std::stoll(id) : 0, id};
}

// A missing value is greater than all values.
std::pair<bool, int> rank_of(const std::optional<int>& value) {
  return {!value, value.value_or(0)};
}

int compare_fql(const std::optional<int>& a, const std::optional<int>& b) {
  const auto x = rank_of(a), y = rank_of(b);
  return x < y ? -1 : y < x ? 1 : 0;
}

bool is_member(const FqlQuestion& q, const Body& body) {
  switch (q.kind) {
    case FqlKind::where: return body.n && *body.n > q.n;
    case FqlKind::called: return body.n == std::optional<int>(q.n);
    case FqlKind::by_term: return body.n == std::optional<int>(q.n);
    case FqlKind::by_value: return !body.u || *body.u >= q.n;
    case FqlKind::by_each:
      return body.n == std::optional<int>(q.n) || body.u == std::optional<int>(q.n);
    default: return true;
  }
}

// Which of two comes first if their ids do not decide.
int order_of(const FqlQuestion& q, const Body& a, const Body& b) {
  switch (q.kind) {
    case FqlKind::by_term: return compare_fql(b.u, a.u);
    case FqlKind::by_value: return compare_fql(a.u, b.u);
    case FqlKind::ordered: {
      const int by_n = compare_fql(b.n, a.n);
      return by_n != 0 ? by_n : compare_fql(a.u, b.u);
    }
    case FqlKind::chained: {
      const std::optional<int> first(q.n);
      return static_cast<int>(a.n != first) - static_cast<int>(b.n != first);
    }
    default: return 0;
  }
}

// The members of the set in the versions of that instant, including those expired since.
Lives fql_members(const CollectionModel& c, const FqlQuestion& q, Instant at) {
  Lives lives;
  for (const Life& life : c.lives) {
    if (life.is_alive(at, at) && is_member(q, life.body)) lives.push_back(&life);
  }
  std::sort(lives.begin(), lives.end(), [&](const Life* a, const Life* b) {
    const int order = order_of(q, a->body, b->body);
    return order != 0 ? order < 0 : rank_of(c, a->id) < rank_of(c, b->id);
  });
  if (q.reverse) std::reverse(lives.begin(), lives.end());
  return lives;
}

// Whether documents can still be read as they were then.
bool is_kept(const CollectionModel& c, Instant at, Instant now) {
  if (at >= now) return true;
  Instant floor = c.history.floor(now);
  // Before the collection was made it was empty, and that may be asked about for as long.
  if (floor <= c.created_at) floor = now - c.history.current();
  return at >= floor;
}

std::string page_text(std::string lines, bool is_last) {
  return lines + (is_last ? "the end" : "more");
}

}  // namespace

std::string shown(const FqlQuestion& q, const FqlReply& reply) {
  if (!reply.is_done()) return reply.error();
  const Value data = reply.data();
  if (q.kind == FqlKind::get) {
    const Value document = data.array()[0];
    const std::string line = fql_line(document);
    const bool exists = data.array()[1].is_true();
    return exists == (line != "null\n") ? line : line + "but exists() differs";
  }
  if (q.is_counted) return render_json(data);
  std::string lines;
  for (const Value& document : data.member("data").array()) lines += fql_line(document);
  return page_text(lines, !data.member("after").is(mayfly::Kind::text));
}

std::string expected_fql(const Model& model, const FqlQuestion& q, Instant now) {
  const CollectionModel& c = model.at(q.collection);
  const Instant at = q.at.value_or(now);
  if (at > now) return "in the future";
  if (!is_kept(c, at, now)) return "invalid";
  if (q.kind == FqlKind::get) {
    const Life* life = c.alive_at(q.id, at);
    return life ? fql_line(*life) : is_fql_id(q.id) ? "null\n" : "not_found";
  }
  CHECK(q.is_counted);
  return std::to_string(fql_members(c, q, at).size());
}

// Members and their order are those of the snapshot; those that have expired since are not shown. A
// document that no lambda has read is shown in its present version.
std::string expected_page(const Model& model, FqlPages& pages, Instant now) {
  const FqlQuestion& q = pages.question;
  const CollectionModel& c = model.at(q.collection);
  const Instant at = q.at.value_or(pages.snapshot);
  if (at > now) return "in the future";
  if (!is_kept(c, at, now)) return "invalid";
  const Instant judged = q.at ? at : now;
  const Lives all = fql_members(c, q, at);
  std::string lines;
  std::size_t shown = 0;
  for (; pages.taken < all.size(); ++pages.taken) {
    const Life& life = *all[pages.taken];
    if (life.death <= judged) continue;
    if (shown == q.page) return page_text(lines, false);
    ++shown;
    const Life* live = q.at || q.is_mapped ? &life : c.alive_at(life.id, now);
    lines += live ? fql_line(*live) : "null\n";
  }
  return page_text(lines, true);
}

Edit law_of(const CollectionModel& c, Edit edit) {
  PutOptions& options = edit.options;
  if (edit.kind == Edit::Kind::remove) return edit;
  const Lifetime* requested = std::get_if<Lifetime>(&options.lifetime);
  const bool is_update = edit.kind == Edit::Kind::patch;
  const bool is_new = !is_update && options.expect == PutOptions::Expect::absent;
  const bool is_stamped = c.stamp && (is_new || c.stamp->when == Stamp::When::every_write);
  options.is_touch = requested == nullptr || std::holds_alternative<Never>(*requested);
  const bool says_time = requested && !options.is_touch;
  if (says_time || (requested == nullptr && (!is_update || is_stamped))) {
    options.facet = Bytes();
  }
  if (requested == nullptr && !is_update && !is_stamped) options.lifetime = Lifetime(Inherit{});
  return edit;
}

CollectionChange policy_of(const FqlDefinition& definition) {
  constexpr std::int64_t day = 86'400;
  const Span kept = Span::seconds(definition.history_days * day + 15 * 60);
  CollectionChange change{.writers_may_set_lifetime = definition.document_ttls.value_or(true),
                          .keep_history_for = kept,
                          .keep_feed_for = kept};
  std::optional<Stamp> stamp;
  if (definition.ttl_days) {
    stamp = Stamp{Span::seconds(*definition.ttl_days * day), Stamp::When::every_write};
  }
  change.stamp = stamp;
  return change;
}

}  // namespace mayfly::simulate
