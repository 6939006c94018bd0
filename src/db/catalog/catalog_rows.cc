// How catalog rows are stored: as JSON texts.
#include <utility>

#include "db/catalog/catalog.h"
#include "value/json/json.h"
#include "value/order/order.h"

namespace mayfly {
namespace {

// How an index field is stored if it is more than ascending or descending: as a list of these
// words. An earlier version misses the member `descending` then, and refuses the row.
constexpr std::string_view order_member = "order";
constexpr std::string_view descending_word = "descending";
constexpr std::string_view null_greatest_word = "null_greatest";
constexpr std::string_view each_word = "each";
// Stored instead of the path: an earlier version misses the path, and refuses the row.
constexpr std::string_view expression_member = "expression";
constexpr std::string_view of_routing = "of_routing";
constexpr std::string_view entries_member = "entries";
constexpr std::string_view of_definition_member = "of_definition";
constexpr std::string_view past_since_member = "past_since";
constexpr std::string_view body_member = "body";
constexpr std::string_view counts_from_member = "default_counts_from";

Value micros(Instant t) {
  return Value(t.micros);
}
Value micros(Span s) {
  return Value(s.micros);
}

Value row_of(const Default& in_force) {
  if (std::holds_alternative<Unset>(in_force)) return Null{};
  if (const After* after = std::get_if<After>(&in_force)) return micros(after->span);
  return "never";
}

Value row_of(const Retention& retention) {
  return Object{{"span", micros(retention.span)}, {"since", micros(retention.since)}};
}

Value row_of(const Facets& facets) {
  Object row;
  for (const auto& [name, text] : facets) row.append(name, Value(text));
  return row;
}

Value row_of(const Policy& policy) {
  Array timeline;
  for (const Stretch& s : policy.timeline) {
    timeline.push_back(Object{{"from", micros(s.from)}, {"default", row_of(s.in_force)}});
  }
  Object row{{"timeline", std::move(timeline)},
             {"inherit_dead_through", micros(policy.inherit_expired_through)},
             {"after_dead_before", micros(policy.after_expired_before)},
             {"writers_may_set_lifetime", policy.writers_may_set_lifetime},
             {"history", row_of(policy.history)},
             {"trash", row_of(policy.trash)},
             {"feed", row_of(policy.feed)},
             {"is_indexed", policy.is_indexed}};
  if (policy.default_counts_from == CountsFrom::write) {
    row.append(std::string(counts_from_member), "write");
  }
  if (policy.purges != Retention{}) row.append("purges", row_of(policy.purges));
  if (!policy.expired_to_trash_since.is_never()) {
    row.append("dead_to_trash_since", micros(policy.expired_to_trash_since));
  }
  if (policy.stamp) {
    const bool every = policy.stamp->when == Stamp::When::every_write;
    row.append("stamp", Object{{"span", micros(policy.stamp->span)},
                               {"when", every ? "every_write" : "creation"}});
  }
  return row;
}

Value row_of(Uniqueness unique) {
  if (unique == Uniqueness::of_routing) return of_routing;
  return unique == Uniqueness::of_complete;
}

Value row_of(const IndexField& f) {
  Object row{{"part", f.field.part == Part::body ? "body" : "metadata"}};
  if (f.computed) {
    row.append(std::string(expression_member), f.computed.text);
  } else {
    row.append("path", f.field.path.render());
  }
  if (!f.null_is_greatest && !f.is_each) {
    row.append(std::string(descending_word), f.is_descending);
    return row;
  }
  Array words;
  if (f.is_descending) words.push_back(descending_word);
  if (f.null_is_greatest) words.push_back(null_greatest_word);
  if (f.is_each) words.push_back(each_word);
  row.append(std::string(order_member), std::move(words));
  return row;
}

Value row_of(const Index& index) {
  Array fields;
  for (const IndexField& f : index.fields) fields.push_back(row_of(f));
  Object row{{"id", std::int64_t{index.id}},
             {"name", index.name},
             {"fields", std::move(fields)},
             {"unique", row_of(index.unique)},
             {"ready", index.is_ready}};
  if (index.entries == Entries::cut) row.append(std::string(entries_member), "cut");
  if (index.is_of_definition) row.append(std::string(of_definition_member), true);
  if (!index.past_since.is_never()) {
    row.append(std::string(past_since_member), micros(index.past_since));
  }
  return row;
}

Value row_of(const BodyRules& body) {
  Object row{{"says_lifetime", body.specifies_lifetime}};
  if (body.is_partitioned()) {
    Array paths;
    for (const Path& path : body.partition) paths.push_back(path.render());
    row.append("partition", std::move(paths));
    row.append("may_lack_partition", body.may_lack_partition);
  }
  if (body.lifetime_start) row.append("lifetime_start", body.lifetime_start->render());
  return row;
}

// Reads members of a row. If a member is missing or has the wrong kind, the whole row is damaged.
class RowReader {
 public:
  explicit RowReader(const Value& row, bool& ok) : row_(row), ok_(ok) {}

  bool has(std::string_view name) const { return !row_.member(name).is_missing(); }
  std::int64_t integer(std::string_view name) {
    const Value v = row_.member(name);
    return v.is(Kind::integer) ? v.integer() : damaged<std::int64_t>();
  }
  std::string text(std::string_view name) {
    const Value v = row_.member(name);
    return v.is(Kind::text) ? v.text() : damaged<std::string>();
  }
  bool boolean(std::string_view name) {
    const Value v = row_.member(name);
    return v.is(Kind::boolean) ? v.boolean() : damaged<bool>();
  }
  Array array(std::string_view name) {
    const Value v = row_.member(name);
    return v.is(Kind::array) ? v.array() : damaged<Array>();
  }
  std::uint32_t id(std::string_view name) {
    const std::int64_t n = integer(name);
    return n >= 0 && n <= UINT32_MAX ? static_cast<std::uint32_t>(n) : damaged<std::uint32_t>();
  }
  // Whether the member is the second of two words.
  bool is_second(std::string_view name, std::string_view first, std::string_view second) {
    const std::string word = text(name);
    return word == first || word == second ? word == second : damaged<bool>();
  }
  Instant instant(std::string_view name) { return {integer(name)}; }
  Span span(std::string_view name) { return {integer(name)}; }
  Retention retention(std::string_view name) {
    const Value v = row_.member(name);
    RowReader in(v, ok_);
    return {in.span("span"), in.instant("since")};
  }
  Default default_lifetime(std::string_view name) {
    const Value v = row_.member(name);
    if (v.is_null()) return Unset{};
    if (v.is(Kind::integer)) return After{Span{v.integer()}};
    return v.is(Kind::text) && v.text() == "never" ? Never{} : damaged<Never>();
  }
  // A boolean is what the first versions wrote.
  Uniqueness uniqueness(std::string_view name) {
    const Value v = row_.member(name);
    if (v.is(Kind::text) && v.text() == of_routing) return Uniqueness::of_routing;
    return boolean(name) ? Uniqueness::of_complete : Uniqueness::none;
  }
  Facets facets(std::string_view name) {
    Facets facets;
    const Value v = row_.member(name);
    if (!v.is(Kind::object)) return damaged<Facets>();
    for (const auto& [key, text] : v.object()) {
      if (!text.is(Kind::text)) return damaged<Facets>();
      facets[key] = text.text();
    }
    return facets;
  }
  const Value& row() const { return row_; }

 private:
  template <class T>
  T damaged() {
    ok_ = false;
    return {};
  }
  const Value& row_;
  bool& ok_;
};

Path path_of(const Value& text, bool& ok) {
  auto path = Path::parse(text.is(Kind::text) ? text.text() : "");
  ok = ok && path && !path->steps.empty();
  return ok ? *std::move(path) : Path();
}

BodyRules body_rules_of(RowReader in, bool& ok) {
  BodyRules body;
  body.specifies_lifetime = in.boolean("says_lifetime");
  if (in.has("lifetime_start"))
    body.lifetime_start = path_of(in.row().member("lifetime_start"), ok);
  if (!in.has("partition")) return body;
  for (const Value& path : in.array("partition")) body.partition.push_back(path_of(path, ok));
  body.may_lack_partition = in.boolean("may_lack_partition");
  return body;
}

Policy policy_of(RowReader in, bool& ok) {
  Policy policy;
  policy.timeline.clear();
  for (const Value& item : in.array("timeline")) {
    RowReader stretch(item, ok);
    const Instant from = stretch.instant("from");
    if (!policy.timeline.empty() && from <= policy.timeline.back().from) ok = false;
    policy.timeline.push_back({from, stretch.default_lifetime("default")});
  }
  if (policy.timeline.empty()) ok = false;
  policy.inherit_expired_through = in.instant("inherit_dead_through");
  policy.after_expired_before = in.instant("after_dead_before");
  policy.writers_may_set_lifetime = in.boolean("writers_may_set_lifetime");
  policy.history = in.retention("history");
  policy.trash = in.retention("trash");
  policy.feed = in.retention("feed");
  policy.is_indexed = in.boolean("is_indexed");
  if (in.has(counts_from_member) && in.is_second(counts_from_member, "second", "write")) {
    policy.default_counts_from = CountsFrom::write;
  }
  if (in.has("purges")) policy.purges = in.retention("purges");
  if (in.has("dead_to_trash_since")) {
    policy.expired_to_trash_since = in.instant("dead_to_trash_since");
  }
  const Value stamp = in.row().member("stamp");
  if (!stamp.is_missing()) {
    RowReader s(stamp, ok);
    const bool every = s.is_second("when", "creation", "every_write");
    policy.stamp = Stamp{s.span("span"), every ? Stamp::When::every_write : Stamp::When::creation};
  }
  return policy;
}

void read_indexed(RowReader& in, IndexField& indexed, bool& ok) {
  const bool is_metadata = in.is_second("part", "body", "metadata");
  if (in.has(expression_member)) {
    auto computed = StoredExpression::parse(in.text(expression_member));
    ok = ok && computed && !is_metadata;
    if (ok) indexed.computed = *std::move(computed);
    return;
  }
  auto path = Path::parse(in.text("path"));
  ok = ok && path;
  if (ok) indexed.field = {is_metadata ? Part::metadata : Part::body, *std::move(path)};
}

IndexField index_field_of(RowReader in, bool& ok) {
  IndexField indexed;
  read_indexed(in, indexed, ok);
  if (!in.has(order_member)) {
    indexed.is_descending = in.boolean(descending_word);
    return indexed;
  }
  for (const Value& word : in.array(order_member)) {
    const auto is = [&](std::string_view known) { return same(word, known); };
    indexed.is_descending = indexed.is_descending || is(descending_word);
    indexed.null_is_greatest = indexed.null_is_greatest || is(null_greatest_word);
    indexed.is_each = indexed.is_each || is(each_word);
    ok = ok && (is(descending_word) || is(null_greatest_word) || is(each_word));
  }
  return indexed;
}

Index index_of(RowReader in, bool& ok) {
  Index index;
  index.id = in.id("id");
  index.name = in.text("name");
  index.unique = in.uniqueness("unique");
  index.is_ready = in.boolean("ready");
  if (in.has(entries_member) && in.is_second(entries_member, "whole", "cut")) {
    index.entries = Entries::cut;
  }
  if (in.has(of_definition_member)) index.is_of_definition = in.boolean(of_definition_member);
  if (in.has(past_since_member)) index.past_since = in.instant(past_since_member);
  for (const Value& item : in.array("fields")) {
    index.fields.push_back(index_field_of(RowReader(item, ok), ok));
  }
  return index;
}

}  // namespace

std::string encode(const Collection& c) {
  Array indexes;
  for (const Index& index : c.indexes) indexes.push_back(row_of(index));
  Object row{{"id", std::int64_t{c.id}},
             {"database", std::int64_t{c.database}},
             {"name", c.name},
             {"created_at", micros(c.created_at)},
             {"changed_at", micros(c.changed_at)},
             {"policy", row_of(c.policy)},
             {"indexes", std::move(indexes)},
             {"next_index", std::int64_t{c.next_index}},
             {"facets", row_of(c.facets)}};
  if (c.body != BodyRules{}) row.append(std::string(body_member), row_of(c.body));
  return render_json(row);
}

std::string encode(const DatabaseInfo& d) {
  return render_json(Object{{"id", std::int64_t{d.id}},
                            {"name", d.name},
                            {"created_at", micros(d.created_at)},
                            {"facets", row_of(d.facets)}});
}

Result<Collection> decode_collection(std::string_view text) {
  const Value row = TRY(parse_json(text));
  bool ok = true;
  RowReader in(row, ok);
  Collection c;
  c.id = in.id("id");
  c.database = in.id("database");
  c.name = in.text("name");
  c.created_at = in.instant("created_at");
  c.changed_at = in.instant("changed_at");
  const Value policy = row.member("policy");
  c.policy = policy_of(RowReader(policy, ok), ok);
  for (const Value& item : in.array("indexes"))
    c.indexes.push_back(index_of(RowReader(item, ok), ok));
  c.next_index = in.id("next_index");
  c.facets = in.facets("facets");
  if (in.has(body_member)) {
    const Value body = row.member(body_member);
    c.body = body_rules_of(RowReader(body, ok), ok);
  }
  if (!ok) return fail(Code::corrupt, "the catalog row of a collection is damaged");
  return c;
}

Result<DatabaseInfo> decode_database(std::string_view text) {
  const Value row = TRY(parse_json(text));
  bool ok = true;
  RowReader in(row, ok);
  DatabaseInfo d;
  d.id = in.id("id");
  d.name = in.text("name");
  d.created_at = in.instant("created_at");
  d.facets = in.facets("facets");
  if (!ok) return fail(Code::corrupt, "the catalog row of a database is damaged");
  return d;
}

}  // namespace mayfly
