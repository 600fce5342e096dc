/** Checks guests in for one event on this device: asks the server, and decides offline when the server is too slow or unreachable. */
import type { CheckInStatus, DoorNote } from '#contract/app/check-in.ts';
import { type OfflineScan, offlineScan, type ScanResult } from '#contract/app/check-in-devices.ts';
import { checkInUndone } from '#messages/check-in.ts';
import { grantExpired } from '#messages/check-in-offline.ts';
import type { CallError } from '#web/call-error.ts';
import { newUuid } from '#web/new-uuid.ts';
import {
  checkInMessage,
  failureMessage,
  isServerAnswer,
  kindOfError,
  type ResultKind,
} from '../check-in/check-in-result.ts';
import { afterCheck, afterListRefresh, freshConnection, SLOW_MS, TIMEOUT_MS } from './connection.ts';
import { alreadyCheckedInHere, type Decision, decideOffline, isOfflineScan, messageFor } from './decide-offline.ts';
import { EventCache, type TicketListReply } from './event-cache.ts';
import type { OfflineStore } from './store/offline-store.ts';
import { syncPendingScans } from './sync/sync-pending-scans.ts';
import { UnansweredScans } from './unanswered-scans.ts';

/** The calls to the server. Each throws a `CallError`, or the abort reason of `signal`. */
export interface CheckInCalls {
  list(have: { edition: string; upTo: string } | null, pending: number, signal: AbortSignal): Promise<TicketListReply>;
  sync(scans: OfflineScan[], signal: AbortSignal): Promise<{ results: { scanId: string; result: ScanResult }[] }>;
  undo(scanId: string, signal: AbortSignal): Promise<{ msg: string }>;
  leave(signal: AbortSignal): Promise<unknown>;
}

interface SessionDeps {
  store: OfflineStore;
  calls: CheckInCalls;
  now: () => number;
  /** While true, requests never leave the device, so none of them can have reached the server. */
  isDeviceOffline: () => boolean;
  /** Whether this browser has an account's session. */
  isSignedIn: () => boolean;
  /** Informs the attendant; needs no action. */
  notify: (note: string) => void;
}

export interface CheckResult {
  scanId: string;
  kind: ResultKind;
  msg: string;
  /** What the attendant should know about the guest. Only the server tells. */
  notes: readonly DoorNote[];
  /** Why the server did not decide, if it was asked and this device decided instead. */
  failure: string | null;
}

/** Asks the server. */
export type CheckInRequest = (
  scanId: string,
  signal: AbortSignal,
) => Promise<{ msg: string; result: CheckInStatus; notes?: DoorNote[] | undefined }>;

export interface SessionState {
  isLoaded: boolean;
  isOpen: boolean;
  /** What the server said about this browser's login. */
  login: 'unasked' | 'member' | 'denied';
  /** Set when the session ended for any reason other than the attendant ending the shift. */
  closedReason: string | null;
  title: string | null;
  /** The event's timezone, once a ticket list has been read. */
  timezone: string | null;
  isCancelled: boolean;
  isOnline: boolean;
  listAsOf: Date | null;
  pending: number;
  counts: readonly { ticketName: string; isAddOn: boolean; sold: number; admitted: number }[];
  device: { name: string; admitted: number } | null;
}

const LIST_TIMEOUT_MS = 30_000;
const CONFLICT = 409;

export class CheckInSession {
  readonly #cache: EventCache;
  readonly #deps: SessionDeps;
  #connection = freshConnection;
  #isLoaded = false;
  #login: SessionState['login'] = 'unasked';
  #closedReason: string | null = null;
  readonly #unanswered = new UnansweredScans();
  /** Ids of scans that were sent and got no answer yet. */
  readonly #inFlight = new Set<string>();
  /** Ids of scans that the server answered with 400. They stay saved, and the next page load sends them again. */
  readonly #rejected = new Set<string>();
  /** Remembered, so that the attendant sees it once. */
  #lastListError: string | null = null;
  readonly #listeners = new Set<() => void>();
  /** Snapshot for `useSyncExternalStore`; `null` after a change. */
  #state: SessionState | null = null;

  constructor(eventId: string, deps: SessionDeps) {
    this.#deps = deps;
    this.#cache = new EventCache(eventId, deps.store, deps.now);
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };
  readonly state = (): SessionState => {
    this.#state ??= this.#readState();
    return this.#state;
  };

  /** Loads the saved session and watches other tabs. Returns a cleanup function. */
  start(): () => void {
    void this.#cache
      .load()
      .catch(() => {})
      .then(() => this.closeIfExpired())
      .then(() => this.enterAsMember())
      .then(() => {
        this.#isLoaded = true;
        this.#emitChange();
      });
    return this.#deps.store.onChange(this.#cache.eventId, () => {
      void this.#cache.refresh().then(() => this.#emitChange());
    });
  }

  /** Opens the session after the attendant code was accepted. */
  async open(title: string | null): Promise<void> {
    this.#connection = freshConnection;
    this.#closedReason = null;
    await this.#cache.open(title);
    this.#emitChange();
  }

  /** Members need no code: the server knows them by their login. Everyone else is asked for the code. */
  async enterAsMember(): Promise<void> {
    if (this.#cache.session || !this.#deps.isSignedIn()) return;
    const askedAt = this.#deps.now();
    const pending = this.#cache.pendingScans().length;
    try {
      const reply = await this.#deps.calls.list(null, pending, AbortSignal.timeout(TIMEOUT_MS));
      this.#login = 'member';
      await this.open(reply.title);
      await this.#cache.applyList(reply, askedAt);
    } catch (error) {
      if (!isServerAnswer(error) || kindOfError(error) === 'unreachable') return;
      this.#login = error.status === CONFLICT ? 'member' : 'denied';
      // The event is too large for a list. The server still checks single tickets.
      if (error.status === CONFLICT) await this.open(null);
    }
  }

  async closeIfExpired(): Promise<void> {
    if (this.#cache.isExpired()) await this.#close(grantExpired);
  }

  /** `request` is the call for this code, typed or scanned. */
  async check(code: string, request: CheckInRequest): Promise<CheckResult> {
    await this.closeIfExpired();
    const unanswered = this.#unanswered.idFor(code, this.#deps.now());
    const scanId = unanswered ?? newUuid();
    if (this.#closedReason !== null) return toResult(scanId, 'unreachable', this.#closedReason);
    const pending = this.#cache.pendingScans().find(({ confirmationNumber }) => confirmationNumber === code);
    // Admitted here and not synced yet, so the server would admit this ticket again.
    if (pending) return this.#resultFor(scanId, alreadyCheckedInHere(pending, this.#cache.isAddOn(pending.ticketKey)));
    const { canDecideOffline } = this.#cache;
    if (canDecideOffline && !this.#connection.isOnline)
      return this.#decideOffline(code, scanId, unanswered !== undefined, null);

    const askedAt = this.#deps.now();
    const signal = AbortSignal.timeout(canDecideOffline ? SLOW_MS : TIMEOUT_MS);
    try {
      const { msg, result, notes } = await request(scanId, signal);
      this.#recordAnswer(code, askedAt);
      if (result === 'admitted' || result === 'handed-out')
        await this.#cache.recordAdmission(code, scanId).catch(() => {});
      return toResult(scanId, result, msg, notes);
    } catch (error) {
      if (isServerAnswer(error)) return await this.#handleDenial(code, scanId, askedAt, error);
      const wasSent = !this.#deps.isDeviceOffline();
      if (wasSent) this.#unanswered.add(code, scanId, this.#deps.now());
      this.#connection = afterCheck(this.#connection, signal.aborted ? 'slow' : 'failed');
      if (canDecideOffline) return await this.#decideOffline(code, scanId, wasSent, error);
      return toResult(scanId, 'unreachable', checkInMessage(error));
    } finally {
      this.#emitChange();
    }
  }

  /** Of a guest found by name. The list has no names, so only the server can decide. */
  async checkFound(ticketId: string, request: CheckInRequest): Promise<CheckResult> {
    await this.closeIfExpired();
    const scanId = this.#unanswered.idFor(ticketId, this.#deps.now()) ?? newUuid();
    if (this.#closedReason !== null) return toResult(scanId, 'unreachable', this.#closedReason);
    const askedAt = this.#deps.now();
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const { msg, result, notes } = await request(scanId, signal);
      this.#recordAnswer(ticketId, askedAt);
      return toResult(scanId, result, msg, notes);
    } catch (error) {
      if (isServerAnswer(error)) return await this.#handleDenial(ticketId, scanId, askedAt, error);
      if (!this.#deps.isDeviceOffline()) this.#unanswered.add(ticketId, scanId, this.#deps.now());
      this.#connection = afterCheck(this.#connection, signal.aborted ? 'slow' : 'failed');
      return toResult(scanId, 'unreachable', checkInMessage(error));
    } finally {
      this.#emitChange();
    }
  }

  /** Throws what the call throws. */
  async undo(scanId: string): Promise<string> {
    const { store, calls } = this.#deps;
    return store.withLock(this.#cache.eventId, async () => {
      const pending = this.#cache.pendingScans().find((scan) => scan.scanId === scanId);
      const mayHaveArrived = !pending || pending.wasSent || this.#inFlight.has(scanId);
      if (mayHaveArrived) {
        await calls.undo(scanId, AbortSignal.timeout(TIMEOUT_MS)).catch((error: unknown) => {
          // For a pending scan, a conflict means that it never arrived.
          if (!pending || !isServerAnswer(error) || error.status !== CONFLICT) throw error;
        });
      }
      await this.#cache.deleteScans([scanId]);
      this.#emitChange();
      return checkInUndone;
    });
  }

  /** Refreshes the ticket list and syncs pending scans. Returns false if it should be retried soon. */
  async sync(): Promise<boolean> {
    await this.closeIfExpired();
    if (!this.#cache.session) return true;
    try {
      const isAnswered = await this.#refreshList();
      // Syncs on a connection that is too slow for checks, too. The session may have closed meanwhile.
      if (this.#cache.session) await this.#syncScans();
      return isAnswered;
    } catch (error) {
      await this.#handleSyncError(error);
      return false;
    } finally {
      this.#emitChange();
    }
  }

  /** Ends the shift and discards pending scans. */
  async leave(): Promise<void> {
    // Offline, the grant expires on the server; this device forgets it either way.
    if (this.#cache.session) await this.#deps.calls.leave(AbortSignal.timeout(SLOW_MS)).catch(() => {});
    this.#closedReason = null;
    await this.#cache.clear({ includePending: true });
    this.#emitChange();
  }

  async #refreshList(): Promise<boolean> {
    const askedAt = this.#deps.now();
    const { edition, upTo } = this.#cache.session?.list ?? {};
    const have = edition !== undefined && upTo !== undefined ? { edition, upTo } : null;
    const pending = this.#cache.pendingScans().length;
    try {
      const reply = await this.#deps.calls.list(have, pending, AbortSignal.timeout(LIST_TIMEOUT_MS));
      if (this.#deps.now() - askedAt <= SLOW_MS) this.#connection = afterListRefresh(this.#connection);
      return this.#cache.session === null || (await this.#cache.applyList(reply, askedAt));
    } catch (error) {
      if (!isServerAnswer(error) || error.status !== CONFLICT) throw error;
      // The event is too large for a list. The server still syncs scans and checks single tickets.
      if (this.#lastListError !== error.message) this.#deps.notify(error.message);
      this.#lastListError = error.message;
      return true;
    }
  }

  #syncScans(): Promise<void> {
    return syncPendingScans(this.#cache, {
      ...this.#deps,
      inFlight: this.#inFlight,
      rejected: this.#rejected,
      onProgress: () => this.#emitChange(),
    });
  }

  /** @param error why the server check failed; `null` if the server was not asked */
  async #decideOffline(code: string, scanId: string, wasSent: boolean, error: unknown): Promise<CheckResult> {
    try {
      const result = await this.#checkAgainstList(code, scanId, wasSent);
      return error === null ? result : { ...result, failure: failureMessage(error, result.kind) };
    } catch {
      return toResult(scanId, 'unreachable', checkInMessage(error));
    }
  }

  async #checkAgainstList(code: string, scanId: string, wasSent: boolean): Promise<CheckResult> {
    if (!offlineScan.shape.confirmationNumber.safeParse(code).success) {
      return this.#resultFor(scanId, { kind: 'unknown', ticket: null });
    }
    for (;;) {
      const event = this.#cache.session?.list ?? { isCancelled: false, opensAt: null, closesAt: null, addOns: [] };
      const decision = decideOffline(await this.#cache.findTickets(code), event, this.#cache.serverNow());
      const { kind, ticket } = decision;
      const isDecided =
        !isOfflineScan(kind) ||
        !ticket ||
        (await this.#cache.admit(ticket.key, { scanId, confirmationNumber: code, wasSent }));
      // Otherwise another tab admitted this ticket first: decide again with its scan.
      if (isDecided) {
        // Now a pending scan, which the next sync resolves.
        if (isOfflineScan(kind)) this.#unanswered.remove(code);
        return this.#resultFor(scanId, decision);
      }
    }
  }

  #resultFor(scanId: string, decision: Decision): CheckResult {
    this.#emitChange();
    const list = this.#cache.session?.list;
    return toResult(scanId, decision.kind, list ? messageFor(decision, list) : checkInMessage(null));
  }

  #recordAnswer(code: string, askedAt: number): void {
    this.#unanswered.remove(code);
    const took = this.#deps.now() - askedAt;
    this.#connection = afterCheck(this.#connection, took > SLOW_MS ? 'slow' : 'quick');
  }

  async #handleDenial(code: string, scanId: string, askedAt: number, error: CallError): Promise<CheckResult> {
    this.#recordAnswer(code, askedAt);
    const msg = checkInMessage(error);
    if (error.status === 401) await this.#close(msg);
    return toResult(scanId, kindOfError(error), msg);
  }

  async #handleSyncError(error: unknown): Promise<void> {
    if (!isServerAnswer(error)) this.#connection = afterCheck(this.#connection, 'failed');
    else if (error.status === 401) await this.#close(checkInMessage(error));
  }

  async #close(reason: string): Promise<void> {
    this.#closedReason = reason;
    await this.#cache.clear({ includePending: false });
    this.#emitChange();
  }

  /** Notifies listeners in a later task, so that a check result and the new state render together. */
  #emitChange(): void {
    this.#state = null;
    setTimeout(() => {
      for (const listener of this.#listeners) listener();
    });
  }

  #readState(): SessionState {
    const { session } = this.#cache;
    return {
      isLoaded: this.#isLoaded,
      isOpen: session !== null,
      login: this.#login,
      closedReason: this.#closedReason,
      title: session?.title ?? null,
      timezone: session?.list?.timezone ?? null,
      isCancelled: session?.list?.isCancelled ?? false,
      isOnline: this.#connection.isOnline,
      listAsOf: session?.list && this.#cache.canDecideOffline ? new Date(session.list.from) : null,
      pending: this.#cache.pendingScans().length,
      counts: this.#cache.counts(),
      device: this.#cache.device(),
    };
  }
}

const toResult = (scanId: string, kind: ResultKind, msg: string, notes: readonly DoorNote[] = []): CheckResult => ({
  scanId,
  kind,
  msg,
  notes,
  failure: null,
});
