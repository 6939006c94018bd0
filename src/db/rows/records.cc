#include "db/rows/records.h"

#include "db/rows/keys.h"

namespace mayfly::records {
namespace {

// FLAGS REACH DISK: never renumber.
enum Flag : std::uint8_t {
  lifetime_bits = 0x03,
  has_created = 0x04,
  has_author = 0x08,
  has_updater = 0x10,
  has_facet = 0x20,
  has_written = 0x40,  // of entries and holds
  is_asked = 0x40,     // of heads
  has_hold = 0x80
};
enum LifetimeTag : std::uint8_t { tag_inherit = 0, tag_never = 1, tag_after = 2, tag_at = 3 };

void put_lifetime(const Lifetime& lifetime, std::uint8_t flags, Bytes& out) {
  struct Put {
    std::uint8_t flags;
    Bytes& out;
    void tag(std::uint8_t t) const { out.push_back(static_cast<char>(flags | t)); }
    void operator()(Inherit) const { tag(tag_inherit); }
    void operator()(Never) const { tag(tag_never); }
    void operator()(After after) const {
      tag(tag_after);
      put_varint(out, static_cast<std::uint64_t>(after.span.whole_seconds()));
    }
    void operator()(At at) const {
      tag(tag_at);
      put_i64(out, at.instant.micros);
    }
  };
  std::visit(Put{flags, out}, lifetime);
}

Lifetime take_lifetime(Reader& in, std::uint8_t& flags) {
  flags = in.u8();
  switch (flags & lifetime_bits) {
    case tag_never: return Never{};
    case tag_after: return After{Span::seconds(static_cast<std::int64_t>(in.varint()))};
    case tag_at: return At{Instant{in.i64()}};
    default: return Inherit{};
  }
}

tl::unexpected<Error> damaged(const char* what) {
  return fail(Code::corrupt, std::string("a stored ") + what + " is damaged");
}

Document document_of(const Head& head, BytesView key, const Version& version, const Policy& policy,
                     std::shared_ptr<const void> keeps) {
  Document d;
  d.key = key;
  d.id = keys::id_of(key);
  d.version = version;
  d.death = death_of(version, policy);
  d.created_at = head.created_at.is_never() ? version.written_at : head.created_at;
  d.revision = head.revision;
  d.author = head.author;
  d.updater = head.updater;
  d.facet = head.facet;
  d.hold = head.hold;
  d.lifetime_is_requested = head.is_asked;
  d.body = Packed(head.body);
  d.keeps = std::move(keeps);
  return d;
}

}  // namespace

void encode(const Head& head, Bytes& out) {
  std::uint8_t flags = 0;
  if (!head.created_at.is_never()) flags |= has_created;
  if (!head.author.empty()) flags |= has_author;
  if (head.updater != head.author) flags |= has_updater;
  if (!head.facet.empty()) flags |= has_facet;
  if (!head.hold.empty()) flags |= has_hold;
  if (head.is_asked) flags |= is_asked;
  put_lifetime(head.lifetime, flags, out);
  if (flags & has_created) put_varint(out, static_cast<std::uint64_t>(head.created_at.micros));
  put_varint(out, head.revision);
  if (flags & has_author) put_text(out, head.author);
  if (flags & has_updater) put_text(out, head.updater);
  if (flags & has_facet) put_text(out, head.facet);
  if (flags & has_hold) put_text(out, head.hold);
  out.append(head.body);
}

Result<Head> decode_head(BytesView value) {
  Reader in(value);
  Head head;
  std::uint8_t flags = 0;
  head.lifetime = take_lifetime(in, flags);
  head.is_asked = (flags & is_asked) != 0;
  if (flags & has_created) head.created_at = {static_cast<std::int64_t>(in.varint())};
  head.revision = in.varint();
  if (flags & has_author) head.author = in.text();
  head.updater = flags & has_updater ? in.text() : head.author;
  if (flags & has_facet) head.facet = in.text();
  if (flags & has_hold) head.hold = in.text();
  head.body = in.rest();
  if (!in.ok()) return damaged("document");
  return head;
}

Result<Lifetime> decode_lifetime(BytesView value) {
  Reader in(value);
  std::uint8_t flags = 0;
  Lifetime lifetime = take_lifetime(in, flags);
  if (!in.ok()) return damaged("lifetime");
  return lifetime;
}

Bytes encode(const Hold& hold) {
  Bytes out;
  const bool is_own = hold.counted_from.is_never();
  put_lifetime(hold.lifetime, is_own ? 0 : has_written, out);
  if (!is_own) put_varint(out, static_cast<std::uint64_t>(hold.counted_from.micros));
  put_varint(out, static_cast<std::uint64_t>(hold.held_at.micros));
  put_text(out, hold.by);
  put_text(out, hold.reason);
  return out;
}

Result<Hold> decode_hold(BytesView value) {
  Reader in(value);
  std::uint8_t flags = 0;
  Hold hold{.lifetime = take_lifetime(in, flags)};
  if (flags & has_written) hold.counted_from = {static_cast<std::int64_t>(in.varint())};
  hold.held_at = {static_cast<std::int64_t>(in.varint())};
  hold.by = in.text();
  hold.reason = in.text();
  if (!in.done()) return damaged("hold");
  return hold;
}

void encode_history(End end, const Head& head, Bytes& out) {
  out.push_back(static_cast<char>(end));
  encode(head, out);
}

Result<History> decode_history(BytesView value) {
  const End end = value.empty() ? End{} : static_cast<End>(value[0]);
  if (end != End::replaced && end != End::removed) return damaged("version");
  Head head = TRY(decode_head(value.substr(1)));
  return History{end, std::move(head)};
}

void encode_trash(End end, Instant written_at, const Head& head, Bytes& out) {
  out.push_back(static_cast<char>(end));
  put_varint(out, static_cast<std::uint64_t>(written_at.micros));
  encode(head, out);
}

Result<Trash> decode_trash(BytesView value) {
  Reader in(value);
  const End end{static_cast<char>(in.u8())};
  const Instant written_at{static_cast<std::int64_t>(in.varint())};
  const bool is_known =
      end == End::removed || end == End::expired || end == End::expired_as_specified;
  if (!in.ok() || !is_known) return damaged("removed document");
  Head head = TRY(decode_head(in.rest()));
  return Trash{end, written_at, std::move(head)};
}

void encode_entry(const Lifetime& lifetime, Instant written_at, Bytes& out) {
  put_lifetime(lifetime, written_at.is_never() ? 0 : has_written, out);
  if (!written_at.is_never()) put_varint(out, static_cast<std::uint64_t>(written_at.micros));
}

Result<Entry> decode_entry(BytesView value, store::Version row_version) {
  Reader in(value);
  std::uint8_t flags = 0;
  Entry entry{take_lifetime(in, flags), to_instant(row_version)};
  if (flags & has_written) entry.written_at = {static_cast<std::int64_t>(in.varint())};
  if (!in.done()) return damaged("index entry");
  return entry;
}

Result<Document> head_document(const store::Row& row, const Policy& policy,
                               std::shared_ptr<const void> keeps) {
  const Head head = TRY(decode_head(row.value));
  const Version version{.written_at = to_instant(row.version), .lifetime = head.lifetime};
  return document_of(head, keys::behind_collection(row.key), version, policy, std::move(keeps));
}

Result<Document> history_document(const store::Row& row, const Policy& policy,
                                  std::shared_ptr<const void> keeps) {
  const auto key = keys::decode_history(row.key);
  if (!key) return damaged("version's key");
  const History history = TRY(decode_history(row.value));
  const Version version{.written_at = key->written_at,
                        .lifetime = history.head.lifetime,
                        .superseded_at = to_instant(row.version)};
  return document_of(history.head, key->key, version, policy, std::move(keeps));
}

Result<Document> trash_document(const store::Row& row, const Policy& policy,
                                std::shared_ptr<const void> keeps) {
  const auto key = keys::decode_history(row.key);
  if (!key) return damaged("removed document's key");
  const Trash trash = TRY(decode_trash(row.value));
  const Version version{.written_at = trash.written_at,
                        .lifetime = trash.head.lifetime,
                        .removed_at = key->written_at,
                        .is_held = !trash.head.hold.empty()};
  Document document = document_of(trash.head, key->key, version, policy, std::move(keeps));
  document.specified_its_lifetime = trash.end == End::expired_as_specified;
  document.has_expired = trash.end == End::expired || document.specified_its_lifetime;
  return document;
}

Head head_of(const Document& document) {
  return {.lifetime = document.version.lifetime,
          .is_asked = document.lifetime_is_requested,
          .created_at = document.created_at,
          .revision = document.revision,
          .author = document.author,
          .updater = document.updater,
          .facet = document.facet,
          .hold = document.hold,
          .body = document.body.bytes()};
}

}  // namespace mayfly::records
