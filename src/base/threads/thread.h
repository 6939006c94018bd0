// What a thread says of itself to the system, and how its main function is guarded: an exception
// that leaves a thread would end the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/clock.h"

namespace mayfly {

// Runs `step` once. What it throws is logged and counted; gives whether it threw nothing.
bool run_guarded(const char* what, const std::function<void()>& step);
// The main function of a thread: runs `body` until it returns. Where it throws, it is run again
// after a pause.
void keep_running(const char* what, const std::function<void()>& body,
                  Span pause = Span::seconds(1));
// Logs and counts what a guard of another kind has caught. Throws nothing.
void note_guarded_failure(const char* what, const char* why);
// How often any of these has caught something, in this process.
std::uint64_t guarded_failures();

// Bytes of the calling thread's stack that are left below the caller: for what recurs as deep as a
// client says.
std::size_t stack_left();

// Names the calling thread, as tools show it (15 bytes at most), and says how it wants to be served
// by the processors. Where the system refuses that it goes on as it was.

// It answers requests: it works for moments, and is not to wait until another's turn is over.
void become_prompt_thread(const char* name);
// It has time.
void become_background_thread(const char* name);

}  // namespace mayfly
