/** An event at check-in: any number of sold tickets, devices with grants, and a check of the scans. */
import { checkGuest } from '#contract/app/check-in.ts';
import { signGrants } from '#server/checkin/devices/grants.ts';
import type { Pool } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import { CONSTANT_CHECK } from './constant-answers.ts';
import type { BenchEvent } from './events-on-sale.ts';
import { post } from './load.ts';
import type { Shop } from './shop.ts';

const FIRST_NUMBER = 1_000_000_000;
const BATCH_SIZE = 50_000;
const A_DAY_MS = 24 * 60 * 60 * 1000;

export interface CheckIn {
  /** Sells `count` more tickets. */
  sell(count: number): Promise<void>;
  /** Number of tickets not scanned yet. */
  left(): number;
  /** A ticket that was not scanned yet. */
  nextNumber(): string;
  /** A device's request: `real` for the app, `constant` for the constant answer. */
  scan(device: number, confirmationNumber: string, kind: 'real' | 'constant'): Buffer;
  /** Returns one message per total that disagrees with the devices' answers. */
  wrongTotals(admitted: number): Promise<string[]>;
}

export async function openCheckIn(
  { ownerPool, deps }: Shop,
  { eventId, types }: BenchEvent,
  devices: number,
): Promise<CheckIn> {
  const orderId = newId();
  await ownerPool.query(
    `insert into orders (event_id, id, state, total_cents, reservation_expires_at, session_id, buyer_email, created_at, paid_at)
     values ($1, $2::uuid, 'paid', 0, now(), $2::uuid::text, 'sam@example.com', now(), now())`,
    [eventId, orderId],
  );
  await ownerPool.query(
    `insert into order_lines (event_id, order_id, id, ticket_type_id, position, ticket_name, list_price_cents, unit_price_cents, quantity)
     values ($1, $2, $2, $3, 1, 'Ticket 1', 2400, 2400, 1)`,
    [eventId, orderId, types[0]?.id],
  );
  const cookies = Array.from({ length: devices }, () => deviceCookie(deps, eventId));
  let sold = 0;
  let scannedCount = 0;
  return {
    async sell(count) {
      for (const until = sold + count; sold < until; ) {
        const batch = Math.min(BATCH_SIZE, until - sold);
        await sellTickets(ownerPool, { eventId, orderId, typeId: types[0]?.id ?? '' }, FIRST_NUMBER + sold, batch);
        sold += batch;
      }
      await ownerPool.query('analyze tickets');
    },
    left: () => sold - scannedCount,
    nextNumber() {
      if (scannedCount >= sold) throw new Error('every guest is checked in: sell more');
      return String(FIRST_NUMBER + scannedCount++);
    },
    scan: (device, confirmationNumber, kind) =>
      post(kind === 'real' ? checkGuest.path : CONSTANT_CHECK, { eventId, confirmationNumber }, cookies[device]),
    async wrongTotals(admitted) {
      const { rows } = await ownerPool.query<{ scanned: number }>(
        `select count(*)::int as scanned from tickets where event_id = $1 and state = 'scanned' and scanned_at is not null`,
        [eventId],
      );
      const scanned = rows[0]?.scanned;
      return scanned === admitted && scanned === scannedCount
        ? []
        : [`${scannedCount} tickets were scanned, the devices admitted ${admitted}, the database has ${scanned}`];
    },
  };
}

/** Of a device that entered the event's first code. */
export function deviceCookie({ clock, appSecret }: Shop['deps'], eventId: string): { cookie: string } {
  const grant = { eventId, grantId: newId(), codeVersion: 1, expiresAt: clock.now().getTime() + A_DAY_MS };
  return { cookie: `attendant=${signGrants([grant], appSecret)}` };
}

async function sellTickets(
  pool: Pool,
  { eventId, orderId, typeId }: { eventId: string; orderId: string; typeId: string },
  first: number,
  count: number,
): Promise<void> {
  // In random order, like real sales: a confirmation number does not tell where its row is.
  await pool.query(
    `insert into tickets (event_id, id, order_id, order_line_id, ticket_type_id, confirmation_number, ticket_name, price_cents, buyer_email, issued_at)
     select $1, uuidv7(), $2, $2, $3, number::text, 'Ticket 1', 2400, 'guest' || number || '@example.com', now()
       from generate_series($4::bigint, $5::bigint) number order by random()`,
    [eventId, orderId, typeId, first, first + count - 1],
  );
}
