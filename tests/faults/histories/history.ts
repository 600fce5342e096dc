/** One event's life, with what the people in it were told. */
import type { Confirmation } from '#contract/checkout.ts';
import type { ScanResult, syncScans } from '#contract/door.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface Session {
  id: string;
  url: string;
  email: string;
  /** The payment page led on: money was taken, or none was due. */
  isPaid: boolean;
}

export interface WaitingScan {
  scanId: string;
  number: string;
  at: number;
  device: number;
}

interface Beginning {
  name: string;
  random: SeededRandom;
  eventId: string;
  organizerId: string;
  types: readonly { name: string; priceCents: number; quantity: number }[];
  endsAt: Date;
}

export interface History extends Beginning {
  sessions: Session[];
  /** Confirmation numbers that a buyer was told are on their way back. */
  accepted: Set<string>;
  /** Confirmation number and device, of each guest who was let in and whose scan was not taken back, as far as anybody knows. */
  admitted: { number: string; grantId: string; scanId: string }[];
  /** What devices decided without the server and have not handed in yet. */
  waiting: WaitingScan[];
  /** What was said of each scan that was handed in. */
  handedIn: Map<string, WaitingScan & { outcome: ScanResult }>;
  /** Cents, of each payout that was answered with a sum. */
  paidOut: number[];
  isCancelled: boolean;
  /** What happened, in order. */
  log: string[];
  /** What must not happen. */
  failures: string[];
}

/** Nothing has happened yet. */
export const beginHistory = (beginning: Beginning): History => ({
  ...beginning,
  sessions: [],
  accepted: new Set(),
  admitted: [],
  waiting: [],
  handedIn: new Map(),
  paidOut: [],
  isCancelled: false,
  log: [],
  failures: [],
});

export type Outcome<T> =
  | { is: 'done'; value: T }
  | { is: 'refused'; why: string }
  | { is: 'unknown' }
  | { is: 'broken' };

export type Cart = { ticketName: string; quantity: number }[];

type HandedIn = ReplyOf<typeof syncScans>;

/** How people reach the product: its use cases in this process, or one of its servers. */
export interface Ways {
  checkOut(history: History, cart: Cart): Promise<Outcome<{ id: string; url: string }>>;
  confirm(history: History, sessionId: string): Promise<Outcome<Pick<Confirmation, 'status'>>>;
  scan(history: History, number: string, device: number, scanId: string): Promise<Outcome<unknown>>;
  handIn(history: History, scans: readonly WaitingScan[], device: number): Promise<Outcome<HandedIn>>;
  takeBack(history: History, scan: { scanId: string; number: string }, device: number): Promise<Outcome<unknown>>;
  refund(history: History, number: string): Promise<Outcome<unknown>>;
  payOut(history: History): Promise<Outcome<{ totalPayout: number }>>;
  cancel(history: History): Promise<Outcome<unknown>>;
}

/** What of an app a history is told in. */
export type Setting = Pick<TestApp, 'db' | 'visitor' | 'now' | 'sandboxUrl'> & {
  deps: Pick<TestApp['deps'], 'appSecret'>;
};

export interface Told {
  app: Setting;
  history: History;
}

export interface Stage extends Told {
  ways: Ways;
}

export interface TicketRow {
  confirmationNumber: string;
  state: string;
  priceCents: number;
  scannedAt: Date | null;
}

export function ticketsOf({ app, history }: Told): Promise<TicketRow[]> {
  return app.db
    .selectFrom('tickets')
    .where('eventId', '=', history.eventId)
    .select(['confirmationNumber', 'state', 'priceCents', 'scannedAt'])
    .orderBy('id')
    .execute();
}

export const asHandedIn = ({ scanId, number, at }: WaitingScan) => ({ scanId, confirmationNumber: number, at });

/** A device at the door, as the product names it. */
export const grantOf = (device: number) => `00000000-0000-7000-8000-00000000000${device}`;
