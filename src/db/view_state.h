// What a View is made of. Private to db/.
#pragma once

#include <memory>

#include "db/open_views.h"
#include "db/overlay.h"
#include "db/view.h"

namespace mayfly {

struct View::State {
  store::Store& store;
  Instant now;
  CatalogPtr catalog;
  store::SnapshotPtr snapshot;  // null: reads see the newest rows, and the commit's guards decide
  std::unique_ptr<Overlay> overlay;  // null outside transactions
  OpenViews::Token token;

  State(store::Store& s, Instant n, CatalogPtr c, store::SnapshotPtr snap, OpenViews& open)
      : store(s), now(n), catalog(std::move(c)), snapshot(std::move(snap)), token(open, n) {}

  // A version that is about to be shown.
  bool shows(const Lens& lens, const Document& document, const Policy& policy) const {
    if (!sees(lens, document.version, policy)) return false;
    if (overlay) overlay->saw_alive_until(document.death);
    return true;
  }
};

}  // namespace mayfly
