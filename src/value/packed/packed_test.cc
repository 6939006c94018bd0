// Packed documents.
#include "value/packed/packed.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>

#include "base/limits.h"
#include "value/arbitrary.h"
#include "value/json/json.h"
#include "value/order/order.h"

namespace mayfly {
namespace {

const std::string nul(1, '\0');

Bytes packed(std::string_view text) {
  auto bytes = pack_json(text);
  EXPECT_TRUE(bytes) << text << (bytes ? "" : bytes.error().message);
  return bytes.value_or(Bytes());
}

Bytes packed_value(const Value& value) {
  auto bytes = pack(value);
  EXPECT_TRUE(bytes) << render_json(value) << (bytes ? "" : bytes.error().message);
  return bytes.value_or(Bytes());
}

std::string rendered(const Packed& document) {
  std::string out;
  document.render(out);
  return out;
}

Value at(const Packed& document, std::string_view path) {
  return document.at(Path::parse(path).value());
}

TEST(PackedTest, TheFormatMatchesTheHeader) {
  EXPECT_EQ(packed(R"({"a":1,"bc":"x"})"),
            std::string("\x01\x00\x02", 3) + std::string("\x02\x00\x00\x01", 4) +
                std::string("\x08\x00\x00\x02", 4) + R"({"a":1,"bc":"x"})");
  EXPECT_EQ(packed("{}"), std::string("\x01\x00\x00{}", 5));
}

TEST(PackedTest, TextIsCompactedAndCanonical) {
  const std::pair<const char*, const char*> rows[] = {
      {" { } ", "{}"},
      {"{ \"a\" : [ 1 , { \"b\" : null } ] }", R"({"a":[1,{"b":null}]})"},
      {R"({"\u0061\/":"\u00E9\u0000\u001F\n\""})", R"({"a/":"é\u0000\u001f\n\""})"},
      {R"({"n":[-0,0.10,1.0,1e2,1E-7,-0.0,12345678901234567890,1.5e300]})",
       R"({"n":[0,0.1,1.0,100.0,1e-7,-0.0,12345678901234567000,1.5e+300]})"},
      {R"({"a":1,"b":2,"a":[true,false]})", R"({"a":[true,false],"b":2})"},
      {R"({"o":{"x":1,"y":2,"\u0078":3}})", R"({"o":{"x":3,"y":2}})"},
  };
  for (const auto& [text, compact] : rows) {
    const Bytes bytes = packed(text);
    EXPECT_EQ(Packed(bytes).json(), compact);
    EXPECT_EQ(rendered(Packed(bytes)), compact);
    EXPECT_TRUE(Packed(bytes).plain());
    EXPECT_TRUE(Packed(bytes).check());
  }
}

TEST(PackedTest, AFieldIsReadWithoutUnpackingTheRest) {
  const std::string long_name(300, 'n');
  const Bytes bytes = packed(R"({"a":1,"b":{"c":[10,{"d":"x\"}]"},1.0],"":7},"q\"":null,")" +
                             long_name + R"(":true,")" + long_name + R"(x":"last"})");
  const Packed document(bytes);
  EXPECT_EQ(document.member("a").integer(), 1);
  EXPECT_TRUE(document.member("q\"").is_null());
  EXPECT_TRUE(document.member(long_name).is_true());
  EXPECT_EQ(document.member(long_name + "x").text(), "last");
  EXPECT_EQ(document.raw_member("b"), R"({"c":[10,{"d":"x\"}]"},1.0],"":7})");
  for (const char* absent : {"", "c", "d", "aa", "q", "q\\\""}) {
    EXPECT_TRUE(document.member(absent).is_missing()) << absent;
    EXPECT_EQ(document.raw_member(absent), "") << absent;
  }
  EXPECT_EQ(at(document, "b.c[0]").integer(), 10);
  EXPECT_EQ(at(document, "b.c[1].d").text(), "x\"}]");
  EXPECT_EQ(at(document, "b.c[2]").kind(), Kind::real);
  EXPECT_EQ(at(document, "b[\"\"]").integer(), 7);
  EXPECT_EQ(render_json(at(document, "b.c[1]")), R"({"d":"x\"}]"})");
  EXPECT_EQ(at(document, "").kind(), Kind::object);
  for (const char* absent : {"b.c[3]", "b.c.d", "b[0]", "a.b", "[0]", "x.y", "b.c[1].e"}) {
    EXPECT_TRUE(at(document, absent).is_missing()) << absent;
  }
}

TEST(PackedTest, MembersAreRenderedWithoutBraces) {
  const std::pair<Value, const char*> rows[] = {
      {Object{}, ""},
      {Object{{"a", Missing()}}, ""},
      {Object{{"a", 1}, {"b", "x"}}, R"("a":1,"b":"x")"},
      {Object{{"t", Instant{0}}}, R"("t":"1970-01-01T00:00:00Z")"}};
  for (const auto& [value, expected] : rows) {
    const Bytes bytes = packed_value(value);
    std::string out = "before ";
    EXPECT_EQ(Packed(bytes).render_members(out), *expected != 0);
    EXPECT_EQ(out, std::string("before ") + expected);
  }
}

TEST(PackedTest, ValuesThatJsonLacksAreKeptAndRenderedPlain) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const Value value = Object{{"time", Instant{-1}},
                             {"deep", Array{Date{1}, Object{{"r", Reference{"c", "i\""}}}}},
                             {"binary", Binary{nul + "\xFF"}},
                             {"reals", Array{infinity, -infinity, std::nan("")}},
                             {"text", R"({"\u0000t":["time",1]})"}};
  const Bytes bytes = packed_value(value);
  const Packed document(bytes);
  EXPECT_FALSE(document.plain());
  EXPECT_TRUE(document.check());
  EXPECT_TRUE(same(document.unpack(), value));
  EXPECT_EQ(rendered(document), render_json(value));
  EXPECT_EQ(document.member("time").time(), Instant{-1});
  EXPECT_EQ(at(document, "deep[0]").date(), Date{1});
  EXPECT_EQ(at(document, "deep[1].r").reference().id, "i\"");
  EXPECT_TRUE(at(document, "deep[1].r.id").is_missing());
  EXPECT_EQ(at(document, "text").kind(), Kind::text);
}

TEST(PackedTest, AClientsObjectIsNeverTakenForAWrapper) {
  for (const std::string text : {R"({"\u0000t":["time",1]})", R"({"a":{"\u0000t":["time",1]}})",
                                 R"({"a":{"\u0000t":["time",1],"b":{"\u0000t":{"\u0000t":null}}}})",
                                 R"({"a":[{"\u0000t":["object",{"\u0000t":[]}]}]})",
                                 R"({"a":{"b":1,"\u0000t":["time",1]}})"}) {
    const Bytes bytes = packed(text);
    const Packed document(bytes);
    EXPECT_EQ(rendered(document), text);
    EXPECT_EQ(render_json(document.unpack()), text);
    EXPECT_EQ(bytes, packed_value(parse_json(text).value()));
    EXPECT_TRUE(document.check());
  }
  const Bytes bytes = packed(R"({"a":{"\u0000t":["time",1]}})");
  EXPECT_EQ(at(Packed(bytes), R"(a["\u0000t"][1])").integer(), 1);
  EXPECT_EQ(render_json(Packed(bytes).member("a")), R"({"\u0000t":["time",1]})");
}

TEST(PackedTest, IntegersAndRealsKeepTheirKind) {
  const Value value = Object{{"i", std::numeric_limits<std::int64_t>::max()},
                             {"r", Array{1.0, -0.0, 4611686018427387904.0, 1e300, 5e-324, 1e21}}};
  const Value again = Packed(packed_value(value)).unpack();
  EXPECT_EQ(again.member("i").integer(), std::numeric_limits<std::int64_t>::max());
  for (std::size_t i = 0; i < 6; ++i) {
    const Value& real = again.member("r").array()[i];
    ASSERT_EQ(real.kind(), Kind::real) << i;
    EXPECT_EQ(real.real(), value.member("r").array()[i].real());
  }
  EXPECT_TRUE(std::signbit(again.member("r").array()[1].real()));
}

std::string nested_arrays(std::size_t depth) {
  return "{\"a\":" + std::string(depth, '[') + std::string(depth, ']') + "}";
}

Code refused_with(const Result<Bytes>& result) {
  return result ? Code::internal : result.error().code;
}

TEST(PackedTest, BoundsAreKept) {
  EXPECT_EQ(refused_with(pack(1)), Code::invalid);
  EXPECT_EQ(refused_with(pack_json("[1]")), Code::invalid);
  EXPECT_EQ(pack_json("\"\\ud800\"").error().message,
            "not JSON at byte 0: this text holds an escape that stands for nothing");
  EXPECT_EQ(refused_with(pack(Object{{"a", "\xFF"}})), Code::invalid);
  Object twice;
  twice.append("a", 1);
  twice.append("a", 2);
  EXPECT_EQ(refused_with(pack(twice)), Code::invalid);

  EXPECT_TRUE(pack_json(nested_arrays(127)));
  EXPECT_EQ(refused_with(pack_json(nested_arrays(128))), Code::too_large);
  Value deep = Array{};
  for (int i = 1; i < 127; ++i) deep = Array{deep};
  EXPECT_TRUE(pack(Object{{"a", deep}}));
  EXPECT_EQ(refused_with(pack(Object{{"a", Array{deep}}})), Code::too_large);

  const std::string fits(limits::document_bytes_max - 8, 'x');
  EXPECT_TRUE(pack_json("{\"a\":\"" + fits + "\"}"));
  EXPECT_EQ(refused_with(pack_json("{\"a\":\"" + fits + "x\"}")), Code::too_large);
  EXPECT_TRUE(pack(Object{{"a", fits}}));
  EXPECT_EQ(refused_with(pack(Object{{"a", fits + "x"}})), Code::too_large);
  EXPECT_EQ(refused_with(pack_json(std::string(5 << 20, ' ') + "{}")), Code::too_large);
}

TEST(PackedTest, ObjectsMayHaveManyMembersButNotTooMany) {
  Object many;
  std::string text = "{";
  for (std::size_t i = 0; i < limits::document_fields_max; ++i) {
    many.append(std::to_string(i), 1);
    text += "\"" + std::to_string(i) + "\":1,";
  }
  const Bytes bytes = packed_value(many);
  EXPECT_EQ(bytes, packed(text.substr(0, text.size() - 1) + "}"));
  EXPECT_EQ(Packed(bytes).member("99999").integer(), 1);
  many.append("x", 1);
  EXPECT_EQ(refused_with(pack(many)), Code::too_large);
  EXPECT_EQ(refused_with(pack(Object{{"a", many}})), Code::too_large);
  EXPECT_EQ(refused_with(pack_json(text + "\"x\":1}")), Code::too_large);
}

TEST(PackedTest, ObjectsWithinWrappersMayBeAsDeepAsOthers) {
  Value deep = Object{{nul + "t", 1}};
  for (int i = 1; i < 127; ++i) deep = Object{{nul + "t", deep}};
  const Value value = Object{{"a", deep}};
  const Bytes bytes = packed_value(value);
  EXPECT_EQ(rendered(Packed(bytes)), render_json(value));
  EXPECT_TRUE(Packed(bytes).check());
  EXPECT_EQ(bytes, packed(render_json(value)));
}

TEST(PackedTest, DamageGivesMissingOrAFailedCheckButNeverACrash) {
  const Bytes good = packed(R"({"a":[1,2],"b":"text"})");
  std::vector<Bytes> damaged = {"", "\x01", nul, good.substr(1), "\x02" + good.substr(1)};
  for (std::size_t i = 0; i < good.size(); ++i) damaged.push_back(good.substr(0, i));
  damaged.push_back(std::string("\x01\x00\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01{}", 14));
  damaged.push_back(std::string("\x01\x00\x00", 3) + nested_arrays(100'000));
  damaged.push_back(std::string("\x01\x01\x00{\"a\":", 8) + [] {
    std::string nested;
    for (int i = 0; i < 10'000; ++i) nested += R"({"\u0000t":["object",{"a":)";
    for (int i = 0; i < 10'000; ++i) nested += "}]}";
    return nested;
  }() + "}");
  for (const Bytes& bytes : damaged) {
    const Packed document(bytes);
    rendered(document);
    EXPECT_EQ(document.check().has_value() ? Code::internal : document.check().error().code,
              Code::corrupt);
    EXPECT_TRUE(document.member("b").is_missing());
  }
  EXPECT_EQ(Packed().json(), "");
  EXPECT_TRUE(Packed().unpack().is_missing());
}

// The value in the form of responses: JSON's own kinds only, reals still real.
Value on_the_wire(const Value& value) {
  switch (value.kind()) {
    case Kind::real: return std::isfinite(value.real()) ? value : Value(Null());
    case Kind::time:
    case Kind::date:
    case Kind::binary:
    case Kind::reference: return parse_json(render_json(value)).value();
    case Kind::array: {
      Array items;
      for (const Value& item : value.array()) items.push_back(on_the_wire(item));
      return items;
    }
    case Kind::object: {
      Object members;
      for (const auto& [name, member] : value.object()) members.append(name, on_the_wire(member));
      return members;
    }
    default: return value;
  }
}

RC_GTEST_PROP(PackedProperty, UnpackingReturnsThePackedValue, ()) {
  const Value value = *arbitrary::document();
  const Bytes bytes = pack(value).value();
  const Packed document(bytes);
  RC_ASSERT(document.check().has_value());
  const Value again = document.unpack();
  RC_ASSERT(same(again, value));
  RC_ASSERT(pack(again).value() == bytes);
  RC_ASSERT(same(parse_json(rendered(document)).value(), on_the_wire(value)));
  for (const auto& [name, member] : value.object()) {
    RC_ASSERT(same(document.member(name), member));
    RC_ASSERT(document.member(name).kind() == member.kind());
    if (!member.is(Kind::object)) continue;
    for (const auto& [inner, below] : member.object()) {
      RC_ASSERT(same(document.at(Path{{name, inner}}), below));
    }
  }
}

RC_GTEST_PROP(PackedProperty, JsonAndItsValueHaveTheSamePackedForm, ()) {
  const std::string text = render_json(*arbitrary::object(arbitrary::json_scalar, 3));
  RC_ASSERT(pack_json(text).value() == pack(parse_json(text).value()).value());
}

// Changes some bytes, or removes or doubles a piece.
std::string mutated(std::string bytes) {
  const int changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes && !bytes.empty(); ++i) {
    const std::size_t at = *rc::gen::inRange<std::size_t>(0, bytes.size());
    const std::size_t size = *rc::gen::inRange<std::size_t>(0, 8);
    switch (*rc::gen::inRange(0, 4)) {
      case 0: bytes[at] = *rc::gen::arbitrary<char>(); break;
      case 1:
        bytes[at] = *rc::gen::elementOf(std::string("{}[]\",:\\0129.eE+-tfn \x01\xFF"));
        break;
      case 2: bytes.erase(at, size); break;
      default: bytes.insert(at, bytes.substr(at, size));
    }
  }
  return bytes;
}

RC_GTEST_PROP(PackedProperty, MutatedTextAndItsValueArePackedEquallyOrBothRefused, ()) {
  const std::string text = mutated(render_json(*arbitrary::object(arbitrary::json_scalar, 2)));
  const auto value = parse_json(text);
  const auto bytes = pack_json(text);
  RC_ASSERT(bytes.has_value() == (value.has_value() && value->is(Kind::object)));
  if (bytes) {
    RC_ASSERT(*bytes == pack(*value).value());
    RC_ASSERT(Packed(*bytes).check().has_value());
  } else if (!value) {
    RC_ASSERT(bytes.error().message == value.error().message);
  }
}

RC_GTEST_PROP(PackedProperty, ReadingMutatedBytesIsSafe, ()) {
  const Value value = *arbitrary::document();
  const Bytes bytes = mutated(pack(value).value());
  // A separate copy, so that a sanitizer detects every read beyond the end.
  const std::vector<char> exact(bytes.begin(), bytes.end());
  const Packed document(BytesView(exact.data(), exact.size()));
  std::string out;
  document.render(out);
  document.render_members(out);
  document.unpack();
  for (const auto& [name, member] : value.object()) {
    document.member(name);
    document.at(Path{{name, "a"}});
    document.at(Path{{name, std::size_t{1}}});
  }
  if (document.check()) RC_ASSERT(pack(document.unpack()).value() == bytes);
}

}  // namespace
}  // namespace mayfly
