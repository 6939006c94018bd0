// Encode and decode are inverses, and the order of the bytes is the order of the values.
#include "db/rows/keys.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "base/crypto/crypto.h"
#include "db/feed/feed.h"
#include "db/rows/records.h"
#include "value/order/sort_key.h"

namespace mayfly {
namespace {

DocumentKey arbitrary_key() {
  auto id = *rc::gen::nonEmpty(rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127)));
  return {*rc::gen::arbitrary<std::string>(), std::move(id)};
}

RC_GTEST_PROP(KeysProperty, DocumentKeysRoundTripAndKeepTheirOrder, ()) {
  const DocumentKey a = arbitrary_key(), b = arbitrary_key();
  const auto back = keys::decode_document_key(keys::encode(a));
  RC_ASSERT(back && *back == a);
  RC_ASSERT(keys::id_of(keys::encode(a)) == a.id);
  RC_ASSERT((a < b) == (keys::encode(a) < keys::encode(b)));
}

RC_GTEST_PROP(KeysProperty, VersionsOfADocumentLieTogetherNewestFirst, ()) {
  const Bytes key = keys::encode(arbitrary_key()), other = keys::encode(arbitrary_key());
  RC_PRE(key != other);
  const Bytes newer = keys::history(7, key, Instant{200}),
              older = keys::history(7, key, Instant{100});
  RC_ASSERT(newer < older);
  const Bytes prefix = keys::history_of(7, key);
  RC_ASSERT(newer.substr(0, prefix.size()) == prefix);
  RC_ASSERT(keys::history(7, other, Instant{150}).substr(0, prefix.size()) != prefix);
  const auto back = keys::decode_history(newer);
  RC_ASSERT(back && back->key == key && back->written_at == Instant{200});
}

TEST(RecordsTest, AnEndOrAnEventOfNoKnownKindIsDamage) {
  Bytes history;
  records::encode_history(records::End::removed, {}, history);
  EXPECT_TRUE(records::decode_history(history));
  history[0] = 'z';
  EXPECT_EQ(records::decode_history(history).error().code, Code::corrupt);
  Bytes event;
  encode_event(Event::Kind::forgotten, keys::encode(DocumentKey::of("a")), Instant{1},
               Instant::never(), event);
  const Bytes key = keys::feed(1, Instant{2}, 3);
  EXPECT_TRUE(decode_event({key, event, 2}));
  event[0] = 'z';
  EXPECT_EQ(decode_event({key, event, 2}).error().code, Code::corrupt);
}

RC_GTEST_PROP(KeysProperty, QueuesAreInTheOrderOfTime, ()) {
  const Instant a{*rc::gen::arbitrary<std::int64_t>()}, b{*rc::gen::arbitrary<std::int64_t>()};
  const Bytes first = keys::queue(7, keys::Queue::at, a, "k"),
              second = keys::queue(7, keys::Queue::at, b, "k");
  RC_ASSERT((a < b) == (first < second));
  const auto back = keys::decode_queue(first);
  RC_ASSERT(back && back->queue == keys::Queue::at && back->instant == a && back->key == "k");
}

TEST(KeysTest, TheBytesAreThoseOfTheFormatsPage) {
  const Bytes key = keys::encode(DocumentKey::of("s1"));
  struct Case {
    const char* name;
    Bytes bytes;
    const char* hex;
  };
  const Case rows[] = {
      {"head", keys::head(7, key),
       "6400000007"
       "00017331"},
      {"history", keys::history(7, key, Instant{1}),
       "6800000007"
       "00017331"
       "00"
       "fffffffffffffffe"},
      {"trash", keys::trash(7, key, Instant{1}),
       "7400000007"
       "00017331"
       "00"
       "fffffffffffffffe"},
      {"queue", keys::queue(7, keys::Queue::at, Instant{1}, key),
       "7100000007"
       "61"
       "8000000000000001"
       "00017331"},
      {"mark", keys::watermark(7, keys::Queue::at),
       "6d71"
       "00000007"
       "61"},
      {"feed", keys::feed(7, Instant{1}, 2),
       "6600000007"
       "8000000000000001"
       "00000002"},
      {"logged ends", keys::logged_ends(7, Instant{1}, 2),
       "6500000007"
       "8000000000000001"
       "00000002"},
      {"index", keys::index(7, 3),
       "6900000007"
       "00000003"},
      {"left", keys::past(7, 3),
       "6a00000007"
       "00000003"},
      {"collection", keys::collection(7),
       "6d6b"
       "00000007"},
  };
  for (const Case& row : rows) EXPECT_EQ(encode_hex(row.bytes), row.hex) << row.name;
}

TEST(KeysTest, AnIndexKeySplitsIntoSortKeysAndDocument) {
  const Index index{.id = 3, .fields = {{Field::body("a"), false}, {Field::body("b"), true}}};
  Bytes row = keys::index(7, 3);
  ASSERT_TRUE(put_sort_key(row, Value("x")));
  ASSERT_TRUE(put_sort_key(row, Value(5), true));
  const std::size_t sort_key_end = row.size();
  row += keys::encode(DocumentKey::of("d"));
  const auto back = keys::decode_index(row, index);
  ASSERT_TRUE(back);
  EXPECT_EQ(back->key, keys::encode(DocumentKey::of("d")));
  EXPECT_EQ(back->sort_key, BytesView(row).substr(9, sort_key_end - 9));
}

RC_GTEST_PROP(RecordsProperty, HeadsRoundTrip, ()) {
  const auto text = [] { return *rc::gen::arbitrary<std::string>(); };
  const std::string author = text(), updater = text(), facet = text(), body = text();
  const int which = *rc::gen::inRange(0, 4);
  const std::int64_t n = *rc::gen::inRange<std::int64_t>(1, 1'000'000'000);
  const Lifetime lifetime = which == 0   ? Lifetime{Inherit{}}
                            : which == 1 ? Lifetime{Never{}}
                            : which == 2 ? Lifetime{After{Span::seconds(n)}}
                                         : Lifetime{At{Instant{n}}};
  const records::Head head{
      .lifetime = lifetime,
      .created_at = *rc::gen::elementOf(std::vector{Instant{n}, Instant::never()}),
      .revision = static_cast<std::uint64_t>(n),
      .author = author,
      .updater = updater,
      .facet = facet,
      .body = body};
  Bytes bytes;
  records::encode(head, bytes);
  const auto back = records::decode_head(bytes);
  RC_ASSERT(back.has_value());
  RC_ASSERT(back->lifetime == lifetime && back->created_at == head.created_at);
  RC_ASSERT(back->revision == head.revision && back->author == author && back->updater == updater);
  RC_ASSERT(back->facet == facet && back->body == body);
  for (std::size_t cut = 0; cut < bytes.size() - body.size(); ++cut) {
    RC_ASSERT(!records::decode_head(BytesView(bytes).substr(0, cut)).has_value());
  }
}

}  // namespace
}  // namespace mayfly
