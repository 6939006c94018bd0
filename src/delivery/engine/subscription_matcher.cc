#include "delivery/engine/subscription_matcher.h"

#include <algorithm>
#include <utility>

#include "base/clock.h"
#include "base/service/logging.h"
#include "expr/analyse.h"
#include "expr/evaluation/evaluate.h"
#include "expr/function.h"
#include "query/running/row.h"
#include "value/order/sort_key.h"

namespace mayfly::delivery {
namespace {

// A field and the value that a filter requires it to equal.
struct FieldEquality {
  Path path;
  Bytes key;  // the value's sort key
};

std::optional<FieldEquality> equality_in(const Expr& condition) {
  const auto* call = condition.as<expr::FunctionCall>();
  if (call == nullptr || call->function->comparison != Comparison::equal) return std::nullopt;
  const auto* field = call->arguments[0]->as<expr::FieldOf>();
  const auto* literal = call->arguments[1]->as<expr::Literal>();
  if (field == nullptr || literal == nullptr || field->slot != 0) return std::nullopt;
  if (field->field.part != Part::body || literal->value.is_missing()) return std::nullopt;
  FieldEquality equality{field->field.path, {}};
  if (!put_sort_key(equality.key, literal->value)) return std::nullopt;
  return equality;
}

std::optional<FieldEquality> equality_in(const Subscription& subscription) {
  if (!subscription.filter) return std::nullopt;
  for (const ExprPtr& condition : conjuncts(subscription.filter.expression)) {
    if (auto equality = equality_in(*condition)) return equality;
  }
  return std::nullopt;
}

}  // namespace

SubscriptionMatcher::SubscriptionMatcher(const std::vector<const Subscription*>& subscriptions,
                                         Meter::Now now)
    : all_(subscriptions), now_(now), used_(all_.size()), took_(all_.size()) {
  for (std::size_t number = 0; number < all_.size(); ++number) add(number);
}

void SubscriptionMatcher::add(std::size_t number) {
  if (!all_[number]->filter) return unfiltered_.push_back(number);
  auto equality = equality_in(*all_[number]);
  if (!equality) return others_.push_back(number);
  auto field = std::ranges::find(fields_, equality->path, &Field::path);
  if (field == fields_.end()) {
    field = fields_.insert(fields_.end(), {std::move(equality->path), {}});
  }
  field->by_value[std::move(equality->key)].push_back(number);
}

SubscriptionMatcher::Numbers SubscriptionMatcher::candidates_for(const Document* document,
                                                                 const Selection& selection) const {
  Numbers candidates;
  const auto add = [&](const Numbers& numbers) {
    for (const std::size_t number : numbers) {
      if (selection[number]) candidates.push_back(number);
    }
  };
  add(unfiltered_);
  if (document == nullptr) return candidates;
  add(others_);
  for (const Field& field : fields_) {
    Bytes key;
    if (!put_sort_key(key, document->body.at(field.path))) continue;
    const auto same = field.by_value.find(key);
    if (same != field.by_value.end()) add(same->second);
  }
  return candidates;
}

SubscriptionMatcher::Found SubscriptionMatcher::find(const Collection& collection,
                                                     const Event& event, EventImages& images,
                                                     const Selection& selection, Instant until) {
  const Document* document = nullptr;
  if (!fields_.empty() || !others_.empty()) {
    const auto& image = images.document();
    document = image ? &*image : nullptr;
  }
  Found found;
  if (document == nullptr && images.has_failed()) {
    found.unreadable = evaluated_for(collection, event, selection);
  }
  Numbers to_evaluate;
  for (const std::size_t number : candidates_for(document, selection)) {
    if (!is_about(number, collection, event)) continue;
    if (!all_[number]->filter) {
      found.concerned.push_back(number);
    } else if (document != nullptr && !is_disabled(number)) {
      to_evaluate.push_back(number);
    }
  }
  std::ranges::stable_sort(to_evaluate, {}, [this](std::size_t number) { return took_[number]; });
  const auto are_all_selected = [&] {
    return to_evaluate.size() == static_cast<std::size_t>(std::ranges::count(selection, true));
  };
  for (const std::size_t number : to_evaluate) {
    const bool is_first = number == to_evaluate.front();
    const bool may_run = now_() < until && used_[number] < limits::filter_turn_max;
    if (!may_run && !(is_first && are_all_selected())) {
      found.unknown.push_back(number);
    } else if (fits_filter(number, *document)) {
      found.concerned.push_back(number);
    }
  }
  return found;
}

SubscriptionMatcher::Numbers SubscriptionMatcher::evaluated_for(const Collection& collection,
                                                                const Event& event,
                                                                const Selection& selection) const {
  Numbers numbers;
  for (std::size_t number = 0; number < all_.size(); ++number) {
    const bool is_evaluated = selection[number] && all_[number]->filter && !is_disabled(number);
    if (is_evaluated && is_about(number, collection, event)) numbers.push_back(number);
  }
  return numbers;
}

bool SubscriptionMatcher::is_about(std::size_t number, const Collection& collection,
                                   const Event& event) const {
  const Subscription& subscription = *all_[number];
  const auto& named = subscription.collections;
  if (!named.empty() && std::ranges::find(named, collection.name) == named.end()) return false;
  return subscription.kinds.empty() || subscription.kinds.contains(event.kind);
}

bool SubscriptionMatcher::is_disabled(std::size_t number) const {
  const auto late = timeouts_.find(number);
  return late != timeouts_.end() && late->second >= limits::filter_timeouts_max;
}

bool SubscriptionMatcher::fits_filter(std::size_t number, const Document& document) {
  const Subscription& subscription = *all_[number];
  const Instant begin = now_();
  ++evaluations_;
  // A function that cannot be interrupted may run past the end and then fail for another reason.
  bool is_late = false;
  const auto evaluate = [&](Span time) {
    const Instant end = now_() + time;
    Meter meter(now_, end);
    auto fits = truth(*subscription.filter.expression, query::DocumentScope(document), meter);
    is_late = !fits && (fits.error().code == Code::timed_out || now_() > end);
    return fits;
  };
  auto fits = evaluate(limits::filter_time_max);
  // On a busy machine the time may be over before the filter began.
  if (is_late && std::exchange(may_retry_, false)) fits = evaluate(limits::filter_time_again_max);
  took_[number] = now_() - begin;
  used_[number].micros += took_[number].micros;
  if (!is_late) timeouts_.erase(number);
  if (is_late && ++timeouts_[number] == limits::filter_timeouts_max) {
    disabled_.push_back(number);
    log(LogLevel::warn, "a filter takes too long and is asked no more",
        {{"subscription", subscription.id}});
  }
  return fits && *fits == Truth::yes;
}

}  // namespace mayfly::delivery
