#include "dialect/native/collections/promises.h"

#include <fmt/format.h>

#include "base/limits.h"

namespace mayfly::native {
namespace {

constexpr std::int64_t ttl_max = limits::ttl_seconds_max;

std::string seconds_or(std::string_view word) {
  return fmt::format("{} or a whole number of seconds from 1 to {}", word, ttl_max);
}

Result<std::optional<Default>> read_default(MemberReader& members) {
  constexpr std::string_view name = "default_ttl";
  const Value* value = members.find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is_null()) return Default(Unset{});
  if (value->is(Kind::text) && value->text() == "never") return Default(Never{});
  if (!value->is_number()) {
    return tl::unexpected(members.wrong_kind(name, seconds_or("null, \"never\"")));
  }
  const auto seconds = members.integer(name, 1, ttl_max);
  if (!seconds) return tl::unexpected(members.wrong_kind(name, seconds_or("null, \"never\"")));
  return Default(After{Span::seconds(**seconds)});
}

constexpr std::string_view at_creation = "creation";
constexpr std::string_view at_every_write = "every_write";

Result<std::optional<std::optional<Stamp>>> read_stamp(MemberReader& members) {
  constexpr std::string_view name = "stamp_ttl";
  using Found = std::optional<std::optional<Stamp>>;
  if (members.has_null(name)) return Found(std::in_place, std::nullopt);
  const Object* object = TRY(members.object(name));
  if (object == nullptr) return Found();
  MemberReader stamp(*object, members.path_of(name));
  const auto seconds = TRY(stamp.integer("seconds", 1, ttl_max));
  const auto when = TRY(stamp.text("when")).value_or(std::string(at_creation));
  TRY(stamp.finish());
  if (!seconds) return tl::unexpected(stamp.wrong_kind("seconds", "given"));
  if (when != at_creation && when != at_every_write) {
    return tl::unexpected(stamp.wrong_kind("when", "\"creation\" or \"every_write\""));
  }
  return Found(Stamp{
      Span::seconds(*seconds),
      when == at_creation ? Stamp::When::creation : Stamp::When::every_write,
  });
}

Result<std::optional<Span>> read_keeping(MemberReader& members, std::string_view name) {
  const Value* value = members.find(name);
  if (value == nullptr) return std::nullopt;
  if (value->is(Kind::text) && value->text() == "forever") return Span::infinite();
  if (!value->is_number()) {
    return tl::unexpected(members.wrong_kind(
        name, fmt::format("\"forever\" or a whole number of seconds from 0 to {}", ttl_max)));
  }
  return Span::seconds(*TRY(members.integer(name, 0, ttl_max)));
}

Result<IndexField> read_index_field(const Object& object, std::string path) {
  MemberReader members(object, std::move(path));
  const auto text = TRY(members.text("path"));
  const auto order = TRY(members.text("order")).value_or("asc");
  const bool is_each = TRY(members.boolean("each")).value_or(false);
  TRY(members.finish());
  if (!text) return tl::unexpected(members.wrong_kind("path", "given"));
  if (order != "asc" && order != "desc") {
    return tl::unexpected(members.wrong_kind("order", "\"asc\" or \"desc\""));
  }
  IndexField indexed{.is_descending = order == "desc", .is_each = is_each};
  const bool is_metadata = text->starts_with('@');
  auto parsed = Path::parse(std::string_view(*text).substr(is_metadata ? 1 : 0));
  if (!parsed || parsed->steps.empty()) {
    return tl::unexpected(members.wrong_kind("path", "a path, as in age or address.city"));
  }
  indexed.field = {is_metadata ? Part::metadata : Part::body, *std::move(parsed)};
  return indexed;
}

Value retention_value(const Retention& retention) {
  return retention.span == Span::infinite() ? Value("forever") : to_seconds(retention.span);
}

Value default_value(const Default& in_force) {
  if (const After* after = std::get_if<After>(&in_force)) return to_seconds(after->span);
  return std::holds_alternative<Never>(in_force) ? Value("never") : Value(Null{});
}

Value stamp_value(const std::optional<Stamp>& stamp) {
  if (!stamp) return Null{};
  const bool once = stamp->when == Stamp::When::creation;
  return Object{{"seconds", to_seconds(stamp->span)},
                {"when", Value(once ? at_creation : at_every_write)}};
}

}  // namespace

Result<CollectionChange> read_policy(MemberReader& members) {
  CollectionChange change;
  change.default_lifetime = TRY(read_default(members));
  change.stamp = TRY(read_stamp(members));
  change.writers_may_set_lifetime = TRY(members.boolean("writers_may_set_ttl"));
  change.keep_history_for = TRY(read_keeping(members, "keep_history_for"));
  change.keep_trash_for = TRY(read_keeping(members, "keep_trash_for"));
  change.keep_feed_for = TRY(read_keeping(members, "keep_feed_for"));
  change.keep_purges_for = TRY(read_keeping(members, "keep_purges_for"));
  change.expires_to_trash = TRY(members.boolean("expire_to_trash"));
  change.is_indexed = TRY(members.boolean("indexed"));
  return change;
}

CollectionChange without_current(CollectionChange change, const Collection& collection) {
  const Policy& policy = collection.policy;
  const auto drop_if_same = [](auto& asked, const auto& current) {
    if (asked && *asked == current) asked.reset();
  };
  drop_if_same(change.default_lifetime, policy.current_default());
  drop_if_same(change.stamp, policy.stamp);
  drop_if_same(change.writers_may_set_lifetime, policy.writers_may_set_lifetime);
  drop_if_same(change.keep_history_for, policy.history.span);
  drop_if_same(change.keep_trash_for, policy.trash.span);
  drop_if_same(change.keep_feed_for, policy.feed.span);
  drop_if_same(change.keep_purges_for, policy.purges.span);
  drop_if_same(change.expires_to_trash, !policy.expired_to_trash_since.is_never());
  drop_if_same(change.is_indexed, policy.is_indexed);
  return change;
}

bool is_empty(const CollectionChange& change) {
  return !change.default_lifetime && !change.stamp && !change.writers_may_set_lifetime &&
         !change.keep_history_for && !change.keep_trash_for && !change.keep_feed_for &&
         !change.keep_purges_for && !change.expires_to_trash && !change.is_indexed &&
         change.facets.empty();
}

Result<IndexSpec> read_index(const Object& object, std::string path) {
  MemberReader members(object, std::move(path));
  IndexSpec spec;
  const auto name = TRY(members.text("name"));
  const Array* fields = TRY(members.array("fields"));
  const bool is_unique = TRY(members.boolean("unique")).value_or(false);
  spec.unique = is_unique ? Uniqueness::of_complete : Uniqueness::none;
  TRY(members.finish());
  if (!name) return tl::unexpected(members.wrong_kind("name", "given"));
  if (fields == nullptr) return tl::unexpected(members.wrong_kind("fields", "given"));
  spec.name = *name;
  for (std::size_t i = 0; i < fields->size(); ++i) {
    const std::string item = fmt::format("fields[{}]", i);
    if (!(*fields)[i].is(Kind::object)) {
      return tl::unexpected(members.wrong_kind(item, "an object with a path"));
    }
    spec.fields.push_back(TRY(read_index_field((*fields)[i].object(), members.path_of(item))));
  }
  return spec;
}

Result<std::vector<IndexSpec>> read_indexes(MemberReader& members) {
  std::vector<IndexSpec> specs;
  const Array* array = TRY(members.array("indexes"));
  if (array == nullptr) return specs;
  for (std::size_t i = 0; i < array->size(); ++i) {
    const std::string item = fmt::format("indexes[{}]", i);
    if (!(*array)[i].is(Kind::object)) {
      return tl::unexpected(members.wrong_kind(item, "an object"));
    }
    specs.push_back(TRY(read_index((*array)[i].object(), members.path_of(item))));
  }
  return specs;
}

bool is_unique(Uniqueness unique) {
  return unique != Uniqueness::none;
}

// Any kind of uniqueness counts: the kinds differ in other dialects only.
bool is_same(const Index& index, const IndexSpec& spec) {
  return index.name == spec.name && index.fields == spec.fields &&
         is_unique(index.unique) == is_unique(spec.unique);
}

Value to_value(const Index& index) {
  Array fields;
  for (const IndexField& indexed : index.fields) {
    std::string path = indexed.render();
    if (path.starts_with('.') && !indexed.computed) path.erase(0, 1);
    Object field{{indexed.computed ? "expression" : "path", Value(std::move(path))},
                 {"order", Value(indexed.is_descending ? "desc" : "asc")}};
    if (indexed.is_each) field.append("each", true);
    fields.push_back(std::move(field));
  }
  Object told{{"name", Value(index.name)},
              {"fields", std::move(fields)},
              {"unique", Value(is_unique(index.unique))},
              {"ready", Value(index.is_ready)}};
  if (index.entries == Entries::cut) told.append("entries", "cut");
  return told;
}

Value to_value(const Collection& collection) {
  const Policy& policy = collection.policy;
  Array indexes;
  for (const Index& index : collection.indexes) indexes.push_back(to_value(index));
  return Object{{"name", Value(collection.name)},
                {"created_at", Value(collection.created_at)},
                {"changed_at", Value(collection.changed_at)},
                {"default_ttl", default_value(policy.current_default())},
                {"stamp_ttl", stamp_value(policy.stamp)},
                {"writers_may_set_ttl", Value(policy.writers_may_set_lifetime)},
                {"keep_history_for", retention_value(policy.history)},
                {"keep_trash_for", retention_value(policy.trash)},
                {"keep_feed_for", retention_value(policy.feed)},
                {"keep_purges_for", retention_value(policy.purges)},
                {"expire_to_trash", Value(!policy.expired_to_trash_since.is_never())},
                {"indexed", Value(policy.is_indexed)},
                {"indexes", std::move(indexes)}};
}

Value to_seconds(Span span) {
  if (span.micros % 1'000'000 == 0) return Value(span.whole_seconds());
  return Value(static_cast<double>(span.micros) / 1e6);
}

Error in_api_terms(Error error) {
  if (error.field == "default") error.field = "default_ttl";
  return error;
}

}  // namespace mayfly::native
