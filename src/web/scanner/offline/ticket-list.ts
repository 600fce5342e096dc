/** An event's tickets as this device keeps them: some bytes each, found by the hash of their number. */
import { type ListState, listStates } from '#contract/door.ts';
import { LISTED_TICKET } from '#domain/offline-list.ts';

const { bytes: TICKET_BYTES, hashAt: HASH_AT, typeAt: TYPE_AT, stateAt: STATE_AT } = LISTED_TICKET;

export interface ListedTicket {
  /** Its six bytes as a number: they have room in 53 bits. */
  key: number;
  /** Its place in the list's `ticketTypes`. */
  ticketType: number;
  state: ListState;
}

export class TicketList {
  #bytes: Uint8Array;
  #view: DataView;
  readonly #placeOf = new Map<number, number>();
  /** Tickets whose numbers have the same hash are few, so a chain through their places is enough. */
  readonly #firstWith = new Map<number, number>();
  #nextWith: Int32Array;

  constructor(bytes: Uint8Array) {
    const size = Math.floor(bytes.length / TICKET_BYTES);
    this.#bytes = new Uint8Array(size * TICKET_BYTES);
    this.#view = new DataView(this.#bytes.buffer);
    this.#nextWith = new Int32Array(size);
    this.change(bytes);
  }

  get size(): number {
    return this.#placeOf.size;
  }

  /** Takes over what has changed. What comes twice does no harm. */
  change(bytes: Uint8Array): void {
    const news = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    for (let at = 0; at + TICKET_BYTES <= bytes.length; at += TICKET_BYTES) {
      const key = keyAt(news, at);
      const known = this.#placeOf.get(key);
      const place = known ?? this.size;
      if (known === undefined) this.#makeRoom();
      this.#bytes.set(bytes.subarray(at, at + TICKET_BYTES), place * TICKET_BYTES);
      if (known === undefined) this.#add(key, place);
    }
  }

  withHash(hash: number): ListedTicket[] {
    const found: ListedTicket[] = [];
    let next = (this.#firstWith.get(hash) ?? -1) + 1;
    while (next > 0) {
      found.push(this.#ticket((next - 1) * TICKET_BYTES));
      next = this.#nextWith[next - 1] ?? 0;
    }
    return found;
  }

  withKey(key: number): ListedTicket | undefined {
    const place = this.#placeOf.get(key);
    return place === undefined ? undefined : this.#ticket(place * TICKET_BYTES);
  }

  /** As it is kept. */
  toBytes(): Uint8Array {
    return this.#bytes.slice(0, this.size * TICKET_BYTES);
  }

  #ticket(at: number): ListedTicket {
    return {
      key: keyAt(this.#view, at),
      ticketType: this.#bytes[at + TYPE_AT] ?? 0,
      // A state that this page does not know yet is none that lets somebody in.
      state: listStates[this.#bytes[at + STATE_AT] ?? listStates.length] ?? 'void',
    };
  }

  #add(key: number, place: number): void {
    const hash = this.#view.getUint32(place * TICKET_BYTES + HASH_AT);
    // Places count from 1 in the chain, where 0 is its end.
    this.#nextWith[place] = (this.#firstWith.get(hash) ?? -1) + 1;
    this.#firstWith.set(hash, place);
    this.#placeOf.set(key, place);
  }

  #makeRoom(): void {
    if (this.size < this.#nextWith.length) return;
    const room = Math.max(16, this.size * 2);
    const bytes = new Uint8Array(room * TICKET_BYTES);
    bytes.set(this.#bytes);
    const next = new Int32Array(room);
    next.set(this.#nextWith);
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer);
    this.#nextWith = next;
  }
}

function keyAt(view: DataView, at: number): number {
  return view.getUint16(at) * 2 ** 32 + view.getUint32(at + 2);
}

/** Throws for what is no base 64. */
export function bytesOf(base64: string): Uint8Array {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
