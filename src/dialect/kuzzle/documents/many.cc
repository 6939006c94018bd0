// The actions on several documents: one transaction, in which each succeeds or fails by itself.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/partial.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/realtime/notifier.h"

namespace mayfly::kuzzle {
namespace {

struct Item {
  WriteRequest request;
  Value sent;
  std::optional<Error> error;
  bool is_new = false;
  std::optional<Document> after;
};

tl::unexpected<Error> too_many(std::size_t most) {
  return problem("services.storage.write_limit_exceeded",
                 fmt::format("Number of documents exceeds the server configured value ({})", most));
}

// The reason why one of several documents cannot be written: its message. Null: it can.
using FormatReason = std::string_view Words::*;

bool is_absent(const Value& value) {
  return value.is_missing() || value.is_null();
}

FormatReason find_format_error(const Value& sent, WriteKind how) {
  const bool is_upsert = how == WriteKind::upsert;
  const Value id = sent.member("_id");
  const Value otherwise = sent.member("default");
  if (!sent.member(is_upsert ? "changes" : "body").is(Kind::object)) {
    return is_upsert ? &Words::no_changes : &Words::no_body;
  }
  if (is_upsert && !is_absent(otherwise) && !otherwise.is(Kind::object)) return &Words::no_default;
  if (!is_absent(id) && !id.is(Kind::text)) return &Words::no_text_id;
  const bool has_id = id.is(Kind::text) && !id.text().empty();
  const bool may_lack_id = how == WriteKind::create || how == WriteKind::with_metadata;
  return has_id || may_lack_id ? nullptr : &Words::no_id;
}

Item item_of(const KuzzleCall& call, const Value& sent, WriteKind how) {
  Item item{.request = {.how = how, .is_one_of_many = true}, .sent = sent};
  if (const FormatReason reason = find_format_error(sent, how)) {
    item.error = Error{Code::invalid, std::string(call.generation().words.*reason)};
    return item;
  }
  const Value id = sent.member("_id");
  const bool has_id = id.is(Kind::text) && !id.text().empty();
  item.request.id = has_id ? id.text() : new_document_id(call.shared.services.random);
  item.request.body = sent.member(how == WriteKind::upsert ? "changes" : "body");
  const Value otherwise = sent.member("default");
  if (otherwise.is(Kind::object)) item.request.otherwise = otherwise;
  return item;
}

Result<void> write_item(const KuzzleCall& call, Transaction& transaction,
                        const CollectionPtr& collection, Item& item) {
  item.is_new = TRY(write_document(call, transaction, collection, item.request));
  return {};
}

std::vector<realtime::Target> targets_of(const std::vector<Item>& items) {
  std::vector<realtime::Target> targets;
  std::size_t fields_left = limits::updated_fields_bytes_max;
  for (const Item& item : items) {
    if (item.request.id.empty()) continue;
    const bool is_update =
        item.request.how == WriteKind::update || item.request.how == WriteKind::upsert;
    targets.push_back(
        {item.request.id, is_update ? updated_fields(item.request.body, fields_left) : nullptr});
  }
  return targets;
}

Result<void> write_items(const KuzzleCall& call, std::vector<Item>& items) {
  CollectionPtr collection;
  Notifier notifier(call);
  const std::vector<realtime::Target> targets = targets_of(items);
  const auto write = [&](Transaction& transaction) -> Result<void> {
    collection = TRY(collection_to_write(call, transaction.view().catalog()));
    notifier.begin_each(targets);
    for (Item& item : items) {
      if (item.request.id.empty()) continue;
      TRY(keep_own_error(write_item(call, transaction, collection, item), item.error));
    }
    return {};
  };
  const auto keep = [&](const Transaction& transaction, Instant) {
    for (Item& item : items) {
      if (item.error) continue;
      item.after = transaction.written(collection, DocumentKey::of(item.request.id));
    }
  };
  notifier.committed(TRY(call.database().transact(write, keep)));
  return {};
}

// The error in the form of a document. The answer identifies the document by its own text.
bool has_format_error(const Item& item) {
  return item.request.id.empty();
}

void add_item_error(KuzzleCall& call, const Item& item) {
  const Value body = item.sent.member(item.request.how == WriteKind::upsert ? "changes" : "body");
  Object sent{{"_id", item.sent.member("_id")}, {"body", body}};
  if (call.generation().wraps_failed_documents) {
    Value document = has_format_error(item) ? item.sent : Value(std::move(sent));
    sent = Object{{"document", std::move(document)}};
  }
  add_partial_error(call, std::move(sent), *item.error);
}

// Malformed documents come first.
void add_item_errors(KuzzleCall& call, const std::vector<Item>& items) {
  for (const bool is_of_form : {true, false}) {
    for (const Item& item : items) {
      if (item.error && has_format_error(item) == is_of_form) add_item_error(call, item);
    }
  }
}

std::string render_items(const KuzzleCall& call, const std::vector<Item>& items,
                         bool shows_source) {
  ManyResults results{.errors = call.partial_errors};
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.name(call.generation().list_of_many).begin_array();
  for (const Item& item : items) {
    if (!item.after) continue;
    ++results.total;
    call.renderer().written_item(
        {named_collection(call.message), *item.after, item.is_new, shows_source}, json);
  }
  json.end_array();
  call.renderer().end_many(results, json);
  json.end_object();
  return out;
}

// The answer may leave the documents out.
Result<bool> shows_sources(const KuzzleCall& call) {
  if (call.message.arguments.find("source") == nullptr) return true;
  return !call.generation().takes_source_flag || TRY(call.flag("source"));
}

Result<std::string> write_many(KuzzleCall& call, WriteKind how) {
  TRY(call.index());
  TRY(call.collection());
  const Array& sent = *TRY(call.body_array("documents"));
  TRY(call.check_refresh());
  // Writes with given metadata have the bound of an import.
  const std::size_t most =
      how == WriteKind::with_metadata ? limits::bulk_lines_max : call.shared.options.written_max;
  if (sent.size() > most) return too_many(most);
  const bool shows_source = TRY(shows_sources(call));
  std::vector<Item> items;
  for (const Value& one : sent) items.push_back(item_of(call, one, how));
  TRY(write_items(call, items));
  add_item_errors(call, items);
  return render_items(call, items, shows_source);
}

// Deletes the ids from `begin` on in one commit, as many as it has room for; returns where it
// ended. Documents that are in the trashcan already are put in again.
Result<std::size_t> delete_some(const KuzzleCall& call, const std::vector<std::string>& ids,
                                std::size_t begin, std::vector<std::optional<Error>>& errors) {
  std::size_t end = begin;
  Notifier notifier(call, "delete");
  notifier.committed(TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    const auto collection = TRY(collection_to_write(call, transaction.view().catalog()));
    std::vector<std::string> some;
    for (end = begin; end < ids.size(); ++end) {
      auto removed =
          remove_document(call, transaction, collection, DocumentKey::of(ids[end]), true);
      if (transaction.is_full() && end > begin) break;
      TRY(keep_own_error(std::move(removed), errors[end]));
      some.push_back(ids[end]);
    }
    notifier.writes(some);
    return {};
  })));
  return end;
}

}  // namespace

Result<std::string> create_many(KuzzleCall& call) {
  return write_many(call, WriteKind::create);
}
Result<std::string> create_or_replace_many(KuzzleCall& call) {
  return write_many(call, WriteKind::create_or_replace);
}
Result<std::string> replace_many(KuzzleCall& call) {
  return write_many(call, WriteKind::replace);
}
Result<std::string> update_many(KuzzleCall& call) {
  return write_many(call, WriteKind::update);
}
Result<std::string> upsert_many(KuzzleCall& call) {
  return write_many(call, WriteKind::upsert);
}
Result<std::string> write_many_with_metadata(KuzzleCall& call) {
  return write_many(call, WriteKind::with_metadata);
}

Result<std::string> delete_many(KuzzleCall& call) {
  TRY(call.index());
  TRY(call.collection());
  const Array& ids = *TRY(call.body_array("ids"));
  TRY(call.check_refresh());
  const std::size_t most = call.shared.options.written_max;
  if (ids.size() > most) return too_many(most);
  Array deleted;
  std::vector<std::string> named;
  std::vector<std::optional<Error>> errors(ids.size());
  for (const Value& id : ids) {
    if (!id.is(Kind::text)) return wrong_type("ids", "array of strings");
    named.push_back(id.text());
  }
  std::size_t done = 0;
  do {
    done = TRY(delete_some(call, named, done, errors));
  } while (done < named.size());
  for (std::size_t i = 0; i < named.size(); ++i) {
    if (errors[i]) {
      add_partial_error(call, Object{{"_id", named[i]}}, *errors[i]);
    } else {
      deleted.emplace_back(named[i]);
    }
  }
  std::string out;
  JsonWriter json(out);
  call.renderer().deleted_many({deleted, call.partial_errors}, json);
  return out;
}

}  // namespace mayfly::kuzzle
