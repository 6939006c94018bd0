// Bounds of requests, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mayfly::limits {

// Depth of a request's JSON: a template needs two levels for each level of its value, and a
// document may have document_depth_max levels.
inline constexpr std::size_t fql_request_depth_max = 300;
// Memory that the values of a body may take: 8 MiB of numbers or of short texts fit, as many bytes
// of brackets do not.
inline constexpr std::size_t fql_parsed_bytes_max = std::size_t{192} << 20;

// Files of one schema: the service's own bound.
inline constexpr std::size_t schema_files_max = 1'024;
// Members of one collection or role: they are looked up one after the other.
inline constexpr std::size_t schema_members_max = 2'000;

// --- headers: the service's own bounds ---
inline constexpr std::int64_t fql_timeout_ms_default = 120'000;
inline constexpr std::int64_t fql_timeout_ms_max = 600'000;
inline constexpr std::int64_t fql_contention_retries_max = 7;
inline constexpr std::size_t fql_tags_max = 25;
inline constexpr std::size_t fql_tag_name_bytes_max = 40;
inline constexpr std::size_t fql_tag_value_bytes_max = 80;
inline constexpr std::size_t fql_tags_bytes_max = 3'000;

}  // namespace mayfly::limits
