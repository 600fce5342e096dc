/** One event as this device knows it: in memory, where each check looks, and in the store, which outlives the page. */

import type * as z from 'zod/mini';
import type { doorList } from '#contract/door.ts';
import type { Candidate } from './decide-offline.ts';
import {
  type DoorStore,
  isAheadOf,
  isWaiting,
  type KeptDoor,
  type KeptScan,
  type WaitingScan,
} from './store/offline-store.ts';
import { canHash, hashOfNumber } from './ticket-list/hash-number.ts';
import { bytesOf, type ListedTicket, TicketList } from './ticket-list/offline-ticket-list.ts';

export type ListReply = z.infer<typeof doorList.reply>;

/** A grant says itself when it ends. A door without one, which is the organizer's own, is kept so long after its last list. */
const DAY_MS = 24 * 60 * 60 * 1000;

export class DoorBook {
  readonly eventId: string;
  readonly store: DoorStore;
  readonly now: () => number;
  door: KeptDoor | null = null;
  #tickets: TicketList | null = null;
  #scans = new Map<number, KeptScan>();
  /** Counts what changed `#scans`, so that a reading which began before is not believed. */
  #changes = 0;
  #writing: Promise<void> = Promise.resolve();

  constructor(eventId: string, store: DoorStore, now: () => number) {
    this.eventId = eventId;
    this.store = store;
    this.now = now;
  }

  async load(): Promise<void> {
    const { door, tickets, scans } = await this.store.read(this.eventId);
    this.#takeScans(scans);
    this.#tickets = tickets && new TicketList(tickets);
    // One without the other is of no use: the next list then comes whole.
    this.door = door && { ...door, list: tickets ? door.list : null };
  }

  async open(title: string | null): Promise<void> {
    this.#tickets = null;
    this.door = { eventId: this.eventId, title, openedAt: this.now(), aheadMs: 0, list: null };
    await this.#keep(() => this.store.putDoor(this.#doorOrThrow(), null));
  }

  /** Another tab may have let somebody in, handed in, or left. */
  async glance(): Promise<void> {
    for (;;) {
      const changes = this.#changes;
      const { isOpen, scans } = await this.store.glance(this.eventId);
      if (changes !== this.#changes) continue;
      this.#takeScans(scans);
      if (!isOpen) this.#close();
      return;
    }
  }

  get canDecide(): boolean {
    return canHash() && this.#tickets !== null && this.door !== null && this.door.list !== null;
  }

  serverNow(): number {
    return this.now() + (this.door?.aheadMs ?? 0);
  }

  isOver(): boolean {
    if (!this.door) return false;
    const { list, openedAt, aheadMs } = this.door;
    return this.serverNow() >= (list?.grantEndsAt ?? (list?.from ?? openedAt + aheadMs) + DAY_MS);
  }

  /** False for changes of a list that this device does not have: it then asks for the whole. */
  async takeNews(reply: ListReply, askedAt: number): Promise<boolean> {
    const { isWhole, tickets, now, title, ...facts } = reply;
    const { openedAt, list } = this.#doorOrThrow();
    const news = bytesOf(tickets);
    const isMissing = !isWhole && (list?.edition !== reply.edition || !this.#tickets);
    if (isWhole || !this.#tickets) this.#tickets = isMissing ? null : new TicketList(news);
    else if (!isMissing) this.#tickets.change(news);

    this.door = {
      eventId: this.eventId,
      title,
      openedAt,
      aheadMs: now - this.now(),
      list: isMissing ? null : { ...facts, title, from: now, askedAt },
    };
    const hasChanged = isWhole || news.length > 0;
    await this.#keep(() =>
      this.store.putDoor(this.#doorOrThrow(), hasChanged ? (this.#tickets?.toBytes() ?? null) : null),
    );
    return !isMissing;
  }

  async find(confirmationNumber: string): Promise<Candidate[]> {
    const list = this.door?.list;
    if (!list || !this.#tickets) return [];
    return this.#tickets.withHash(await hashOfNumber(confirmationNumber, list)).map((ticket) => {
      const own = this.#scans.get(ticket.key);
      return { ...ticket, admittedHereAt: own?.at ?? null, isAheadOfList: own !== undefined && isAheadOf(own, list) };
    });
  }

  /** The oldest first. */
  waiting(): WaitingScan[] {
    return [...this.#scans.values()].filter(isWaiting).sort((a, b) => a.at - b.at);
  }

  /** False where this ticket was let in by another tab in the meantime. */
  async letIn(ticketKey: number, scan: { scanId: string; confirmationNumber: string; wasSent: boolean }) {
    return this.#claim({ ...scan, eventId: this.eventId, ticketKey, at: this.serverNow(), knownAt: null });
  }

  /** The server has let in the holder of this number; until the next list, this device would not know. */
  async noteAdmission(confirmationNumber: string, scanId: string): Promise<void> {
    const ticket = (await this.find(confirmationNumber)).find(({ state }) => state === 'valid');
    if (!ticket) return;
    const [at, knownAt] = [this.serverNow(), this.now()];
    const { eventId } = this;
    const scan = { eventId, ticketKey: ticket.key, scanId, at, confirmationNumber: null, wasSent: true, knownAt };
    await this.#claim(scan);
  }

  async markKnown(scanIds: readonly string[]): Promise<void> {
    const knownAt = this.now();
    await this.#keep(() => this.store.markKnown(this.eventId, scanIds, knownAt));
    for (const scan of this.#these(scanIds)) this.#set({ ...scan, confirmationNumber: null, knownAt });
  }

  async drop(scanIds: readonly string[]): Promise<void> {
    await this.#keep(() => this.store.drop(this.eventId, scanIds));
    this.#takeScans([...this.#scans.values()].filter(({ scanId }) => !scanIds.includes(scanId)));
  }

  async forget({ evenWaiting }: { evenWaiting: boolean }): Promise<void> {
    // At once, so that no answer that is still on its way is kept after all.
    this.#close();
    await this.#keep(() => this.store.forget(this.eventId, evenWaiting));
    this.#takeScans(evenWaiting ? [] : this.waiting());
  }

  /** With those whom this device let in since: the list does not count them yet. */
  counts(): { ticketName: string; sold: number; admitted: number }[] {
    const list = this.door?.list;
    if (!list) return [];
    const since = this.#notCounted();
    return list.ticketTypes.map((ticketName, place) => {
      const { sold, admitted } = list.counts[place] ?? { sold: 0, admitted: 0 };
      const ofType = since.filter(({ ticketType }) => ticketType === place).length;
      return { ticketName, sold, admitted: admitted + ofType };
    });
  }

  device(): { name: string; admitted: number } | null {
    const device = this.door?.list?.device;
    return device ? { name: device.name, admitted: device.admitted + this.#notCounted().length } : null;
  }

  #notCounted(): ListedTicket[] {
    return [...this.#scans.values()]
      .filter((scan) => isAheadOf(scan, this.door?.list))
      .flatMap(({ ticketKey }) => this.#tickets?.withKey(ticketKey) ?? [])
      .filter(({ state }) => state !== 'scanned');
  }

  async #claim(scan: KeptScan): Promise<boolean> {
    const earlier = await this.store.claim(scan, this.door?.list ?? null).catch(() => null);
    this.#set(earlier ?? scan);
    return earlier === null;
  }

  #these(scanIds: readonly string[]): KeptScan[] {
    const wanted = new Set(scanIds);
    return [...this.#scans.values()].filter(({ scanId }) => wanted.has(scanId));
  }

  #set(scan: KeptScan): void {
    this.#changes += 1;
    this.#scans.set(scan.ticketKey, scan);
  }

  #takeScans(scans: readonly KeptScan[]): void {
    this.#changes += 1;
    this.#scans = new Map(scans.map((scan) => [scan.ticketKey, scan]));
  }

  #close(): void {
    this.door = null;
    this.#tickets = null;
  }

  #doorOrThrow(): KeptDoor {
    if (!this.door) throw new Error('this door is not open');
    return this.door;
  }

  /** In order. A full or broken disk must not close the door: it then works for as long as the page. */
  #keep(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.then(work).catch(() => {});
    return this.#writing;
  }
}
