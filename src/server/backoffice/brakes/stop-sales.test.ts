import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { login } from '#contract/app/accounts.ts';
import { resumeSales, stopSales } from '#contract/app/brakes.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { publicEvent } from '#contract/app/events.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { emailsTo, eventOnSale, generalAdmission, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { eventWithWaitingRoom, join, joined, pollRoom, tryCheckout } from '#tests/support/waiting-room.ts';

let app: TestApp;
let admin: Visitor;
let operator: Awaited<ReturnType<typeof newOrganizer>>;
beforeAll(async () => {
  app = await startTestApp();
  operator = await newOrganizer(app);
  admin = operator.visitor;
  await appointAdmin(app.deps, { email: operator.email, isAdmin: true });
});
afterAll(() => app.close());

const note = 'Buyers report a fake venue.';
const stop = (eventId: string) => admin.call(stopSales, { eventId, note });
const resume = (eventId: string) => admin.call(resumeSales, { eventId, note });
const buy = (eventId: string) => app.call(createCheckoutSession, { eventId, cartItems: generalAdmission(1) });
const shown = async (eventId: string) => {
  await app.deps.changes.catchUp();
  return (await app.call(publicEvent, { eventId })).body;
};

describe('stopping the sale of an event', () => {
  it('ends checkouts and shows it, until it is resumed [BRAKE-2]', async () => {
    const { eventId } = await eventOnSale(app);
    expect(await buy(eventId)).toMatchObject({ status: 200 });

    expect(await stop(eventId)).toMatchObject({ status: 200 });
    expect(await buy(eventId)).toMatchObject({ status: 409, body: { code: 'checkout.sales-paused' } });
    expect(await shown(eventId)).toMatchObject({ eventId, pausedSales: 'all' });

    expect(await resume(eventId)).toMatchObject({ status: 200 });
    expect(await shown(eventId)).not.toHaveProperty('pausedSales');
    expect(await buy(eventId)).toMatchObject({ status: 200 });
  });

  it('emails the owner once each time, with the reason, and records who did it [BRAKE-2 EMAIL-10]', async () => {
    const { eventId, email } = await eventOnSale(app, { title: 'Rooftop Strings' });

    for (const act of [stop, stop, resume, resume, stop]) expect(await act(eventId)).toMatchObject({ status: 200 });

    const emails = (await emailsTo(app, email)).filter(({ text }) => text.includes(note));
    expect(emails.length).toBe(3);
    for (const { text } of emails) expect(text).toContain(`${app.publicUrl}/events/${eventId}\n`);
    const recorded = await app.db
      .selectFrom('operatorActions')
      .where('subject', '=', eventId)
      .orderBy('id')
      .select(['action', 'note'])
      .execute();
    expect(recorded).toEqual([
      { action: 'stop-sales', note },
      { action: 'resume-sales', note },
      { action: 'stop-sales', note },
    ]);
    const audited = await app.db
      .selectFrom('auditEvents')
      .where('subject', '=', eventId)
      .where('action', 'in', ['stop-sales', 'resume-sales'])
      .select('action')
      .execute();
    expect(audited.length).toBe(3);
  });

  it('decides against a checkout that waits for it [BRAKE-2]', async () => {
    const { eventId } = await eventOnSale(app);
    expect(await buy(eventId)).toMatchObject({ status: 200 });

    const { pending } = await inTransaction(app.db, async (tx) => {
      await sql`select from events where id = ${eventId} for update`.execute(tx);
      const pending = buy(eventId);
      await app.untilBlocked();
      await sql`update events set sales_stopped_at = now(), stop_reason = ${note},
        sales_stopped_by = (select id from users limit 1) where id = ${eventId}`.execute(tx);
      return { pending };
    });

    expect(await pending).toMatchObject({ status: 409, body: { code: 'checkout.sales-paused' } });
  });

  it('leaves free tickets on sale when only paid sales are paused [BRAKE-2]', async () => {
    const { eventId } = await eventOnSale(app);
    const types = app.db.updateTable('ticketTypes').where('eventId', '=', eventId).where('name', '=', 'Balcony');
    await types.set({ priceCents: 0 }).execute();
    await app.db.updateTable('events').set({ paidSalesStoppedAt: app.now() }).where('id', '=', eventId).execute();

    const free = { eventId, cartItems: [{ ticketName: 'Balcony', quantity: 1 }] };
    expect(await buy(eventId)).toMatchObject({ status: 409, body: { code: 'checkout.sales-paused' } });
    expect(await app.call(createCheckoutSession, free)).toMatchObject({ status: 200 });
  });

  it('is unknown for an unknown event', async () => {
    expect(await stop('no-such-event-00')).toMatchObject({ status: 404, body: { code: 'event.not-found' } });
  });
});

describe('a stopped waiting room', () => {
  it('calls nobody, and costs nobody a turn or a place [BRAKE-2]', async () => {
    const { eventId } = await eventWithWaitingRoom(app, 60, 1);
    await app.advance({ minutes: 60 });
    await admin.call(login, { email: operator.email, password: PASSWORD });
    const first = await joined(app, eventId);
    const second = await joined(app, eventId);

    // Past the cached sale.
    const watch = freezeMonotonicClock();
    await stop(eventId);
    watch.advance(600);
    await app.advance({ minutes: 30 });
    expect(await join(first.visitor, eventId)).toMatchObject({ body: { position: first.position } });

    expect(await tryCheckout(first.visitor, eventId)).toMatchObject({ body: { code: 'checkout.sales-paused' } });
    await resume(eventId);
    watch.advance(600);
    await app.advance({ minutes: 1 });
    expect(await pollRoom(app, eventId)).toMatchObject({ lastPass: second.position });
    expect(await tryCheckout(first.visitor, eventId)).toMatchObject({ status: 200 });
  });
});
