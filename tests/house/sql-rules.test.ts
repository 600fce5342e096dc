/** Rules that SQL needs to decide by are written twice: in src/domain/ and in one SQL function. Both must say the same. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shownAvailability } from '#domain/availability.ts';
import { checkInHours, denyByHours } from '#domain/check-in-hours.ts';
import { isEarlyCheckIn } from '#domain/early-check-in.ts';
import { EARLY_CHECK_IN_HOURS, ORDER_TICKETS_MAX } from '#domain/limits.ts';
import { denyByWindow, denyQuantity, denySale, isPaused, isSoldOut, type QuantityLimits } from '#domain/order.ts';
import { settlesAt } from '#domain/settlement.ts';
import { denyAdmission, SOLD_STATES, type TicketState } from '#domain/tickets.ts';
import { snakeCased } from '#server/backoffice/api/snake-case.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { repository } from './planted-tree.ts';
import { filesOf } from './tree-files.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ runsJobs: false });
});
afterAll(() => app.close());

const STATES: TicketState[] = ['valid', 'scanned', 'refunding', 'refunded', 'void'];
const NOW = new Date('2026-05-01T10:00:00.000Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);

/** Each limit of a ticket type with and without the others, also where no order keeps both. */
const LIMITS: QuantityLimits[] = [1, 2, 6, ORDER_TICKETS_MAX].flatMap((minPerOrder) =>
  [null, 4, 8].map((maxPerOrder) => ({ minPerOrder, maxPerOrder })),
);
const quantities = Array.from({ length: 12 }, (_, index) => index + 1);

/** A row of the table, of which the rule reads these columns. */
const ticketType = (columns: QuantityLimits) =>
  sql`(jsonb_populate_record(null::ticket_types, ${JSON.stringify(snakeCased(columns))}::jsonb))`;

async function answerOf<T>(rule: RawBuilder<unknown>): Promise<T | undefined> {
  const { rows } = await sql<{ answer: T }>`select ${rule} as answer`.execute(app.db);
  return rows[0]?.answer;
}

describe('the SQL of a rule agrees with the domain', () => {
  it('on who may be admitted', async () => {
    const tickets = STATES.flatMap((state) =>
      [null, NOW].flatMap((disputedAt) => [null, NOW].map((cancelledAt) => ({ state, disputedAt, cancelledAt }))),
    );
    for (const ticket of tickets) {
      const { state, disputedAt, cancelledAt } = ticket;
      const rule = sql`may_be_admitted(${state}, ${disputedAt}::timestamptz, ${cancelledAt}::timestamptz)`;
      expect([ticket, await answerOf(rule)]).toEqual([ticket, denyAdmission(ticket) === null]);
    }
  });

  it('on until when an event sells', async () => {
    const events = [null, NOW].flatMap((cancelledAt) => [-1, 0, 1].map((ms) => ({ cancelledAt, endsAt: later(ms) })));
    for (const event of events) {
      const rule = sql`is_selling(${event.cancelledAt}::timestamptz, ${event.endsAt}::timestamptz, ${NOW}::timestamptz)`;
      expect([event, await answerOf(rule)]).toEqual([event, denySale(event, NOW) === null]);
    }
  });

  it('on which tickets a brake leaves on sale [BRAKE-2]', async () => {
    for (const paused of [null, 'paid', 'all'] as const)
      for (const priceCents of [0, 1, 5000])
        expect([paused, priceCents, await answerOf(sql`is_paused(${paused}::text, ${priceCents}::integer)`)]).toEqual([
          paused,
          priceCents,
          isPaused(paused, priceCents),
        ]);
  });

  it('on when a ticket type sells [STOCK-4]', async () => {
    const times = [null, -1, 0, 1].map((ms) => (ms === null ? null : later(ms)));
    for (const salesFrom of times)
      for (const salesUntil of times) {
        const rule = sql`is_on_sale(${salesFrom}::timestamptz, ${salesUntil}::timestamptz, ${NOW}::timestamptz)`;
        const window = { salesFrom, salesUntil };
        expect([window, await answerOf(rule)]).toEqual([window, denyByWindow(window, NOW) === null]);
      }
  });

  it('on how many of a ticket type an order takes [STOCK-6]', async () => {
    for (const limits of LIMITS) {
      const type = ticketType(limits);
      const isUnlimited = quantities.every((quantity) => denyQuantity(quantity, limits) === null);
      expect([limits, await answerOf(sql`has_order_limits(${type})`)]).toEqual([limits, !isUnlimited]);
      for (const quantity of quantities) {
        const rule = sql`may_be_ordered(${quantity}::integer, ${type})`;
        const denial = denyQuantity(quantity, limits);
        expect([quantity, limits, await answerOf(rule)]).toEqual([quantity, limits, denial === null]);
      }
    }
  });

  it('on when a ticket type is sold out [STOCK-2]', async () => {
    for (const available of [-1, 0, ...quantities, 99, 100, 101])
      for (const limits of LIMITS) {
        const rule = sql`is_sold_out(${available}::integer, ${ticketType(limits)})`;
        expect([available, limits, await answerOf(rule)]).toEqual([available, limits, isSoldOut(available, limits)]);
      }
  });

  it('on when an event settles', async () => {
    // Across the start of daylight saving time in the United States.
    for (const endsAt of [NOW, new Date('2026-03-08T01:30:00Z'), new Date('2026-12-31T23:59:59.999Z')])
      expect(await answerOf(sql`settles_at(${endsAt}::timestamptz)`)).toEqual(settlesAt(endsAt));
  });

  it('on the check-in hours, and whether a scan is within them', async () => {
    const event = { startsAt: NOW, endsAt: later(3_600_000) };
    const set = [null, later(-60_000)].flatMap((checkInOpensAt) =>
      [null, later(60_000)].map((checkInClosesAt) => ({ checkInOpensAt, checkInClosesAt })),
    );
    for (const hours of set) {
      const { opensAt, closesAt } = checkInHours({ ...event, ...hours });
      const given = sql`${hours.checkInOpensAt}::timestamptz, ${hours.checkInClosesAt}::timestamptz`;
      expect(await answerOf(sql`check_in_opens(${event.startsAt}::timestamptz, ${given})`)).toEqual(opensAt);
      expect(await answerOf(sql`check_in_closes(${event.endsAt}::timestamptz, ${given})`)).toEqual(closesAt);
      const moments = [NOW, ...[opensAt, closesAt].flatMap((at) => (at ? [-1, 0, 1].map((ms) => +at + ms) : []))];
      for (const at of moments.map((moment) => new Date(moment))) {
        const rule = sql`is_within_hours(${opensAt}::timestamptz, ${closesAt}::timestamptz, ${at}::timestamptz)`;
        expect([at, await answerOf(rule)]).toEqual([at, denyByHours({ opensAt, closesAt }, at) === null]);
      }
    }
  });

  it('on which check-ins are early', async () => {
    // Across the end of daylight saving time in the United States.
    for (const startsAt of [NOW, new Date('2026-11-01T12:00:00Z')])
      for (const ms of [-1, 0, 1]) {
        const scannedAt = new Date(startsAt.getTime() - EARLY_CHECK_IN_HOURS * 60 * 60 * 1000 + ms);
        const rule = sql`is_early_check_in(${scannedAt}::timestamptz, ${startsAt}::timestamptz)`;
        expect([ms, await answerOf(rule)]).toEqual([ms, isEarlyCheckIn(scannedAt, startsAt)]);
      }
  });

  it('on which tickets count as sold', async () => {
    const sold = [];
    for (const state of STATES) if (await answerOf(sql`counts_as_sold(${state})`)) sold.push(state);
    expect(sold).toEqual([...SOLD_STATES]);
  });

  it('on the availability that buyers are shown', async () => {
    const left = [-1, ...Array.from({ length: 1_200 }, (_, index) => index), 9_999, 10_000, 48_215, 1_000_000];
    const rule = sql`(select array_agg(shown_availability(tickets_left) order by index)
                        from unnest(${left}::integer[]) with ordinality as t (tickets_left, index))`;
    expect(await answerOf(rule)).toEqual(left.map(shownAvailability));
  });

  it('in functions that statements of the product call', async () => {
    const tests = await readFile(import.meta.filename, 'utf8');
    const compared = new Set([...tests.matchAll(/sql`(?:\(select array_agg\()?(\w+)\(/g)].map(([, name = '']) => name));
    const files = await filesOf(['src/server/**/*.sql', 'src/server/**/*.sql.ts']);
    const statements = (await Promise.all(files.map((file) => readFile(join(repository, file), 'utf8')))).join('\n');

    expect(compared.size).toBeGreaterThan(9);
    for (const name of compared) expect(statements).toMatch(new RegExp(`(?<!function )\\b${name}\\(`));
  });
});
