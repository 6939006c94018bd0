// The peers, each started on a fresh directory and set up as its documentation recommends for the
// task: a table or key space of documents by id, each with an instant of expiration.
#pragma once

#include "bench/contestant.h"

namespace mayfly::bench {

// `fsync` as Redis calls it: always or everysec.
std::unique_ptr<Contestant> make_redis(const std::string& directory, const std::string& fsync);
// jsonb, an index on expires_at, expired documents deleted in batches of 5,000.
std::unique_ptr<Contestant> make_postgres(const std::string& directory);
// MyRocks in MariaDB, with its own ttl_duration.
std::unique_ptr<Contestant> make_myrocks(const std::string& directory);

}  // namespace mayfly::bench
