#include "db/catalog/requested_indexes.h"

#include <algorithm>

#include "base/service/logging.h"
#include "db/limits.h"

namespace mayfly {
namespace {

// How many of its indexes no definition names.
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
  const GivenUp failed{collection.id, collection.changed_at, spec.name};
  const std::lock_guard lock(mutex_);
  const auto is_it = [&](const Request& request) {
    return request.collection == collection.id && request.spec.name == spec.name;
  };
  if (std::ranges::find(given_up_, failed) != given_up_.end()) return;
  if (requests_.size() == limits::index_requests_max || std::ranges::any_of(requests_, is_it))
    return;
  requests_.push_back({.collection = collection.id, .spec = std::move(spec)});
  job_.wake();
}

// One index for each run, so that other long jobs can run in between.
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
  if (!run.gives_way()) return try_later(std::move(request), *collection, made.error());
  put_back(std::move(request));
  return NextRun::after(rest);
}

// A full disk affects everything and is temporary, so it does not count as a failure of the index.
Result<NextRun> RequestedIndexes::try_later(Request request, const Collection& collection,
                                            const Error& error) {
  if (error.code != Code::no_space) ++request.failures;
  if (request.failures < limits::index_request_tries_max) {
    put_back(std::move(request));
    return tl::unexpected(error);
  }
  give_up(request, collection, error);
  NextRun next = NextRun::immediately();
  next.failure = error.message;
  return next;
}

void RequestedIndexes::give_up(const Request& request, const Collection& collection,
                               const Error& error) {
  log(LogLevel::warn, "an index that queries have asked for cannot be made",
      {{"collection", collection.name},
       {"index", request.spec.name},
       {"tries", request.failures},
       {"error", error.message}});
  const std::lock_guard lock(mutex_);
  if (given_up_.size() == limits::failed_index_requests_max) given_up_.pop_front();
  given_up_.push_back({collection.id, collection.changed_at, request.spec.name});
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
