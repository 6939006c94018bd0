#include "dialect/kuzzle/documents/partial.h"

#include "dialect/kuzzle/errors.h"

namespace mayfly::kuzzle {
namespace {

std::string_view some_failed(std::string_view action) {
  return action == "mDelete" ? "Some document deletions failed" : "Some document creations failed";
}

std::string reason_of(const KuzzleCall& call, const Error& error) {
  if (error.code == Code::exists) return "document already exists";
  const std::string_view not_found = call.generation().words.one_not_found;
  if (error.code == Code::not_found && !not_found.empty()) return std::string(not_found);
  return message_of(error, call.generation());
}

bool is_of_one(const Error& error) {
  switch (error.code) {
    case Code::invalid:
    case Code::not_found:
    case Code::exists:
    case Code::stale:
    case Code::forbidden:
    case Code::too_large: return error.field != "services.storage.unknown_index_collection";
    default: return false;
  }
}

}  // namespace

Result<void> keep_own_error(Result<void> done, std::optional<Error>& own) {
  own = std::nullopt;
  if (done || !is_of_one(done.error())) return done;
  own = std::move(done).error();
  return {};
}

void add_partial_error(KuzzleCall& call, Object sent, const Error& error) {
  sent.append("status", status_of(error, call.generation()));
  sent.append("reason", reason_of(call, error));
  call.partial_message = some_failed(call.message.action);
  call.partial_errors.push_back(std::move(sent));
}

}  // namespace mayfly::kuzzle
