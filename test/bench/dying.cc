#include "bench/dying.h"

#include "base/check.h"
#include "bench/load.h"
#include "bench/rows.h"
#include "value/rfc3339.h"

namespace mayfly::bench {

Instant write_dying(const ServerProcess& server, const std::string& prefix) {
  const Instant first = SystemClock().now() + Span::seconds(4);
  std::uint64_t n = 0;
  const auto next = [&] {
    const Instant death =
        first + Span{static_cast<std::int64_t>(n * 1'000'000 / deaths_per_second)};
    const std::string id = prefix + std::to_string(n);
    return http_request("PUT",
                        std::string("/v1/databases/b/collections/c") + "/documents/" + id +
                            "?expires_at=" + render_rfc3339(death, Fraction::micros),
                        sample_json(300, n++));
  };
  // One request of each connection at a time.
  while (n < deaths_of_a_run) {
    const LoadResult written = run({.port = server.port(),
                                    .connections = 10,
                                    .span = Span{0},
                                    .next_request = next,
                                    .expected_status = 201});
    CHECK(written.unexpected == 0);
  }
  CHECK(SystemClock().now() < first);
  return first;
}

}  // namespace mayfly::bench
