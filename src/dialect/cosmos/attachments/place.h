// Which attachment a request is about, and whether it is there: it is as long as its document is.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "dialect/cosmos/attachments/attachment.h"
#include "dialect/cosmos/call.h"

namespace mayfly::cosmos {

// The living document that an address lies in.
struct AttachmentOwner {
  ContainerPtr container;
  Attachments attachments;  // null where the container has had none
  Life life;
  Bytes rid;
  std::string self_link;

  Bytes rid_of(const Attachment& attachment) const;
  // "/media/AAAAAQ…", of media of its own.
  std::string media_link_of(const Attachment& attachment) const;
};
// Fails with not_found, and as addressed_document() does.
Result<AttachmentOwner> find_attachment_owner(Call& call, View& view);

// The one that the address names, by name or rid, among those of the owner. Fails with not_found.
Result<Attachment> pick_attachment(const Call& call, const AttachmentOwner& owner,
                                   const std::vector<Attachment>& attachments);

struct MediaPlace {
  AttachmentOwner owner;
  Attachment attachment;
};
// The attachment whose media has that id. Fails with not_found, and with forbidden where the
// request's token is for an earlier document.
Result<MediaPlace> find_media(Call& call, const std::string& id, View& view);

void render_attachment(const AttachmentOwner& owner, const Attachment& attachment,
                       std::string& out);

}  // namespace mayfly::cosmos
