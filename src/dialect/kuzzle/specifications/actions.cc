// The actions on specifications, and the validation of documents.
#include <fmt/format.h>

#include "dialect/kuzzle/actions.h"
#include "dialect/kuzzle/collections/places.h"
#include "dialect/kuzzle/errors.h"
#include "dialect/kuzzle/queries.h"
#include "dialect/kuzzle/security/rights/rights.h"
#include "dialect/kuzzle/specifications/specification.h"
#include "dialect/kuzzle/specifications/validation.h"
#include "value/json/json.h"

namespace mayfly::kuzzle {
namespace {

using specifications::ParsedSpecification;

// The specification of one collection in a request.
struct SpecificationRequest {
  std::string index;
  std::string collection;
  Value specification;

  std::string place() const { return index + "." + collection; }
};

// Whether a body is one specification, rather than several by collection.
bool is_specification(const Object& body) {
  const Value* strict = body.find("strict");
  const Value* validators = body.find("validators");
  return (strict != nullptr && strict->is(Kind::boolean)) || body.find("fields") != nullptr ||
         (validators != nullptr && validators->is(Kind::array));
}

// The arguments name the collection and the body is the specification; or the body lists several,
// {index: {collection: specification}}, whether or not the arguments name a collection. Clients of
// 1.12 put everything they have into a URL, so only the body tells the forms apart.
bool is_of_one_place(const KuzzleCall& call, const Object& body) {
  const SpecificationsInBody in_body = call.generation().specifications;
  if (in_body == SpecificationsInBody::one) return true;
  if (in_body == SpecificationsInBody::by_its_form && !is_specification(body)) return false;
  const Message& message = call.message;
  if (message.index.empty() || message.collection.empty()) return false;
  const Value* collections = body.find(message.index);
  return collections == nullptr || collections->member(message.collection).is_missing();
}

Result<std::vector<SpecificationRequest>> requested_specifications(const KuzzleCall& call) {
  const Object& body = *TRY(call.body());
  std::vector<SpecificationRequest> all;
  if (is_of_one_place(call, body)) {
    auto index = TRY(call.index());
    auto collection = TRY(call.collection());
    all.push_back({std::move(index), std::move(collection), body});
    return all;
  }
  for (const auto& [index, collections] : body) {
    if (!collections.is(Kind::object)) return wrong_type(index, "object");
    for (const auto& [collection, specification] : collections.object()) {
      all.push_back({index, collection, specification});
    }
  }
  return all;
}

// The call with that collection instead. Fails if the caller has no right there.
Result<Message> message_for(const KuzzleCall& call, const SpecificationRequest& request) {
  Message there = same_action_in(call.message, request.index, request.collection);
  TRY(authorize(call, there));
  return there;
}

Array errors_of(const std::vector<SpecificationRequest>& all) {
  Array errors;
  for (const SpecificationRequest& request : all) {
    ParsedSpecification parsed = specifications::parse(request.specification, request.place());
    for (std::string& error : parsed.errors) errors.emplace_back(std::move(error));
  }
  return errors;
}

tl::unexpected<Error> invalid_specifications(KuzzleCall& call, const Array& errors) {
  if (call.generation().has_error_details) {
    call.error_details = errors;
    return problem("validation.assert.invalid_specifications",
                   "Some errors with provided specifications.");
  }
  std::string list;
  for (const Value& error : errors) list += (list.empty() ? "" : "\n\t- ") + error.text();
  return problem("validation.assert.invalid_specifications",
                 "Errors occured with the provided specifications:\n" + list);
}

tl::unexpected<Error> no_specification(const KuzzleCall& call) {
  return problem("validation.assert.not_found",
                 fmt::format("No specifications defined for index {} and collection {}",
                             call.message.index, call.message.collection));
}

}  // namespace

Result<std::string> get_specifications(KuzzleCall& call) {
  const std::string index = TRY(call.index());
  const auto collection = TRY(collection_to_read(call, *call.database().catalog()));
  const Value stored = specifications::specification_json(*collection);
  if (stored.is_missing()) return no_specification(call);
  return render_json(
      Object{{"validation", stored}, {"index", index}, {"collection", collection->name}});
}

Result<std::string> validate_specifications(KuzzleCall& call) {
  const auto all = TRY(requested_specifications(call));
  const Array errors = errors_of(all);
  if (errors.empty()) return R"({"valid":true})";
  return render_json(Object{{"valid", false},
                            {"details", errors},
                            {"description", "Some errors with provided specifications."}});
}

// All are checked before the first is stored.
Result<std::string> update_specifications(KuzzleCall& call) {
  const auto all = TRY(requested_specifications(call));
  const Array errors = errors_of(all);
  if (!errors.empty()) return invalid_specifications(call, errors);
  std::vector<CollectionPtr> collections;
  for (const SpecificationRequest& request : all) {
    const Message message = TRY(message_for(call, request));
    const KuzzleCall there{.message = message, .shared = call.shared};
    collections.push_back(TRY(collection_to_write(there, *call.database().catalog())));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    CollectionChange change;
    change.facets[std::string(specifications::facet)] = render_json(all[i].specification);
    TRY(call.database().change_collection(collections[i]->id, change));
  }
  return render_json(call.message.body);
}

Result<std::string> delete_specifications(KuzzleCall& call) {
  const auto collection = TRY(collection_to_write(call, *call.database().catalog()));
  if (collection->facets.contains(specifications::facet)) {
    CollectionChange change;
    change.facets[std::string(specifications::facet)] = std::nullopt;
    TRY(call.database().change_collection(collection->id, change));
  }
  return R"({"acknowledged":true})";
}

Result<std::string> validate_document(KuzzleCall& call) {
  const auto collection = TRY(collection_to_read(call, *call.database().catalog()));
  const Value body = *TRY(call.body());
  const auto specification = TRY(specifications::specification_of(*collection));
  std::vector<specifications::ValidationError> findings;
  if (specification) {
    const std::string id = call.message.id.value_or("");
    findings = TRY(
        specifications::validate(*specification, id, body, call.database().now(), meter_of(call)));
  }
  return render_json(Object{{"errorMessages", specifications::render_validation_errors(findings)},
                            {"valid", findings.empty()}});
}

}  // namespace mayfly::kuzzle
