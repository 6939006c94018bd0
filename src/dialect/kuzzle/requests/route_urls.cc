// The URLs of the routes: the search for a request's route, and the description of the API.
#include <algorithm>

#include "dialect/kuzzle/requests/routes.h"

namespace mayfly::kuzzle {
namespace {

// `/:index/:collection` as the router writes it.
std::string pattern_of(std::string_view path) {
  std::string pattern;
  for (std::size_t i = 0; i < path.size();) {
    const std::size_t end = std::min(path.find('/', i + 1), path.size());
    const std::string_view segment = path.substr(i, end - i);
    const bool is_name = segment.starts_with("/:");
    pattern += is_name ? "/{" + std::string(segment.substr(2)) + "}" : std::string(segment);
    i = end;
  }
  return pattern;
}

struct Url {
  std::string_view verb;
  std::string_view path;  // parameters as `:name`
};

Url url_of(std::string_view text) {
  const std::size_t space = text.find(' ');
  return {text.substr(0, space), text.substr(space + 1)};
}

using IsListed = bool (*)(const Route&, const Url&);

bool always(const Route&, const Url&) {
  return true;
}

// Among URLs that differ only by their verbs, some clients choose POST, or none if there is no
// POST; they are listed only the first of these. Otherwise clients choose the shortest URL and lose
// the names that it does not have. So URLs with fewer names than the first are not listed, nor
// shorter ones without a body.
bool where_clients_choose_right(const Route& route, const Url& url) {
  const Url first = url_of(route.urls.front());
  const auto names = [](std::string_view path) {
    return std::count(path.begin(), path.end(), ':');
  };
  if (names(url.path) < names(first.path)) return false;
  if (url.path != first.path) {
    return url.verb == first.verb || url.path.size() > first.path.size();
  }
  return url.verb == first.verb || url.verb == "POST" || first.verb == "POST";
}

Object describe(IsListed is_listed_url) {
  Object api;
  for (const Route& route : routes()) {
    Array urls;
    for (const std::string_view text : route.urls) {
      const Url url = url_of(text);
      if (text.empty() || !is_listed_url(route, url)) continue;
      urls.push_back(Object{{"url", url.path}, {"verb", url.verb}});
    }
    if (api.find(route.controller) == nullptr) api.set(route.controller, Object());
    Object& actions = api.find(route.controller)->mutable_object();
    actions.set(route.action,
                Object{{"controller", route.controller}, {"action", route.action}, {"http", urls}});
  }
  return api;
}

}  // namespace

HttpRoutes::HttpRoutes() {
  for (const Route& route : routes()) {
    for (const std::string_view text : route.urls) {
      if (text.empty()) continue;
      const Url url = url_of(text);
      finder_.add(url.verb, pattern_of(url.path), route);
    }
  }
}

RouteMatch<Route> HttpRoutes::match(const net::Request& request) const {
  // Some clients write the first slash of a URL twice.
  std::string_view path = request.path;
  while (path.starts_with("//")) path.remove_prefix(1);
  return finder_.find(request.method, path);
}

Object public_api() {
  return describe(where_clients_choose_right);
}

Object whole_api() {
  return describe(always);
}

}  // namespace mayfly::kuzzle
