// Checks each line against the one before it.
#include "app/commands/lifetimes/purge_chain.h"

#include <utility>

#include "value/json/json.h"

namespace mayfly::app {

Result<void> PurgeChain::add(std::string line) {
  const auto parsed = parse_json(line);
  const Value number = parsed ? parsed->member("number") : Value();
  const Value versions = parsed ? parsed->member("versions") : Value();
  if (!number.is(Kind::integer) || !versions.is(Kind::array)) {
    return fail(Code::corrupt,
                "what follows record " + std::to_string(last()) + " is no record of a purge");
  }
  PurgeRecord record{static_cast<std::uint64_t>(number.integer()), std::move(line)};
  const std::string name = "record " + std::to_string(record.number);
  if (!PurgeLog::verify({record})) {
    return fail(Code::corrupt, name + " has been changed: its hash does not match its text");
  }
  if (last_ && !PurgeLog::verify({*last_, record})) {
    return fail(Code::corrupt,
                name + " does not follow record " + std::to_string(last()) +
                    ": one of them was changed, or records between them are missing");
  }
  if (records_ == 0) first_ = record.number;
  ++records_;
  versions_ += versions.array().size();
  last_ = std::move(record);
  return {};
}

}  // namespace mayfly::app
