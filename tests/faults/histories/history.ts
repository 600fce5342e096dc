/** The life of one event, and the answers that its people received. */

import type { ScanResult, syncScans } from '#contract/app/check-in-devices.ts';
import type { Confirmation, createCheckoutSession } from '#contract/app/checkout.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { Actor } from '#server/platform/http/callers.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import type { SeededRandom } from './seeded-random.ts';

export interface Session {
  /** Of a free order, its handle until its buyer's address is proved. */
  id: string;
  url: string;
  email: string;
  /** The payment page redirected, or the address of a free order was proved. */
  isPaid: boolean;
}

export interface OfflineScan {
  scanId: string;
  number: string;
  at: number;
  device: number;
}

export type BrakeKind = 'stopped sales' | 'held payouts' | 'suspension';

/** What an operator put on, by the clock of the app. */
export interface Brake {
  kind: BrakeKind;
  since: Date;
  until: Date | null;
}

interface Start {
  name: string;
  random: SeededRandom;
  eventId: string;
  organizer: Actor;
  types: readonly { name: string; priceCents: number; quantity: number }[];
  endsAt: Date;
  isFirstOfOrganizer?: boolean;
  /** Its limit can run out. */
  promoCode?: string | null;
}

export interface History extends Start {
  sessions: Session[];
  /** Confirmation numbers whose refund was accepted. */
  acceptedRefunds: Set<string>;
  /** Each admitted guest whose scan was not undone, as far as the answers say. */
  admitted: { number: string; grantId: string; scanId: string }[];
  /** Offline scans that are not synced yet. */
  unsynced: OfflineScan[];
  /** Result of each synced scan. */
  synced: Map<string, OfflineScan & { result: ScanResult }>;
  /** Amount of each successful payout, in cents. */
  paidOut: number[];
  isCancelled: boolean;
  brakes: Brake[];
  /** Everything that happened, in order. */
  log: string[];
  /** Violations found while the history runs. */
  failures: string[];
}

export const startHistory = (beginning: Start): History => ({
  ...beginning,
  sessions: [],
  acceptedRefunds: new Set(),
  admitted: [],
  unsynced: [],
  synced: new Map(),
  paidOut: [],
  isCancelled: false,
  brakes: [],
  log: [],
  failures: [],
});

export type Outcome<T> =
  | { is: 'done'; value: T }
  | { is: 'refused'; why: string }
  | { is: 'unknown' }
  | { is: 'broken' };

export type Cart = { ticketName: string; quantity: number }[];

/** With a promo code, and the total that its buyer accepts. */
export interface Promo {
  promoCode: string;
  expectedTotalCents?: number;
}

type SyncReply = ReplyOf<typeof syncScans>;

/** How people reach the server: through its use cases in this process, or over HTTP. */
export interface Client {
  checkOut(history: History, cart: Cart, promo?: Promo): Promise<Outcome<ReplyOf<typeof createCheckoutSession>>>;
  sendCode(history: History, order: { handle: string; email: string }): Promise<Outcome<unknown>>;
  prove(history: History, order: { handle: string; code: string }): Promise<Outcome<{ sessionId: string }>>;
  confirm(history: History, sessionId: string): Promise<Outcome<Pick<Confirmation, 'status'>>>;
  scan(history: History, number: string, device: number, scanId: string): Promise<Outcome<unknown>>;
  sync(history: History, scans: readonly OfflineScan[], device: number): Promise<Outcome<SyncReply>>;
  undo(history: History, scan: { scanId: string; number: string }, device: number): Promise<Outcome<unknown>>;
  refund(history: History, number: string): Promise<Outcome<unknown>>;
  payOut(history: History): Promise<Outcome<{ totalPayout: number }>>;
  cancel(history: History): Promise<Outcome<unknown>>;
}

/** The parts of an app that a history uses. */
export type AppAccess = Pick<TestApp, 'db' | 'visitor' | 'now' | 'sandboxUrl'> & {
  deps: Pick<TestApp['deps'], 'appSecret'>;
};

export interface HistoryInApp {
  app: AppAccess;
  history: History;
}

export interface Stage extends HistoryInApp {
  client: Client;
}

export interface TicketRow {
  confirmationNumber: string;
  state: string;
  priceCents: number;
  scannedAt: Date | null;
}

export function ticketsOf({ app, history }: HistoryInApp): Promise<TicketRow[]> {
  return app.db
    .selectFrom('tickets')
    .where('eventId', '=', history.eventId)
    .select(['confirmationNumber', 'state', 'priceCents', 'scannedAt'])
    .orderBy('id')
    .execute();
}

export const asSynced = ({ scanId, number, at }: OfflineScan) => ({ scanId, confirmationNumber: number, at });

/** Id of the grant of a check-in device. */
export const grantOf = (device: number) => `00000000-0000-7000-8000-00000000000${device}`;
