// The steps of one outgoing call, on an event loop: resolve, connect, agree on TLS, write, read.
#pragma once

#include <boost/asio/io_context.hpp>
#include <functional>

#include "net/calls/call_target.h"
#include "net/calls/caller.h"
#include "net/calls/names.h"

namespace mayfly::net {

// `done` is called once, later, on the loop; not at all where the loop ends before. A call that has
// ended releases what it held, also while its host is being resolved. Threads: that of the loop.
void begin_call(boost::asio::io_context& loop, Names& names, Call call, CallTarget target,
                Caller::Done done);

}  // namespace mayfly::net
