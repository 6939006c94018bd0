#include "dialect/centrali/records/actions.h"

#include <map>

#include "dialect/centrali/records/asked_lifetime.h"
#include "dialect/centrali/records/find.h"
#include "dialect/centrali/records/ids.h"
#include "dialect/centrali/render.h"
#include "dialect/centrali/structures/actions.h"
#include "dialect/common/json_body.h"
#include "dialect/common/parameters.h"
#include "value/order.h"
#include "value/patch.h"

namespace mayfly::centrali {
namespace {

// What a request says of one record.
struct Sent {
  Value data;  // missing where the body has none
  std::optional<Bytes> facet;
  AskedLifetime lifetime;
};

Result<Sent> parse_sent(const net::Request& request, const Object& body) {
  MemberReader reader(body);
  Sent sent;
  if (const Object* data = TRY(reader.object("data"))) sent.data = *data;
  if (reader.has_null("metadata")) {
    sent.facet = Bytes();
  } else if (const Object* metadata = TRY(reader.object("metadata"))) {
    sent.facet = encode_metadata(*metadata);
  }
  sent.lifetime = TRY(parse_lifetime(request, body));
  return sent;
}

// Fails with invalid, where `details` has the reasons.
Result<void> hold_to_properties(const Structure& structure, const Value& data, Extent extent,
                                std::vector<Detail>& details) {
  details.clear();
  const auto unknown =
      structure.mode == Structure::Mode::strict ? Unknown::refused : Unknown::accepted;
  if (structure.mode == Structure::Mode::schemaless) return {};
  validate(data.object(), structure.properties, unknown, extent, details);
  if (details.empty()) return {};
  return fail(Code::invalid, details.front().field + " " + details.front().message);
}

Result<void> keep_immutable(const Structure& structure, const Value& before, const Value& after,
                            std::vector<Detail>& details) {
  for (const Property& property : structure.properties) {
    if (!property.is_immutable || before.member(property.name).is_missing()) continue;
    if (same(before.member(property.name), after.member(property.name))) continue;
    details.push_back({property.name, "cannot be changed"});
  }
  if (details.empty()) return {};
  return fail(Code::invalid, details.front().field + " " + details.front().message);
}

// A record that is written with its end behind it is the client's right, and most often its
// mistake.
void hint_at_death(const Document& document, net::Response& response) {
  if (document.death > document.version.written_at) return;
  response.headers.emplace_back("x-mayfly-hint",
                                "expiresAt lies in the past: the record has expired already and "
                                "cannot be read");
}

// Runs `work`, which gives the structure and key of the record it writes, and renders what it has
// become.
struct Written {
  StructurePtr structure;
  DocumentKey key;
};
template <class Work>
Result<net::Response> write_record(Call& call, int status, const Work& work) {
  std::optional<Written> written;
  net::Response response{.status = status};
  TRY(call.database().transact(
      [&](Transaction& transaction) -> Result<void> {
        written = TRY(work(transaction));
        return {};
      },
      [&](const Transaction& transaction, Instant) {
        const auto document = transaction.written(written->structure->collection, written->key);
        if (!document) return;
        render_record(*document, {*written->structure, call.workspace}, response.body);
        hint_at_death(*document, response);
      }));
  return response;
}

Result<std::string> structure_named(const Call& call, const Object& body) {
  if (const std::string& slug = call.match["slug"]; !slug.empty()) return slug;
  MemberReader reader(body);
  for (const std::string_view name : {"structureId", "collectionId"}) {
    if (auto given = TRY(reader.text(name))) return *std::move(given);
    if (const std::string* parameter = call.request.parameter(name)) return *parameter;
  }
  return fail(Code::invalid, "structureId is required", "structureId");
}

// The id of a new record. One that a client chooses must be free in the whole workspace, since
// records are asked for without their structure.
Result<std::string> id_of(Call& call, const Object& body, const Structure& structure,
                          Transaction& transaction) {
  MemberReader reader(body);
  auto given = TRY(reader.text("id"));
  if (!given) return new_record_id(call.services.random, structure.collection->id);
  const WorkspacePtr workspace =
      call.directory.workspace(transaction.view().catalog_ptr(), call.workspace);
  auto found =
      find_record(workspace->structures(), *given, transaction.view(), transaction.view().live());
  if (found) {
    return fail(Code::exists, "there is already a record with the id '" + *given + "'", "id");
  }
  if (found.error().code != Code::not_found) return tl::unexpected(std::move(found).error());
  return *std::move(given);
}

Result<Found> find_in(Call& call, Transaction& transaction, const std::string& id) {
  View& view = transaction.view();
  return find_record(TRY(places_of(call, view.catalog_ptr(), id)), id, view, view.live());
}

}  // namespace

Result<net::Response> create_record(Call& call) {
  const Object body = TRY(parse_object(call.request.body));
  const Sent sent = TRY(parse_sent(call.request, body));
  if (sent.data.is_missing()) return fail(Code::invalid, "data is required", "data");
  const std::string named = TRY(structure_named(call, body));
  return write_record(call, 201, [&](Transaction& transaction) -> Result<Written> {
    const StructurePtr structure =
        TRY(find_structure(call, transaction.view().catalog_ptr(), named, "structureId"));
    const Value data = with_defaults(sent.data, structure->properties);
    TRY(hold_to_properties(*structure, data, Extent::whole, call.details));
    DocumentKey key = DocumentKey::of(TRY(id_of(call, body, *structure, transaction)));
    const PutOptions options{.expect = PutOptions::Expect::absent,
                             .lifetime = lifetime_of_creation(
                                 sent.lifetime, structure->collection->policy, transaction.now()),
                             .author = call.principal.name,
                             .facet = sent.facet};
    TRY(transaction.put(structure->collection, key, TRY(pack(data)), options));
    return Written{structure, std::move(key)};
  });
}

Result<net::Response> read_record(Call& call) {
  const std::string& id = call.match["record"];
  if (call.request.parameter("expand") != nullptr) {
    return fail(Code::unsupported, "expand is not offered", "expand");
  }
  const bool with_archived =
      TRY(boolean_parameter(call.request, "includeArchived")).value_or(false);
  net::Response response;
  const auto render = [&](const Found& found) {
    render_record(found.document, {*found.structure, call.workspace}, response.body);
  };
  if (!with_archived) {
    render(TRY(find_living(call, id)));
    return response;
  }
  View view = call.database().view();
  const auto places = TRY(places_of(call, view.catalog_ptr(), id));
  render(TRY(find_record(places, id, view, Lens::trash(view.now()))));
  return response;
}

Result<net::Response> patch_record(Call& call) {
  const Object body = TRY(parse_optional_object(call.request.body));
  const Sent sent = TRY(parse_sent(call.request, body));
  if (sent.data.is_missing() && !sent.facet && !sent.lifetime.is_given()) {
    return fail(Code::invalid, "data is required", "data");
  }
  const std::string& id = call.match["record"];
  return write_record(call, 200, [&](Transaction& transaction) -> Result<Written> {
    const Found found = TRY(find_in(call, transaction, id));
    Bytes packed(found.document.body.bytes());
    if (sent.data.is(Kind::object) && !sent.data.object().empty()) {
      TRY(hold_to_properties(*found.structure, sent.data, Extent::part, call.details));
      const Value before = found.document.body.unpack();
      const Value after = assign(before, sent.data);
      TRY(keep_immutable(*found.structure, before, after, call.details));
      packed = TRY(pack(after));
    }
    const PutOptions options{.expect = PutOptions::Expect::present,
                             .lifetime = lifetime_of_update(sent.lifetime, transaction.now()),
                             .author = call.principal.name,
                             .facet = sent.facet};
    TRY(transaction.put(found.structure->collection, DocumentKey::of(id), std::move(packed),
                        options));
    return Written{found.structure, DocumentKey::of(id)};
  });
}

Result<net::Response> replace_record(Call& call) {
  const Object body = TRY(parse_object(call.request.body));
  const Sent sent = TRY(parse_sent(call.request, body));
  if (sent.data.is_missing()) return fail(Code::invalid, "data is required", "data");
  const std::string& id = call.match["record"];
  return write_record(call, 200, [&](Transaction& transaction) -> Result<Written> {
    const Found found = TRY(find_in(call, transaction, id));
    TRY(hold_to_properties(*found.structure, sent.data, Extent::whole, call.details));
    TRY(keep_immutable(*found.structure, found.document.body.unpack(), sent.data, call.details));
    const PutOptions options{.expect = PutOptions::Expect::present,
                             .lifetime = lifetime_of_update(sent.lifetime, transaction.now()),
                             .author = call.principal.name,
                             .facet = sent.facet};
    TRY(transaction.put(found.structure->collection, DocumentKey::of(id), TRY(pack(sent.data)),
                        options));
    return Written{found.structure, DocumentKey::of(id)};
  });
}

Result<net::Response> remove_record(Call& call) {
  const std::string& id = call.match["record"];
  const bool is_hard = TRY(boolean_parameter(call.request, "hard")).value_or(false);
  const DocumentKey key = DocumentKey::of(id);
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    View& view = transaction.view();
    const auto places = TRY(places_of(call, view.catalog_ptr(), id));
    if (!is_hard) {
      const Found found = TRY(find_record(places, id, view, view.live()));
      return transaction.remove(found.structure->collection, key, {.author = call.principal.name});
    }
    // What lies in the archive goes, too.
    const Found found = TRY(find_record(places, id, view, Lens::trash(view.now())));
    const CollectionPtr& collection = found.structure->collection;
    if (!found.document.version.is_removed()) {
      TRY(transaction.remove(collection, key, {.author = call.principal.name, .is_final = true}));
    }
    auto forgotten = transaction.forget(collection, key);
    if (!forgotten && forgotten.error().code != Code::not_found) return forgotten;
    return {};
  }));
  return net::Response{.status = 204};
}

Result<net::Response> restore_record(Call& call) {
  const std::string& id = call.match["record"];
  const DocumentKey key = DocumentKey::of(id);
  TRY(check(key));
  return write_record(call, 200, [&](Transaction& transaction) -> Result<Written> {
    View& view = transaction.view();
    for (const StructurePtr& structure : TRY(places_of(call, view.catalog_ptr(), id))) {
      if (!TRY(view.get_removed(*structure->collection, key))) continue;
      TRY(transaction.restore(structure->collection, key, {.author = call.principal.name}));
      return Written{structure, key};
    }
    return fail(Code::not_found, "archived record not found: '" + id + "'");
  });
}

}  // namespace mayfly::centrali
