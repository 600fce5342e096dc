/** Compares events of several plans with figures calculated by hand: plan-table.txt is not generated. */
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEvent } from '#contract/app/events.ts';
import type { FeeTerms } from '#domain/fees.ts';
import { centsOf } from '#domain/money.ts';
import { payoutStatementOfSales } from '#domain/payout-statement.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { eventForm, expectOk, onboardedOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { feeColumns } from './fee-columns.ts';

const PLANS = [
  { name: 'Partner', processingCents: 5_00, rates: [150, 40, 100, 25], largeFrom: 3 },
  { name: 'Flat', processingCents: 0, rates: [0, 1_00, 0, 1_00], largeFrom: 1 },
  { name: 'Percent', processingCents: 29_99, rates: [225, 0, 199, 0], largeFrom: 250 },
];

const FILE = new URL('plan-table.txt', import.meta.url);
const rows = readFileSync(FILE, 'utf8').trimEnd().split('\n').slice(1);
const columnsOf = (row: string) => row.trim().split(/\s+/);

let app: TestApp;
const eventOf = new Map<string, string>();
beforeAll(async () => {
  app = await startTestApp();
  for (const { name, processingCents, rates, largeFrom } of PLANS) {
    const [standardBp = 0, standardFlatCents = 0, largeBp = 0, largeFlatCents = 0] = rates;
    const terms = { processingCents, standardBp, standardFlatCents, largeBp, largeFlatCents, largeFrom };
    const plan = { id: name.toLowerCase(), name, activeEventsMax: 2, isPublic: false, retiredAt: null, ...terms };
    await app.db.insertInto('plans').values(plan).execute();
  }
  for (const name of ['Standard', ...PLANS.map((plan) => plan.name)]) {
    const { visitor, email } = await onboardedOrganizer(app);
    const { organizationId } = await actorOf(app.db, email);
    await setPlan(organizationId, name.toLowerCase());
    eventOf.set(name, expectOk(await visitor.call(createEvent, eventForm(app))).eventId);
    await setPlan(organizationId, 'flat');
  }
  // Every plan changes after its event was created.
  await app.db.updateTable('plans').set({ processingCents: 99_00, standardBp: 999, largeFrom: 2 }).execute();
});
afterAll(() => app.close());

const setPlan = (organizationId: string, planId: string) =>
  app.db.updateTable('organizations').set({ planId }).where('id', '=', organizationId).execute();

async function termsOf(name: string): Promise<FeeTerms> {
  const event = app.db
    .selectFrom('events')
    .where('id', '=', eventOf.get(name) ?? '')
    .select('feeTerms');
  return (await event.executeTakeFirstOrThrow()).feeTerms;
}

function columnsFor(terms: FeeTerms, tickets: number, priceCents: number): string[] {
  const sold = [{ priceCents, tickets }];
  return feeColumns({ terms, tickets, priceCents }, (isWaived) => payoutStatementOfSales(sold, isWaived, { terms }));
}

it.each(rows)('an event is billed by its plan when it was created:%s [PLAN-2]', async (row) => {
  const [name = '', tickets = '', price = '', ...rest] = columnsOf(row);

  const figures = columnsFor(await termsOf(name), Number(tickets), centsOf(price) ?? Number.NaN);

  expect(figures).toEqual([tickets, price, ...rest]);
});
