/** A device that keeps an event's list, as a phone at the door does. */
import { type ListState, listStates, offlineTicketList } from '#contract/door.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { LISTED_TICKET } from '#domain/offline-list.ts';
import { hashNumber } from '#server/checkin/offline-list/hash-number.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';

const { bytes, keyBytes, hashAt, typeAt, stateAt } = LISTED_TICKET;

export type ListReply = ReplyOf<typeof offlineTicketList>;

interface ListedTicket {
  key: string;
  hash: number;
  type: number;
  state: ListState | undefined;
}

export function unpackTickets(tickets: string): ListedTicket[] {
  const packed = Buffer.from(tickets, 'base64');
  return Array.from({ length: packed.length / bytes }, (_, n) => {
    const one = packed.subarray(n * bytes, (n + 1) * bytes);
    return {
      key: one.toString('hex', 0, keyBytes),
      hash: one.readUInt32BE(hashAt),
      type: one[typeAt] ?? -1,
      state: listStates[one[stateAt] ?? -1],
    };
  });
}

export class ListHolder {
  readonly tickets = new Map<string, ListedTicket>();
  #last: ListReply | null = null;
  readonly #visitor: Visitor;
  readonly #eventId: string;

  constructor(visitor: Visitor, eventId: string) {
    this.#visitor = visitor;
    this.#eventId = eventId;
  }

  async ask({ pending = 0 } = {}): Promise<ListReply> {
    const have = this.#last ? { have: { edition: this.#last.edition, upTo: this.#last.upTo } } : {};
    const reply = expectOk(await this.#visitor.call(offlineTicketList, { eventId: this.#eventId, pending, ...have }));
    if (reply.isWhole) this.tickets.clear();
    for (const ticket of unpackTickets(reply.tickets)) this.tickets.set(ticket.key, ticket);
    this.#last = reply;
    return reply;
  }

  /** Asks until the server has looked at its tickets anew: a reading serves all who ask for a moment. */
  async news(): Promise<ListReply> {
    const { upTo } = await this.ask();
    for (;;) {
      const reply = await this.ask();
      if (reply.upTo !== upTo) return reply;
    }
  }

  /** What the device would say of a number without a network. */
  statesOf(confirmationNumber: string): (ListState | undefined)[] {
    if (!this.#last) return [];
    const hash = hashNumber(this.#last.salt, confirmationNumber, this.#last.bits);
    return [...this.tickets.values()].filter((ticket) => ticket.hash === hash).map(({ state }) => state);
  }
}
