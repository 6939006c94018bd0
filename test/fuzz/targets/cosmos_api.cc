// Requests to the Cosmos DB API, correctly signed, with any partition keys, continuations, queries,
// batches and patches. No answer is an internal error, every listed document can be read, an
// altered continuation is refused, and the sweeper changes no answer (api.h).
#include "api.h"
#include "base/crypto/crypto.h"
#include "dialect/cosmos/cosmos.h"
#include "dialect/cosmos/requests/auth.h"

namespace mayfly::fuzz {
namespace {

constexpr int altered_tokens = 3;  // of each feed
// Behind the signature, where a line brings no version of its own.
constexpr const char* version_line = "\r\nx-ms-version: 2020-07-15";
constexpr const char* whole_range = "x-ms-documentdb-partitionkeyrangeid: 0";

struct FuzzedCollection {
  std::string documents;
  std::vector<std::string> key;  // the members that the partition key is made of
};
const FuzzedCollection places[] = {{"/dbs/d/colls/c/docs", {"pk"}},
                                   {"/dbs/d/colls/h/docs", {"pk", "sub"}}};

// Signed rightly, without a date: so what is behind the signature is reached. Lines that bring an
// x-ms-date of their own are signed wrongly by that, unless they bring the signature, too.
std::string sign(BytesView method, BytesView target) {
  const auto address = cosmos::parse_address(target.substr(0, target.find('?')));
  if (!address) return std::string("type=master&ver=1.0&sig=none") + version_line;
  const std::string_view type =
      address->is_partition_removal ? "partitionkey" : cosmos::row_of(address->kind).segment;
  const std::string text = cosmos::text_to_sign(method, type, address->link(), "", "");
  const Bytes key = decode_base64(cosmos::well_known_key).value();
  return "type=master&ver=1.0&sig=" + escaped(encode_base64(hmac_sha256(key, text))) + version_line;
}

std::string key_header(const Value& document, const FuzzedCollection& place) {
  std::string header = "x-ms-documentdb-partitionkey: [";
  for (const std::string& name : place.key) {
    const Value value = document.member(name);
    const bool is_plain =
        value.is(Kind::text) || value.is_number() || value.is(Kind::boolean) || value.is_null();
    if (!header.ends_with('[')) header += ',';
    header += is_plain ? render_json(value) : "{}";
  }
  return header + ']';
}

// What clients of the container look at, once for each document that is there.
void look_around(Worlds& worlds, const FuzzedCollection& place) {
  worlds.send("GET", place.documents, {}, {"A-IM: Incremental Feed"});
  worlds.send("POST", place.documents,
              R"({"query":"SELECT c.pk, COUNT(1) AS n FROM c GROUP BY c.pk"})",
              {"x-ms-documentdb-isquery: true", whole_range});
  const net::Response list = worlds.send("GET", place.documents, {}, {"x-ms-max-item-count: 1000"});
  const auto listed = parse_json(list.body);
  const Value rows = listed ? listed->member("Documents") : Value();
  if (!rows.is(Kind::array)) return;
  for (const Value& row : rows.array()) {
    const std::string key = key_header(row, place);
    for (const char c : key) {
      if (static_cast<std::uint8_t>(c) >= 0x7F) return;  // a header is ASCII
    }
    CHECK(worlds.send("GET", "/" + row.member("_self").text(), {}, {key}).status == 200);
  }
}

// Of two documents the second is on the page behind the first's, and whatever is made of the token
// that leads there is refused.
void go_on_behind_a_page(Worlds& worlds, BytesView body, BytesView how, BytesView input) {
  const std::string& feed = places[0].documents;
  const BytesView method = body.empty() ? "GET" : "POST";
  const auto page = [&](const Bytes& token) {
    const std::string continuation = "x-ms-continuation: " + token;
    return worlds.send(method, feed, body,
                       {how, whole_range, "x-ms-max-item-count: 1", continuation});
  };
  const auto token_of = [](const net::Response& response) {
    for (const auto& [name, value] : response.headers) {
      if (name == "x-ms-continuation") return decode_base64url(value).value();
    }
    return Bytes();
  };
  const Bytes token = token_of(page({}));
  if (token.empty()) return;  // the input has removed the container
  CHECK(page(encode_base64url(token)).status == 200);
  Random random(seed_of(input));
  for (int i = 0; i < altered_tokens; ++i) {
    const Bytes altered = mutated(token, input, random);
    if (altered.empty() || altered == token) continue;
    CHECK(page(encode_base64url(altered)).status == 400);
  }
}

}  // namespace

void run(BytesView input) {
  const auto make = [](const Services& services) {
    return make_cosmos(services, {.key = std::string(cosmos::well_known_key)});
  };
  Worlds worlds(make, sign);
  worlds.send("POST", "/dbs", R"({"id":"d"})");
  worlds.send("POST", "/dbs/d/colls",
              R"({"id":"c","partitionKey":{"paths":["/pk"]},"defaultTtl":-1})");
  worlds.send("POST", "/dbs/d/colls",
              R"({"id":"h","partitionKey":{"paths":["/pk","/sub"],"kind":"MultiHash"}})");
  worlds.send_lines(input);
  worlds.send("GET", "/dbs/d/colls");
  for (const FuzzedCollection& place : places) look_around(worlds, place);
  for (const char* body : {R"({"id":"one before","n":1})", R"({"id":"another","n":2})"}) {
    worlds.send("POST", places[0].documents, body);
  }
  const BytesView sorted = R"({"query":"SELECT * FROM c ORDER BY c.n DESC"})";
  go_on_behind_a_page(worlds, {}, "x-ms-documentdb-isquery: false", input);
  go_on_behind_a_page(worlds, sorted, "x-ms-documentdb-isquery: true", input);
}

}  // namespace mayfly::fuzz
