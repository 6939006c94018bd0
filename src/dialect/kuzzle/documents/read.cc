// The actions that read documents by id.
#include <fmt/format.h>

#include <map>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/documents/metadata.h"
#include "dialect/kuzzle/documents/write.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/limits.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

// The living document; with includeTrash also the one in the trashcan.
Result<std::optional<Document>> find(const Call& call, const std::string& id) {
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

void render_found(const Call& call, const Document& document, std::string& out) {
  constexpr std::size_t beside_the_body = 320;  // mostly
  out.reserve(out.size() + beside_the_body + document.body.bytes().size());
  out += '{';
  if (!call.is_v2()) {
    render_collection_name(call.message.index, call.message.collection, out);
    out += ',';
  }
  render_id_and_version(document, out);
  out += call.is_v2() ? "," : R"(,"found":true,)";
  render_source(document, call.shape(), out);
  render_meta(document, call.shape(), out);
  out += '}';
}

struct RequestedIds {
  std::vector<std::string> ids;
  Array wrong;  // ids that are no texts; version 1 refuses such a request
};

Result<RequestedIds> document_ids(const Call& call) {
  RequestedIds requested;
  const Value* argument = call.message.arguments.find("ids");
  if (call.message.body.is_missing() && argument != nullptr && argument->is(Kind::text)) {
    requested.ids = split_at_commas(argument->text());
  } else {
    for (const Value& id : *TRY(call.body_array("ids"))) {
      if (id.is(Kind::text)) {
        requested.ids.push_back(id.text());
      } else if (call.is_v2()) {
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
  Fetch(const Call& call, View& view, CollectionPtr place)
      : call_(call),
        view_(view),
        place_(std::move(place)),
        lens_(call.includes_trash() ? Lens::trash(view.now()) : view.live()) {}

  // Appends the document to the list at the end of `out`, which contains only documents; returns
  // whether it exists.
  Result<bool> append(const std::string& id, std::string& out) {
    const auto [known, is_new] = texts_.try_emplace(id);
    if (!is_new && known->second.size == 0) return false;
    std::optional<Document> document;
    if (is_new) document = TRY(view_.get(*place_, DocumentKey::of(id), lens_));
    if (is_new && !document) return false;
    if (out.size() >= limits::answer_sources_bytes_max) return too_large_for_one_answer("ids");
    if (out.back() != '[') out += ',';
    const std::size_t begin = out.size();
    if (document) {
      render_found(call_, *document, out);
    } else {
      out.append(out, known->second.begin, known->second.size);
    }
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
  const Call& call_;
  View& view_;
  const CollectionPtr place_;
  const Lens lens_;
  std::map<std::string, Text> texts_;  // their positions in the answer
};

Result<Fetch> fetch(const Call& call, const std::vector<std::string>& ids, View& view) {
  CollectionPtr place = TRY(collection_to_read(call, view.catalog()));
  for (const std::string& id : ids) TRY(check(DocumentKey::of(id)));
  return Fetch(call, view, std::move(place));
}

// In version 1 each id has a hit, except those in the trashcan.
Result<std::string> find_hits(const Call& call, const std::vector<std::string>& ids) {
  View view = TRY(view_with_trash(call));
  Fetch documents = TRY(fetch(call, ids, view));
  std::string out = R"({"hits":[)";
  std::size_t total = 0;
  for (const std::string& id : ids) {
    if (TRY(documents.append(id, out))) {
      ++total;
      continue;
    }
    if (TRY(documents.is_in_trash(id))) continue;
    if (total++ > 0) out += ',';
    out += '{';
    render_collection_name(call.message.index, call.message.collection, out);
    out += R"(,"_id":)";
    render_json_text(id, out);
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
  const auto found = TRY(find(call, id));
  if (!found) return no_such_document(call.message);
  std::string out;
  render_found(call, *found, out);
  return out;
}

Result<std::string> document_exists(Call& call) {
  const std::string id = TRY(call.id());
  return std::string(TRY(find(call, id)) ? "true" : "false");
}

Result<std::string> get_many(Call& call) {
  TRY(call.index());
  RequestedIds requested = TRY(document_ids(call));
  if (!call.is_v2()) return find_hits(call, requested.ids);
  View view = TRY(view_of(call));
  Fetch documents = TRY(fetch(call, requested.ids, view));
  std::string out = R"({"successes":[)";
  Array missing = std::move(requested.wrong);
  for (const std::string& id : requested.ids) {
    if (!TRY(documents.append(id, out))) missing.emplace_back(id);
  }
  out += R"(],"errors":)" + render_json(missing) + '}';
  call.partial_errors = std::move(missing);
  return out;
}

Result<std::string> exist_many(Call& call) {
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
  if (call.is_v2()) call.partial_errors = missing;
  return render_json(Object{{"successes", there}, {"errors", std::move(missing)}});
}

}  // namespace mayfly::kuzzle
