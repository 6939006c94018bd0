// The address of a client, as the kernel gives it.
#pragma once

#include <sys/socket.h>

#include "net/http1/exchange.h"

namespace mayfly::net {

Peer peer_of(const sockaddr_storage& address);

}  // namespace mayfly::net
