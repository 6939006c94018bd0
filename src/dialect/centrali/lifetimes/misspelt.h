// Members of a body that look like a lifetime but are not one. A record whose lifetime is misspelt
// never expires, so the response names the member, in the header x-mayfly-hint. The request is not
// refused, because clients may send members that only the hosted service knows.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "net/message.h"
#include "value/value.h"

namespace mayfly::centrali {

// The members by which a body sets the lifetime of a record, and the default of a structure.
inline constexpr std::string_view lifetime_members[] = {"expiresAt", "ttlSeconds", "clearTtl"};
inline constexpr std::string_view default_members[] = {"defaultTtlSeconds"};

// The first member that looks like a lifetime and is not in `known`; empty if there is none. The
// name has letters, digits, hyphens and underscores only, so it is valid in a header.
std::string find_misspelt(const Object& body, std::span<const std::string_view> known);
// Adds the hint to the response; nothing if `member` is empty.
void hint_at_misspelt(std::string_view member, std::span<const std::string_view> known,
                      net::Response& response);

}  // namespace mayfly::centrali
