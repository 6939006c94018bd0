#include "base/threads/run_permit.h"

#include <utility>

namespace mayfly {
namespace {

thread_local RunPermit* current = nullptr;

}  // namespace

RunPermit* current_run_permit() {
  return current;
}

RunPermitScope::RunPermitScope(RunPermit& permit) : before_(std::exchange(current, &permit)) {}

RunPermitScope::~RunPermitScope() {
  current = before_;
}

}  // namespace mayfly
