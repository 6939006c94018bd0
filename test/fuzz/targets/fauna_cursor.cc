// Cursors and tokens of event sources, which clients of the Fauna dialect send back. A text that
// this server has not sealed is refused. Anything that it has sealed is read, or refused with an
// error of the API, within the time of the query, and nothing is written by it.
//
// The input begins with its kind: `r` any text; `c` a cursor's content as JSON and `p` as packed
// bytes; `e` the content of an event source, as JSON.
#include "api.h"
#include "dialect/fauna/fauna.h"
#include "dialect/fauna/options.h"
#include "value/json/tokens.h"
#include "value/packed/packed.h"

namespace mayfly::fuzz {
namespace {

constexpr int pages_max = 4;

// A server that stays as it is.
class CursorWorld {
 public:
  CursorWorld() {
    CHECK(query(R"(Collection.create({name: "Foo", history_days: 1, indexes: {
        byA: {terms: [".a"], values: [{field: ".b", order: "desc"}, ".id"]},
        byT: {terms: [{field: ".t", mva: true}]}}}))")
              .status == 200);
    CHECK(query(R"(Set.sequence(0, 20).forEach(i => Foo.create({
        id: i, a: i % 3, b: i, t: [i, 7], ttl: Time.now().add(i + 1, "days")})))")
              .status == 200);
    CHECK(count() == 20);
  }

  // With an argument `c`, where it is not empty.
  net::Response query(std::string_view text, std::string_view argument = {}) {
    Object body{{"query", std::string(text)}};
    if (!argument.empty()) body.append("arguments", Object{{"c", std::string(argument)}});
    return send("/query/1", Value(std::move(body)));
  }
  net::Response feed(std::string_view token) {
    return send("/feed/1", Object{{"token", std::string(token)}, {"page_size", 5}});
  }
  std::int64_t count() {
    const auto body = parse_json(query("Foo.all().count()").body);
    CHECK(body.has_value());
    return body->member("data").integer();
  }
  std::string seal(std::string_view list, BytesView place) const {
    return page_tokens_.seal({.list = list, .place = place});
  }

 private:
  net::Response send(std::string path, const Value& body) {
    net::Request request{.method = "POST", .target = path, .path = path};
    request.headers = {{"authorization", "Bearer secret"},
                       {"x-typecheck", "false"},
                       {"x-query-timeout-ms", "200"}};
    request.body = render_json(body);
    return net::PendingRequest(*dialect_, request)->answer();
  }

  ManualClock clock_{Instant::from_seconds(1'800'000'000)};
  Random random_{7};
  Credentials credentials_;
  const PageTokens page_tokens_{"secret"};
  std::unique_ptr<Database> database_ = Database::open(store::open_memory(), clock_).value();
  std::unique_ptr<Dialect> dialect_ =
      make_fauna({*database_, &clock_, random_, credentials_, page_tokens_}, FaunaOptions{});
};

CursorWorld& cursor_world() {
  static CursorWorld world;
  return world;
}

// What may be said of a cursor, and what it says of itself.
Value check_page(const net::Response& response) {
  const bool is_known = response.status == 200 || response.status == 400 || response.status == 440;
  if (!is_known) std::fprintf(stderr, "%d %s\n", response.status, response.body.c_str());
  CHECK(is_known);
  auto body = parse_json(response.body, {.bytes_max = 64 << 20, .depth_max = 1'000});
  CHECK(body.has_value());
  CHECK(response.status == 200 || body->member("error").member("code").is(Kind::text));
  return *std::move(body);
}

void go_on(std::string cursor) {
  for (int page = 0; page < pages_max; ++page) {
    const Value body = check_page(cursor_world().query("Set.paginate(c)", cursor));
    const Value after = body.member("data").member("after");
    if (!after.is(Kind::text)) return;
    cursor = after.text();
  }
}

std::optional<Bytes> packed_of(BytesView json) {
  const auto value = parse_json(json);
  if (!value) return std::nullopt;
  auto packed = pack(*value);
  return packed ? std::optional(*std::move(packed)) : std::nullopt;
}

void follow(BytesView place) {
  Bytes whole(sizeof(std::int64_t), '\0');
  whole += place;
  const net::Response page =
      cursor_world().feed(cursor_world().seal("fauna event source fauna", whole));
  check_page(page);
}

}  // namespace

void run(BytesView input) {
  CursorWorld& world = cursor_world();
  const char what = input.empty() ? 'r' : input.front();
  const BytesView rest = input.substr(std::min<std::size_t>(1, input.size()));
  const bool is_text = is_utf8(rest) && rest.find('\0') == rest.npos && !rest.empty();
  if (what == 'r' && is_text) {
    CHECK(check_page(world.query("Set.paginate(c)", rest)).member("error").is(Kind::object));
    CHECK(check_page(world.feed(rest)).member("error").is(Kind::object));
  }
  if (what == 'p') go_on(world.seal("fauna set fauna", rest));
  const auto packed = what == 'c' || what == 'e' ? packed_of(rest) : std::nullopt;
  if (packed && what == 'c') go_on(world.seal("fauna set fauna", *packed));
  if (packed && what == 'e') follow(*packed);
  CHECK(world.count() == 20);
}

}  // namespace mayfly::fuzz
