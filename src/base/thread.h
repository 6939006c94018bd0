// What a thread says of itself to the system.
#pragma once

namespace mayfly {

// Names the calling thread, as tools show it (15 bytes at most), and says how it wants to be served
// by the processors. Where the system refuses that it goes on as it was.

// It answers requests: it works for moments, and is not to wait until another's turn is over.
void become_prompt_thread(const char* name);
// It has time.
void become_background_thread(const char* name);

}  // namespace mayfly
