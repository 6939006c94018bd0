// Errors in the form of the service: {"code": …, "message": …}, with a substatus header if clients
// react to one. Source: spec cosmos.md, section 4.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "net/message.h"

namespace mayfly::cosmos {

struct WireStatus {
  int status = 0;  // 0: the code's own
  int substatus = 0;
  std::string_view additional_info = {};  // empty: none
};

int status_of(Code code);
// The member `code` of an error with that HTTP status.
std::string_view name_of_status(int status);

net::Response render_error(const Error& failure, WireStatus reported, std::string_view activity_id);

// Errors with messages that clients or their users know.
Error no_such_resource();
Error id_is_taken();
Error condition_failed();
Error wrong_header(std::string_view name, std::string_view value);
Error bad_request(std::string message, std::string field = {});

}  // namespace mayfly::cosmos
