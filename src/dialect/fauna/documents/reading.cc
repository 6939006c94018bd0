#include "dialect/fauna/documents/reading.h"

#include <fmt/format.h>

#include <algorithm>

#include "db/rows/keys.h"
#include "dialect/fauna/database_path.h"
#include "dialect/fauna/syntax/tokens/lexer.h"
#include "dialect/fauna/values/stored.h"
#include "dialect/fauna/values/text/times.h"

namespace mayfly::fauna {
namespace {

constexpr std::int64_t nanos_of_one_micro = 1'000;
constexpr std::size_t missing_names_max = 1'000;  // clients may ask for any name

// The metadata of a document: how many nanoseconds its ttl is before its expiration.
std::int32_t nanos_before(const Document& document) {
  if (document.facet.size() != 2) return 0;
  const auto high = static_cast<unsigned char>(document.facet[0]);
  const auto low = static_cast<unsigned char>(document.facet[1]);
  const int nanos = high * 256 + low;
  return nanos < nanos_of_one_micro ? nanos : 0;
}

FqlTime before(Instant t, std::int32_t nanos) {
  FqlTime time = FqlTime::of(t);
  if (nanos == 0) return time;
  time.nanos -= nanos;
  if (time.nanos < 0) {
    time.nanos += 1'000'000'000;
    --time.seconds;
  }
  return time;
}

}  // namespace

CollectionPtr Reading::system_table() const {
  return view_.catalog().find_internal(database_, fauna::system_table);
}

Result<FqlCollectionPtr> Reading::collection(std::string_view name) {
  const auto known = collections_.find(name);
  if (known != collections_.end()) return known->second;
  FqlCollectionPtr found = TRY(read_collection(name));
  if (!found && collections_.size() >= missing_names_max) return found;
  collections_.emplace(name, found);
  return found;
}

void Reading::mark_changed(const SystemCollection& of, std::string_view name) {
  for (auto& [key, all] : member_indexes_) {
    if (key.first == of.name) all.changed.emplace(name);
  }
  if (of.name != "Collection" && of.name != "Function") return;
  cached_schema_.reset();
  collections_.clear();
  if (of.name == "Collection") changed_.emplace(name);
}

Result<FqlCollectionPtr> Reading::read_collection(std::string_view name) {
  auto found = std::make_shared<FqlCollection>(FqlCollection{.name = std::string(name)});
  found->system = find_system(name);
  if (found->system != nullptr) {
    found->name = found->system->name;
    found->core = system_table();
    return found;
  }
  found->definition = TRY(definition(name));
  if (found->definition) found->name = found->definition->name;
  // Its document was deleted in this query; the catalog changes only after the commit.
  if (!found->definition && changed_.contains(found->name)) return nullptr;
  found->core = view_.catalog().find_collection(database_, found->name);
  if (!found->definition) {
    if (!found->core || !is_identifier(name)) return nullptr;
    found->definition =
        std::make_shared<const CollectionDefinition>(read_definition(found->name, Object{}));
  }
  found->is_changed = changed_.contains(found->name);
  found->is_new = !found->core && found->is_changed;
  return found;
}

// Null if no document defines it.
Result<DefinitionPtr> Reading::definition(std::string_view name) {
  if (cached_schema_) {
    if (auto known = cached_schema_->find_collection(name)) return *std::move(known);
  }
  auto row = TRY(get_system(*find_system("Collection"), name));
  if (!row) row = TRY(get_by_alias(*find_system("Collection"), name));
  DefinitionPtr read;
  if (row) {
    read = std::make_shared<const CollectionDefinition>(
        read_definition(std::string(id_in_table(row->id)), row->body.unpack()));
  }
  if (cached_schema_)
    cached_schema_->add_collection(name, read, row ? row->body.bytes().size() : 0);
  return read;
}

Result<FunctionPtr> Reading::function(std::string_view name) {
  if (cached_schema_) {
    if (auto known = cached_schema_->find_function(name)) return *std::move(known);
  }
  auto row = TRY(get_system(*find_system("Function"), name));
  if (!row) row = TRY(get_by_alias(*find_system("Function"), name));
  FunctionPtr read;
  if (row) read = read_function(std::string(id_in_table(row->id)), row->body.unpack());
  if (cached_schema_) cached_schema_->add_function(name, read, row ? row->body.bytes().size() : 0);
  return read;
}

Result<std::vector<Document>> Reading::all_system(const SystemCollection& of) {
  std::vector<Document> all;
  const CollectionPtr table = system_table();
  if (!table) return all;
  TRY(each_of_system(view_, *table, of, [&](const Document& document) -> Result<void> {
    all.push_back(document);
    return {};
  }));
  return all;
}

void Reading::MemberIndex::forget(std::string_view name) {
  const auto text = texts.find(name);
  if (text == texts.end()) return;
  const auto there = names.find(text->second);
  there->second.erase(text->first);
  if (there->second.empty()) names.erase(there);
  texts.erase(text);
}

void Reading::MemberIndex::add(std::string_view name, const mayfly::Value& text) {
  if (!text.is(Kind::text)) return;
  names[text.text()].emplace(name);
  texts.emplace(name, text.text());
}

Result<Reading::MemberIndex> Reading::read_member_index(const SystemCollection& of,
                                                        const std::string& member) {
  MemberIndex read;
  const CollectionPtr table = system_table();
  if (!table) return read;
  TRY(each_of_system(view_, *table, of, [&](const Document& document) -> Result<void> {
    read.add(id_in_table(document.id), document.body.member(member));
    return {};
  }));
  return read;
}

Result<Reading::MemberIndex*> Reading::member_index(const SystemCollection& of,
                                                    std::string_view member) {
  MemberKey key(of.name, std::string(member));
  auto known = member_indexes_.find(key);
  if (known == member_indexes_.end()) {
    MemberIndex read = TRY(read_member_index(of, key.second));
    known = member_indexes_.emplace(std::move(key), std::move(read)).first;
  }
  MemberIndex& all = known->second;
  while (!all.changed.empty()) {
    const std::string& name = *all.changed.begin();
    const auto row = TRY(get_system(of, name));
    all.forget(name);
    if (row) all.add(name, row->body.member(known->first.second));
    all.changed.erase(all.changed.begin());
  }
  return &all;
}

Result<std::vector<std::string>> Reading::names_with(const SystemCollection& of,
                                                     std::string_view member,
                                                     std::string_view text) {
  const MemberIndex& all = *TRY(member_index(of, member));
  const auto found = all.names.find(text);
  if (found == all.names.end()) return std::vector<std::string>();
  return std::vector<std::string>(found->second.begin(), found->second.end());
}

Result<std::optional<Document>> Reading::get_by_alias(const SystemCollection& of,
                                                      std::string_view alias) {
  const auto names = TRY(names_with(of, "alias", alias));
  if (names.empty()) return std::nullopt;
  return get_system(of, names.front());
}

Result<Lens> Reading::lens(const FqlCollection& of, const std::optional<Instant>& at) const {
  if (!at || *at >= view_.now() || !of.core) return view_.live();
  const Retention& history = of.core->policy.history;
  Instant floor = history.floor(view_.now());
  // The collection was empty before it was created, so reads as of any earlier instant are allowed.
  if (floor <= of.core->created_at) {
    floor = view_.now() - history.span;
    if (*at >= floor) return Lens::as_of(*at);
  }
  if (*at < floor) {
    return fail(Code::invalid,
                fmt::format("Requested timestamp {} less than minimum allowed timestamp {}.",
                            render_time(FqlTime::of(*at)), render_time(FqlTime::of(floor))),
                "as_of");
  }
  return view_.as_of(*at, *of.core);
}

Result<std::optional<Document>> Reading::get(const FqlCollection& of, const DocumentKey& named,
                                             const std::optional<Instant>& at) {
  const DocumentKey key = of.key_of(named);
  if (!of.core || !check(key)) return std::nullopt;
  return view_.get(*of.core, key, TRY(lens(of, at)));
}

Result<std::optional<Document>> Reading::get_system(const SystemCollection& of,
                                                    std::string_view id) {
  const CollectionPtr table = system_table();
  const DocumentKey key = system_key(of, id);
  if (!table || !check(key)) return std::nullopt;
  return view_.get(*table, key, view_.live());
}

FqlObject stored_fields(const Document& document) {
  FqlObject fields;
  Value body = document.body.unpack();
  if (!body.is(Kind::object)) return fields;
  fields.reserve(body.object().size());
  for (auto& [name, value] : body.mutable_object()) {
    fields.append(std::move(name), from_stored(value));
  }
  return fields;
}

FqlValue ttl_of(const Document& document) {
  if (document.death.is_never()) return nullptr;
  return before(document.death, nanos_before(document));
}

Bytes facet_of(const std::optional<FqlTime>& ttl) {
  if (!ttl || ttl->nanos % nanos_of_one_micro == 0) return {};
  const auto nanos = static_cast<int>(nanos_of_one_micro - ttl->nanos % nanos_of_one_micro);
  return Bytes{static_cast<char>(nanos / 256), static_cast<char>(nanos % 256)};
}

}  // namespace mayfly::fauna
