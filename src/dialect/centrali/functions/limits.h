// Bounds of compute functions, their triggers and runs, each with its reason.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/clock.h"
#include "script/limits.h"

namespace mayfly::limits {

// --- definitions ---
inline constexpr std::size_t functions_max = 200;  // of one workspace: a list shows all of them
inline constexpr std::size_t function_code_bytes_max = 256 << 10;    // parsed for every run
inline constexpr std::size_t function_other_bytes_max = 16 << 10;    // beside the code, as JSON
inline constexpr std::size_t function_triggers_max = 200;            // of one workspace
inline constexpr std::size_t function_trigger_bytes_max = 32 << 10;  // of one as JSON
inline constexpr Span function_time_max = script_time_max;
inline constexpr std::size_t cron_bytes_max = 256;  // every minute of an hour has 170

// --- one run ---
inline constexpr std::size_t function_calls_max = 1'000;           // of `api`, in total
inline constexpr std::size_t function_writes_max = 500;            // among them; each is a commit
inline constexpr std::size_t function_requests_max = 20;           // over HTTP
inline constexpr std::size_t function_answer_bytes_max = 1 << 20;  // of one of these
inline constexpr std::size_t function_log_bytes_max = 64 << 10;
inline constexpr std::size_t function_result_bytes_max = 256 << 10;  // as JSON; a larger one fails
inline constexpr std::size_t function_error_bytes_max = 4 << 10;

// --- runs ---
inline constexpr Span function_runs_kept_for = Span::seconds(604'800);  // a week
inline constexpr std::size_t function_runs_listed_max = 100;
inline constexpr std::size_t function_attempts_max = 3;  // of one event: then it is a dead letter
inline constexpr std::size_t function_at_once = 4;       // events of one trigger under way

// --- chains: functions whose writes run functions ---
inline constexpr std::int64_t function_chain_max = 8;  // nothing sensible needs more
// Runs that descend from one run that no function caused. Without this bound, a function that
// writes three records, eight times in a row, runs 3,280 times. Five hundred records that a run
// writes, with two triggers on each, are within it.
inline constexpr std::size_t function_chain_runs_max = 1'000;
// Chains whose runs are counted, some hundred bytes each. The one that was idle longest is dropped,
// so only a chain that waits while this many others run begins its count again.
inline constexpr std::size_t function_chains_counted_max = 10'000;
// How long it is stored which function made a commit. An older event begins a new chain.
inline constexpr Span function_chain_kept_for = Span::seconds(86'400);
// A record that lives longer than this before it expires begins a new chain: it is a timer.
inline constexpr Span function_chain_expiry_max = Span::seconds(60);

// --- schedules ---
inline constexpr Span schedule_interval_max = Span::seconds(31'622'400);  // a leap year
// How often the job checks whether others have created, changed or dropped workspaces.
inline constexpr Span schedules_check_every = Span::seconds(1);

}  // namespace mayfly::limits
