// Names and priorities of threads, and guards for their main functions: an exception that leaves a
// thread would end the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/clock.h"

namespace mayfly {

// Runs `step` once. An exception is logged and counted; returns whether there was none.
bool run_guarded(const char* what, const std::function<void()>& step);
// The main function of a thread: runs `body` until it returns. After an exception, runs it again
// after a pause.
void keep_running(const char* what, const std::function<void()>& body,
                  Span pause = Span::seconds(1));
// Logs and counts an exception that another guard has caught. Throws nothing.
void report_guarded_failure(const char* what, const char* why);
// How many exceptions these functions have caught in this process.
std::uint64_t guarded_failures();

// The bytes left on the calling thread's stack below the caller: for functions that recurse as deep
// as a client's input says.
std::size_t stack_left();

// These name the calling thread, as tools show it (15 bytes at most), and set its scheduling. If
// the system refuses that, the thread keeps its scheduling.

// For threads that run requests: they run briefly and should preempt others.
void become_prompt_thread(const char* name);
// For threads whose work is not urgent.
void become_background_thread(const char* name);

}  // namespace mayfly
