/** Lets guests in at one event's door from this device: asks the server, and decides alone where that takes too long. */
import type { DoorResult } from '#contract/admission.ts';
import { grantOver, type OfflineScan, offlineScan, type ScanOutcome, scanTakenBack } from '#contract/door.ts';
import type { CallError } from '#web/call-error.ts';
import { newUuid } from '#web/new-uuid.ts';
import {
  doorMessage,
  failureOf,
  isServersAnswer,
  kindOfRefusal,
  type ResultKind,
} from '../check-in/check-in-result.ts';
import { freshLine, lineAfter, lineAfterNews, PATIENCE_MS, SLOW_MS } from './connection.ts';
import { alreadyInHere, decide, type Verdict, wordsFor } from './decide-offline.ts';
import { DoorBook, type ListReply } from './event-cache.ts';
import type { DoorStore } from './store/offline-store.ts';
import { handInWaiting } from './sync/sync-pending-scans.ts';
import { UnansweredScans } from './unanswered-scans.ts';

/** What the keeper asks the server. Each throws a `CallError`, or whatever `signal` was aborted with. */
export interface DoorCalls {
  list(have: { edition: string; upTo: string } | null, pending: number, signal: AbortSignal): Promise<ListReply>;
  handIn(scans: OfflineScan[], signal: AbortSignal): Promise<{ outcomes: { scanId: string; outcome: ScanOutcome }[] }>;
  takeBack(scanId: string, signal: AbortSignal): Promise<{ msg: string }>;
  leave(signal: AbortSignal): Promise<unknown>;
}

interface Surroundings {
  store: DoorStore;
  calls: DoorCalls;
  now: () => number;
  /** Nothing can leave this device: what was tried then has never reached the server. */
  isUnplugged: () => boolean;
  /** Something that the attendant should know, and need not act on. */
  tell: (note: string) => void;
}

export interface Checked {
  scanId: string;
  kind: ResultKind;
  msg: string;
  /** Why the server did not decide, where it was asked and this device decided instead. */
  failure: string | null;
}

export interface DoorState {
  isLoaded: boolean;
  isOpen: boolean;
  /** Why the door was closed on the attendant. */
  closedBecause: string | null;
  title: string | null;
  /** The event's, once a list has told it. */
  timezone: string | null;
  isOnline: boolean;
  listFrom: Date | null;
  pending: number;
  counts: readonly { ticketName: string; sold: number; admitted: number }[];
  device: { name: string; admitted: number } | null;
}

const LIST_PATIENCE_MS = 30_000;
const CONFLICT = 409;

export class DoorKeeper {
  readonly #book: DoorBook;
  readonly #around: Surroundings;
  #line = freshLine;
  #isLoaded = false;
  #closedBecause: string | null = null;
  readonly #unanswered = new UnansweredScans();
  /** Scans that were on their way to the server when something failed. */
  readonly #handedIn = new Set<string>();
  /** Scans that the server cannot read. They stay, and are handed in again by the next page, which may be a newer one. */
  readonly #setAside = new Set<string>();
  /** Said once. */
  #noListBecause: string | null = null;
  readonly #listeners = new Set<() => void>();
  /** `null`: it has changed since it was looked at. */
  #state: DoorState | null = null;

  constructor(eventId: string, around: Surroundings) {
    this.#around = around;
    this.#book = new DoorBook(eventId, around.store, around.now);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = (): DoorState => {
    this.#state ??= this.#look();
    return this.#state;
  };

  /** Reads what is kept. Returns how to stop following what other tabs do. */
  follow(): () => void {
    void this.#book
      .load()
      .catch(() => {})
      .then(() => this.closeIfOver())
      .then(() => {
        this.#isLoaded = true;
        this.#show();
      });
    return this.#around.store.onChange(this.#book.eventId, () => {
      void this.#book.glance().then(() => this.#show());
    });
  }

  /** The code was accepted. */
  async open(title: string | null): Promise<void> {
    this.#line = freshLine;
    this.#closedBecause = null;
    await this.#book.open(title);
    this.#show();
  }

  async closeIfOver(): Promise<void> {
    if (this.#book.isOver()) await this.#close(grantOver);
  }

  /** `ask` is the call that checks this code, which may be a typed one or one that was read. */
  async check(
    code: string,
    ask: (scanId: string, signal: AbortSignal) => Promise<{ msg: string; result: DoorResult }>,
  ): Promise<Checked> {
    await this.closeIfOver();
    const unanswered = this.#unanswered.idFor(code, this.#around.now());
    const scanId = unanswered ?? newUuid();
    if (this.#closedBecause !== null) return said(scanId, 'unreachable', this.#closedBecause);
    const own = this.#book.waiting().find(({ confirmationNumber }) => confirmationNumber === code);
    // The server does not know yet that this ticket is in.
    if (own) return this.#decided(scanId, alreadyInHere(own.ticketKey, own.at));
    const { canDecide } = this.#book;
    if (canDecide && !this.#line.isOnline) return this.#decideAlone(code, scanId, unanswered !== undefined, null);

    const askedAt = this.#around.now();
    const signal = AbortSignal.timeout(canDecide ? SLOW_MS : PATIENCE_MS);
    try {
      const { msg, result } = await ask(scanId, signal);
      this.#answered(code, askedAt);
      if (result === 'admitted') await this.#book.noteAdmission(code, scanId).catch(() => {});
      return said(scanId, result, msg);
    } catch (error) {
      if (isServersAnswer(error)) return await this.#refused(code, scanId, askedAt, error);
      const wasSent = !this.#around.isUnplugged();
      if (wasSent) this.#unanswered.add(code, scanId, this.#around.now());
      this.#line = lineAfter(this.#line, signal.aborted ? 'slow' : 'failed');
      if (canDecide) return await this.#decideAlone(code, scanId, wasSent, error);
      return said(scanId, 'unreachable', doorMessage(error));
    } finally {
      this.#show();
    }
  }

  /** Throws what the call throws. */
  async takeBack(scanId: string): Promise<string> {
    const { store, calls } = this.#around;
    return store.inTurn(this.#book.eventId, async () => {
      const waiting = this.#book.waiting().find((scan) => scan.scanId === scanId);
      const mayBeKnown = !waiting || waiting.wasSent || this.#handedIn.has(scanId);
      if (mayBeKnown) {
        await calls.takeBack(scanId, AbortSignal.timeout(PATIENCE_MS)).catch((error: unknown) => {
          // Of one that waits this says that it had not arrived after all.
          if (!waiting || !isServersAnswer(error) || error.status !== CONFLICT) throw error;
        });
      }
      await this.#book.drop([scanId]);
      this.#show();
      return scanTakenBack;
    });
  }

  /** Asks for what has changed, and hands in what waits. Says whether the server answered. */
  async askForNews(): Promise<boolean> {
    await this.closeIfOver();
    if (!this.#book.door) return true;
    try {
      const isTaken = await this.#takeNews();
      // Also over a line that is too slow for checks. Somebody may have left meanwhile.
      if (this.#book.door) await this.#handIn();
      return isTaken;
    } catch (error) {
      await this.#failed(error);
      return false;
    } finally {
      this.#show();
    }
  }

  /** Gives up what waits, too. */
  async leave(): Promise<void> {
    // Offline the grant ends by itself; this device forgets it either way.
    if (this.#book.door) await this.#around.calls.leave(AbortSignal.timeout(SLOW_MS)).catch(() => {});
    this.#closedBecause = null;
    await this.#book.forget({ evenWaiting: true });
    this.#show();
  }

  async #takeNews(): Promise<boolean> {
    const askedAt = this.#around.now();
    const { edition, upTo } = this.#book.door?.list ?? {};
    const have = edition !== undefined && upTo !== undefined ? { edition, upTo } : null;
    const pending = this.#book.waiting().length;
    try {
      const reply = await this.#around.calls.list(have, pending, AbortSignal.timeout(LIST_PATIENCE_MS));
      if (this.#around.now() - askedAt <= SLOW_MS) this.#line = lineAfterNews(this.#line);
      return this.#book.door === null || (await this.#book.takeNews(reply, askedAt));
    } catch (error) {
      if (!isServersAnswer(error) || error.status !== CONFLICT) throw error;
      // There is no list of this event, but the server takes what waits, and checks one ticket at a time.
      if (this.#noListBecause !== error.message) this.#around.tell(error.message);
      this.#noListBecause = error.message;
      return true;
    }
  }

  #handIn(): Promise<void> {
    return handInWaiting(this.#book, {
      ...this.#around,
      mayBeKnown: this.#handedIn,
      setAside: this.#setAside,
      show: () => this.#show(),
    });
  }

  /** @param error what the check failed with; `null` where the server was not asked */
  async #decideAlone(code: string, scanId: string, wasSent: boolean, error: unknown): Promise<Checked> {
    try {
      const checked = await this.#byList(code, scanId, wasSent);
      return error === null ? checked : { ...checked, failure: failureOf(error, checked.kind) };
    } catch {
      return said(scanId, 'unreachable', doorMessage(error));
    }
  }

  async #byList(code: string, scanId: string, wasSent: boolean): Promise<Checked> {
    if (!offlineScan.shape.confirmationNumber.safeParse(code).success) {
      return this.#decided(scanId, { kind: 'unknown', ticket: null });
    }
    for (;;) {
      const verdict = decide(await this.#book.find(code), this.#book.door?.list?.isCancelled ?? false);
      const { kind, ticket } = verdict;
      const isLetIn =
        kind !== 'admitted-offline' ||
        !ticket ||
        (await this.#book.letIn(ticket.key, { scanId, confirmationNumber: code, wasSent }));
      // Else another tab was earlier with this ticket: it is decided again, by what is known now.
      if (isLetIn) {
        // It waits to be handed in now, which settles it.
        if (kind === 'admitted-offline') this.#unanswered.settle(code);
        return this.#decided(scanId, verdict);
      }
    }
  }

  #decided(scanId: string, verdict: Verdict): Checked {
    this.#show();
    const list = this.#book.door?.list;
    return said(scanId, verdict.kind, list ? wordsFor(verdict, list) : doorMessage(null));
  }

  #answered(code: string, askedAt: number): void {
    this.#unanswered.settle(code);
    const took = this.#around.now() - askedAt;
    this.#line = lineAfter(this.#line, took > SLOW_MS ? 'slow' : 'quick');
  }

  async #refused(code: string, scanId: string, askedAt: number, error: CallError): Promise<Checked> {
    this.#answered(code, askedAt);
    const msg = doorMessage(error);
    if (error.status === 401) await this.#close(msg);
    return said(scanId, kindOfRefusal(error), msg);
  }

  async #failed(error: unknown): Promise<void> {
    if (!isServersAnswer(error)) this.#line = lineAfter(this.#line, 'failed');
    else if (error.status === 401) await this.#close(doorMessage(error));
  }

  async #close(why: string): Promise<void> {
    this.#closedBecause = why;
    await this.#book.forget({ evenWaiting: false });
    this.#show();
  }

  /** Told a moment later: the answer to a check is drawn first, and by what holds then, so that it is drawn once. */
  #show(): void {
    this.#state = null;
    setTimeout(() => {
      for (const tell of this.#listeners) tell();
    });
  }

  #look(): DoorState {
    const { door } = this.#book;
    return {
      isLoaded: this.#isLoaded,
      isOpen: door !== null,
      closedBecause: this.#closedBecause,
      title: door?.title ?? null,
      timezone: door?.list?.timezone ?? null,
      isOnline: this.#line.isOnline,
      listFrom: door?.list && this.#book.canDecide ? new Date(door.list.from) : null,
      pending: this.#book.waiting().length,
      counts: this.#book.counts(),
      device: this.#book.device(),
    };
  }
}

const said = (scanId: string, kind: ResultKind, msg: string): Checked => ({ scanId, kind, msg, failure: null });
