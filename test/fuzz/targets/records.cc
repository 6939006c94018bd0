// Values of rows: they decode to what was encoded. Any bytes are refused, or read within their
// bounds.
#include "db/rows/records.h"

#include "db/feed/feed.h"
#include "db/feed/logged_ends.h"
#include "db/rows/keys.h"
#include "fuzz.h"
#include "values.h"

namespace mayfly::fuzz {
namespace {

bool is_same(const records::Head& a, const records::Head& b) {
  return a.lifetime == b.lifetime && a.is_asked == b.is_asked && a.created_at == b.created_at &&
         a.revision == b.revision && a.author == b.author && a.updater == b.updater &&
         a.facet == b.facet && a.body == b.body;
}

// Heads as they are written: spans are whole seconds.
records::Head take_head(Reader& in) {
  records::Head head;
  switch (in.u8() % 4) {
    case 0: break;
    case 1: head.lifetime = Never{}; break;
    case 2: head.lifetime = After{Span::seconds(in.u32())}; break;
    default: head.lifetime = At{Instant{in.i64()}}; break;
  }
  const unsigned which = in.u8();
  if (which % 2 == 1) head.created_at = Instant{in.i64()};
  head.is_asked = which / 2 % 2 == 1;
  head.revision = in.varint();
  head.author = in.take(std::min<std::size_t>(in.u8() % 16, in.rest().size()));
  head.updater = head.author;
  if (in.u8() % 2 == 1) {
    head.updater = in.take(std::min<std::size_t>(in.u8() % 16, in.rest().size()));
  }
  head.facet = in.take(std::min<std::size_t>(in.u8() % 16, in.rest().size()));
  head.body = in.rest();
  return head;
}

void check_encoded(const records::Head& head, Instant t) {
  Bytes bytes;
  records::encode(head, bytes);
  CHECK(is_same(records::decode_head(bytes).value(), head));
  CHECK(records::decode_lifetime(bytes).value() == head.lifetime);

  Bytes history;
  records::encode_history(records::End::removed, head, history);
  const auto of_history = records::decode_history(history);
  CHECK(of_history && of_history->end == records::End::removed);
  CHECK(is_same(of_history->head, head));

  using records::End;
  for (const End end : {End::removed, End::expired, End::expired_as_specified}) {
    Bytes trash;
    records::encode_trash(end, t, head, trash);
    const auto of_trash = records::decode_trash(trash);
    CHECK(of_trash && of_trash->end == end);
    CHECK(of_trash->written_at == t && is_same(of_trash->head, head));
  }

  Bytes entry;
  records::encode_entry(head.lifetime, t, entry);
  const auto of_entry = records::decode_entry(entry, 17);
  CHECK(of_entry && of_entry->lifetime == head.lifetime);
  CHECK(of_entry->written_at == (t.is_never() ? Instant{17} : t));
}

void check_event(const Bytes& key, Instant t, Instant death) {
  const Bytes row_key = keys::feed(1, Instant{5}, 6);
  Bytes bytes;
  encode_event(Event::Kind::expired, key, t, death, bytes);
  const auto event = decode_event({row_key, bytes, 5});
  CHECK(event && event->kind == Event::Kind::expired && event->version_at == t);
  CHECK(event->death == death && keys::encode(event->key) == key);
  CHECK(event->committed_at == Instant{5} && event->number == 6);
}

// Whether it can be written: more seconds than any span can hold cannot.
bool is_writable(const Lifetime& lifetime) {
  const After* after = std::get_if<After>(&lifetime);
  return after == nullptr || Span::seconds(after->span.whole_seconds()) == after->span;
}

// A record that is read from arbitrary bytes is written so that it reads the same.
void check_any_bytes(BytesView bytes) {
  if (const auto head = records::decode_head(bytes)) {
    Bytes again;
    records::encode(*head, again);
    if (is_writable(head->lifetime)) CHECK(is_same(records::decode_head(again).value(), *head));
    CHECK(records::decode_lifetime(bytes).value() == head->lifetime);
  } else {
    CHECK(head.error().code == Code::corrupt);
  }
  if (const auto history = records::decode_history(bytes)) {
    CHECK(history->end == records::End::replaced || history->end == records::End::removed);
  }
  records::decode_trash(bytes);
  if (const auto entry = records::decode_entry(bytes, 17)) {
    Bytes again;
    records::encode_entry(entry->lifetime, entry->written_at, again);
    const auto same = records::decode_entry(again, 17);
    CHECK(same && same->written_at == entry->written_at);
    if (is_writable(entry->lifetime)) CHECK(same->lifetime == entry->lifetime);
  }
  const Bytes row_key = keys::feed(1, Instant{5}, 6);
  if (const auto event = decode_event({row_key, bytes, 5})) {
    CHECK(name_of(event->kind) != "unknown");
  }
  const Bytes log_key = keys::logged_ends(1, Instant{5}, 6);
  if (const auto logged = decode_logged_ends({log_key, bytes, 5})) {
    Bytes again;
    encode(*logged, again);
    CHECK(decode_logged_ends({log_key, again, 5})->count() == logged->count());
  }
}

void check_rows(BytesView key, BytesView value) {
  const Policy policy;
  const store::Row row{key, value, 23};
  for (const auto& document : {records::head_document(row, policy, nullptr),
                               records::history_document(row, policy, nullptr),
                               records::trash_document(row, policy, nullptr)}) {
    if (!document) continue;
    metadata(*document, "id");
    metadata(*document, "expires_at");
    const auto head = records::head_of(*document);
    CHECK(head.body == document->body.bytes() && head.lifetime == document->version.lifetime);
    document->body.unpack();
  }
}

}  // namespace

void run(BytesView input) {
  check_any_bytes(input);
  const std::size_t middle = input.size() / 2;
  check_rows(input.substr(0, middle), input.substr(middle));
  Reader in(input);
  const Instant t{in.i64()}, death{in.i64()};
  DocumentKey key;
  key.routing = in.take(std::min<std::size_t>(in.u8() % 8, in.rest().size()));
  key.id = take_short_text(in);
  check_event(keys::encode(key), t, death);
  check_encoded(take_head(in), t);
}

}  // namespace mayfly::fuzz
