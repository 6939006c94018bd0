#include "db/catalog/catalog.h"

#include "base/limits.h"
#include "expr/render.h"
#include "value/json/json.h"
#include "value/order/order.h"
#include "value/order/sort_key.h"

namespace mayfly {

std::string IndexField::render() const {
  return computed ? mayfly::render(*computed.expression) : field.render();
}

TruncatedValue entry_value_of(const Index& index, const Value& value) {
  if (index.entries == Entries::whole) return {value, true};
  return truncated_value(value, limits::cut_entry_bytes_max / index.fields.size());
}

Result<void> put_entry_value(Bytes& entry, const IndexField& indexed, const Value& held) {
  if (!indexed.null_is_greatest || !is_nothing(held)) {
    return put_sort_key(entry, held, indexed.is_descending);
  }
  put_greatest_null(entry, indexed.is_descending);
  return {};
}

const Index* Collection::find_index(std::string_view index_name) const {
  for (const Index& index : indexes) {
    if (index.name == index_name) return &index;
  }
  return nullptr;
}

bool is_internal(std::string_view name) {
  return name.starts_with('#');
}

DatabaseInfoPtr Catalog::named(std::string_view name) const {
  const auto found = database_names_.find(name);
  return found == database_names_.end() ? nullptr : any_database(found->second);
}

CollectionPtr Catalog::named(DatabaseId database, std::string_view name) const {
  const auto found = collection_names_.find({database, std::string(name)});
  return found == collection_names_.end() ? nullptr : any_collection(found->second);
}

bool Catalog::is_internal_at(DatabaseId database, std::string_view name) const {
  if (is_internal(name)) return true;
  const auto found = databases_.find(database);
  return found != databases_.end() && is_internal(found->second->name);
}

DatabaseInfoPtr Catalog::find_database(std::string_view name) const {
  return is_internal(name) ? nullptr : named(name);
}

DatabaseInfoPtr Catalog::find_internal_database(std::string_view name) const {
  return is_internal(name) ? named(name) : nullptr;
}

CollectionPtr Catalog::find_collection(DatabaseId database, std::string_view name) const {
  return is_internal_at(database, name) ? nullptr : named(database, name);
}

CollectionPtr Catalog::find_internal(DatabaseId database, std::string_view name) const {
  return is_internal_at(database, name) ? named(database, name) : nullptr;
}

CollectionPtr Catalog::any_collection(CollectionId id) const {
  const auto found = collections_.find(id);
  return found == collections_.end() ? nullptr : found->second;
}

DatabaseInfoPtr Catalog::any_database(DatabaseId id) const {
  const auto found = databases_.find(id);
  return found == databases_.end() ? nullptr : found->second;
}

CollectionPtr Catalog::collection(CollectionId id) const {
  CollectionPtr found = any_collection(id);
  return found && !is_internal_at(found->database, found->name) ? found : nullptr;
}

DatabaseInfoPtr Catalog::database(DatabaseId id) const {
  DatabaseInfoPtr found = any_database(id);
  return found && !is_internal(found->name) ? found : nullptr;
}

std::vector<DatabaseInfoPtr> Catalog::databases() const {
  std::vector<DatabaseInfoPtr> all;
  all.reserve(database_names_.size());
  for (const auto& [name, id] : database_names_) {
    if (!is_internal(name)) all.push_back(any_database(id));
  }
  return all;
}

std::vector<CollectionPtr> Catalog::collections(DatabaseId database) const {
  return collections_of(database, false);
}

std::vector<CollectionPtr> Catalog::internal_collections(DatabaseId database) const {
  return collections_of(database, true);
}

std::vector<CollectionPtr> Catalog::collections_of(DatabaseId database, bool internal) const {
  std::vector<CollectionPtr> all;
  for (auto it = collection_names_.lower_bound({database, ""});
       it != collection_names_.end() && it->first.first == database; ++it) {
    const bool is_wanted = is_internal_at(database, it->first.second) == internal;
    if (is_wanted) all.push_back(any_collection(it->second));
  }
  return all;
}

Derived& Derived::operator=(const Derived& other) {
  if (this == &other) return *this;
  const std::lock_guard lock(mutex_);
  parts_.clear();
  return *this;
}

Derived::Part Derived::find(std::type_index type) const {
  const std::lock_guard lock(mutex_);
  const auto found = parts_.find(type);
  return found == parts_.end() ? nullptr : found->second;
}

Derived::Part Derived::keep(std::type_index type, Part made) const {
  const std::lock_guard lock(mutex_);
  return parts_.emplace(type, std::move(made)).first->second;
}

void Catalog::put(DatabaseInfoPtr database) {
  database_names_[database->name] = database->id;
  databases_[database->id] = std::move(database);
}

void Catalog::put(CollectionPtr collection) {
  collection_names_[{collection->database, collection->name}] = collection->id;
  collections_[collection->id] = std::move(collection);
}

void Catalog::remove_database(DatabaseId id) {
  if (const auto found = any_database(id)) {
    database_names_.erase(found->name);
    databases_.erase(id);
  }
}

void Catalog::remove_collection(CollectionId id) {
  if (const auto found = any_collection(id)) {
    collection_names_.erase({found->database, found->name});
    collections_.erase(id);
  }
}

Result<void> check_name(std::string_view name, std::string_view what, std::string field) {
  const std::string subject = "the name of a " + std::string(what);
  if (name.empty()) return fail(Code::invalid, subject + " must not be empty", std::move(field));
  if (name.size() > limits::name_bytes_max) {
    return fail(Code::invalid,
                subject + " has at most " + std::to_string(limits::name_bytes_max) + " bytes",
                std::move(field));
  }
  for (const char c : name) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '/') {
      return fail(Code::invalid, subject + " must not contain '/' or control characters",
                  std::move(field));
    }
  }
  return {};
}

}  // namespace mayfly
