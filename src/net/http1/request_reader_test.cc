// Which requests are accepted and which are refused, in pieces of any size.
#include "net/http1/request_reader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

namespace mayfly::net {
namespace {

constexpr std::size_t body_bytes_max = 20;

std::string render(const Request& request) {
  std::string text = request.method + " " + request.path;
  for (const Pair& pair : request.parameters) text += " " + pair.first + "=" + pair.second;
  for (const Pair& pair : request.headers) {
    if (pair.first != "host") text += " {" + pair.first + ": " + pair.second + "}";
  }
  return request.body.empty() ? text : text + " " + request.body;
}

// Every request in `wire`, one for each line. `wire` arrives in pieces of `step` bytes.
std::string read_all(std::string_view wire, std::size_t step) {
  Request request;
  RequestReader reader(request, body_bytes_max);
  std::string text;
  std::size_t begin = 0;
  std::size_t end = 0;
  while (end < wire.size() || begin < end) {
    end = std::min(end + step, wire.size());
    const std::size_t taken = reader.read(wire.substr(begin, end - begin));
    begin += taken;
    if (reader.state() == RequestReader::State::refused) {
      return text + fmt::format("refused {} {}", reader.refusal().status,
                                reader.refusal().closes ? "closes" : "stays");
    }
    if (reader.state() == RequestReader::State::complete) {
      text += render(request) + (reader.keeps_alive() ? "" : " close") + "\n";
      reader.begin();
    } else if (end == wire.size()) {
      break;
    }
  }
  return reader.has_begun() ? text + "waits" : text;
}

struct HeadCase {
  std::string wire;
  std::string expected;
};

void expect(const std::vector<HeadCase>& rows) {
  for (const HeadCase& row : rows) {
    for (const std::size_t step : {std::size_t{100'000}, std::size_t{1}, std::size_t{7}}) {
      EXPECT_EQ(read_all(row.wire, step), row.expected)
          << row.wire.substr(0, 200) << "\nin pieces of " << step;
    }
  }
}

std::string get_of(const std::string& target) {
  return "GET " + target + " HTTP/1.1\r\nHost: h\r\n\r\n";
}

std::string post(const std::string& headers, const std::string& body) {
  return "POST / HTTP/1.1\r\nHost: h\r\n" + headers + "\r\n" + body;
}

TEST(RequestReaderTest, TheTargetIsParsed) {
  expect({
      {get_of("/a/b?x=1&y=a%20b+c"), "GET /a/b x=1 y=a b c\n"},
      {get_of("/a%2Fb"), "GET /a%2Fb\n"},
      {get_of("/?"), "GET /\n"},
      {get_of("http://h:80/a?b"), "GET /a b=\n"},
      {get_of("HTTPS://h/a"), "GET /a\n"},
      {get_of("http://h"), "GET /\n"},
      {get_of("http://h?a=1"), "GET / a=1\n"},
      {"OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n", "OPTIONS /\n"},
      {get_of("*"), "refused 400 stays"},
      {get_of("a/b"), "refused 400 stays"},
      {get_of("ftp://h/a"), "refused 400 stays"},
      {get_of("/a#b"), "refused 400 stays"},
      {get_of("/%"), "refused 400 stays"},
      {get_of("/%FF"), "refused 400 stays"},
      {get_of("/\xFF"), "refused 400 stays"},
      {get_of("/é"), "GET /é\n"},
      {get_of("/?a=%zz"), "refused 400 stays"},
      {"CONNECT h:80 HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400 stays"},
  });
}

TEST(RequestReaderTest, TheHeadIsReadStrictly) {
  expect({
      {"GET / HTTP/1.1\r\nHost: h\r\nX-Name:  a b \t\r\n\r\n", "GET / {x-name: a b}\n"},
      {"GET / HTTP/1.1\r\nHost: h\r\nA: 1\r\na: 2\r\n\r\n", "GET / {a: 1} {a: 2}\n"},
      {"\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", "GET /\n"},
      {"GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n",
       "GET / {connection: close} close\n"},
      {"GET / HTTP/1.0\r\n\r\n", "GET / close\n"},
      {"GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / {connection: keep-alive}\n"},
      {"GET / HTTP/1.1\r\nHost: h\r\n", "waits"},
      {"GET / HTTP/1.1\r\n\r\n", "refused 400 closes"},
      {"GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", "refused 400 closes"},
      {"GET / HTTP/1.1\r\nHost : h\r\n\r\n", "refused 400 closes"},
      {"GET / HTTP/1.1\r\nHost: h\r\n: v\r\n\r\n", "refused 400 closes"},
      {"GET / HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n", "refused 400 closes"},
      {"GET / HTTP/1.1\r\nHost: h\r\nA: \x01\r\n\r\n", "refused 400 closes"},
      {std::string("GET / HTTP/1.1\r\nHost: h\r\nA: a\0b\r\n\r\n", 35), "refused 400 closes"},
      {"GET / HTTP/1.1\r\nHost: h\rA: b\r\n\r\n", "refused 400 closes"},
      {"GET / HTTP/1.1\nHost: h\n\n\r\n\r\n", "refused 400 closes"},
      {"GET / HTTP/2.0\r\nHost: h\r\n\r\n", "refused 505 closes"},
      {"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "refused 505 closes"},
      {"GET / HTTP/0.9\r\n\r\n", "refused 505 closes"},
      {"GET / HTTP/x\r\n\r\n    ", "refused 400 closes"},
      {"GET / FTPP/1.1\r\n\r\n", "refused 400 closes"},
      {"GET /\r\n\r\n", "refused 400 closes"},
      {"GET  / HTTP/1.1\r\n\r\n", "refused 400 closes"},
      {"get / HTTP/1.1\r\nHost: h\r\n\r\n", "refused 400 closes"},
      {"G\x01T / HTTP/1.1\r\n\r\n", "refused 400 closes"},
      {" GET / HTTP/1.1\r\n\r\n", "refused 400 closes"},
      {"\x16\x03\x01\x02\r\n\r\n", "refused 400 closes"},
      {"GET / HTTP/1.1\r\nHost: h\r\nExpect: something\r\n\r\n", "refused 417 closes"},
  });
}

TEST(RequestReaderTest, ABodyIsFramedInOneWayOnly) {
  expect({
      {post("Content-Length: 3\r\n", "abc"), "POST / {content-length: 3} abc\n"},
      {post("Content-Length: 0\r\n", ""), "POST / {content-length: 0}\n"},
      {post("Content-Length: 3\r\n", "ab"), "waits"},
      {post("Content-Length: 3\r\n", "abcGET"), "POST / {content-length: 3} abc\nwaits"},
      {post("", ""), "POST /\n"},
      {post("Content-Length: 20\r\n", std::string(20, 'x')),
       "POST / {content-length: 20} " + std::string(20, 'x') + "\n"},
      {post("Content-Length: 21\r\n", ""), "refused 413 closes"},
      {post("Content-Length: 10000000000\r\n", ""), "refused 413 closes"},
      {post("Content-Length: 3\r\nContent-Length: 3\r\n", "abc"), "refused 400 closes"},
      {post("Content-Length: 3\r\nContent-Length: 4\r\n", "abc"), "refused 400 closes"},
      {post("Content-Length: 3, 3\r\n", "abc"), "refused 400 closes"},
      {post("Content-Length: +3\r\n", "abc"), "refused 400 closes"},
      {post("Content-Length: -3\r\n", "abc"), "refused 400 closes"},
      {post("Content-Length: 3 3\r\n", "abc"), "refused 400 closes"},
      {post("Content-Length: 0x3\r\n", "abc"), "refused 400 closes"},
      {post("Content-Length:\r\n", "abc"), "refused 400 closes"},
      {post("Content-Length: 99999999999999999999999\r\n", ""), "refused 400 closes"},
      {post("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "abc"), "refused 400 closes"},
      {post("Transfer-Encoding: chunked\r\nContent-Length: 3\r\n", "abc"), "refused 400 closes"},
      {post("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", ""),
       "refused 400 closes"},
      {post("Transfer-Encoding: gzip, chunked\r\n", ""), "refused 501 closes"},
      {post("Transfer-Encoding: chunked, gzip\r\n", ""), "refused 501 closes"},
      {post("Transfer-Encoding: identity\r\n", ""), "refused 501 closes"},
      {post("Transfer-Encoding: xchunked\r\n", ""), "refused 501 closes"},
      {post("Transfer-Encoding: \x0B"
            "chunked\r\n",
            ""),
       "refused 400 closes"},
      {post("Transfer-Encoding : chunked\r\n", ""), "refused 400 closes"},
      {"POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", "refused 400 closes"},
  });
}

TEST(RequestReaderTest, ChunksAreJoinedAndCounted) {
  const std::string chunked = "Transfer-Encoding: chunked\r\n";
  const std::string done = "POST / {transfer-encoding: chunked} ";
  expect({
      {post(chunked, "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"), done + "abcde\n"},
      {post(chunked, "3;name=value\r\nabc\r\n0\r\n\r\n"), done + "abc\n"},
      {post(chunked, "3;a=\"b;\"\r\nabc\r\n0\r\n\r\n"), done + "abc\n"},
      {post(chunked, "3;a=\"b\r\nabc\r\n0\r\n\r\n"), "refused 400 closes"},
      {post(chunked, "1\r\na\r\n09;a=\"b\r\nabc"), "refused 400 closes"},
      {post(chunked, "00a\r\n0123456789\r\n0\r\n\r\n"), done + "0123456789\n"},
      {post(chunked, "3\r\nabc\r\n0\r\nX-Trailer: no\r\n\r\n"), done + "abc\n"},
      {post("Transfer-Encoding: CHUNKED\r\n", "1\r\na\r\n0\r\n\r\n"),
       "POST / {transfer-encoding: CHUNKED} a\n"},
      {post(chunked, "1\r\na\r\n0\r\n\r\n") + get_of("/next"), done + "a\nGET /next\n"},
      {post(chunked, "3\r\nabc\r\n"), "waits"},
      {post(chunked, "14\r\n" + std::string(20, 'x') + "\r\n0\r\n\r\n"),
       done + std::string(20, 'x') + "\n"},
      {post(chunked, "15\r\n"), "refused 413 closes"},
      {post(chunked, "14\r\n" + std::string(20, 'x') + "\r\n1\r\n"), "refused 413 closes"},
      {post(chunked, "ffffffffffffffff\r\n"), "refused 413 closes"},
      {post(chunked, "fffffffffffffffff\r\n"), "refused 400 closes"},
      {post(chunked, "-1\r\n"), "refused 400 closes"},
      {post(chunked, "0x1\r\na\r\n\r\n"), "refused 400 closes"},
      {post(chunked, " 1\r\na\r\n"), "refused 400 closes"},
      {post(chunked, "\r\n\r\n"), "refused 400 closes"},
      {post(chunked, "3\r\nabcd\r\n\r\n"), "refused 400 closes"},
      {post(chunked, "3\nabc\n0\n\n\r\n"), "refused 400 closes"},
      {post(chunked, "1;" + std::string(20'000, 'x')), "refused 400 closes"},
      {post(chunked, "0\r\nA: " + std::string(20'000, 'x')), "refused 400 closes"},
      {post(chunked, "0\r\nContent-Length: 3\r\n\r\nabc"), "refused 400 closes"},
  });
}

TEST(RequestReaderTest, AHeadOf16KiBIsTheLongest) {
  const std::string begin = "GET / HTTP/1.1\r\nHost: h\r\nA: ";
  const std::string room(16'384 - begin.size() - 5, 'x');
  expect({
      {begin + room + "\r\n\r\n", "GET / {a: " + room + "}\n"},
      {begin + room + "xx\r\n\r\n", "refused 431 closes"},
      {begin + std::string(100'000, 'x'), "refused 431 closes"},
      {"GET /" + std::string(100'000, 'x'), "refused 431 closes"},
      {std::string(100'000, 'G'), "refused 431 closes"},
  });
  std::string many = "GET / HTTP/1.1\r\nHost: h\r\n";
  while (many.size() < 20'000) many += "a: b\r\n";
  expect({{many + "\r\n", "refused 431 closes"}});
}

TEST(RequestReaderTest, PipelinedRequestsAreReadOneAfterTheOther) {
  expect({{get_of("/1") + post("Content-Length: 2\r\n", "ab") + "\r\n" + get_of("/2"),
           "GET /1\nPOST / {content-length: 2} ab\nGET /2\n"}});
}

TEST(RequestReaderTest, ExpectContinueIsDetectedWhileTheBodyIsMissing) {
  Request request;
  RequestReader reader(request, body_bytes_max);
  reader.read(post("Expect: 100-Continue\r\nContent-Length: 2\r\n", ""));
  EXPECT_EQ(reader.state(), RequestReader::State::body);
  EXPECT_TRUE(reader.expects_continue());
  reader.read("ab");
  EXPECT_EQ(request.body, "ab");
  reader.begin();
  EXPECT_FALSE(reader.expects_continue());
}

// No bytes may violate an assertion of Beast.
TEST(RequestReaderTest, RandomBytesAreHandledAndPiecesChangeNothing) {
  const std::string seeds[] = {
      post("Transfer-Encoding: chunked\r\n", "3;a=b\r\nabc\r\n0\r\nX: y\r\n\r\n") +
          get_of("/a?b=c"),
      post("Content-Length: 3\r\nConnection: keep-alive, x\r\n", "abc") + get_of("/"),
      "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n",
  };
  std::string noise = "\r\n :;,0159afxHTTP/.\x7F\xFF\t";
  noise += '\0';
  std::mt19937 random(7);
  const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  for (int i = 0; i < 5'000; ++i) {
    std::string wire = seeds[below(std::size(seeds))];
    for (std::size_t edits = 1 + below(4); edits > 0; --edits) {
      const std::size_t at = below(wire.size());
      const char c = noise[below(noise.size())];
      switch (below(3)) {
        case 0: wire[at] = c; break;
        case 1: wire.insert(at, 1, c); break;
        default: wire.erase(at, 1); break;
      }
    }
    wire +=
        "\r\n\r\n";  // so that no head is left open, which would be judged only as far as it goes
    const std::string whole = read_all(wire, 100'000);
    EXPECT_EQ(read_all(wire, 1), whole) << wire;
    EXPECT_EQ(read_all(wire, 1 + below(9)), whole) << wire;
  }
}

}  // namespace
}  // namespace mayfly::net
