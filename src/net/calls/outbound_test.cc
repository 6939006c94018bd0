// URLs from clients: which addresses they may reach.
#include "net/calls/outbound.h"

#include <gtest/gtest.h>

namespace mayfly::net {
namespace {

TEST(OutboundTest, OnlyAddressesOfThePublicInternetArePublic) {
  for (const char* open : {"8.8.8.8", "1.1.1.1", "172.15.255.255", "172.32.0.0", "192.167.1.1",
                           "100.63.255.255", "100.128.0.0", "223.255.255.255", "2606:4700::1111",
                           "2a00:1450:4001:82a::200e", "::ffff:8.8.8.8"}) {
    EXPECT_TRUE(is_public_address(open)) << open;
  }
  for (const char* closed : {"127.0.0.1",
                             "127.255.255.254",
                             "0.0.0.0",
                             "0.1.2.3",
                             "10.0.0.1",
                             "10.255.255.255",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.168.0.1",
                             "169.254.169.254",
                             "169.254.0.1",
                             "100.64.0.1",
                             "100.127.255.255",
                             "192.0.0.8",
                             "192.0.2.1",
                             "192.88.99.1",
                             "198.18.0.1",
                             "198.19.255.255",
                             "198.51.100.1",
                             "203.0.113.1",
                             "224.0.0.1",
                             "239.255.255.255",
                             "240.0.0.1",
                             "255.255.255.255",
                             "::",
                             "::1",
                             "::ffff:127.0.0.1",
                             "::ffff:10.0.0.1",
                             "::ffff:a9fe:a9fe",
                             "::127.0.0.1",
                             "64:ff9b::7f00:1",
                             "64:ff9b:1::1",
                             "100::1",
                             "fc00::1",
                             "fd12:3456::1",
                             "fe80::1",
                             "fec0::1",
                             "ff02::1",
                             "2001::1",
                             "2001:db8::1",
                             "2002:7f00:1::",
                             "2002:a9fe:a9fe::",
                             "3fff::1",
                             "4000::1",
                             "",
                             "localhost",
                             "0177.0.0.1",
                             "2130706433"}) {
    EXPECT_FALSE(is_public_address(closed)) << closed;
  }
}

Code code_of(const Result<void>& result) {
  return result ? Code::internal : result.error().code;
}

TEST(OutboundTest, AUrlIsCheckedBeforeItIsCalled) {
  for (const char* fine : {"http://example.com", "https://example.com:8443/a?b=c",
                           "https://8.8.8.8/", "http://[2606:4700::1111]/"}) {
    EXPECT_TRUE(check_url(fine, AddressPolicy::public_only)) << fine;
  }
  for (const char* wrong :
       {"", "example.com", "ftp://example.com/", "file:///etc/passwd", "http://", "http:///path",
        "http://user:pass@example.com/", "gopher://example.com", "http://exa mple.com/",
        "http://example.com:0/", "http://example.com:70000/", "http://example.com:99999/",
        "http://example.com:-1/", "http://example.com:+80/"}) {
    EXPECT_EQ(code_of(check_url(wrong, AddressPolicy::public_only)), Code::invalid) << wrong;
  }
  for (const char* closed :
       {"http://127.0.0.1/", "http://127.0.0.1:8080/", "http://[::1]/",
        "http://[::ffff:127.0.0.1]/", "https://169.254.169.254/latest", "http://127.1/",
        "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/", "http://0/"}) {
    EXPECT_EQ(code_of(check_url(closed, AddressPolicy::public_only)), Code::forbidden) << closed;
    EXPECT_TRUE(check_url(closed, AddressPolicy::anywhere)) << closed;
  }
}

}  // namespace
}  // namespace mayfly::net
