/** This device's data for one event: in memory for every check, and written through to a store that survives a reload. */

import type * as z from 'zod/mini';
import type { offlineTicketList } from '#contract/app/check-in-devices.ts';
import type { Candidate } from './decide-offline.ts';
import {
  isNewerThan,
  isPending,
  type OfflineStore,
  type PendingScan,
  type SavedScan,
  type SavedSession,
} from './store/offline-store.ts';
import { canHash, hashNumber } from './ticket-list/hash-number.ts';
import { decodeBase64, type ListedTicket, OfflineTicketList } from './ticket-list/offline-ticket-list.ts';

export type TicketListReply = z.infer<typeof offlineTicketList.reply>;

/** Expires a session without a grant, which is the organizer's own, this long after its last list. */
const DAY_MS = 24 * 60 * 60 * 1000;

export class EventCache {
  readonly eventId: string;
  readonly store: OfflineStore;
  readonly now: () => number;
  session: SavedSession | null = null;
  #tickets: OfflineTicketList | null = null;
  #scans = new Map<number, SavedScan>();
  /** Increments with each change of `#scans`, so that a read that started earlier is discarded. */
  #version = 0;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(eventId: string, store: OfflineStore, now: () => number) {
    this.eventId = eventId;
    this.store = store;
    this.now = now;
  }

  async load(): Promise<void> {
    const { session, tickets, scans } = await this.store.read(this.eventId);
    this.#setScans(scans);
    this.#tickets = tickets && new OfflineTicketList(tickets);
    // A list without its tickets is useless: dropping it makes the next list complete.
    this.session = session && { ...session, list: tickets ? session.list : null };
  }

  async open(title: string | null): Promise<void> {
    this.#tickets = null;
    this.session = { eventId: this.eventId, title, openedAt: this.now(), aheadMs: 0, list: null };
    await this.#persist(() => this.store.saveSession(this.#sessionOrThrow(), null));
  }

  /** Rereads what another tab may have changed: scans, and whether the session is open. */
  async refresh(): Promise<void> {
    for (;;) {
      const version = this.#version;
      const { isOpen, scans } = await this.store.peek(this.eventId);
      if (version !== this.#version) continue;
      this.#setScans(scans);
      if (!isOpen) this.#closeSession();
      return;
    }
  }

  get canDecideOffline(): boolean {
    return canHash() && this.#tickets !== null && this.session !== null && this.session.list !== null;
  }

  serverNow(): number {
    return this.now() + (this.session?.aheadMs ?? 0);
  }

  isExpired(): boolean {
    if (!this.session) return false;
    const { list, openedAt, aheadMs } = this.session;
    return this.serverNow() >= (list?.grantEndsAt ?? (list?.from ?? openedAt + aheadMs) + DAY_MS);
  }

  /** Returns false for changes to a list that this device lacks; it then asks for the complete list. */
  async applyList(reply: TicketListReply, askedAt: number): Promise<boolean> {
    const { isWhole, tickets, now, title, ...rest } = reply;
    const { openedAt, list } = this.#sessionOrThrow();
    const bytes = decodeBase64(tickets);
    const isGap = !isWhole && (list?.edition !== reply.edition || !this.#tickets);
    if (isWhole || !this.#tickets) this.#tickets = isGap ? null : new OfflineTicketList(bytes);
    else if (!isGap) this.#tickets.apply(bytes);

    this.session = {
      eventId: this.eventId,
      title,
      openedAt,
      aheadMs: now - this.now(),
      list: isGap ? null : { ...rest, title, from: now, askedAt },
    };
    const hasChanges = isWhole || bytes.length > 0;
    await this.#persist(() =>
      this.store.saveSession(this.#sessionOrThrow(), hasChanges ? (this.#tickets?.toBytes() ?? null) : null),
    );
    return !isGap;
  }

  async findTickets(confirmationNumber: string): Promise<Candidate[]> {
    const list = this.session?.list;
    if (!list || !this.#tickets) return [];
    return this.#tickets.findByHash(await hashNumber(confirmationNumber, list)).map((ticket) => {
      const scan = this.#scans.get(ticket.key);
      return {
        ...ticket,
        admittedHereAt: scan?.at ?? null,
        isNewerThanList: scan !== undefined && isNewerThan(scan, list),
      };
    });
  }

  isAddOn(ticketKey: number): boolean {
    const ticket = this.#tickets?.findByKey(ticketKey);
    return ticket !== undefined && (this.session?.list?.addOns.includes(ticket.ticketType) ?? false);
  }

  /** Oldest first. */
  pendingScans(): PendingScan[] {
    return [...this.#scans.values()].filter(isPending).sort((a, b) => a.at - b.at);
  }

  /** Returns false if another tab has admitted this ticket meanwhile. */
  async admit(ticketKey: number, scan: { scanId: string; confirmationNumber: string; wasSent: boolean }) {
    return this.#claimTicket({ ...scan, eventId: this.eventId, ticketKey, at: this.serverNow(), knownAt: null });
  }

  /** Records an admission by the server, which the list shows only after its next refresh. */
  async recordAdmission(confirmationNumber: string, scanId: string): Promise<void> {
    const ticket = (await this.findTickets(confirmationNumber)).find(({ state }) => state === 'valid');
    if (!ticket) return;
    const [at, knownAt] = [this.serverNow(), this.now()];
    const { eventId } = this;
    const scan = { eventId, ticketKey: ticket.key, scanId, at, confirmationNumber: null, wasSent: true, knownAt };
    await this.#claimTicket(scan);
  }

  async markSynced(scanIds: readonly string[]): Promise<void> {
    const knownAt = this.now();
    await this.#persist(() => this.store.markSynced(this.eventId, scanIds, knownAt));
    for (const scan of this.#scansById(scanIds)) this.#setScan({ ...scan, confirmationNumber: null, knownAt });
  }

  async deleteScans(scanIds: readonly string[]): Promise<void> {
    await this.#persist(() => this.store.deleteScans(this.eventId, scanIds));
    this.#setScans([...this.#scans.values()].filter(({ scanId }) => !scanIds.includes(scanId)));
  }

  async clear({ includePending }: { includePending: boolean }): Promise<void> {
    // Before the write, so that a reply in flight is not saved afterwards.
    this.#closeSession();
    await this.#persist(() => this.store.clear(this.eventId, includePending));
    this.#setScans(includePending ? [] : this.pendingScans());
  }

  /** Includes this device's admissions that the list does not count yet. */
  counts(): { ticketName: string; isAddOn: boolean; sold: number; admitted: number }[] {
    const list = this.session?.list;
    if (!list) return [];
    const uncounted = this.#uncountedTickets();
    return list.ticketTypes.map((ticketName, index) => {
      const { sold, admitted } = list.counts[index] ?? { sold: 0, admitted: 0 };
      const ofType = uncounted.filter(({ ticketType }) => ticketType === index).length;
      return { ticketName, isAddOn: list.addOns.includes(index), sold, admitted: admitted + ofType };
    });
  }

  device(): { name: string; admitted: number } | null {
    const device = this.session?.list?.device;
    if (!device) return null;
    const uncounted = this.#uncountedTickets().filter(({ key }) => !this.isAddOn(key));
    return { name: device.name, admitted: device.admitted + uncounted.length };
  }

  #uncountedTickets(): ListedTicket[] {
    return [...this.#scans.values()]
      .filter((scan) => isNewerThan(scan, this.session?.list))
      .flatMap(({ ticketKey }) => this.#tickets?.findByKey(ticketKey) ?? [])
      .filter(({ state }) => state !== 'scanned');
  }

  async #claimTicket(scan: SavedScan): Promise<boolean> {
    const earlier = await this.store.claim(scan, this.session?.list ?? null).catch(() => null);
    this.#setScan(earlier ?? scan);
    return earlier === null;
  }

  #scansById(scanIds: readonly string[]): SavedScan[] {
    const wanted = new Set(scanIds);
    return [...this.#scans.values()].filter(({ scanId }) => wanted.has(scanId));
  }

  #setScan(scan: SavedScan): void {
    this.#version += 1;
    this.#scans.set(scan.ticketKey, scan);
  }

  #setScans(scans: readonly SavedScan[]): void {
    this.#version += 1;
    this.#scans = new Map(scans.map((scan) => [scan.ticketKey, scan]));
  }

  #closeSession(): void {
    this.session = null;
    this.#tickets = null;
  }

  #sessionOrThrow(): SavedSession {
    if (!this.session) throw new Error('this session is not open');
    return this.session;
  }

  /** Writes in order. A failed write, such as on a full disk, must not end the session: the data then lasts until the page closes. */
  #persist(work: () => Promise<void>): Promise<void> {
    this.#lastWrite = this.#lastWrite.then(work).catch(() => {});
    return this.#lastWrite;
  }
}
