// Compressed bodies.
#include "dialect/common/requests/content_coding.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include "dialect/common/limits.h"

namespace mayfly {
namespace {

constexpr int gzip_frame = 16 + MAX_WBITS;

std::string packed(std::string_view text, int frame) {
  z_stream stream = {};
  EXPECT_EQ(deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, frame, 9, Z_DEFAULT_STRATEGY),
            Z_OK);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

net::Request request_of(const std::string& coding, std::string body) {
  net::Request request{.body = std::move(body)};
  request.headers = {{"content-encoding", coding}};
  return request;
}

std::string unpacked(const std::string& coding, std::string body,
                     std::size_t bytes_max = limits::unpacked_body_bytes_max) {
  auto done = unpack_body(request_of(coding, std::move(body)), bytes_max);
  if (done) return *done;
  return done.error().code == Code::too_large ? "too large" : "invalid";
}

TEST(ContentCodingTest, ABodyIsUnpackedAsItsCodingSays) {
  EXPECT_EQ(unpacked("gzip", packed("abc", gzip_frame)), "abc");
  EXPECT_EQ(unpacked("X-GZIP", packed("abc", gzip_frame)), "abc");
  EXPECT_EQ(unpacked(" deflate ", packed("abc", MAX_WBITS)), "abc");
  EXPECT_EQ(unpacked("deflate", packed("abc", -MAX_WBITS)), "abc") << "without zlib's frame";
  EXPECT_EQ(unpacked("gzip", packed("", gzip_frame)), "");
  const std::string both = packed("abc", gzip_frame) + packed("def", gzip_frame);
  EXPECT_EQ(unpacked("gzip", both), "abcdef");
  std::string large;
  while (large.size() < 1'000'000) large += std::to_string(large.size());
  EXPECT_EQ(unpacked("gzip", packed(large, gzip_frame)), large);
}

TEST(ContentCodingTest, AMalformedBodyOfACodingIsRefused) {
  const std::string whole = packed("abcdefghijklmnopqrstuvwxyz", gzip_frame);
  EXPECT_EQ(unpacked("gzip", "abc"), "invalid");
  EXPECT_EQ(unpacked("gzip", ""), "invalid");
  EXPECT_EQ(unpacked("deflate", ""), "invalid");
  EXPECT_EQ(unpacked("gzip", whole.substr(0, whole.size() - 1)), "invalid");
  EXPECT_EQ(unpacked("gzip", whole.substr(0, whole.size() / 2)), "invalid");
  EXPECT_EQ(unpacked("gzip", whole + "x"), "invalid");
  EXPECT_EQ(unpacked("br", whole), "invalid");
  EXPECT_EQ(unpacked("gzip, gzip", packed(whole, gzip_frame)), "invalid");
}

TEST(ContentCodingTest, ABodyThatIsNotPackedSaysNothingOrIdentity) {
  EXPECT_FALSE(has_packed_body(net::Request{}));
  EXPECT_FALSE(has_packed_body(request_of("identity", "")));
  EXPECT_TRUE(has_packed_body(request_of("gzip", "")));
  EXPECT_TRUE(has_packed_body(request_of("br", "")));
}

TEST(ContentCodingTest, ABodyThatWouldBeTooLargeIsRefusedBeforeItIsUnpacked) {
  const std::string most(limits::unpacked_body_bytes_max, ' ');
  EXPECT_EQ(unpacked("gzip", packed(most, gzip_frame)), most);
  EXPECT_EQ(unpacked("gzip", packed(most + " ", gzip_frame)), "too large");
  EXPECT_EQ(unpacked("gzip", packed("abcd", gzip_frame), 3), "too large");
  // What follows would be invalid; it is not reached.
  const std::string bomb =
      packed(std::string(limits::unpacked_body_bytes_max * 4, ' '), gzip_frame);
  EXPECT_EQ(unpacked("gzip", bomb.substr(0, bomb.size() / 2) + "broken"), "too large");
}

}  // namespace
}  // namespace mayfly
