/** A device that keeps an offline ticket list. */
import { type ListState, listStates, offlineTicketList } from '#contract/app/check-in-devices.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { LISTED_TICKET } from '#domain/offline-list.ts';
import { hashNumber } from '#server/checkin/offline-list/hash-number.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk } from './people.ts';

const { bytes, keyBytes, hashAt, typeAt, stateAt } = LISTED_TICKET;

export type TicketListReply = ReplyOf<typeof offlineTicketList>;

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

export class OfflineDevice {
  readonly tickets = new Map<string, ListedTicket>();
  #last: TicketListReply | null = null;
  readonly #visitor: Visitor;
  readonly #eventId: string;

  constructor(visitor: Visitor, eventId: string) {
    this.#visitor = visitor;
    this.#eventId = eventId;
  }

  async poll({ pending = 0 } = {}): Promise<TicketListReply> {
    const have = this.#last ? { have: { edition: this.#last.edition, upTo: this.#last.upTo } } : {};
    const reply = expectOk(await this.#visitor.call(offlineTicketList, { eventId: this.#eventId, pending, ...have }));
    if (reply.isWhole) this.tickets.clear();
    for (const ticket of unpackTickets(reply.tickets)) this.tickets.set(ticket.key, ticket);
    this.#last = reply;
    return reply;
  }

  /** Polls until the server has read its tickets again, because a snapshot is shared for a moment. */
  async pollUntilChanged(): Promise<TicketListReply> {
    const { upTo } = await this.poll();
    for (;;) {
      const reply = await this.poll();
      if (reply.upTo !== upTo) return reply;
    }
  }

  /** The list's states for a number. */
  statesOf(confirmationNumber: string): (ListState | undefined)[] {
    if (!this.#last) return [];
    const hash = hashNumber(this.#last.salt, confirmationNumber, this.#last.bits);
    return [...this.tickets.values()].filter((ticket) => ticket.hash === hash).map(({ state }) => state);
  }
}
