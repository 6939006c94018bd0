#include "dialect/cosmos/attachments/media_location.h"

#include <algorithm>

#include "dialect/cosmos/documents/document.h"
#include "dialect/cosmos/documents/find.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/resources/rid.h"
#include "dialect/cosmos/resources/system_properties.h"
#include "dialect/cosmos/stored/tokens.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {
namespace {

AttachmentOwner owner_of(const ContainerPtr& container, const Document& document,
                         const View& view) {
  AttachmentOwner owner{.container = container,
                        .attachments = attachments_of(view.catalog(), *container->collection),
                        .life = life_of(document),
                        .rid = rid_of(*container, document),
                        .self_link = {}};
  owner.self_link = self_link_of(*container, owner.rid);
  return owner;
}

// The container that a rid is in; null pointer if there is none.
Result<ContainerPtr> container_of_rid(CosmosCall& call, BytesView rid, const View& view) {
  const auto database_id = database_of(rid);
  const auto id = container_of(rid);
  if (!database_id || !id) return nullptr;
  const DatabaseInfoPtr database = view.catalog().database(*database_id);
  const CollectionPtr collection = view.catalog().collection(*id);
  if (!database || !collection || collection->database != database->id) return nullptr;
  return call.containers.of(database, collection);
}

}  // namespace

Bytes AttachmentOwner::rid_of(const Attachment& attachment) const {
  return attachment_rid(rid, attachment.number);
}

std::string AttachmentOwner::media_link_of(const Attachment& attachment) const {
  return "/media/" + media_id(rid_of(attachment));
}

Result<AttachmentOwner> find_attachment_owner(CosmosCall& call, View& view) {
  const ContainerPtr container = TRY(call.containers.find(view.catalog(), call.address));
  const DocumentKey key = TRY(addressed_document(call, *container, view));
  const auto document = TRY(view.get(*container->collection, key, view.live()));
  if (!document) return tl::unexpected(no_such_resource());
  return owner_of(container, *document, view);
}

Result<Attachment> pick_attachment(const CosmosCall& call, const AttachmentOwner& owner,
                                   const std::vector<Attachment>& attachments) {
  const std::string& name = call.address.name_of(ResourceKind::attachment);
  const auto named = std::find_if(attachments.begin(), attachments.end(),
                                  [&](const Attachment& one) { return one.id == name; });
  if (named != attachments.end()) return *named;
  const auto rid = parse_rid(name);
  const auto numbered =
      std::find_if(attachments.begin(), attachments.end(),
                   [&](const Attachment& one) { return rid && owner.rid_of(one) == *rid; });
  if (numbered != attachments.end()) return *numbered;
  return tl::unexpected(no_such_resource());
}

Result<MediaLocation> find_media(CosmosCall& call, const std::string& id, View& view) {
  const auto rid = attachment_of_media(id);
  const auto parts = rid ? attachment_of(*rid) : std::nullopt;
  if (!parts) return tl::unexpected(no_such_resource());
  const ContainerPtr container = TRY(container_of_rid(call, *rid, view));
  const auto number = number_of(parts->document);
  if (!container || !number) return tl::unexpected(no_such_resource());
  std::optional<MediaLocation> place;
  const auto has_it = [&](const Document& document) -> Result<bool> {
    const AttachmentOwner owner = owner_of(container, document, view);
    for (const Attachment& one : TRY(list_attachments(owner.attachments, owner.life, view))) {
      if (one.media_bytes && owner.rid_of(one) == *rid) place = MediaLocation{owner, one};
    }
    return place.has_value();
  };
  TRY(find_by_number(call, *container, *number, view, has_it));
  if (!place) return tl::unexpected(no_such_resource());
  TRY(check_same_resource(call, place->owner.life.created_at));
  return *std::move(place);
}

void render_attachment(const AttachmentOwner& owner, const Attachment& attachment,
                       std::string& out) {
  Object reported = attachment.declared;
  if (attachment.media_bytes) reported.set("media", owner.media_link_of(attachment));
  JsonWriter json(out);
  json.begin_object();
  json.members(reported);
  const Bytes rid = owner.rid_of(attachment);
  render_system_properties({.rid = rid,
                            .self = owner.self_link + "attachments/" + render_rid(rid) + '/',
                            .changed_at = attachment.changed_at},
                           json);
  json.end_object();
}

}  // namespace mayfly::cosmos
