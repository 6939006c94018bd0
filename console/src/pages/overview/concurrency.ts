// Many calls, a few at once.

export interface Outcome<T> {
  value?: T;
  error?: Error;
}

// The outcomes are in the order of the items; one that fails does not stop the others.
export async function mapConcurrently<Item, T>(
  items: Item[],
  concurrency: number,
  work: (item: Item) => Promise<T>,
): Promise<Outcome<T>[]> {
  const outcomes: Outcome<T>[] = [];
  const rest = items.entries();
  const takeItems = async () => {
    for (const [index, item] of rest) {
      try {
        outcomes[index] = { value: await work(item) };
      } catch (error) {
        outcomes[index] = { error: error as Error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, takeItems));
  return outcomes;
}
