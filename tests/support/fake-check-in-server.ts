/** A minimal check-in server, for tests of a device whose server is slow, down or of another opinion. */
import { createHash, randomBytes } from 'node:crypto';
import { type ListState, listStates, type OfflineScan, type ScanResult } from '#contract/app/check-in-devices.ts';
import { hashBits } from '#domain/offline-list.ts';
import { admitted, checkInUndone } from '#messages/check-in.ts';
import type { ErrorCode, ErrorParams } from '#messages/errors.ts';
import { CallError } from '#web/call-error.ts';
import type { CheckInCalls } from '#web/scanner/offline/check-in-session.ts';
import { errorBody } from './error-body.ts';

interface FakeTicket {
  key: Buffer;
  state: ListState;
  scanId: string | null;
  scannedBy: string | null;
  changedAt: number;
}

const SALT = 'c0ffee';
const TYPES = ['Floor', 'Balcony'];

export class FakeCheckInServer {
  readonly tickets = new Map<string, FakeTicket>();
  readonly results = new Map<string, { result: ScanResult; device: string; confirmationNumber: string }>();
  edition = 'first';
  isCancelled = false;
  hours: { opensAt: number | null; closesAt: number | null } = { opensAt: null, closesAt: null };
  grantEndsAt: number | null = null;
  #changes = 0;

  add(confirmationNumber: string, state: ListState = 'valid'): void {
    const ticket = { key: randomBytes(6), state, scanId: null, scannedBy: null, changedAt: ++this.#changes };
    this.tickets.set(confirmationNumber, ticket);
  }

  set(confirmationNumber: string, change: Partial<FakeTicket>): void {
    Object.assign(this.#ticket(confirmationNumber), change, { changedAt: ++this.#changes });
  }

  /** What one device asks; `now` is the server's clock. */
  callsOf(device: string, now: () => number): CheckInCalls {
    return {
      list: async (have) => this.#list(have, device, now()),
      sync: async (scans) => ({ results: scans.map((scan) => this.#judge(scan, device)) }),
      undo: async (scanId) => {
        const found = [...this.tickets].find(([, ticket]) => ticket.scanId === scanId);
        if (!found) throw new CallError(409, "It's too late to undo this check-in.");
        this.set(found[0], { state: 'valid', scanId: null, scannedBy: null });
        return { msg: checkInUndone };
      },
      leave: async () => undefined,
    };
  }

  check(confirmationNumber: string, scanId: string, device: string): { msg: string; result: 'admitted' } {
    const ticket = this.tickets.get(confirmationNumber);
    const denied = <Code extends ErrorCode>(code: Code, ...params: ErrorParams<Code>) => {
      const body = errorBody(code, ...params);
      return new CallError(409, body.msg, body);
    };
    if (!ticket) throw denied('check-in.unknown-ticket');
    if (ticket.state === 'valid') this.set(confirmationNumber, { state: 'scanned', scanId, scannedBy: device });
    if (ticket.scanId === scanId) return { msg: admitted('Floor'), result: 'admitted' };
    if (ticket.state === 'scanned') throw denied('check-in.already-in', { time: '7:32 PM', device: ticket.scannedBy });
    throw denied('check-in.void');
  }

  #judge({ scanId, confirmationNumber }: OfflineScan, device: string): { scanId: string; result: ScanResult } {
    const known = this.results.get(scanId);
    if (known) return { scanId, result: known.result };
    const result = this.#outcomeOf(confirmationNumber, scanId, device);
    if (result === 'first') this.set(confirmationNumber, { state: 'scanned', scanId, scannedBy: device });
    this.results.set(scanId, { result, device, confirmationNumber });
    return { scanId, result };
  }

  #outcomeOf(confirmationNumber: string, scanId: string, device: string): ScanResult {
    const ticket = this.tickets.get(confirmationNumber);
    if (!ticket) return 'unknown';
    if (ticket.state === 'valid' || ticket.scanId === scanId) return 'first';
    if (ticket.state === 'scanned') return ticket.scannedBy === device ? 'again' : 'double';
    return ticket.state === 'disputed' ? 'disputed' : 'refunded';
  }

  #list(have: { edition: string; upTo: string } | null, device: string, now: number) {
    const isWhole = have?.edition !== this.edition;
    const since = isWhole ? 0 : Number(have.upTo);
    const bits = hashBits(this.tickets.size);
    const changed = [...this.tickets].filter(([, { changedAt }]) => changedAt > since);
    const counts = TYPES.map(() => ({ sold: this.tickets.size, admitted: 0 }));
    return {
      edition: this.edition,
      upTo: String(this.#changes),
      isWhole,
      title: 'Parade',
      timezone: 'America/Chicago',
      isCancelled: this.isCancelled,
      ...this.hours,
      salt: SALT,
      bits,
      addOns: [],
      ticketTypes: TYPES,
      tickets: Buffer.concat(changed.map(([number, ticket]) => packTicket(number, ticket, bits))).toString('base64'),
      counts,
      device: { id: device, name: device, admitted: 0 },
      grantEndsAt: this.grantEndsAt,
      now,
    };
  }

  #ticket(confirmationNumber: string): FakeTicket {
    const ticket = this.tickets.get(confirmationNumber);
    if (!ticket) throw new Error(`there is no ticket ${confirmationNumber}`);
    return ticket;
  }
}

/** Twelve bytes, as the contract says. */
export function packTicket(number: string, { key, state }: { key: Buffer; state: ListState }, bits: number): Buffer {
  const hash =
    createHash('sha256')
      .update(SALT + number)
      .digest()
      .readUInt32BE() >>>
    (32 - bits);
  const bytes = Buffer.alloc(12);
  key.copy(bytes);
  bytes.writeUInt32BE(hash, 6);
  bytes[11] = listStates.indexOf(state);
  return bytes;
}
