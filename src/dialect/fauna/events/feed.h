// Feeds and streams of events.
#pragma once

#include "dialect/fauna/query.h"

namespace mayfly::fauna {

// `POST /feed/1`: one page of the events of a source.
net::Response answer_feed(const net::Request& request, const SharedServices& shared,
                          const Principal& principal);

// `POST /stream/1`: the events of a source as they happen, one per line, until the client
// disconnects.
net::Response answer_stream(const net::Request& request, const SharedServices& shared,
                            const Principal& principal);

}  // namespace mayfly::fauna
