/**
 * An event's tickets as its doors see them, in a few dozen bytes each: as they go over the wire, with the transaction that
 * wrote each of them and the device that let it in.
 */
import { type ListState, listStates } from '#contract/door.ts';
import { LISTED_TICKET } from '#domain/offline-list.ts';

const { bytes: WIDTH, keyBytes, hashAt, typeAt, stateAt } = LISTED_TICKET;
const SMALLEST = 64;

export interface TableRow {
  /** Of `keyBytes` bytes, as a number. */
  key: number;
  hash: number;
  /** The place of its type. */
  type: number;
  state: ListState;
  /** PostgreSQL's number of the transaction that wrote the row, 32 bits of it. */
  writtenBy: number;
  scannedBy: string | null;
}

export interface Tally {
  /** By types: tickets that are good or in, and those that are in. */
  types: { sold: number; admitted: number }[];
  admittedBy(device: string): number;
}

export class TicketTable {
  #size = 0;
  #tickets = Buffer.alloc(SMALLEST * WIDTH);
  #writers = new Uint32Array(SMALLEST);
  #scanners = new Uint32Array(SMALLEST);
  /** Open addressing by keys, which are random: 0 is free, otherwise a place counted from 1. */
  #slots = new Uint32Array(SMALLEST * 2);
  /** Counted from 1. */
  readonly #devices = new Map<string, number>();

  get bytes(): number {
    return (
      this.#tickets.byteLength + this.#writers.byteLength + this.#scanners.byteLength + this.#slots.byteLength + 1000
    );
  }

  /** In the place of what was known of this ticket before. */
  put({ key, hash, type, state, writtenBy, scannedBy }: TableRow): void {
    if (this.#size === this.#writers.length) this.#grow();
    const slot = this.#slotOf(key);
    const place = (this.#slots[slot] ||= ++this.#size) - 1;
    const at = place * WIDTH;
    this.#tickets.writeUIntBE(key, at, keyBytes);
    this.#tickets.writeUInt32BE(hash, at + hashAt);
    this.#tickets[at + typeAt] = type;
    this.#tickets[at + stateAt] = listStates.indexOf(state);
    this.#writers[place] = writtenBy;
    this.#scanners[place] = scannedBy === null ? 0 : this.#numberOf(scannedBy);
  }

  whole(): Buffer {
    return this.#tickets.subarray(0, this.#size * WIDTH);
  }

  /** The tickets that were written by this transaction or a later one. */
  since(transaction: number): Buffer {
    const places: number[] = [];
    // The numbers go round in circles: the half before one is older, the half after it newer.
    for (let place = 0; place < this.#size; place++)
      if ((((this.#writers[place] ?? 0) - transaction) | 0) >= 0) places.push(place);
    const changed = Buffer.allocUnsafe(places.length * WIDTH);
    for (const [n, place] of places.entries())
      this.#tickets.copy(changed, n * WIDTH, place * WIDTH, (place + 1) * WIDTH);
    return changed;
  }

  tally(typesCount: number): Tally {
    const types = Array.from({ length: typesCount }, () => ({ sold: 0, admitted: 0 }));
    const admitted = new Uint32Array(this.#devices.size + 1);
    for (let place = 0; place < this.#size; place++) {
      const of = types[this.#tickets[place * WIDTH + typeAt] ?? 0];
      const state = listStates[this.#tickets[place * WIDTH + stateAt] ?? 0];
      if (!of || (state !== 'valid' && state !== 'scanned' && state !== 'disputed')) continue;
      of.sold += 1;
      if (state !== 'scanned') continue;
      of.admitted += 1;
      const scanner = this.#scanners[place] ?? 0;
      admitted[scanner] = (admitted[scanner] ?? 0) + 1;
    }
    return { types, admittedBy: (device) => admitted[this.#devices.get(device) ?? -1] ?? 0 };
  }

  #numberOf(device: string): number {
    const number = this.#devices.get(device) ?? this.#devices.size + 1;
    this.#devices.set(device, number);
    return number;
  }

  /** Where this key stands, or would. */
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
    const places = this.#writers.length * 2;
    const tickets = Buffer.alloc(places * WIDTH);
    this.#tickets.copy(tickets);
    this.#tickets = tickets;
    this.#writers = longer(this.#writers, places);
    this.#scanners = longer(this.#scanners, places);
    this.#slots = new Uint32Array(places * 2);
    for (let place = 0; place < this.#size; place++)
      this.#slots[this.#slotOf(tickets.readUIntBE(place * WIDTH, keyBytes))] = place + 1;
  }
}

function longer(numbers: Uint32Array<ArrayBuffer>, length: number): Uint32Array<ArrayBuffer> {
  const copy = new Uint32Array(length);
  copy.set(numbers);
  return copy;
}
