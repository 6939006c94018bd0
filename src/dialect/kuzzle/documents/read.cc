// The actions that read documents by id.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "dialect/kuzzle/metadata.h"
#include "dialect/kuzzle/places.h"
#include "value/json.h"

namespace mayfly::kuzzle {
namespace {

using Found = std::vector<std::optional<Document>>;

Lens lens_of(const Call& call, const View& view) {
  return call.includes_trash() ? Lens::trash(view.now()) : view.live();
}

// The living ones; with includeTrash those of the trashcan, too. They lie in memory together.
Result<Found> find(const Call& call, const std::vector<std::string>& ids, View& view,
                   CollectionPtr& place) {
  place = TRY(place_to_read(call, view.catalog()));
  for (const std::string& id : ids) TRY(check(DocumentKey::of(id)));
  const Lens lens = lens_of(call, view);
  Found found;
  std::size_t bytes = 0;
  for (const std::string& id : ids) {
    found.push_back(TRY(view.get(*place, DocumentKey::of(id), lens)));
    if (found.back()) bytes += found.back()->body.bytes().size();
    if (bytes > limits::query_bytes_max) {
      return fail(Code::too_large, "the documents are too large for one answer; ask for fewer");
    }
  }
  return found;
}

Result<Found> find(const Call& call, const std::vector<std::string>& ids, CollectionPtr& place) {
  if (ids.size() == 1 && !call.includes_trash()) {
    Database& database = call.database();
    place = TRY(place_to_read(call, *database.catalog()));
    const DocumentKey key = DocumentKey::of(ids.front());
    TRY(check(key));
    Found found;
    found.push_back(TRY(database.get(place, key)));
    return found;
  }
  View view = TRY(view_of(call));
  return find(call, ids, view, place);
}

void render_found(const Call& call, const Document& document, std::string& out) {
  out += '{';
  if (!call.is_v2()) {
    render_place(call.message.index, call.message.collection, out);
    out += ',';
  }
  render_id_and_version(document, out);
  out += call.is_v2() ? "," : R"(,"found":true,)";
  render_source(document, call.shape(), out);
  render_meta(document, call.shape(), out);
  out += '}';
}

Result<std::vector<std::string>> document_ids(const Call& call) {
  std::vector<std::string> ids;
  const Value* argument = call.message.arguments.find("ids");
  if (call.message.body.is_missing() && argument != nullptr && argument->is(Kind::text)) {
    const std::string& text = argument->text();
    for (std::size_t i = 0; i <= text.size();) {
      const std::size_t comma = std::min(text.find(',', i), text.size());
      if (comma > i) ids.push_back(text.substr(i, comma - i));
      i = comma + 1;
    }
  } else {
    for (const Value& id : *TRY(call.body_array("ids"))) {
      if (!id.is(Kind::text)) return wrong_type("ids", "array of strings");
      ids.push_back(id.text());
    }
  }
  if (ids.size() > call.shared.options.fetched_max) {
    return problem("services.storage.get_limit_exceeded",
                   fmt::format("Number of documents to fetch exceeds the server configured value "
                               "({})",
                               call.shared.options.fetched_max));
  }
  return ids;
}

// Of version 1 each id has a hit, but for those that lie in the trashcan.
Result<std::string> find_hits(const Call& call, const std::vector<std::string>& ids) {
  View view = TRY(view_with_trash(call));
  CollectionPtr collection;
  const Found found = TRY(find(call, ids, view, collection));
  std::string out = R"({"hits":[)";
  std::size_t total = 0;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!found[i] && TRY(view.get_removed(*collection, DocumentKey::of(ids[i])))) continue;
    if (total++ > 0) out += ',';
    if (found[i]) {
      render_found(call, *found[i], out);
      continue;
    }
    out += '{';
    render_place(call.message.index, call.message.collection, out);
    out += R"(,"_id":)";
    render_json_text(ids[i], out);
    out += R"(,"found":false})";
  }
  return out + fmt::format(R"(],"total":{}}})", total);
}

}  // namespace

Result<std::string> get_document(Call& call) {
  TRY(call.index());
  const std::string id = TRY(call.id());
  if (id == "_search") {
    return problem("api.assert.invalid_id", "The action _search can't be done with a GET");
  }
  CollectionPtr collection;
  const Found found = TRY(find(call, {id}, collection));
  if (!found.front()) return no_such_document(call.shape(), id);
  std::string out;
  render_found(call, *found.front(), out);
  return out;
}

Result<std::string> document_exists(Call& call) {
  const std::string id = TRY(call.id());
  CollectionPtr collection;
  return std::string(TRY(find(call, {id}, collection)).front() ? "true" : "false");
}

Result<std::string> get_many(Call& call) {
  TRY(call.index());
  const auto ids = TRY(document_ids(call));
  if (!call.is_v2()) return find_hits(call, ids);
  CollectionPtr collection;
  const Found found = TRY(find(call, ids, collection));
  std::string out = R"({"successes":[)";
  Array missing;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    if (!found[i]) {
      missing.emplace_back(ids[i]);
      continue;
    }
    if (out.back() != '[') out += ',';
    render_found(call, *found[i], out);
  }
  return out + R"(],"errors":)" + render_json(missing) + '}';
}

Result<std::string> exist_many(Call& call) {
  const auto ids = TRY(document_ids(call));
  View view = TRY(view_of(call));
  const CollectionPtr place = TRY(place_to_read(call, view.catalog()));
  for (const std::string& id : ids) TRY(check(DocumentKey::of(id)));
  const Lens lens = lens_of(call, view);
  Array there;
  Array missing;
  for (const std::string& id : ids) {
    const bool is_there = TRY(view.get(*place, DocumentKey::of(id), lens)).has_value();
    (is_there ? there : missing).emplace_back(id);
  }
  return render_json(Object{{"successes", there}, {"errors", missing}});
}

}  // namespace mayfly::kuzzle
