// The headers and envelopes of answers. Source: spec cosmos.md, sections 2.2 and 2.3.
#pragma once

#include <string>
#include <string_view>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "net/message.h"

namespace mayfly::cosmos {

// Adds the headers of every answer. Called last: it adds a default charge, and rewrites the session
// token for older clients.
void add_common_headers(const CosmosCall& call, std::string_view activity_id,
                        net::Response& response);

// An answer with one resource; its tag is also a header.
net::Response one_resource(int status, std::string body, std::string_view etag);
net::Response removed();
net::Response not_modified(std::string_view etag);

// Writes {"_rid": …, "Documents": […], "_count": n}. Call finish() once, after the last item.
class Feed {
 public:
  Feed(ResourceKind kind, BytesView owner_rid);
  // Begins the next item. The caller appends its JSON to the returned text.
  std::string& next();
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return body_.size(); }
  net::Response finish();

 private:
  std::string body_;
  std::size_t size_ = 0;
};

// Headers with the container's path, by names and as rid, and with its session tokens: that of one
// key range if the answer is within it, otherwise those of all (headers/session.h).
void add_container_headers(const Container& container, net::Response& response,
                           const KeyRange* range = nullptr);
// The same for an answer about the container itself, whose owner is its database.
void add_headers_of_container(const Container& container, net::Response& response);
// The request units that the answer reports. Nothing is charged.
void set_charge(double units, net::Response& response);

}  // namespace mayfly::cosmos
