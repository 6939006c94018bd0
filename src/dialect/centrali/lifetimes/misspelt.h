// Members of a body that look like a lifetime and are none. A record whose lifetime is misspelt
// never expires, so the response names the member, in the header x-mayfly-hint. The request is not
// refused, because clients may send members that only the hosted service knows.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "net/message.h"
#include "value/value.h"

namespace mayfly::centrali {

// The members by which a body says the lifetime of a record, and the default of a structure.
inline constexpr std::string_view lifetime_members[] = {"expiresAt", "ttlSeconds", "clearTtl"};
inline constexpr std::string_view default_members[] = {"defaultTtlSeconds"};

// The first member that looks like a lifetime and is none of `known`; empty where there is none.
// The name has letters, digits, hyphens and underscores only, so that it can stand in a header.
std::string find_misspelt(const Object& body, std::span<const std::string_view> known);
// Says it in the response; nothing where `member` is empty.
void hint_at_misspelt(std::string_view member, std::span<const std::string_view> known,
                      net::Response& response);

}  // namespace mayfly::centrali
