#include "db/requested_indexes.h"

#include <algorithm>

#include "db/limits.h"

namespace mayfly {
namespace {

// Those that no definition names.
std::size_t made_on_request(const Collection& collection) {
  return static_cast<std::size_t>(std::count_if(
      collection.indexes.begin(), collection.indexes.end(),
      [](const Index& index) { return index.entries == Entries::cut && !index.is_of_definition; }));
}

bool has_room(const Collection& collection) {
  return made_on_request(collection) < limits::requested_indexes_per_collection_max &&
         collection.indexes.size() < limits::indexes_per_collection_max;
}

}  // namespace

void RequestedIndexes::add_job(Jobs& jobs) {
  job_ = jobs.add({.name = "requested indexes",
                   .lane = JobLane::lengthy,
                   .lease = "requested indexes",
                   .run = [this](const JobRun& run) { return this->run(run); }});
}

void RequestedIndexes::add(const Collection& collection, IndexSpec spec) {
  if (!has_room(collection) || collection.find_index(spec.name) != nullptr) return;
  const std::lock_guard lock(mutex_);
  const auto is_it = [&](const Request& request) {
    return request.collection == collection.id && request.spec.name == spec.name;
  };
  if (requests_.size() == limits::index_requests_max || std::ranges::any_of(requests_, is_it))
    return;
  requests_.push_back({collection.id, std::move(spec)});
  job_.wake();
}

// One at a run, so that what else is lengthy gets its turn.
Result<NextRun> RequestedIndexes::run(const JobRun& run) {
  constexpr Span rest = Span::seconds(1);
  if (run.gives_way()) return NextRun::after(rest);
  Request request;
  if (!take(request)) return NextRun::when_woken();
  const CollectionPtr collection = database_.catalog()->any_collection(request.collection);
  const bool is_wanted =
      collection && has_room(*collection) && collection->find_index(request.spec.name) == nullptr;
  if (!is_wanted) return NextRun::immediately();
  const auto goes_on = [&run] { return !run.must_end() && !run.gives_way(); };
  const auto made = database_.create_index(request.collection, request.spec, goes_on);
  if (made) return NextRun::immediately();
  const Code code = made.error().code;
  const bool is_in_vain = code == Code::not_found || code == Code::exists || run.must_end();
  if (is_in_vain) return NextRun::immediately();
  put_back(std::move(request));
  if (run.gives_way()) return NextRun::after(rest);
  return tl::unexpected(made.error());
}

bool RequestedIndexes::take(Request& request) {
  const std::lock_guard lock(mutex_);
  if (requests_.empty()) return false;
  request = std::move(requests_.front());
  requests_.pop_front();
  return true;
}

void RequestedIndexes::put_back(Request request) {
  const std::lock_guard lock(mutex_);
  if (requests_.size() < limits::index_requests_max) requests_.push_back(std::move(request));
}

}  // namespace mayfly
