// The actions on several documents: one transaction, in which each succeeds or fails by itself.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/places.h"
#include "dialect/kuzzle/telling.h"
#include "value/json.h"

namespace mayfly::kuzzle {
namespace {

// The sentence that Kuzzle has for all of them.
constexpr const char* some_failed = "Some document creations failed";

struct Item {
  Wish wish;
  Value sent;
  std::optional<Error> error;
  bool is_new = false;
  std::optional<Document> after;
};

tl::unexpected<Error> too_many() {
  return problem("services.storage.write_limit_exceeded",
                 fmt::format("Number of documents exceeds the server configured value ({})",
                             limits::documents_write_max));
}

// What fails only its own document.
bool is_of_one(const Error& error) {
  switch (error.code) {
    case Code::invalid:
    case Code::not_found:
    case Code::exists:
    case Code::stale:
    case Code::forbidden:
    case Code::too_large: return error.field != "services.storage.unknown_index_collection";
    default: return false;
  }
}

Item item_of(const Call& call, const Value& sent, Writing how) {
  Item item{.wish = {.how = how, .is_one_of_many = true}, .sent = sent};
  const auto fails = [&](const char* reason) {
    item.error = Error{Code::invalid, reason};
    return std::move(item);
  };
  const Value id = sent.member("_id");
  const Value body = sent.member(how == Writing::upsert ? "changes" : "body");
  if (!body.is(Kind::object)) return fails("bad format");
  if (!id.is_missing() && !id.is_null() && !id.is(Kind::text)) {
    return fails("the document ID must be a string");
  }
  const bool has_id = id.is(Kind::text) && !id.text().empty();
  if (!has_id && how != Writing::create) return fails("a document ID is required");
  item.wish.id = has_id ? id.text() : new_document_id(call.shared.services.random);
  item.wish.body = body;
  const Value otherwise = sent.member("default");
  if (otherwise.is(Kind::object)) item.wish.otherwise = otherwise;
  return item;
}

Result<void> write_items(const Call& call, std::vector<Item>& items) {
  CollectionPtr collection;
  Telling telling(call);
  std::vector<std::string> ids;
  for (const Item& item : items) {
    if (!item.wish.id.empty()) ids.push_back(item.wish.id);
  }
  const auto write = [&](Transaction& transaction) -> Result<void> {
    collection = TRY(place_to_write(call, transaction.view().catalog()));
    telling.writes(ids);
    for (Item& item : items) {
      if (item.wish.id.empty()) continue;
      auto written = write_document(call, transaction, collection, item.wish);
      item.error = std::nullopt;
      if (written) {
        item.is_new = *written;
      } else if (is_of_one(written.error())) {
        item.error = std::move(written).error();
      } else {
        return tl::unexpected(std::move(written).error());
      }
    }
    return {};
  };
  const auto keep = [&](const Transaction& transaction, Instant) {
    for (Item& item : items) {
      if (item.error) continue;
      item.after = transaction.written(collection, DocumentKey::of(item.wish.id));
    }
  };
  telling.committed(TRY(call.database().transact(write, keep)));
  return {};
}

std::string reason_of(const Error& error) {
  return error.code == Code::exists ? "document already exists" : error.message;
}

void note_failure(Call& call, const Item& item) {
  const int status = status_of(*item.error, call.shape());
  const Value id = item.sent.member("_id");
  const Value body = item.sent.member(item.wish.how == Writing::upsert ? "changes" : "body");
  call.partial_message = some_failed;
  if (call.is_v2()) {
    call.partial_errors.push_back(Object{{"document", Object{{"_id", id}, {"body", body}}},
                                         {"status", status},
                                         {"reason", reason_of(*item.error)}});
  } else {
    call.partial_errors.push_back(Object{
        {"_id", id}, {"body", body}, {"status", status}, {"reason", reason_of(*item.error)}});
  }
}

void render_item(const Call& call, const Item& item, std::string& out) {
  out += '{';
  if (!call.is_v2()) {
    render_place(call.message.index, call.message.collection, out);
    out += ',';
  }
  render_id_and_version(*item.after, out);
  out += fmt::format(R"(,"result":"{}","created":{},"status":{},)",
                     item.is_new ? "created" : "updated", item.is_new, item.is_new ? 201 : 200);
  render_source(*item.after, call.shape(), out);
  render_meta(*item.after, call.shape(), out);
  out += '}';
}

Result<std::string> write_many(Call& call, Writing how) {
  TRY(call.index());
  TRY(call.collection());
  const Array& sent = *TRY(call.body_array("documents"));
  TRY(call.check_refresh());
  if (sent.size() > limits::documents_write_max) return too_many();
  std::vector<Item> items;
  for (const Value& one : sent) items.push_back(item_of(call, one, how));
  TRY(write_items(call, items));
  std::string out = call.is_v2() ? R"({"successes":[)" : R"({"hits":[)";
  std::size_t written = 0;
  for (const Item& item : items) {
    if (!item.after) {
      if (item.error) note_failure(call, item);
      continue;
    }
    if (written++ > 0) out += ',';
    render_item(call, item, out);
  }
  if (!call.is_v2()) return out + fmt::format(R"(],"total":{}}})", written);
  return out + R"(],"errors":)" + render_json(call.partial_errors) + '}';
}

}  // namespace

Result<std::string> create_many(Call& call) {
  return write_many(call, Writing::create);
}
Result<std::string> create_or_replace_many(Call& call) {
  return write_many(call, Writing::create_or_replace);
}
Result<std::string> replace_many(Call& call) {
  return write_many(call, Writing::replace);
}
Result<std::string> update_many(Call& call) {
  return write_many(call, Writing::update);
}
Result<std::string> upsert_many(Call& call) {
  return write_many(call, Writing::upsert);
}

// What lies in the trashcan already is put in anew.
Result<std::string> delete_many(Call& call) {
  TRY(call.index());
  TRY(call.collection());
  const Array& ids = *TRY(call.body_array("ids"));
  TRY(call.check_refresh());
  if (ids.size() > limits::documents_write_max) return too_many();
  Array deleted;
  Array failures;
  std::vector<std::string> named;
  for (const Value& id : ids) {
    if (!id.is(Kind::text)) return wrong_type("ids", "array of strings");
    named.push_back(id.text());
  }
  Telling telling(call, "delete");
  telling.committed(TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    telling.writes(named);
    deleted.clear();
    failures.clear();
    const auto collection = TRY(place_to_write(call, transaction.view().catalog()));
    for (const Value& id : ids) {
      auto removed = remove_document(call, transaction, collection, id.text(), true);
      if (removed) {
        deleted.push_back(id);
      } else if (is_of_one(removed.error())) {
        failures.push_back(Object{{"_id", id},
                                  {"reason", removed.error().message},
                                  {"status", status_of(removed.error(), call.shape())}});
      } else {
        return removed;
      }
    }
    return {};
  })));
  if (!failures.empty()) {
    call.partial_message = some_failed;
    call.partial_errors = failures;
  }
  if (!call.is_v2()) return render_json(deleted);
  return render_json(Object{{"successes", deleted}, {"errors", failures}});
}

}  // namespace mayfly::kuzzle
