/**
 * Compact in-memory table of an event's tickets: the wire format of each, the transaction that wrote it and the device
 * that admitted it, in a few dozen bytes.
 */
import { type ListState, listStates } from '#contract/app/check-in-devices.ts';
import { LISTED_TICKET } from '#domain/offline-list.ts';

const { bytes: WIDTH, keyBytes, hashAt, typeAt, stateAt } = LISTED_TICKET;
const INITIAL_CAPACITY = 64;

export interface TableRow {
  /** `keyBytes` bytes as a number. */
  key: number;
  hash: number;
  /** Index of the ticket type. */
  type: number;
  state: ListState;
  /** `xmin`: 32 bits of the id of the transaction that wrote the row. */
  writtenBy: number;
  scannedBy: string | null;
}

export interface Tally {
  /** By type: tickets that are valid, disputed or scanned, and those that are scanned. */
  types: { sold: number; admitted: number }[];
  /** Without add-ons. */
  admittedBy(device: string): number;
}

export class TicketTable {
  #size = 0;
  #tickets = Buffer.alloc(INITIAL_CAPACITY * WIDTH);
  #writers = new Uint32Array(INITIAL_CAPACITY);
  #scanners = new Uint32Array(INITIAL_CAPACITY);
  /** Hash table with open addressing; keys are random. 0 is free, any other value is an index plus 1. */
  #slots = new Uint32Array(INITIAL_CAPACITY * 2);
  /** Device numbers, counted from 1. */
  readonly #devices = new Map<string, number>();

  get bytes(): number {
    return (
      this.#tickets.byteLength + this.#writers.byteLength + this.#scanners.byteLength + this.#slots.byteLength + 1000
    );
  }

  /** Inserts or replaces a ticket. */
  put({ key, hash, type, state, writtenBy, scannedBy }: TableRow): void {
    if (this.#size === this.#writers.length) this.#grow();
    const slot = this.#slotOf(key);
    const index = (this.#slots[slot] ||= ++this.#size) - 1;
    const at = index * WIDTH;
    this.#tickets.writeUIntBE(key, at, keyBytes);
    this.#tickets.writeUInt32BE(hash, at + hashAt);
    this.#tickets[at + typeAt] = type;
    this.#tickets[at + stateAt] = listStates.indexOf(state);
    this.#writers[index] = writtenBy;
    this.#scanners[index] = scannedBy === null ? 0 : this.#deviceNumber(scannedBy);
  }

  all(): Buffer {
    return this.#tickets.subarray(0, this.#size * WIDTH);
  }

  /** Tickets written by this transaction or a later one. */
  changedSince(transaction: number): Buffer {
    const indexes: number[] = [];
    // Transaction ids wrap around: the 2^31 ids before one are older, those after it newer.
    for (let index = 0; index < this.#size; index++)
      if ((((this.#writers[index] ?? 0) - transaction) | 0) >= 0) indexes.push(index);
    const changed = Buffer.allocUnsafe(indexes.length * WIDTH);
    for (const [n, index] of indexes.entries())
      this.#tickets.copy(changed, n * WIDTH, index * WIDTH, (index + 1) * WIDTH);
    return changed;
  }

  tally(kinds: readonly { isAddOn: boolean }[]): Tally {
    const types = kinds.map(() => ({ sold: 0, admitted: 0 }));
    const admitted = new Uint32Array(this.#devices.size + 1);
    for (let index = 0; index < this.#size; index++) {
      const kind = this.#tickets[index * WIDTH + typeAt] ?? 0;
      const type = types[kind];
      const state = listStates[this.#tickets[index * WIDTH + stateAt] ?? 0];
      if (!type || (state !== 'valid' && state !== 'scanned' && state !== 'disputed')) continue;
      type.sold += 1;
      if (state !== 'scanned') continue;
      type.admitted += 1;
      if (kinds[kind]?.isAddOn) continue;
      const scanner = this.#scanners[index] ?? 0;
      admitted[scanner] = (admitted[scanner] ?? 0) + 1;
    }
    return { types, admittedBy: (device) => admitted[this.#devices.get(device) ?? -1] ?? 0 };
  }

  #deviceNumber(device: string): number {
    const number = this.#devices.get(device) ?? this.#devices.size + 1;
    this.#devices.set(device, number);
    return number;
  }

  /** The slot of this key, or the free one where it belongs. */
  #slotOf(key: number): number {
    const mask = this.#slots.length - 1;
    let slot = key & mask;
    for (let taken = this.#slots[slot]; taken; taken = this.#slots[slot]) {
      if (this.#tickets.readUIntBE((taken - 1) * WIDTH, keyBytes) === key) break;
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  #grow(): void {
    const capacity = this.#writers.length * 2;
    const tickets = Buffer.alloc(capacity * WIDTH);
    this.#tickets.copy(tickets);
    this.#tickets = tickets;
    this.#writers = withLength(this.#writers, capacity);
    this.#scanners = withLength(this.#scanners, capacity);
    this.#slots = new Uint32Array(capacity * 2);
    for (let index = 0; index < this.#size; index++)
      this.#slots[this.#slotOf(tickets.readUIntBE(index * WIDTH, keyBytes))] = index + 1;
  }
}

function withLength(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length);
  copy.set(numbers);
  return copy;
}
