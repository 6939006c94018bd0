#include "net/connections/connection.h"

#include <utility>

#include "net/http1/connection.h"
#include "net/http2/connection.h"

namespace mayfly::net {

ConnectionPtr Connection::open(ConnectionOwner& owner, IncomingConnection incoming) {
  std::shared_ptr<Connection> connection;
  if (incoming.protocol == Protocol::http2) {
    connection = std::make_shared<Http2Connection>(owner, std::move(incoming.exchange));
  } else {
    connection =
        std::make_shared<Http1Connection>(owner, incoming.offers, std::move(incoming.exchange));
  }
  Transport& transport = connection->transport_;
  if (!transport.take_over(incoming.socket.number(), std::move(incoming.tls))) return nullptr;
  incoming.socket.release();
  return connection;
}

}  // namespace mayfly::net
