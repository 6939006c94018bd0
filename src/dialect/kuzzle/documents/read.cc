// The actions that read documents by id.
#include <fmt/format.h>

#include <map>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/generations/renderer.h"
#include "dialect/kuzzle/limits.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

// The living document; with includeTrash also the one in the trashcan.
Result<std::optional<Document>> find(const KuzzleCall& call, const std::string& id) {
  const DocumentKey key = DocumentKey::of(id);
  if (!call.includes_trash()) {
    Database& database = call.database();
    const CollectionPtr place = TRY(collection_to_read(call, *database.catalog()));
    TRY(check(key));
    return database.get(place, key);
  }
  View view = TRY(view_of(call));
  const CollectionPtr place = TRY(collection_to_read(call, view.catalog()));
  TRY(check(key));
  return view.get(*place, key, Lens::trash(view.now()));
}

void render_found(const KuzzleCall& call, const Document& document, std::string& out) {
  constexpr std::size_t beside_the_body = 320;  // mostly
  out.reserve(out.size() + beside_the_body + document.body.bytes().size());
  JsonWriter json(out);
  call.renderer().found({named_collection(call.message), document}, json);
}

struct RequestedIds {
  std::vector<std::string> ids;
  Array wrong;  // ids that are no texts; some generations refuse such a request
};

Result<RequestedIds> document_ids(const KuzzleCall& call) {
  RequestedIds requested;
  const Value* argument = call.message.arguments.find("ids");
  if (call.message.body.is_missing() && argument != nullptr && argument->is(Kind::text)) {
    requested.ids = split_at_commas(argument->text());
  } else {
    for (const Value& id : *TRY(call.body_array("ids"))) {
      if (id.is(Kind::text)) {
        requested.ids.push_back(id.text());
      } else if (call.generation().takes_wrong_ids) {
        requested.wrong.push_back(id);
      } else {
        return wrong_type("ids", "array of strings");
      }
    }
  }
  if (requested.ids.size() + requested.wrong.size() > call.shared.options.fetched_max) {
    return problem("services.storage.get_limit_exceeded",
                   fmt::format("Number of documents to fetch exceeds the server configured value "
                               "({})",
                               call.shared.options.fetched_max));
  }
  return requested;
}

// Renders several documents of one snapshot for an answer. Each is read once, and only its text
// stays in memory.
class Fetch {
 public:
  Fetch(const KuzzleCall& call, View& view, CollectionPtr place)
      : call_(call),
        view_(view),
        place_(std::move(place)),
        lens_(call.includes_trash() ? Lens::trash(view.now()) : view.live()) {}

  // Appends the document to the list at the end of `out`; returns whether it exists.
  Result<bool> append(const std::string& id, std::string& out) {
    const auto [known, is_new] = texts_.try_emplace(id);
    if (!is_new && known->second.size == 0) return false;
    std::optional<Document> document;
    if (is_new) document = TRY(view_.get(*place_, DocumentKey::of(id), lens_));
    if (is_new && !document) return false;
    if (out.size() >= limits::answer_sources_bytes_max) return too_large_for_one_answer("ids");
    const std::size_t end = out.size();
    if (document) {
      render_found(call_, *document, out);
    } else {
      JsonWriter(out).begin_value().append(out, known->second.begin, known->second.size);
    }
    const std::size_t begin = out.find('{', end);  // after the comma
    known->second = {begin, out.size() - begin};
    return true;
  }
  Result<bool> is_in_trash(const std::string& id) {
    return TRY(view_.get_removed(*place_, DocumentKey::of(id))).has_value();
  }

 private:
  struct Text {
    std::size_t begin = 0;
    std::size_t size = 0;  // 0: there is no such document
  };
  const KuzzleCall& call_;
  View& view_;
  const CollectionPtr place_;
  const Lens lens_;
  std::map<std::string, Text> texts_;  // their positions in the answer
};

Result<Fetch> fetch(const KuzzleCall& call, const std::vector<std::string>& ids, View& view) {
  CollectionPtr place = TRY(collection_to_read(call, view.catalog()));
  for (const std::string& id : ids) TRY(check(DocumentKey::of(id)));
  return Fetch(call, view, std::move(place));
}

Result<std::string> answer_many(const KuzzleCall& call, RequestedIds requested,
                                ManyResults& results) {
  const Generation& generation = call.generation();
  View view = TRY(generation.leaves_out_trashed ? view_with_trash(call) : view_of(call));
  Fetch documents = TRY(fetch(call, requested.ids, view));
  results.errors = std::move(requested.wrong);
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.name(generation.list_of_many).begin_array();
  for (const std::string& id : requested.ids) {
    if (TRY(documents.append(id, out))) {
      ++results.total;
    } else if (!generation.leaves_out_trashed || !TRY(documents.is_in_trash(id))) {
      call.renderer().missing(named_collection(call.message), id, results, json);
    }
  }
  json.end_array();
  call.renderer().end_many(results, json);
  json.end_object();
  return out;
}

}  // namespace

Result<std::string> get_document(KuzzleCall& call) {
  TRY(call.index());
  const std::string id = TRY(call.id());
  if (id == "_search") {
    return problem("api.assert.invalid_id", "The action _search can't be done with a GET");
  }
  const auto found = TRY(find(call, id));
  if (!found) return no_such_document(call.message);
  std::string out;
  render_found(call, *found, out);
  return out;
}

Result<std::string> document_exists(KuzzleCall& call) {
  const std::string id = TRY(call.id());
  return std::string(TRY(find(call, id)) ? "true" : "false");
}

Result<std::string> get_many(KuzzleCall& call) {
  TRY(call.index());
  RequestedIds requested = TRY(document_ids(call));
  ManyResults results;
  std::string out = TRY(answer_many(call, std::move(requested), results));
  call.partial_errors = std::move(results.errors);
  return out;
}

Result<std::string> exist_many(KuzzleCall& call) {
  RequestedIds requested = TRY(document_ids(call));
  const std::vector<std::string>& ids = requested.ids;
  View view = TRY(view_of(call));
  const CollectionPtr place = TRY(collection_to_read(call, view.catalog()));
  for (const std::string& id : ids) TRY(check(DocumentKey::of(id)));
  const Lens lens = call.includes_trash() ? Lens::trash(view.now()) : view.live();
  std::map<std::string, bool> known;
  Array there;
  Array missing = std::move(requested.wrong);
  for (const std::string& id : ids) {
    const auto [one, is_new] = known.try_emplace(id);
    if (is_new) one->second = TRY(view.get(*place, DocumentKey::of(id), lens)).has_value();
    (one->second ? there : missing).emplace_back(id);
  }
  if (call.generation().shows_missing_as_errors) call.partial_errors = missing;
  return render_json(Object{{"successes", there}, {"errors", std::move(missing)}});
}

}  // namespace mayfly::kuzzle
