// Bodies of multipart/form-data, as Node's fetch sends them.
#include "dialect/fauna/wire/multipart.h"

#include <gtest/gtest.h>

#include "dialect/fauna/wire/wire_limits.h"

namespace mayfly::fauna {
namespace {

constexpr std::string_view form = "multipart/form-data; boundary=----formdata-undici-0123";

std::string part(const std::string& name, const std::string& content) {
  return "------formdata-undici-0123\r\nContent-Disposition: form-data; name=\"" + name +
         "\"; filename=\"blob\"\r\nContent-Type: application/octet-stream\r\n\r\n" + content +
         "\r\n";
}
constexpr const char* form_end = "------formdata-undici-0123--\r\n";

TEST(Multipart, ReadsParts) {
  const auto parts =
      read_multipart(form, part("main.fsl", "a\r\n\r\nb\n") + part("sub/b.fsl", "") + form_end);
  ASSERT_TRUE(parts);
  ASSERT_EQ(parts->size(), 2u);
  EXPECT_EQ((*parts)[0].name, "main.fsl");
  EXPECT_EQ((*parts)[0].content, "a\r\n\r\nb\n");
  EXPECT_EQ((*parts)[1].name, "sub/b.fsl");
  EXPECT_EQ((*parts)[1].content, "");
  EXPECT_TRUE(read_multipart(form, form_end)->empty());
}

TEST(Multipart, RefusesInvalidBodies) {
  EXPECT_FALSE(read_multipart("application/json", part("a", "b") + form_end));
  EXPECT_FALSE(read_multipart("multipart/form-data", part("a", "b") + form_end));
  EXPECT_FALSE(read_multipart(form, ""));
  EXPECT_FALSE(read_multipart(form, part("a", "b")));
  EXPECT_FALSE(read_multipart(
      form, "------formdata-undici-0123\r\nX: y\r\n\r\nb\r\n" + std::string(form_end)));
  std::string many;
  for (std::size_t i = 0; i <= limits::schema_files_max; ++i) many += part("a", "");
  EXPECT_EQ(read_multipart(form, many + form_end).error().message, "Too many files");
}

}  // namespace
}  // namespace mayfly::fauna
