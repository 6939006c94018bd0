// The dialect on a database in memory with a manual clock, without a socket. Requests are signed
// with the well-known key, as clients do.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/crypto/crypto.h"
#include "db/expiry/sweeper.h"
#include "dialect/common/page_token.h"
#include "dialect/cosmos/cosmos.h"
#include "dialect/cosmos/requests/auth.h"
#include "dialect/cosmos/resources/resource.h"
#include "net/requests/testing.h"
#include "net/router.h"
#include "query/kept/kept_results.h"
#include "query/vectors/vector_indexes.h"
#include "script/pool.h"
#include "store/memory/memory_store.h"
#include "store/wrappers/checked.h"
#include "value/json/json.h"

namespace mayfly::cosmos::testing {

constexpr Instant start = Instant::from_seconds(1'800'000'000);
inline const std::string date = "fri, 15 jan 2027 08:00:00 gmt";
inline const std::string containers = "/dbs/d/colls";
inline const std::string container = "/dbs/d/colls/c";
inline const std::string documents = "/dbs/d/colls/c/docs";
inline const net::Pair key_a{"x-ms-documentdb-partitionkey", R"(["a"])"};
// The header by which clients that query range by range name the only key range of a container.
inline const net::Pair first_range{"x-ms-documentdb-partitionkeyrangeid", "0"};
inline const net::Pair across{"x-ms-documentdb-query-enablecrosspartition", "true"};

struct Answer {
  net::Response response;
  int status = 0;
  Value body;  // missing where there is none

  std::string header(std::string_view name) const {
    for (const auto& [own, value] : response.headers) {
      if (own == name) return value;
    }
    return {};
  }
  std::string message() const {
    const Value text = body.member("message");
    return text.is(Kind::text) ? text.text() : "";
  }
};

class Account {
 public:
  explicit Account(Credentials server_credentials = {}, const CosmosOptions& options = {},
                   std::unique_ptr<store::Store> store = store::open_memory())
      : clock(start), credentials(std::move(server_credentials)) {
    database =
        std::move(*Database::open(std::make_unique<store::CheckedStore>(std::move(store)), clock));
    database->jobs().start(JobLane::events);
    restart(options);
  }
  void restart(const CosmosOptions& options) {
    dialect.reset();
    vectors.emplace(*database);
    dialect = make_cosmos({.database = *database,
                           .manual_clock = &clock,
                           .random = random,
                           .credentials = credentials,
                           .page_tokens = page_tokens,
                           .scripts = &scripts,
                           .vectors = &*vectors,
                           .kept = &kept},
                          options);
  }
  // An account with database d and container c, whose partition key is /pk.
  static std::unique_ptr<Account> with_container(const std::string& more = "") {
    auto account = std::make_unique<Account>();
    EXPECT_EQ(account->send("POST", "/dbs", R"({"id":"d"})").status, 201);
    const Answer made = account->send("POST", containers, definition(more));
    EXPECT_EQ(made.status, 201) << made.response.body;
    return account;
  }
  static std::string definition(const std::string& more = "") {
    return R"({"id":"c","partitionKey":{"paths":["/pk"],"kind":"Hash","version":2})" +
           (more.empty() ? "" : "," + more) + "}";
  }

  Answer send(const std::string& method, const std::string& target, const std::string& body = {},
              std::vector<net::Pair> headers = {}) {
    headers.emplace_back("x-ms-date", date);
    headers.emplace_back("host", "localhost:8081");
    headers.emplace_back("authorization", signature(method, target));
    return send_as_it_is(method, target, body, std::move(headers));
  }
  // Sends it unsigned, with the current version of the API unless the headers name one.
  Answer send_as_it_is(const std::string& method, const std::string& target,
                       const std::string& body, std::vector<net::Pair> headers) {
    const std::string path = target.substr(0, target.find('?'));
    net::Request request{.method = method, .target = target, .path = path};
    const bool names_version = std::any_of(headers.begin(), headers.end(), [](const auto& header) {
      return header.first == "x-ms-version";
    });
    if (!names_version) headers.emplace_back("x-ms-version", "2020-07-15");
    request.headers = std::move(headers);
    request.body = body;
    request.answer_by = answer_by;
    Answer answer{net::PendingRequest(*dialect, request)->answer()};
    answer.status = answer.response.status;
    if (!answer.response.view.bytes.empty()) answer.response.body = answer.response.view.bytes;
    const bool is_json = answer.response.content_type == "application/json";
    if (is_json && !answer.response.body.empty()) {
      // Several documents in one answer are longer than a request may be.
      auto parsed = parse_json(answer.response.body, {.bytes_max = 64 << 20});
      EXPECT_TRUE(parsed.has_value()) << answer.response.body;
      if (parsed) answer.body = *std::move(parsed);
    }
    EXPECT_TRUE(answer.status < 400 || answer.body.member("message").is(Kind::text))
        << answer.response.body;
    return answer;
  }

  // --- documents of partition "a" ---
  // `members` as in `"ttl":5`.
  Answer create(const std::string& id, const std::string& members = "",
                std::vector<net::Pair> headers = {}) {
    return send("POST", documents, document(id, members), with_key(std::move(headers)));
  }
  Answer upsert(const std::string& id, const std::string& members = "",
                std::vector<net::Pair> headers = {}) {
    headers.emplace_back("x-ms-documentdb-is-upsert", "true");
    return create(id, members, std::move(headers));
  }
  Answer get(const std::string& id, std::vector<net::Pair> headers = {}) {
    return send("GET", documents + "/" + id, "", with_key(std::move(headers)));
  }
  Answer put(const std::string& id, const std::string& members = "",
             std::vector<net::Pair> headers = {}) {
    return send("PUT", documents + "/" + id, document(id, members), with_key(std::move(headers)));
  }
  Answer remove(const std::string& id, std::vector<net::Pair> headers = {}) {
    return send("DELETE", documents + "/" + id, "", with_key(std::move(headers)));
  }
  Answer list(std::vector<net::Pair> headers = {}) {
    return send("GET", documents, "", std::move(headers));
  }
  static std::string document(const std::string& id, const std::string& members = "") {
    return R"({"id":")" + id + R"(","pk":"a")" + (members.empty() ? "" : "," + members) + "}";
  }

  // Signs with the well-known key.
  static std::string signature(const std::string& method, const std::string& target) {
    const auto address = parse_address(target);
    const std::string_view type = !address                        ? ""
                                  : address->is_partition_removal ? "partitionkey"
                                                                  : row_of(address->kind).segment;
    const std::string text = text_to_sign(method, type, address ? address->link() : "", date, "");
    const std::string signed_text =
        encode_base64(hmac_sha256(*decode_base64(well_known_key), text));
    return "type%3Dmaster%26ver%3D1.0%26sig%3D" + percent_encoded(signed_text);
  }

  void advance(std::int64_t seconds) { clock.advance(Span::seconds(seconds)); }

  Instant answer_by = Instant::never();  // of the next requests
  ManualClock clock;
  Random random{1};
  Credentials credentials;
  const PageTokens page_tokens{"secret"};
  std::unique_ptr<Database> database;
  script::Pool scripts;
  std::optional<query::VectorIndexes> vectors;
  query::KeptResults kept{{.rows_min = 1}};
  std::unique_ptr<Dialect> dialect;

 private:
  static std::vector<net::Pair> with_key(std::vector<net::Pair> headers) {
    for (const auto& [name, value] : headers) {
      if (name == key_a.first) return headers;
    }
    headers.push_back(key_a);
    return headers;
  }
  static std::string percent_encoded(const std::string& text) {
    std::string encoded;
    for (const char c : text) {
      if (c == '+') {
        encoded += "%2B";
      } else if (c == '/') {
        encoded += "%2F";
      } else if (c == '=') {
        encoded += "%3D";
      } else {
        encoded += c;
      }
    }
    return encoded;
  }
};

}  // namespace mayfly::cosmos::testing
