// The headers and envelopes of answers. Source: spec cosmos.md, sections 2.2 and 2.3.
#pragma once

#include <string>
#include <string_view>

#include "dialect/cosmos/call.h"
#include "dialect/cosmos/containers/container.h"
#include "net/message.h"

namespace mayfly::cosmos {

// The headers of every answer.
void add_common_headers(const CosmosCall& call, std::string_view activity_id,
                        net::Response& response);

// An answer with one resource; its tag is also a header.
net::Response one_resource(int status, std::string body, std::string_view etag);
net::Response removed();
net::Response not_modified(std::string_view etag);

// {"_rid": …, "Documents": […], "_count": n}
class Feed {
 public:
  Feed(ResourceKind kind, BytesView owner_rid);
  // Begins the next item; its text is appended to the result.
  std::string& next();
  std::size_t size() const { return size_; }
  std::size_t bytes() const { return body_.size(); }
  net::Response finish();

 private:
  std::string body_;
  std::size_t size_ = 0;
};

// Headers with the session tokens of a container: of one key range if the answer is within it, or
// else of all.
void add_container_headers(const Container& container, net::Response& response,
                           const KeyRange* range = nullptr);
// The same for an answer about the container itself, whose owner is its database.
void add_headers_of_container(const Container& container, net::Response& response);
void set_charge(double units, net::Response& response);

}  // namespace mayfly::cosmos
