// Requests that need no signature: the server's health, its certificate, and a page for a browser
// that shows how to connect.
#pragma once

#include <string_view>

#include "dialect/cosmos/requests/auth.h"
#include "dialect/dialect.h"

namespace mayfly::cosmos {

bool is_open_to_all(std::string_view path);

class OpenRequest final : public net::AcceptedRequest {
 public:
  OpenRequest(const net::Request& request, const Services& services, const AccountKeys& keys);

  net::Pace pace() const override { return net::Pace::quick; }
  net::Response answer() override;
  net::Response refuse(const Error& error) const override;

 private:
  net::Response report_health() const;
  net::Response show_certificate() const;

  const Services& services_;
  const AccountKeys& keys_;
};

}  // namespace mayfly::cosmos
