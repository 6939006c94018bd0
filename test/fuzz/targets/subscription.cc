// Subscriptions that clients request: an accepted one can be stored and read again. Subjects of
// NATS have only allowed characters, whatever the names of an event are.
#include "delivery/nats/subject.h"
#include "delivery/nats/target.h"
#include "delivery/webhooks/target.h"
#include "dialect/native/subscriptions/asked.h"
#include "fuzz.h"
#include "store/memory/memory_store.h"
#include "value/json/json.h"

namespace mayfly::fuzz {
namespace {

constexpr const char* by_default = "mayfly.{database}.{collection}.{event}";

// An engine with every kind of target, which sends nothing: no job runs.
const delivery::Deliveries& engine() {
  static const ManualClock clock(Instant::from_seconds(1'000));
  static const auto database = *Database::open(store::open_memory(), clock);
  static Random random(1);
  static const auto made = [] {
    std::vector<std::unique_ptr<delivery::Target>> targets;
    targets.push_back(delivery::webhook_target([](net::OutgoingCall, net::Caller::Done) {},
                                               net::AddressPolicy::public_only));
    return std::make_unique<delivery::Deliveries>(*database, database->jobs(), random,
                                                  std::move(targets));
  }();
  return *made;
}

void check_subject(std::string_view text, BytesView input) {
  const auto subject = delivery::SubjectTemplate::parse(text);
  if (!subject) return;
  const std::string name(input.substr(0, 200));
  const std::string rendered =
      subject->render({.database = name, .collection = name, .event = name});
  CHECK(rendered.starts_with(subject->prefix().substr(0, subject->prefix().size() - 1)));
  for (const char c : rendered) {
    CHECK(c > ' ' && c < '\x7f' && c != '*' && c != '>');
  }
}

void check_kept(const delivery::Subscription& one) {
  const auto body = one.encode();
  CHECK(body.has_value());
  const auto packed = pack(*body);
  CHECK(packed.has_value());
  Document document;
  document.id = one.id;
  document.body = Packed(*packed);
  const auto again = delivery::Subscription::decode(document);
  CHECK(again.has_value());
  CHECK(render_json(*again->encode()) == render_json(*body));
}

}  // namespace

void run(BytesView input) {
  check_subject(input, input);
  check_subject(by_default, input);
  const auto body = parse_json(input);
  if (!body || !body->is(Kind::object)) return;
  const auto read = native::read_subscription(body->object(), engine(), Instant{0});
  if (read) check_kept(*read);
}

}  // namespace mayfly::fuzz
