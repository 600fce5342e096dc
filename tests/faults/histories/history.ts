/** The life of one event, and the answers that its people received. */
import type { Confirmation } from '#contract/checkout.ts';
import type { handInScans, ScanOutcome } from '#contract/door.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface Session {
  id: string;
  url: string;
  email: string;
  /** The payment page redirected: money was taken, or none was due. */
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
  /** Confirmation numbers whose refund was accepted. */
  accepted: Set<string>;
  /** Each admitted guest whose scan was not undone, as far as the answers say. */
  admitted: { number: string; grantId: string; scanId: string }[];
  /** Offline scans that are not synced yet. */
  waiting: WaitingScan[];
  /** Result of each synced scan. */
  handedIn: Map<string, WaitingScan & { outcome: ScanOutcome }>;
  /** Amount of each successful payout, in cents. */
  paidOut: number[];
  isCancelled: boolean;
  /** Everything that happened, in order. */
  log: string[];
  /** Violations found while the history runs. */
  failures: string[];
}

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

type HandedIn = ReplyOf<typeof handInScans>;

/** How people reach the server: through its use cases in this process, or over HTTP. */
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

/** The parts of an app that a history uses. */
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

/** Id of the grant of a check-in device. */
export const grantOf = (device: number) => `00000000-0000-7000-8000-00000000000${device}`;
