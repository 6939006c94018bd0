#include "dialect/cosmos/reply.h"

#include <fmt/format.h>

#include <algorithm>

#include "dialect/cosmos/headers/session.h"
#include "dialect/cosmos/headers/text.h"
#include "dialect/cosmos/resources/rid.h"
#include "value/json/writer.h"

namespace mayfly::cosmos {
namespace {

constexpr std::string_view charge_header = "x-ms-request-charge";

bool has_header(const net::Response& response, std::string_view name) {
  return std::any_of(response.headers.begin(), response.headers.end(),
                     [name](const net::Pair& header) { return header.first == name; });
}

// Adds the owner's headers, by name and by rid.
void add_owner(std::string_view link, BytesView rid, net::Response& response) {
  response.headers.emplace_back("x-ms-alt-content-path", in_ascii(link));
  response.headers.emplace_back("x-ms-content-path", render_rid(rid));
}

}  // namespace

void add_common_headers(const CosmosCall& call, std::string_view activity_id,
                        net::Response& response) {
  response.headers.emplace_back("x-ms-activity-id", activity_id);
  response.headers.emplace_back("x-ms-schemaversion", "1.17");
  response.headers.emplace_back("x-ms-gatewayversion", "version=2.14.0");
  response.headers.emplace_back("x-ms-serviceversion", "version=2.14.0.0");
  if (!has_header(response, charge_header)) set_charge(1, response);
  write_session_token_as_of(call.header("x-ms-version"), response);
  if (call.request.method == "GET" && response.status < 400) {
    response.headers.emplace_back("content-location", call.endpoint() + call.request.target);
  }
  const bool is_of_document = call.address.kind == ResourceKind::document && !call.address.is_feed;
  if (response.status == 404 && call.substatus == 0 && !is_of_document) {
    response.headers.emplace_back("x-ms-substatus", "0");
  }
}

net::Response one_resource(int status, std::string body, std::string_view etag) {
  net::Response response{.status = status};
  response.body = std::move(body);
  response.headers.emplace_back("etag", etag);
  return response;
}

net::Response removed() {
  return {.status = 204, .content_type = {}};
}

net::Response not_modified(std::string_view etag) {
  net::Response response{.status = 304, .content_type = {}};
  response.headers.emplace_back("etag", etag);
  return response;
}

Feed::Feed(ResourceKind kind, BytesView owner_rid) {
  JsonWriter json(body_);
  json.begin_object();
  json.member("_rid", render_rid(owner_rid));
  json.name(row_of(kind).plural).begin_array();
}

std::string& Feed::next() {
  ++size_;
  return JsonWriter(body_).begin_value();
}

net::Response Feed::finish() {
  net::Response response;
  JsonWriter json(body_);
  json.end_array();
  json.member("_count", size_);
  json.end_object();
  response.body = std::move(body_);
  response.headers.emplace_back("x-ms-item-count", std::to_string(size_));
  return response;
}

void add_container_headers(const Container& container, net::Response& response,
                           const KeyRange* range) {
  add_owner(container.link(), container.rid, response);
  add_session(container, range, response);
}

void add_headers_of_container(const Container& container, net::Response& response) {
  const DatabaseInfo& database = *container.database;
  add_owner("dbs/" + database.name, database_rid(database.id), response);
  add_session(container, nullptr, response);
}

void set_charge(double units, net::Response& response) {
  response.headers.emplace_back(charge_header, fmt::format("{:.2f}", units));
}

}  // namespace mayfly::cosmos
