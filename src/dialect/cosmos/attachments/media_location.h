// Finding the attachment that a request is about. It exists as long as its document does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialect/cosmos/attachments/attachment.h"
#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

// The living document whose attachments an address names.
struct AttachmentOwner {
  ContainerPtr container;
  Attachments attachments;  // null if the container has had none
  Life life;
  Bytes rid;
  std::string self_link;

  Bytes rid_of(const Attachment& attachment) const;
  // "/media/AAAAAQ…"; the attachment has media of its own.
  std::string media_link_of(const Attachment& attachment) const;
};
// Fails with not_found, and as addressed_document() does.
Result<AttachmentOwner> find_attachment_owner(CosmosCall& call, View& view);

// The attachment of the owner that the address names, by name or rid. Fails with not_found.
Result<Attachment> pick_attachment(const CosmosCall& call, const AttachmentOwner& owner,
                                   const std::vector<Attachment>& attachments);

struct MediaLocation {
  AttachmentOwner owner;
  Attachment attachment;
};
// The attachment whose media has that id. Fails with not_found, and with forbidden if the request's
// token is for an earlier document.
Result<MediaLocation> find_media(CosmosCall& call, const std::string& id, View& view);

void render_attachment(const AttachmentOwner& owner, const Attachment& attachment,
                       std::string& out);

}  // namespace mayfly::cosmos
