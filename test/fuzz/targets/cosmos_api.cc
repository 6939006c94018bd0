// Conversations with the Cosmos DB API: signatures, partition keys, continuations, queries, batches
// and patches as they come. No answer is our fault, every listed document can be read, and
// housekeeping changes nothing.
#include "api.h"
#include "base/crypto.h"
#include "dialect/cosmos/auth.h"
#include "dialect/cosmos/cosmos.h"

namespace mayfly::fuzz {
namespace {

const std::string documents = "/dbs/d/colls/c/docs";

// Signed rightly, without a date: so what is behind the signature is reached. Lines that bring an
// x-ms-date of their own are signed wrongly by that.
std::string sign(BytesView method, BytesView target) {
  const auto address = cosmos::parse_address(target.substr(0, target.find('?')));
  if (!address) return "type=master&ver=1.0&sig=none";
  const std::string_view type =
      address->is_partition_removal ? "partitionkey" : cosmos::row_of(address->kind).segment;
  const std::string text = cosmos::text_to_sign(method, type, address->link(), "", "");
  const Bytes key = decode_base64(cosmos::well_known_key).value();
  return "type=master&ver=1.0&sig=" + escaped(encode_base64(hmac_sha256(key, text)));
}

void look_around(Worlds& worlds) {
  worlds.send("GET", "/dbs/d/colls");
  worlds.send("GET", documents, {}, {"A-IM: Incremental Feed"});
  worlds.send("POST", documents, R"({"query":"SELECT c.pk, COUNT(1) AS n FROM c GROUP BY c.pk"})",
              {"x-ms-documentdb-isquery: true"});
  const net::Response list = worlds.send("GET", documents, {}, {"x-ms-max-item-count: 1000"});
  const auto listed = parse_json(list.body);
  const Value rows = listed ? listed->member("Documents") : Value();
  if (!rows.is(Kind::array)) return;
  for (const Value& row : rows.array()) {
    const Value self = row.member("_self");
    const Value pk = row.member("pk");
    const bool is_plain =
        pk.is(Kind::text) || pk.is_number() || pk.is(Kind::boolean) || pk.is_null();
    std::string key = "x-ms-documentdb-partitionkey: [";
    key += is_plain ? render_json(pk) : "{}";
    key += "]";
    for (const char c : key) {
      if (static_cast<std::uint8_t>(c) >= 0x7F) return;  // a header is ASCII
    }
    CHECK(worlds.send("GET", "/" + self.text(), {}, {key}).status == 200);
  }
}

}  // namespace

void run(BytesView input) {
  Worlds worlds(make_cosmos_without_collector, sign);
  worlds.send("POST", "/dbs", R"({"id":"d"})");
  worlds.send("POST", "/dbs/d/colls",
              R"({"id":"c","partitionKey":{"paths":["/pk"]},"defaultTtl":-1})");
  worlds.send_lines(input);
  look_around(worlds);
}

}  // namespace mayfly::fuzz
