import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { createEvent } from '#contract/app/events.ts';
import { offer } from '#contract/app/plans.ts';
import { buyTickets, eventForm, eventOnSale, expectOk } from '#tests/support/people.ts';
import { STANDARD_TERMS } from '#tests/support/standard-terms.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const seats = [{ ticketName: 'Seat', quantity: 3 }];
const tickets = [{ ticketName: 'Seat', ticketDescription: 'x', ticketPrice: 33.33, ticketQuantity: 10 }];

it('starts every organization on Standard, whose third active event is refused [EVT-18 PLAN-2]', async () => {
  const { visitor } = await eventOnSale(app, { tickets });
  const standard = { name: 'Standard', activeEventsMax: 2, terms: STANDARD_TERMS };
  expect(expectOk(await visitor.call(profile, {})).plan).toEqual(standard);
  expect(expectOk(await app.call(offer, {}))).toEqual({ standard, others: [], demoEventId: null });

  expectOk(await visitor.call(createEvent, eventForm(app, { tickets })));
  expect(await visitor.call(createEvent, eventForm(app, { tickets }))).toMatchObject({
    status: 409,
    body: { code: 'event.too-many-active-events', params: { max: 2 } },
  });
});

it('shows the public plans that are not retired, Standard first [PLAN-2]', async () => {
  const row = { activeEventsMax: 5, processingCents: 30_00, standardBp: 150, standardFlatCents: 40, largeBp: 100 };
  const shown = { ...row, largeFlatCents: 25, largeFrom: 300, isPublic: true, retiredAt: null };
  const rows = [
    { ...shown, id: 'a-pro', name: 'A Pro' },
    { ...shown, id: 'hidden', name: 'Hidden', isPublic: false },
    { ...shown, id: 'old', name: 'Old', retiredAt: app.now() },
  ];
  await app.db.insertInto('plans').values(rows).execute();
  const { standard, others } = expectOk(await app.call(offer, {}));
  expect([standard, ...others].map(({ name }) => name)).toEqual(['Standard', 'A Pro']);
  await sql`delete from plans where id in ('a-pro', 'hidden', 'old')`.execute(app.db);
});

it('stores no event without whole terms [PLAN-2]', async () => {
  const { eventId } = await eventOnSale(app, { tickets });
  for (const terms of ['{}', '{"processingCents": 1}', 'null', '{"processingCents": "1"}'])
    await expect(
      sql`update events set fee_terms = ${terms}::jsonb where id = ${eventId}`.execute(app.db),
    ).rejects.toThrow('fee_terms_are_whole');
});

it('bills each event by the plan of its organization when it was created [PLAN-2]', async () => {
  const { visitor, eventId } = await eventOnSale(app, { tickets });
  await buyTickets(app, eventId, seats);
  const { organizationId } = await app.db
    .selectFrom('events')
    .where('id', '=', eventId)
    .select('organizationId')
    .executeTakeFirstOrThrow();
  const shown = async (id: string) => {
    const { body } = await visitor.call(profile, {});
    return body.events.find((event) => event.eventId === id)?.payout.statement;
  };
  const before = await shown(eventId);
  expect(before).toMatchObject({ ticketFees: 4.26, processingFee: 15, net: 80.73 });

  await sql`insert into plans values ('partner', 'Partner', 3, 5_00, 150, 40, 100, 25, 3, false)`.execute(app.db);
  await app.db.updateTable('organizations').set({ planId: 'partner' }).where('id', '=', organizationId).execute();
  const later = expectOk(await visitor.call(createEvent, eventForm(app, { tickets })));
  await buyTickets(app, later.eventId, seats);
  // Three paid tickets reach the large rate: 33 + 25 cents each.
  expect(await shown(later.eventId)).toMatchObject({ ticketFees: 1.74, processingFee: 5, net: 93.25 });

  await sql`update plans set large_bp = 900, processing_cents = 99_00, active_events_max = 3 where id = 'partner'`.execute(
    app.db,
  );
  expect(await shown(later.eventId)).toMatchObject({ ticketFees: 1.74, processingFee: 5, net: 93.25 });
  expect(await shown(eventId)).toEqual(before);

  expect((await visitor.call(createEvent, eventForm(app, { tickets }))).status).toBe(200);
  expect(await visitor.call(createEvent, eventForm(app, { tickets }))).toMatchObject({
    status: 409,
    body: { code: 'event.too-many-active-events', params: { max: 3 } },
  });
});
