// Attachments: created, listed, queried, read, replaced, removed.
#include "dialect/cosmos/actions.h"

#include <algorithm>

#include "base/random.h"
#include "dialect/cosmos/attachments/incoming.h"
#include "dialect/cosmos/attachments/media_location.h"
#include "dialect/cosmos/documents/feeds/feed.h"
#include "dialect/cosmos/documents/writes/write.h"
#include "dialect/cosmos/errors.h"
#include "dialect/cosmos/limits.h"
#include "dialect/cosmos/queries/resources.h"
#include "dialect/cosmos/reply.h"
#include "dialect/cosmos/resources/system_properties.h"

namespace mayfly::cosmos {
namespace {

net::Response answer_with(int status, const AttachmentOwner& owner, const Attachment& attachment) {
  std::string body;
  render_attachment(owner, attachment, body);
  net::Response response = one_resource(status, std::move(body), etag_of(attachment.changed_at));
  add_container_headers(*owner.container, response);
  return response;
}

// A random number that no sibling has, so that links to removed attachments lead nowhere.
std::uint32_t fresh_number(const CosmosCall& call, const std::vector<Attachment>& siblings) {
  while (true) {
    const auto number = static_cast<std::uint32_t>(call.services.random.next());
    const bool is_taken = std::any_of(siblings.begin(), siblings.end(),
                                      [&](const Attachment& one) { return one.number == number; });
    if (!is_taken) return number;
  }
}

// One write of an attachment, within a transaction.
class AttachmentWrite {
 public:
  AttachmentWrite(CosmosCall& call, WriteMode mode, const IncomingAttachment& incoming)
      : call_(call),
        mode_(mode),
        incoming_(incoming),
        if_match_(parse_if_match(call.header("if-match"))) {}

  Result<void> run(Transaction& transaction) {
    owner_ = TRY(find_attachment_owner(call_, transaction.view()));
    if (!owner_.attachments) return tl::unexpected(no_such_resource());  // just dropped
    const auto siblings =
        TRY(list_attachments(owner_.attachments, owner_.life, transaction.view()));
    const std::optional<Attachment> before = TRY(find_before(siblings));
    if (before && mode_ == WriteMode::create) return tl::unexpected(id_is_taken());
    Attachment attachment{.life = owner_.life, .id = incoming_.id, .declared = incoming_.declared};
    if (before) {
      attachment.number = before->number;
      attachment.media_bytes = before->media_bytes;
    } else if (siblings.size() >= limits::attachments_max) {
      return fail(Code::too_large, "A document has at most " +
                                       std::to_string(limits::attachments_max) + " attachments.");
    } else {
      attachment.number = fresh_number(call_, siblings);
    }
    TRY(write_media(transaction, attachment));
    PutOptions options{.expect = expectation(mode_)};
    const bool has_condition = before && if_match_.is_given && !if_match_.is_any;
    if (has_condition) options.if_written_at = if_match_.written_at;
    TRY(put_attachment(transaction, owner_.attachments, attachment, options)
            .map_error(with_service_message));
    is_new_ = !before;
    return {};
  }

  Result<net::Response> answer(const Transaction& transaction) const {
    const Attachment wanted{.life = owner_.life, .id = incoming_.id, .declared = {}};
    const auto written = owner_.attachments.written(transaction, wanted.key());
    if (!written) return fail(Code::internal, "what was written is not there");
    return answer_with(is_new_ ? 201 : 200, owner_, *written);
  }

 private:
  Result<std::optional<Attachment>> find_before(const std::vector<Attachment>& siblings) const {
    if (mode_ == WriteMode::replace) {
      Attachment addressed = TRY(pick_attachment(call_, owner_, siblings));
      if (addressed.id == incoming_.id) return addressed;
      return tl::unexpected(bad_request("Replacing a resource cannot change its id.", "id"));
    }
    for (const Attachment& one : siblings) {
      if (one.id == incoming_.id) return one;
    }
    return std::nullopt;
  }

  // Bytes replace the earlier ones. JSON keeps them if it names their link; otherwise they are
  // removed.
  Result<void> write_media(Transaction& transaction, Attachment& attachment) const {
    if (incoming_.media) {
      TRY(put_media(transaction, owner_.attachments, attachment, *incoming_.media));
      attachment.media_bytes = incoming_.media->size();
      return {};
    }
    if (!attachment.media_bytes) return {};
    const Value* named = attachment.declared.find("media");
    if (named != nullptr && named->text() == owner_.media_link_of(attachment)) {
      attachment.declared.remove("media");
      return {};
    }
    TRY(remove_media(transaction, owner_.attachments, attachment));
    attachment.media_bytes.reset();
    return {};
  }

  CosmosCall& call_;
  const WriteMode mode_;
  const IncomingAttachment& incoming_;
  const IfMatch if_match_;
  AttachmentOwner owner_;
  bool is_new_ = false;
};

// Checks the document before a collection is created for its attachments.
Result<void> check_document(CosmosCall& call) {
  View view = call.database().view();
  const AttachmentOwner owner = TRY(find_attachment_owner(call, view));
  if (owner.attachments) return {};
  return make_attachments_of(call.database(), *owner.container->collection)
      .map([](const Attachments&) {});
}

Result<net::Response> put(CosmosCall& call, WriteMode mode, const IncomingAttachment& incoming) {
  TRY(check_document(call));
  AttachmentWrite writing(call, mode, incoming);
  Result<net::Response> response;
  const auto work = [&](Transaction& transaction) { return writing.run(transaction); };
  const auto committed = [&](const Transaction& transaction, Instant) {
    response = writing.answer(transaction);
  };
  TRY(call.database().transact(work, committed));
  return response;
}

}  // namespace

Result<net::Response> create_attachment(CosmosCall& call) {
  const IncomingAttachment incoming = TRY(read_incoming(call));
  const bool is_upsert = call.has_flag("x-ms-documentdb-is-upsert");
  return put(call, is_upsert ? WriteMode::upsert : WriteMode::create, incoming);
}

Result<net::Response> replace_attachment(CosmosCall& call) {
  return put(call, WriteMode::replace, TRY(read_incoming_json(call)));
}

Result<net::Response> read_attachment(CosmosCall& call) {
  View view = call.database().view();
  const AttachmentOwner owner = TRY(find_attachment_owner(call, view));
  const auto all = TRY(list_attachments(owner.attachments, owner.life, view));
  const Attachment attachment = TRY(pick_attachment(call, owner, all));
  const std::string_view known = call.header("if-none-match");
  if (known.empty() || (known != "*" && parse_etag(known) != attachment.changed_at)) {
    return answer_with(200, owner, attachment);
  }
  net::Response response = not_modified(etag_of(attachment.changed_at));
  add_container_headers(*owner.container, response);
  return response;
}

Result<net::Response> list_attachments(CosmosCall& call) {
  View view = call.database().view();
  const AttachmentOwner owner = TRY(find_attachment_owner(call, view));
  const List list{ResourceKind::attachment, owner.rid};
  const query::RunOptions options = TRY(paging_of(call, list));
  Feed feed(list.kind, list.owner_rid);
  query::RowsPage page;
  if (owner.attachments) {
    page =
        TRY(query::answer(attachments_of_life(owner.attachments, owner.life, view), view, options));
  }
  for (const query::QueryRow& row : page.rows) {
    const auto attachment = owner.attachments.decode(*row.document);
    if (attachment) render_attachment(owner, *attachment, feed.next());
  }
  net::Response response = feed.finish();
  add_continuation(call, list, page, response);
  add_container_headers(*owner.container, response);
  return response;
}

Result<net::Response> query_attachments(CosmosCall& call) {
  View view = call.database().view();
  const AttachmentOwner owner = TRY(find_attachment_owner(call, view));
  std::vector<std::string> rendered;
  for (const Attachment& one : TRY(list_attachments(owner.attachments, owner.life, view))) {
    render_attachment(owner, one, rendered.emplace_back());
  }
  return query_resources(call, ResourceKind::attachment, owner.rid, rendered, view);
}

Result<net::Response> remove_attachment(CosmosCall& call) {
  const IfMatch if_match = parse_if_match(call.header("if-match"));
  ContainerPtr container;
  TRY(call.database().transact([&](Transaction& transaction) -> Result<void> {
    const AttachmentOwner owner = TRY(find_attachment_owner(call, transaction.view()));
    container = owner.container;
    const auto all = TRY(list_attachments(owner.attachments, owner.life, transaction.view()));
    const Attachment attachment = TRY(pick_attachment(call, owner, all));
    RemoveOptions options;
    if (if_match.is_given && !if_match.is_any) options.if_written_at = if_match.written_at;
    return remove_attachment(transaction, owner.attachments, attachment, options)
        .map_error(with_service_message);
  }));
  net::Response response = removed();
  add_container_headers(*container, response);
  return response;
}

}  // namespace mayfly::cosmos
