/** An event's tickets on this device: a few bytes each, found by the hash of the number. */
import { type ListState, listStates } from '#contract/app/check-in-devices.ts';
import { LISTED_TICKET } from '#domain/offline-list.ts';

const { bytes: TICKET_BYTES, hashAt: HASH_AT, typeAt: TYPE_AT, stateAt: STATE_AT } = LISTED_TICKET;

export interface ListedTicket {
  /** Six bytes as a number, which fits in 53 bits. */
  key: number;
  /** Index into the list's `ticketTypes`. */
  ticketType: number;
  state: ListState;
}

export class OfflineTicketList {
  #bytes: Uint8Array;
  #view: DataView;
  readonly #indexOfKey = new Map<number, number>();
  /** Few tickets share a hash, so they form a linked chain of indexes. */
  readonly #firstWithHash = new Map<number, number>();
  #nextInChain: Int32Array;

  constructor(bytes: Uint8Array) {
    const size = Math.floor(bytes.length / TICKET_BYTES);
    this.#bytes = new Uint8Array(size * TICKET_BYTES);
    this.#view = new DataView(this.#bytes.buffer);
    this.#nextInChain = new Int32Array(size);
    this.apply(bytes);
  }

  get size(): number {
    return this.#indexOfKey.size;
  }

  /** Applies changes; idempotent. */
  apply(bytes: Uint8Array): void {
    const changes = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + TICKET_BYTES <= bytes.length; at += TICKET_BYTES) {
      const key = keyAt(changes, at);
      const existing = this.#indexOfKey.get(key);
      const index = existing ?? this.size;
      if (existing === undefined) this.#grow();
      this.#bytes.set(bytes.subarray(at, at + TICKET_BYTES), index * TICKET_BYTES);
      if (existing === undefined) this.#add(key, index);
    }
  }

  findByHash(hash: number): ListedTicket[] {
    const found: ListedTicket[] = [];
    let next = (this.#firstWithHash.get(hash) ?? -1) + 1;
    while (next > 0) {
      found.push(this.#ticket((next - 1) * TICKET_BYTES));
      next = this.#nextInChain[next - 1] ?? 0;
    }
    return found;
  }

  findByKey(key: number): ListedTicket | undefined {
    const index = this.#indexOfKey.get(key);
    return index === undefined ? undefined : this.#ticket(index * TICKET_BYTES);
  }

  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.size * TICKET_BYTES);
  }

  #ticket(at: number): ListedTicket {
    return {
      key: keyAt(this.#view, at),
      ticketType: this.#bytes[at + TYPE_AT] ?? 0,
      // A state from a newer server must not admit anyone.
      state: listStates[this.#bytes[at + STATE_AT] ?? listStates.length] ?? 'void',
    };
  }

  #add(key: number, index: number): void {
    const hash = this.#view.getUint32(index * TICKET_BYTES + HASH_AT);
    // The chain counts from 1; 0 ends it.
    this.#nextInChain[index] = (this.#firstWithHash.get(hash) ?? -1) + 1;
    this.#firstWithHash.set(hash, index);
    this.#indexOfKey.set(key, index);
  }

  #grow(): void {
    if (this.size < this.#nextInChain.length) return;
    const capacity = Math.max(16, this.size * 2);
    const bytes = new Uint8Array(capacity * TICKET_BYTES);
    bytes.set(this.#bytes);
    const next = new Int32Array(capacity);
    next.set(this.#nextInChain);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
    this.#nextInChain = next;
  }
}

function keyAt(view: DataView, at: number): number {
  return view.getUint16(at) * 2 ** 32 + view.getUint32(at + 2);
}

/** Throws on invalid base64. */
export function decodeBase64(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
