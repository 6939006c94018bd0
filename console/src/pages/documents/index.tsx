import { Empty } from '../../parts/notes';
import { CollectionPage } from './collection_page';
import { placeOf } from './place';

export function Documents() {
  const place = placeOf();
  if (place) return <CollectionPage key={JSON.stringify([place.database, place.collection])} place={place} />;
  return (
    <>
      <h1>Documents</h1>
      <Empty>Choose a collection on the left to see its documents.</Empty>
    </>
  );
}
