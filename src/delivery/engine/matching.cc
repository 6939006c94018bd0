#include "delivery/engine/matching.h"

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

// What a filter asks a field to be.
struct Asked {
  Path path;
  Bytes key;  // the value's sort key
};

std::optional<Asked> asked_by(const Expr& condition) {
  const auto* call = condition.as<expr::Call>();
  if (call == nullptr || call->function->comparison != Comparison::equal) return std::nullopt;
  const auto* field = call->arguments[0]->as<expr::FieldOf>();
  const auto* literal = call->arguments[1]->as<expr::Literal>();
  if (field == nullptr || literal == nullptr || field->slot != 0) return std::nullopt;
  if (field->field.part != Part::body || literal->value.is_missing()) return std::nullopt;
  Asked asked{field->field.path, {}};
  if (!put_sort_key(asked.key, literal->value)) return std::nullopt;
  return asked;
}

std::optional<Asked> asked_by(const Subscription& subscription) {
  if (!subscription.filter) return std::nullopt;
  for (const ExprPtr& condition : conjuncts(subscription.filter.expression)) {
    if (auto asked = asked_by(*condition)) return asked;
  }
  return std::nullopt;
}

}  // namespace

Matching::Matching(const std::vector<const Subscription*>& subscriptions, Meter::Now now)
    : all_(subscriptions), now_(now) {
  for (std::size_t number = 0; number < all_.size(); ++number) add(number);
}

void Matching::add(std::size_t number) {
  auto asked = asked_by(*all_[number]);
  if (!asked) return others_.push_back(number);
  auto field = std::ranges::find(fields_, asked->path, &Field::path);
  if (field == fields_.end()) field = fields_.insert(fields_.end(), {std::move(asked->path), {}});
  field->by_value[std::move(asked->key)].push_back(number);
}

bool Matching::needs_document() const {
  return !fields_.empty() || std::ranges::any_of(others_, [this](std::size_t number) {
    return static_cast<bool>(all_[number]->filter);
  });
}

Matching::Numbers Matching::candidates_for(const Document* document, const Wanted& wanted) const {
  Numbers candidates;
  const auto add = [&](const Numbers& numbers) {
    for (const std::size_t number : numbers) {
      if (wanted[number]) candidates.push_back(number);
    }
  };
  add(others_);
  if (document == nullptr) return candidates;
  for (const Field& field : fields_) {
    Bytes key;
    if (!put_sort_key(key, document->body.at(field.path))) continue;
    const auto same = field.by_value.find(key);
    if (same != field.by_value.end()) add(same->second);
  }
  return candidates;
}

std::optional<Matching::Numbers> Matching::find(const Collection& collection, const Event& event,
                                                EventImages& images, const Wanted& wanted,
                                                Instant until) {
  const Document* document = nullptr;
  if (needs_document()) {
    const auto& after = images.after();
    const auto& image = after ? after : images.before();
    document = image ? &*image : nullptr;
  }
  const FeedPosition at{event.committed_at, event.number};
  auto begun = unfinished_.extract(at);
  const bool goes_on = begun && begun.mapped().wanted == wanted;
  Search search = goes_on ? std::move(begun.mapped())
                          : Search{.wanted = {}, .candidates = candidates_for(document, wanted)};
  while (search.asked < search.candidates.size()) {
    const std::size_t number = search.candidates[search.asked++];
    const Subscription& one = *all_[number];
    if (matches(number, collection, event, document, search.may_ask_again)) {
      search.found.push_back(number);
    }
    const bool is_late = one.filter && now_() >= until;
    if (!is_late || search.asked == search.candidates.size()) continue;
    search.wanted = wanted;
    unfinished_.emplace(at, std::move(search));
    return std::nullopt;
  }
  return std::move(search.found);
}

bool Matching::matches(std::size_t number, const Collection& collection, const Event& event,
                       const Document* document, bool& may_ask_again) {
  const Subscription& subscription = *all_[number];
  const auto& named = subscription.collections;
  if (!named.empty() && std::ranges::find(named, collection.name) == named.end()) return false;
  if (!subscription.kinds.empty() && !subscription.kinds.contains(event.kind)) return false;
  if (!subscription.filter) return true;
  if (document == nullptr) return false;
  const auto late = timeouts_.find(number);
  if (late != timeouts_.end() && late->second >= limits::filter_timeouts_max) return false;
  ++asked_;
  // A function that is not interrupted may take longer, and fail by another bound.
  bool is_late = false;
  const auto ask = [&](Span time) {
    const Instant end = now_() + time;
    Meter meter(now_, end);
    auto fits = truth(*subscription.filter.expression, query::DocumentScope(*document), meter);
    is_late = !fits && (fits.error().code == Code::timed_out || now_() > end);
    return fits;
  };
  auto fits = ask(limits::filter_time_max);
  // Where the machine is busy, the time may be over before it was asked.
  if (is_late && std::exchange(may_ask_again, false)) fits = ask(limits::filter_time_again_max);
  if (is_late && ++timeouts_[number] == limits::filter_timeouts_max) {
    stopped_.push_back(number);
    log(LogLevel::warn, "a filter takes too long and is asked no more",
        {{"subscription", subscription.id}});
  }
  return fits && *fits == Truth::yes;
}

}  // namespace mayfly::delivery
