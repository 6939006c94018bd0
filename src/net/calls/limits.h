// Bounds of outgoing calls.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// In progress at once: each has a socket and, over https, some 50 KiB for TLS.
inline constexpr std::size_t calls_at_once_max = 1'000;
// To one host and port: a host that does not answer leaves room for others.
inline constexpr std::size_t calls_to_one_host_max = 64;
// Queued calls keep their bodies in memory.
inline constexpr std::size_t calls_waiting_max = 10'000;
// Each has a thread. A name server that does not answer blocks it for some ten seconds.
inline constexpr std::size_t names_resolved_at_once_max = 8;
// Of one parent domain: a domain whose name servers do not answer leaves threads to others.
inline constexpr std::size_t names_of_one_domain_resolved_at_once_max = 2;
// A call in progress waits for each. So all domains together have at most calls_at_once_max names,
// and calls to this many names of one domain leave room for others.
inline constexpr std::size_t names_of_one_domain_waiting_max = 250;
inline constexpr Span call_time_max = Span::seconds(30);
inline constexpr std::size_t call_answer_bytes_max = 8 << 20;
// TLS contexts, one for each Trust: a process uses one or two sets of certificates.
inline constexpr std::size_t trusts_kept_max = 8;

}  // namespace mayfly::limits
