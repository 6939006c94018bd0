// begin_call: one outgoing call on an event loop. Caller (caller.h) bounds how many there are.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>

#include "net/calls/call_target.h"
#include "net/calls/caller.h"
#include "net/calls/name_resolver.h"

namespace mayfly::net {

// The steps of one outgoing call, on an event loop: resolve, connect, TLS handshake, write, read.
// `done` is called once, later, on the loop; not at all if the loop ends before. A call that has
// ended releases its resources, even while its host is being resolved. Threads: that of the loop.
void begin_call(boost::asio::io_context& loop, NameResolver& resolver, OutgoingCall call,
                CallTarget target, Caller::Done done);

}  // namespace mayfly::net
