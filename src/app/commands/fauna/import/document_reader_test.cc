// Which texts the reader recognises as documents, and the line on which it reports each of them.
#include "app/commands/fauna/import/document_reader.h"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <functional>
#include <string>

namespace mayfly::app {
namespace {

using Layout = DocumentReader::Layout;
constexpr std::size_t bytes_max = 100'000;

class OpenText {
 public:
  explicit OpenText(const std::string& text) : file_(::memfd_create("export", 0)) {
    EXPECT_EQ(::write(file_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::lseek(file_, 0, SEEK_SET);
  }
  ~OpenText() { ::close(file_); }
  OpenText(const OpenText&) = delete;
  OpenText& operator=(const OpenText&) = delete;
  int file() const { return file_; }

 private:
  const int file_;
};

// "1 {…}|3 !why": each document after the number of its first line.
std::string read_all(const std::string& text, Layout layout = Layout::any) {
  const OpenText open(text);
  DocumentReader reader(open.file(), layout, bytes_max);
  std::string document, all;
  for (;;) {
    const auto item = reader.next(document);
    EXPECT_TRUE(item);
    if (!item || *item == DocumentReader::Item::end) return all;
    all += (all.empty() ? "" : "|") + std::to_string(reader.line()) + " ";
    all += *item == DocumentReader::Item::document ? document : "!" + reader.reason();
  }
}

TEST(DocumentReader, ReadsLinesListsPagesAndDocumentsOverSeveralLines) {
  for (const auto& [text, documents] : std::vector<std::pair<std::string, std::string>>{
           {"", ""},
           {" \n\n", ""},
           {"[]", ""},
           {R"({"a":1})", R"(1 {"a":1})"},
           {"\xef\xbb\xbf{\"a\":1}\r\n\r\n{\"a\":2}\r\n", R"(1 {"a":1}|3 {"a":2})"},
           {R"([{"a":1},{"a":[{}]}])", R"(1 {"a":1}|1 {"a":[{}]})"},
           {"[\n  {\n    \"a\": 1\n  },\n  {}\n]\n", R"(2 {     "a": 1   }|5 {})"},
           {"{\n\"a\":\n1}\n{\"b\":\n2}", R"(1 { "a": 1}|4 {"b": 2})"},
           {R"({"a":"}]\"{[\\"})", R"(1 {"a":"}]\"{[\\"})"},
           {R"({"data":[{"a":1},{"a":2}],"after":"x]}"})", R"(1 {"a":1}|1 {"a":2})"},
           {"[{\"data\": [\n{\"a\":1}]},{ \"data\":[{\"a\":2}]}]", R"(2 {"a":1}|2 {"a":2})"},
           {R"({"@set":{"data":[{"a":1}],"after":"x"}}{"b":1})", R"(1 {"a":1}|1 {"b":1})"},
           {R"([[{"a":1}],[]])", R"(1 {"a":1})"},
           {R"({"id":"1","data":[1]})", R"(1 {"id":"1","data":[1]})"},
       }) {
    EXPECT_EQ(read_all(text), documents) << text;
  }
}

TEST(DocumentReader, ReportsWhereADocumentIsBroken) {
  const std::string no_line = "!the document does not end on its line";
  const std::string no_document = "!a document, which is a JSON object, was expected here";
  for (const auto& [text, documents] : std::vector<std::pair<std::string, std::string>>{
           {"{\"a\":1}\n{\"a\":\n{\"a\":3}\n", R"(1 {"a":1}|2 )" + no_line + R"(|3 {"a":3})"},
           {"{\"a\":1}\nnull\n5 {}\n{\"a\":3}",
            R"(1 {"a":1}|2 )" + no_document + "|3 " + no_document + R"(|4 {"a":3})"},
           {"[{\"a\":1},\n{\"a\":\"x\n\"}]",
            R"(1 {"a":1}|2 !a text of the document does not end on its line|3 )" + no_document +
                "|3 !the file ends within a list: it is not whole"},
           {"{\n\"a\":", "1 !the file ends within a document"},
           {"[{\"a\":1},\n", R"(1 {"a":1}|2 !the file ends within a list: it is not whole)"},
           {R"({"data":[{"a":1}],"after":)",
            R"(1 {"a":1}|1 !the file ends within a list: it is not whole)"},
           {std::string(20, '['),
            "1 " + no_document + "|1 !the file ends within a list: it is not whole"},
       }) {
    EXPECT_EQ(read_all(text), documents) << text;
  }
  EXPECT_EQ(read_all("{\n}\n{}", Layout::one_a_line),
            "1 " + no_line + "|2 " + no_document + "|3 {}");
}

TEST(DocumentReader, DropsTheTextOfALongDocument) {
  const std::string longer = "{\"a\":\"" + std::string(bytes_max, 'x') + "\"}";
  EXPECT_EQ(read_all("[" + longer + ",\n{}]"), "1 !the document has more than 100000 bytes|2 {}");
  std::string exact = "{\"a\":\"\"}";
  exact.insert(6, std::string(bytes_max - exact.size(), 'x'));
  EXPECT_EQ(read_all(exact), "1 " + exact);
}

TEST(DocumentReader, PiecesMayEndAnywhere) {
  std::string text, expected;
  for (int i = 1; i <= 20'000; ++i) {
    const std::string document = "{\"n\":" + std::to_string(i) + ",\"t\":\"\\\"é\"}";
    text += document + "\n";
    expected += (i == 1 ? "" : "|") + std::to_string(i) + " " + document;
  }
  EXPECT_EQ(read_all(text), expected);
}

}  // namespace
}  // namespace mayfly::app
