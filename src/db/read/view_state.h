// What a View is made of. Private to db/.
#pragma once

#include <memory>

#include "db/read/open_views.h"
#include "db/read/overlay.h"
#include "db/read/view.h"

namespace mayfly {

struct View::State {
  store::Store& store;
  Instant now;
  CatalogPtr catalog;
  store::SnapshotPtr
      snapshot;  // null: reads see the newest rows, and the guards of the commit decide
  std::unique_ptr<Overlay> overlay;  // null outside transactions
  OpenViews::Token token;            // taken before `now` was read

  State(store::Store& s, Instant n, CatalogPtr c, store::SnapshotPtr snap, OpenViews::Token t)
      : store(s), now(n), catalog(std::move(c)), snapshot(std::move(snap)), token(std::move(t)) {}

  // A commit of anything read through this view depends on the collection being unchanged.
  void uses(const Collection& collection) const {
    if (overlay) overlay->uses(collection.id, collection.row_version);
  }

  // Whether to show a version. One that was living at an earlier instant stays so; one that is
  // living now must still be living at the commit.
  bool shows(const Lens& lens, const Document& document, const Policy& policy) const {
    if (!sees(lens, document.version, policy)) return false;
    if (overlay && lens.judged >= now) {
      const bool is_removed = document.version.is_removed();
      overlay->saw_alive_until(is_removed ? forgettable_at(document.version, policy)
                                          : document.death);
    }
    return true;
  }
};

}  // namespace mayfly
