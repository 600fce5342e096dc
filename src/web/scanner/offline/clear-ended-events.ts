import { DoorBook } from './event-cache.ts';
import type { DoorStore } from './store/offline-store.ts';

/** Doors whose time was over while nobody looked. What waits to be handed in stays. The door of `here` says for itself that it is over. */
export async function forgetEndedDoors(store: DoorStore, now: number, here: string): Promise<void> {
  for (const { eventId, door } of await store.doors()) {
    if (!door || eventId === here) continue;
    const book = new DoorBook(eventId, store, () => now);
    await book.load();
    if (book.isOver()) await book.forget({ evenWaiting: false });
  }
}
