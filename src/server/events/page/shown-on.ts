import { LRUCache } from 'lru-cache';

/** More than the caches hold. What falls out of the index is noticed when the page gets too old. */
const INDEX_MAX = 200_000;

/** The cached pages on which something is shown. A notification names what changed, not the pages. */
export class ShownOn {
  readonly #pages = new LRUCache<string, readonly string[]>({ max: INDEX_MAX });
  readonly #changed = new Set<string>();
  #readings = 0;

  /** Until it ends, changes are remembered: what a page that is being read shows may not be known yet. */
  startReading(): { end: () => void } {
    this.#readings += 1;
    return {
      end: () => {
        this.#readings -= 1;
        if (this.#readings === 0) this.#changed.clear();
      },
    };
  }

  /** Whether one of them has changed since the reading began. */
  add(page: string, ids: readonly string[]): boolean {
    for (const id of ids) {
      const pages = this.#pages.get(id);
      if (!pages?.includes(page)) this.#pages.set(id, pages ? [...pages, page] : [page]);
    }
    return ids.some((id) => this.#changed.has(id));
  }

  /** The pages that show it. */
  changed(id: string): readonly string[] {
    if (this.#readings > 0) this.#changed.add(id);
    return this.#pages.get(id) ?? [];
  }
}
