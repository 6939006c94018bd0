// Bounds of outgoing calls.
#pragma once

#include <cstddef>

#include "base/clock.h"

namespace mayfly::limits {

// Under way at once: each has a socket and, over https, some 50 KiB of TLS.
inline constexpr std::size_t calls_at_once_max = 1'000;
// To one host and port: one that hangs leaves room for the others.
inline constexpr std::size_t calls_to_one_host_max = 64;
// Those that wait for their turn hold their bodies meanwhile.
inline constexpr std::size_t calls_waiting_max = 10'000;
// Each has a thread, and a name server that is silent takes it for some ten seconds.
inline constexpr std::size_t names_resolved_at_once_max = 8;
// Of one parent domain: one whose name servers are silent leaves threads to the others.
inline constexpr std::size_t names_of_one_domain_resolved_at_once_max = 2;
// A call under way waits for each. So the names of all domains are at most calls_at_once_max, and
// calls to as many names of one domain leave room for others.
inline constexpr std::size_t names_of_one_domain_waiting_max = 250;
inline constexpr Span call_time_max = Span::seconds(30);
inline constexpr std::size_t call_answer_bytes_max = 8 << 20;
// Settings of TLS, one for each Trust: a process believes one or two sets of certificates.
inline constexpr std::size_t trusts_kept_max = 8;

}  // namespace mayfly::limits
