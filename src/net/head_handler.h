// HeadHandler: what a handler may say of a request by its head alone, before the body is read. A
// handler that has something to say inherits it beside Handler; Listen names it.
#pragma once

#include <optional>
#include <string_view>

#include "net/message.h"

namespace mayfly::net {

// Threads: all members are called from many threads at once, those that read the sockets; so all
// must be quick.
class HeadHandler {
 public:
  virtual ~HeadHandler() = default;
  // Whether somebody without credentials of this server may do something here now. Such a port
  // answers only to names of this machine (net/guard.h). Asked when another name comes.
  virtual bool is_open() const { return false; }
  // Whether it is a static page, to which pages of other sites may link.
  virtual bool is_page(const Request&) const { return false; }
  // The type that the request's body must have; JSON also as any type that ends in +json. Empty:
  // any.
  virtual std::string_view body_type(const Request&) const { return {}; }
  // Refuses a request by its head: `request` has all but its body. For what needs no body: whether
  // the caller may use the route at all, whether the route takes a body. Asked once, and only where
  // the body is still to come; a request that comes whole goes to answer(), which checks the same
  // again. The connection ends after the refusal, because the body is not read. Nothing: it is
  // read, and then Handler::is_quick() is asked; a body of more than limits::quick_body_bytes_max
  // goes to a worker without that question, because to parse it takes long.
  virtual std::optional<Response> refuse_head(const Request&) { return std::nullopt; }
  // Whether the answer is costly by design, because it hashes a password. Such requests have a
  // thread of their own, which answers one after the other, so that they take no other's place.
  // Asked of a request that is not quick.
  virtual bool is_costly(const Request&) const { return false; }
  // The refusal of a costly request, or of a costly message of the conversation that the request
  // began, beyond limits::costly_requests_max. The handler's refuse() says it.
  virtual Error too_many_costly(const Request&) const {
    return {Code::throttled, "too many such requests are under way; try again"};
  }
};

}  // namespace mayfly::net
