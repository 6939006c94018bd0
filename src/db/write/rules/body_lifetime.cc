#include "db/write/rules/body_lifetime.h"

#include <cmath>

#include "base/limits.h"
#include "value/order/order.h"
#include "value/packed/packed.h"

namespace mayfly {
namespace {

// What a body specifies about its lifetime; both members may be missing.
struct LifetimeMembers {
  Value member;
  Value start;

  bool is_nothing() const { return member.is_missing() && start.is_missing(); }
  bool is_same(const LifetimeMembers& other) const {
    return same(member, other.member) && same(start, other.start);
  }
};

LifetimeMembers lifetime_members_of(BytesView body, const BodyRules& rules) {
  const Packed packed(body);
  return {packed.member(lifetime_member),
          rules.lifetime_start ? packed.at(*rules.lifetime_start) : Value()};
}

std::optional<Instant> start_of(const Value& said) {
  if (!said.is_number()) return std::nullopt;
  const double seconds = std::floor(said.number());
  const double most = static_cast<double>(limits::instant_max.whole_seconds());
  if (!(seconds >= 0 && seconds <= most)) return std::nullopt;
  return Instant::from_seconds(static_cast<std::int64_t>(seconds));
}

Result<Lifetime> parse_member(const Value& member) {
  if (member.is_missing()) return Lifetime(Inherit{});
  const auto seconds = specified_seconds(member);
  if (!seconds) {
    return fail(Code::invalid,
                "the member \"ttl\" is a whole number of seconds from 1 to " +
                    std::to_string(limits::ttl_seconds_max) + ", or -1 for never",
                std::string(lifetime_member));
  }
  if (*seconds == specified_never) return Lifetime(Never{});
  return Lifetime(After{Span::seconds(*seconds)});
}

// The lifetime that exactly these members specify.
Result<Lifetime> lifetime_of(const LifetimeMembers& said, const Collection& collection) {
  const Lifetime asked = TRY(parse_member(said.member));
  if (!collection.body.lifetime_start || std::holds_alternative<Never>(asked)) return asked;
  const auto start = start_of(said.start);
  if (!start) return Lifetime(Never{});
  const Default& in_force = collection.policy.current_default();
  const After* own = std::get_if<After>(&asked);
  const After* inherited = std::get_if<After>(&in_force);
  if (own == nullptr && inherited == nullptr) return asked;
  return Lifetime(At{*start + (own != nullptr ? own->span : inherited->span)});
}

bool is_span(const Value& member, const Lifetime& lifetime) {
  const After* after = std::get_if<After>(&lifetime);
  const auto seconds = specified_seconds(member);
  return after != nullptr && seconds && Span::seconds(*seconds) == after->span;
}

// The lifetime stored in the hold, if there is one; else the document's own.
Result<Lifetime> own_lifetime(const OwnedHead& head) {
  if (!head.is_held()) return head.lifetime;
  return TRY(records::decode_hold(head.hold)).lifetime;
}

// Decides the lifetime of one write.
class LifetimeDecision {
 public:
  explicit LifetimeDecision(const LifetimeInput& input)
      : input_(input), rules_(input.collection.body), is_from_body_(is<FromBody>(input.change)) {}

  Result<void> decide_for(OwnedHead& after) {
    specified_ = lifetime_members_of(after.body, rules_);
    if (input_.before != nullptr) {
      before_ = TRY(own_lifetime(*input_.before));
      specified_before_ = lifetime_members_of(input_.before->body, rules_);
    }
    const bool goes_on = input_.before != nullptr && !input_.begins_new_life;
    is_bound_ = rules_.specifies_lifetime || input_.is_specified_again ||
                (goes_on && is_specified(before_));
    const Lifetime lifetime = TRY(decide());
    if (!is_from_body_ && is_bound_) {
      TRY(make_body_agree(lifetime, after.body));
      after.computed.forget();
    }
    after.lifetime = lifetime;
    after.is_asked = is_requested_;
    if (input_.before != nullptr && input_.before->is_held()) return go_on_holding(after);
    return {};
  }

 private:
  template <class T, class V>
  static bool is(const V& variant) {
    return std::holds_alternative<T>(variant);
  }

  // Whether the previous body specified the previous lifetime.
  bool is_specified(const Lifetime& lifetime) const {
    if (input_.before->is_asked) return false;
    if (is<After>(lifetime)) return is_span(specified_before_.member, lifetime);
    if (is<Never>(lifetime)) return specified_seconds(specified_before_.member) == specified_never;
    return is<At>(lifetime) && rules_.lifetime_start && start_of(specified_before_.start) &&
           specified_seconds(specified_before_.member) != specified_never;
  }

  Result<Lifetime> decide() {
    if (const Lifetime* asked = std::get_if<Lifetime>(&input_.change)) {
      is_requested_ = !is_bound_;
      return *asked;
    }
    const bool is_read = is_from_body_ || is_bound_;
    if (is_read && !specified_.is_nothing()) return decide_specified();
    return decide_unspecified();
  }

  // Whether a body that specifies the same as the previous body requests nothing by it.
  bool requests_nothing() const {
    if (is_bound_ && !is_from_body_) return true;
    // A member of that name may be there from before any body could specify a lifetime by it.
    const bool writers_may = input_.collection.policy.writers_may_set_lifetime;
    if (is<Inherit>(before_)) return !specified_.member.is_missing() && !writers_may;
    if (!is_bound_ || input_.before->is_asked) return true;
    return !writers_may && !is_specified(before_);
  }

  Result<Lifetime> decide_specified() {
    const bool is_same = input_.before != nullptr && specified_.is_same(specified_before_);
    if (is_same && !input_.begins_new_life && requests_nothing()) return decide_unspecified();
    const bool is_specified_already = is_same && is_bound_;
    if (!is_specified_already && !input_.collection.policy.writers_may_set_lifetime) {
      return fail(Code::forbidden, "the collection does not let writers set a lifetime",
                  std::string(lifetime_member));
    }
    return lifetime_of(specified_, input_.collection);
  }

  Result<Lifetime> decide_unspecified() {
    const bool is_new = input_.before == nullptr || input_.begins_new_life;
    const auto& stamp = input_.collection.policy.stamp;
    const bool is_held = input_.before != nullptr && input_.before->is_held();
    const bool stamps = stamp && (is_new || (stamp->when == Stamp::When::every_write && !is_held));
    if (stamps) return Lifetime(At{input_.now + stamp->span});
    if (is_new) {
      return is_from_body_ || is_bound_ ? lifetime_of(specified_, input_.collection)
                                        : Result<Lifetime>(Inherit{});
    }
    if (!is_from_body_ || !specified_.is_nothing()) return keep_before();
    const bool is_of_other_writer = !is<Inherit>(before_) && !is_specified(before_);
    return is_of_other_writer ? Result<Lifetime>(keep_before())
                              : lifetime_of(specified_, input_.collection);
  }

  const Lifetime& keep_before() {
    is_requested_ = input_.before->is_asked;
    return before_;
  }

  Result<void> make_body_agree(const Lifetime& lifetime, Bytes& body) {
    if (TRY(lifetime_of(specified_, input_.collection)) == lifetime) return {};
    // The field from which a lifetime is counted stays in the body, whatever lifetime is requested.
    const bool is_fixed = is<At>(lifetime) || is<Never>(lifetime);
    is_requested_ = is_requested_ || (is<Lifetime>(input_.change) && is_fixed);
    Value value = Packed(body).unpack();
    const bool is_kept = is<Keep>(input_.change) && input_.before != nullptr && lifetime == before_;
    if (const After* after = std::get_if<After>(&lifetime)) {
      value.mutable_object().set(lifetime_member, after->span.whole_seconds());
    } else if (is_kept && is_specified(lifetime)) {
      if (!specified_before_.member.is_missing())
        value.mutable_object().set(lifetime_member, specified_before_.member);
      if (!specified_before_.start.is_missing()) {
        TRY(set_at(value, *rules_.lifetime_start, specified_before_.start));
      }
    } else if (specified_.member.is_missing()) {
      return {};
    } else {
      value.mutable_object().remove(lifetime_member);
    }
    body = TRY(pack(value));
    return {};
  }

  Result<void> go_on_holding(OwnedHead& after) {
    records::Hold hold = TRY(records::decode_hold(input_.before->hold));
    hold.lifetime = after.lifetime;
    hold.counted_from = Instant::never();
    after.hold = records::encode(hold);
    after.lifetime = Never{};
    return {};
  }

  const LifetimeInput& input_;
  const BodyRules& rules_;
  bool is_from_body_;
  bool is_bound_ = false;
  bool is_requested_ = false;  // requested by the writer, not by the body
  LifetimeMembers specified_;
  LifetimeMembers specified_before_;
  Lifetime before_ = Inherit{};
};

}  // namespace

std::optional<std::int64_t> specified_seconds(const Value& said) {
  std::int64_t seconds = 0;
  if (said.is(Kind::integer)) {
    seconds = said.integer();
  } else if (said.is(Kind::real) && std::trunc(said.real()) == said.real() &&
             std::abs(said.real()) <= static_cast<double>(limits::ttl_seconds_max)) {
    seconds = static_cast<std::int64_t>(said.real());
  } else {
    return std::nullopt;
  }
  const bool is_valid =
      seconds == specified_never || (seconds > 0 && seconds <= limits::ttl_seconds_max);
  return is_valid ? std::optional(seconds) : std::nullopt;
}

bool specifies_span(const Packed& body, const Lifetime& lifetime) {
  return is_span(body.member(lifetime_member), lifetime);
}

Result<void> decide_lifetime(const LifetimeInput& input, OwnedHead& after) {
  return LifetimeDecision(input).decide_for(after);
}

}  // namespace mayfly
