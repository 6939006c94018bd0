// The Fauna API without sockets.
#include "base/check.h"
#include "dialect/fauna/fauna.h"
#include "dialect/fauna/options.h"
#include "net/requests/testing.h"
#include "simulate/fauna/fql.h"
#include "value/json/json.h"
#include "value/packed/packed.h"

namespace mayfly::simulate {
namespace {

// The database of a simulation, for which its cursors are sealed.
constexpr std::string_view scoped_secret = "Bearer secret:simulated:admin";
constexpr std::string_view cursor_list = "fauna set simulated";

}  // namespace

FqlPort::FqlPort(Database& database, Plant plant)
    : database_(database),
      plant_(plant),
      dialect_(make_fauna({.database = database,
                           .random = random_,
                           .credentials = credentials_,
                           .page_tokens = page_tokens_},
                          FaunaOptions{})) {}

FqlReply FqlPort::ask(const std::string& query) {
  net::Request request{.method = "POST", .target = "/query/1", .path = "/query/1"};
  request.headers = {{"authorization", std::string(scoped_secret)},
                     {"x-format", "simple"},
                     {"x-typecheck", "false"}};
  request.body = render_json(Object{{"query", query}});
  const net::Response response = net::PendingRequest(*dialect_, request)->answer();
  FqlReply reply{response.status, parse_json(response.body, {.bytes_max = 64 << 20}).value(), {}};
  const Value at = reply.body.member("txn_ts");
  if (at.is(Kind::integer)) reply.at = Instant{at.integer()};
  return reply;
}

std::string FqlPort::kept(const std::string& cursor) const {
  if (plant_ != Plant::cursors_lose_their_snapshot) return cursor;
  const Bytes place = page_tokens_.open(cursor_list, cursor, database_.now()).value();
  Value held = Packed(place).unpack();
  held.mutable_object().set("at", nullptr);
  const Bytes spoiled = pack(held).value();
  return page_tokens_.seal({.list = cursor_list, .place = spoiled});
}

std::string FqlReply::error() const {
  const auto text = [&](std::string_view name) {
    const Value member = body.member("error").member(name);
    return member.is(Kind::text) ? member.text() : std::string();
  };
  const std::string code = text("code");
  if (code == "document_not_found") return "not_found";
  if (code == "document_id_exists") return "exists id";
  if (code == "invalid_argument" && text("message").find("type ID") != std::string::npos) {
    return "not_found";  // an id that is no number, which no document has
  }
  if (code == "forbidden") return "forbidden";
  if (code == "contended_transaction") return "contended";
  if (code == "invalid_request") return "invalid";
  if (code != "constraint_failure") return std::to_string(status) + " " + render_json(body);
  return text("message") == "Failed unique constraint." ? "exists unique" : "forbidden";
}

}  // namespace mayfly::simulate
