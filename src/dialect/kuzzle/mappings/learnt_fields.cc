#include "dialect/kuzzle/mappings/learnt_fields.h"

#include <fmt/format.h>

#include <cctype>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "db/database.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/mappings/member_index.h"
#include "dialect/kuzzle/search/dsl/dates.h"
#include "dialect/kuzzle/search/limits.h"
#include "dialect/kuzzle/search/mapping.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

Value learnt_of(const Collection& collection) {
  const auto facet = collection.facets.find(learnt_facet);
  if (facet == collection.facets.end()) return Object();
  auto parsed = parse_json(facet->second);
  return parsed && parsed->is(Kind::object) ? *std::move(parsed) : Value(Object());
}

// 2026-01-31, optionally with a time; as Elasticsearch detects dates in texts.
bool looks_like_date(const std::string& text) {
  constexpr std::string_view shape = "dddd-dd-dd";
  if (text.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool is_digit = std::isdigit(static_cast<unsigned char>(text[i])) != 0;
    if (shape[i] == 'd' ? !is_digit : text[i] != shape[i]) return false;
  }
  return text.find('|') == std::string::npos &&
         search::parse_date(text, Instant{}, search::Rounding::down).has_value();
}

Object text_field() {
  constexpr std::int64_t ignored_above = 256;
  const Object keyword{{"type", "keyword"}, {"ignore_above", ignored_above}};
  return {{"type", "text"}, {"fields", Object{{"keyword", keyword}}}};
}

// The type of a value that is no object; missing if the value determines none.
Value type_of(const Value& value) {
  switch (value.kind()) {
    case Kind::boolean: return Object{{"type", "boolean"}};
    case Kind::integer: return Object{{"type", "long"}};
    case Kind::text: break;
    default: return value.is_number() ? Value(Object{{"type", "float"}}) : Value();
  }
  if (looks_like_date(value.text())) return Object{{"type", "date"}};
  return text_field();
}

bool learns(const Value& known, bool outer_learns) {
  const Value dynamic = known.member("dynamic");
  if (dynamic.is_missing()) return outer_learns;
  return dynamic.is(Kind::boolean) ? dynamic.boolean()
                                   : dynamic.is(Kind::text) && dynamic.text() == "true";
}

class Learner {
 public:
  // The properties of the unknown fields; missing if there are none.
  Value properties_of(const Value& known, const Object& body, bool outer_learns,
                      std::size_t depth) {
    if (depth == limits::mapping_depth_max) return {};
    const bool does_learn = learns(known, outer_learns);
    const Value properties = known.member("properties");
    static const Object none;
    const MemberIndex known_fields(properties.is(Kind::object) ? properties.object() : none,
                                   body.size());
    Value unknown;
    for (const auto& [name, value] : body) {
      if (depth == 0 && name == metadata_field) continue;
      const Value* const standing = known_fields.find(name);
      Value field = field_of(standing ? *standing : Value(), value, does_learn, depth);
      if (field.is_missing()) continue;
      if (unknown.is_missing()) unknown = Object();
      unknown.mutable_object().append(name, std::move(field));
    }
    return unknown;
  }

 private:
  Value field_of(const Value& known, const Value& value, bool does_learn, std::size_t depth) {
    if (value.is(Kind::array)) return field_of_items(known, value.array(), does_learn, depth);
    const bool is_new = known.is_missing();
    if (!value.is(Kind::object)) {
      // One more than the bound, so that an excess is detected.
      if (!is_new || !does_learn || fields_ > limits::mapping_fields_max) return {};
      Value type = type_of(value);
      if (!type.is_missing()) ++fields_;
      return type;
    }
    // A field whose type is not object stores objects whole.
    const bool takes_whole =
        !is_new && known.member("properties").is_missing() && !known.member("type").is_missing() &&
        known.member("type").text() != "object" && known.member("type").text() != "nested";
    if (takes_whole || (is_new && !does_learn)) return {};
    Value properties = properties_of(known, value.object(), does_learn, depth + 1);
    if (properties.is_missing()) return {};
    return Object{{"properties", std::move(properties)}};
  }

  // The first item that determines a type decides; objects are merged.
  Value field_of_items(const Value& known, const Array& items, bool does_learn, std::size_t depth) {
    if (depth + 1 == limits::mapping_depth_max) return {};
    Value all;
    for (const Value& item : items) {
      Value field = field_of(known, item, does_learn, depth + (item.is(Kind::array) ? 1 : 0));
      if (field.is_missing()) continue;
      if (all.is_missing()) {
        all = std::move(field);
      } else if (!field.member("properties").is_missing()) {
        all = merge_deeply(std::move(field), all);
      }
      if (all.member("properties").is_missing()) return all;
    }
    return all;
  }

  std::size_t fields_ = 0;
};

// The client's mapping, then the learnt fields. For a field with a type, the client's mapping alone
// applies.
Value with_learnt(Value stated, const Value& learnt) {
  const Value more = learnt.member("properties");
  if (!more.is(Kind::object)) return stated;
  if (!stated.member("properties").is(Kind::object)) {
    stated.mutable_object().set("properties", Object());
  }
  Object& properties = stated.mutable_object().find("properties")->mutable_object();
  const MemberIndex known_fields(properties, more.object().size());
  std::vector<const Object::Member*> added;
  for (const Object::Member& one : more.object()) {
    const auto& [name, field] = one;
    Value* const known = known_fields.find(name);
    if (known == nullptr) {
      added.push_back(&one);
    } else if (known->is(Kind::object) && !known->member("properties").is_missing()) {
      *known = with_learnt(std::move(*known), field);
    }
  }
  for (const Object::Member* one : added) properties.append(one->first, one->second);
  return stated;
}

// Cached with the collection: requests write many documents of one collection.
struct KnownFields {
  Value mapping;
  bool is_long = false;  // no more fields are learnt
};

// Counted as in Elasticsearch: including object fields and sub-fields.
std::size_t fields_in(const Value& mapping) {
  std::size_t fields = 0;
  for (const std::string_view part : {"properties", "fields"}) {
    const Value below = mapping.member(part);
    if (!below.is(Kind::object)) continue;
    for (const auto& [name, field] : below.object()) fields += 1 + fields_in(field);
  }
  return fields;
}

Value whole_mapping_of(const Collection& collection) {
  return with_learnt(mapping_of(collection), learnt_of(collection));
}

std::shared_ptr<const KnownFields> known_fields_of(const Collection& collection) {
  using Pointer = std::shared_ptr<const KnownFields>;
  return *collection.derived.get<KnownFields>([&]() -> Result<Pointer> {
    const auto learnt = collection.facets.find(learnt_facet);
    const bool is_long =
        learnt != collection.facets.end() && learnt->second.size() > limits::mapping_bytes_max / 2;
    return std::make_shared<const KnownFields>(KnownFields{whole_mapping_of(collection), is_long});
  });
}

Value mapping_with(Value properties) {
  if (properties.is_missing()) properties = Object();
  return Object{{"properties", std::move(properties)}};
}

Value with_properties(Value mapping, const Value& properties) {
  if (properties.is_missing()) return mapping;
  return with_learnt(std::move(mapping), mapping_with(properties));
}

// Returns false if another change came in between.
Result<bool> try_keep(Database& database, CollectionId id, const Value& properties) {
  const CollectionPtr collection = database.catalog()->collection(id);
  if (!collection) return true;
  const Value learnt = with_properties(learnt_of(*collection), properties);
  const Value whole = with_learnt(mapping_of(*collection), learnt);
  std::string text = render_json(learnt);
  // Fields that would make the mapping unreadable for searches are not learnt.
  if (text.size() > limits::mapping_bytes_max || !search::Mapping::parse(whole)) return true;
  CollectionChange change;
  change.facets[std::string(learnt_facet)] = std::move(text);
  change.if_changed_at = collection->changed_at;
  const auto changed = database.change_collection(id, change);
  if (changed || changed.error().code == Code::not_found) return true;
  if (changed.error().code == Code::stale) return false;
  return tl::unexpected(changed.error());
}

}  // namespace

LearntFields::LearntFields(Database& database) : database_(database) {
  job_ = database.jobs().add({.name = "kuzzle learnt fields",
                              .lane = JobLane::housekeeping,
                              .run = [this](const JobRun&) -> Result<NextRun> {
                                TRY(commit_all());
                                return NextRun::when_woken();
                              }});
}

LearntFields::~LearntFields() {
  job_.remove();
  (void)commit_all();
}

Value LearntFields::of(CollectionId collection) const {
  const std::lock_guard lock(mutex_);
  const auto found = waiting_.find(collection);
  return found == waiting_.end() ? Value() : found->second.properties;
}

void LearntFields::record(CollectionId collection, const Value& properties) {
  {
    const std::lock_guard lock(mutex_);
    const auto found = waiting_.find(collection);
    const bool is_new = found == waiting_.end();
    Value all = is_new ? properties
                       : with_properties(mapping_with(found->second.properties), properties)
                             .member("properties");
    const std::size_t bytes = weight(all);
    const std::size_t before = is_new ? 0 : found->second.bytes;
    if (bytes_ - before + bytes > limits::learnt_waiting_bytes_max) return;
    bytes_ += bytes - before;
    waiting_[collection] = {std::move(all), bytes, ++changes_};
  }
  job_.wake();
}

std::map<CollectionId, LearntFields::Waiting> LearntFields::waiting() const {
  const std::lock_guard lock(mutex_);
  return waiting_;
}

void LearntFields::drop(CollectionId collection, std::uint64_t change) {
  const std::lock_guard lock(mutex_);
  const auto found = waiting_.find(collection);
  if (found == waiting_.end() || found->second.change != change) return;
  bytes_ -= found->second.bytes;
  waiting_.erase(found);
}

Result<void> LearntFields::commit_all() {
  for (const auto& [id, learnt] : waiting()) {
    bool is_kept = false;
    for (int attempt = 0; attempt < limits::commit_attempts_max && !is_kept; ++attempt) {
      is_kept = TRY(try_keep(database_, id, learnt.properties));
    }
    if (!is_kept) return fail(Code::contended, "the collection is changed again and again");
    drop(id, learnt.change);
  }
  return {};
}

Value whole_mapping_of(const Collection& collection, const LearntFields& learnt) {
  return with_properties(whole_mapping_of(collection), learnt.of(collection.id));
}

Result<Value> unknown_fields(const KuzzleCall& call, const Collection& collection,
                             const Value& body) {
  if (!collection.facets.contains(mapping_facet) || !body.is(Kind::object)) return Value();
  if (call.learnt_from == limits::learnt_documents_max) return Value();
  const auto known = known_fields_of(collection);
  if (known->is_long) return Value();
  Value unknown = Learner().properties_of(known->mapping, body.object(), true, 0);
  if (unknown.is_missing()) return Value();
  // Other requests, and this one, may have learnt some of them already.
  Value mapping = with_properties(known->mapping, call.shared.learnt.of(collection.id));
  const auto noted = call.learnt.find(collection.id);
  if (noted != call.learnt.end()) mapping = with_properties(std::move(mapping), noted->second);
  unknown = Learner().properties_of(mapping, body.object(), true, 0);
  if (unknown.is_missing()) return Value();
  if (fields_in(with_properties(std::move(mapping), unknown)) <= limits::mapping_fields_max) {
    return unknown;
  }
  return problem(
      "services.storage.unexpected_bad_request",
      fmt::format("Limit of total fields [{}] has been exceeded", limits::mapping_fields_max));
}

void record_unknown_fields(const KuzzleCall& call, const Collection& collection,
                           const Value& unknown) {
  if (unknown.is_missing()) return;
  ++call.learnt_from;
  Value& noted = call.learnt[collection.id];
  noted = with_properties(mapping_with(noted), unknown).member("properties");
}

void add_learnt_fields(KuzzleCall& call) {
  for (const auto& [id, properties] : std::exchange(call.learnt, {})) {
    call.shared.learnt.record(id, properties);
  }
}

}  // namespace mayfly::kuzzle
