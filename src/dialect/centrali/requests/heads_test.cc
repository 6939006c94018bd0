// Requests that are refused by their head, before the body is read.
#include "dialect/centrali/testing.h"
#include "dialect/common/limits.h"
#include "net/requests/testing.h"

namespace mayfly::centrali::testing {
namespace {

class CentraliHeadsTest : public CentraliTest {
 protected:
  CentraliHeadsTest() {
    credentials.keys = {"k"};
    restart();
  }

  // The status with which the head alone is refused, which is also that of the answer; 0 if the
  // body is read. Empty `bytes`: the body comes in chunks.
  int refusal(const std::string& path, const std::string& key, const std::string& bytes,
              const std::string& method = "POST") {
    net::Request request{.method = method, .target = path, .path = path};
    request.headers = {{"authorization", "Bearer " + key}, {"x-request-id", "r"}};
    if (!bytes.empty()) request.headers.emplace_back("content-length", bytes);
    const auto refused = net::PendingRequest(*dialect, request)->refuse_head();
    if (!refused) return 0;
    // A body of the announced length.
    if (refused->status == 413) request.body.assign(std::stoul(bytes), 'x');
    const net::Response answer = net::PendingRequest(*dialect, request)->answer();
    EXPECT_EQ(refused->status, answer.status);
    EXPECT_EQ(refused->headers, answer.headers);
    EXPECT_EQ(without_time(refused->body), without_time(answer.body));
    return refused->status;
  }
  static std::string without_time(const std::string& body) {
    return body.substr(0, body.find("\"timestamp\""));
  }

  const std::string records = D + "/records";
  const std::string in_chunks;
};

TEST_F(CentraliHeadsTest, ALongBodyIsReadOnlyFromClientsThatMaySendIt) {
  EXPECT_EQ(refusal(records, "wrong", "4000000"), 401);
  EXPECT_EQ(refusal(records, "wrong", in_chunks), 401);
  EXPECT_EQ(refusal(records + "/bulk", "wrong", "8000000"), 401);
  EXPECT_EQ(refusal(records, "k", "4000000"), 0);
  EXPECT_EQ(refusal(records, "k", in_chunks), 0);
  EXPECT_EQ(refusal(records, "wrong", std::to_string(limits::body_unauthenticated_bytes_max)), 0);
  EXPECT_EQ(refusal(records, "wrong", std::to_string(limits::body_unauthenticated_bytes_max + 1)),
            401);
}

TEST_F(CentraliHeadsTest, ABodyIsNoLongerThanItsRouteTakes) {
  EXPECT_EQ(refusal(records, "k", std::to_string(limits::request_body_bytes_max)), 0);
  EXPECT_EQ(refusal(records, "k", std::to_string(limits::request_body_bytes_max + 1)), 413);
  EXPECT_EQ(refusal(records, "wrong", std::to_string(limits::request_body_bytes_max + 1)), 401);
  EXPECT_EQ(refusal(records + "/bulk", "k", std::to_string(limits::bulk_body_bytes_max)), 0);
}

TEST_F(CentraliHeadsTest, ALongBodyIsNotReadForARefusedStream) {
  const std::string events = "/realtime/workspace/acme/events";
  EXPECT_EQ(refusal(events, "wrong", "8000000", "GET"), 401);
  EXPECT_EQ(refusal(events, "wrong", in_chunks, "GET"), 401);
  EXPECT_EQ(refusal(events, "k", "8000000", "GET"), 0);
  EXPECT_EQ(refusal(events, "k", "8000000"), 405);
}

TEST_F(CentraliHeadsTest, ALongBodyIsNotReadForAnUnknownRoute) {
  EXPECT_EQ(refusal(D + "/nothing", "k", "4000000"), 404);
}

}  // namespace
}  // namespace mayfly::centrali::testing
