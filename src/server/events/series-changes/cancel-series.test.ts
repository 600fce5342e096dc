/** Cancelling one date of a series, and all that are to come. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { cancelEvent } from '#contract/app/events.ts';
import { eventCard } from '#contract/app/records/workspace.ts';
import { cancelSeries, eventSeries, seriesToCancel } from '#contract/app/sales/series-changes.ts';
import { editDates, makeSeries, type Series, weeklyDays } from '#tests/support/edited-series.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { brokenInvariants } from '#tests/support/invariants.ts';
import { ledgerOf, movementsAtStripe } from '#tests/support/money.ts';
import { buyTickets, emailsTo, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { newMember } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';
import { changeSeries } from './change-series.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const soldSeries = async (count: number): Promise<Series> => {
  const series = await makeSeries(app, await eventOnSale(app), weeklyDays(app, count));
  for (const [index, eventId] of series.dates.entries()) {
    await buyTickets(app, eventId, generalAdmission(index + 1), `buyer-${index}-${eventId}@example.com`);
    await buyTickets(app, eventId, [{ ticketName: 'Balcony', quantity: 1 }], `balcony-${eventId}@example.com`);
  }
  await app.settle();
  return series;
};

const statementOf = async ({ visitor }: Series, eventId: string) =>
  expectOk(await visitor.call(eventCard, { eventId })).event.payout.statement;

const statementsOf = (series: Series) => Promise.all(series.dates.map((eventId) => statementOf(series, eventId)));

const refundsOf = async (eventId: string) =>
  (await movementsAtStripe(app, 'refund', eventId)).reduce((sum, { amount }) => sum + amount, 0);

const isCancelled = async (eventId: string) => {
  const event = app.db.selectFrom('events').where('id', '=', eventId).select('cancelledAt');
  return (await event.executeTakeFirstOrThrow()).cancelledAt !== null;
};

const cancelledDates = ({ dates }: Series) => Promise.all(dates.map(isCancelled));

/** What the organizer is owed for the event. */
const owedFor = async (eventId: string) =>
  (await ledgerOf(app, eventId))
    .filter((line) => line.includes('organizer-payable'))
    .reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);

describe('cancelling one date of a series [SERIES-2]', () => {
  it("refunds that date only; its statement and the others' agree to the cent", async () => {
    const series = await soldSeries(3);
    const [first = '', second = '', third = ''] = series.dates;
    const [before, sold, after] = await statementsOf(series);
    expect(sold).toMatchObject({ gross: 86.5, refunded: 0 });
    const owed = await owedFor(first);

    expectOk(await series.visitor.call(cancelEvent, { eventId: second }));
    await app.settle();

    expect(await cancelledDates(series)).toEqual([false, true, false]);
    expect(await statementOf(series, first)).toEqual(before);
    expect(await statementOf(series, third)).toEqual(after);
    expect(await statementOf(series, second)).toMatchObject({
      gross: 0,
      refunded: 86.5,
      ticketFees: 0,
      processingFee: 0,
      net: 0,
    });
    expect([await refundsOf(first), await refundsOf(second), await refundsOf(third)]).toEqual([0, 86_50, 0]);
    expect([await owedFor(first), await owedFor(second)]).toEqual([owed, 0]);
    expect(await brokenInvariants(app.db)).toEqual([]);
  });
});

describe('cancelling a series [SERIES-5]', () => {
  it('says what it refunds, and cancels each coming date once, also when it is killed', async () => {
    const series = await soldSeries(4);
    const [past = '', ...coming] = series.dates;
    const yesterday = new Date(app.now().getTime() - 86_400_000);
    await app.db.updateTable('events').set({ startsAt: yesterday, endsAt: yesterday }).where('id', '=', past).execute();
    const [eventId = ''] = coming;
    const preview = expectOk(await series.visitor.call(seriesToCancel, { eventId }));
    // 2 + 3 + 4 at $24.00, and 3 on the balcony at $38.50.
    expect(preview).toEqual({
      title: 'Basement Brass',
      dates: 3,
      ticketsSold: 12,
      freeTickets: 0,
      gross: 331.5,
      cancelCosts: 0,
    });

    await app.endJobs();
    const changeId = randomUUID();
    expectOk(await series.visitor.call(cancelSeries, { eventId, changeId }));
    expectOk(await series.visitor.call(cancelSeries, { eventId, changeId }));
    let readings = 0;
    const now = () => {
      readings += 1;
      if (readings === 2) throw new Error('killed');
      return app.now();
    };
    const killed = changeSeries({ db: app.deps.db, clock: { now } }, { changeId });
    await expect(killed).rejects.toThrow('killed');
    expect(await cancelledDates(series)).toEqual([false, true, false, false]);
    await app.restartJobs();
    await app.settle();

    expect(await cancelledDates(series)).toEqual([false, true, true, true]);
    expect(await Promise.all(series.dates.map(refundsOf))).toEqual([0, 86_50, 110_50, 134_50]);
    for (const [index, date] of series.dates.entries()) {
      const emails = await emailsTo(app, `buyer-${index}-${date}@example.com`);
      expect(emails.filter(({ subject }) => subject.includes('cancelled'))).toHaveLength(index === 0 ? 0 : 1);
    }
    const { series: shown } = expectOk(await series.visitor.call(eventSeries, { eventId }));
    expect(shown?.change).toEqual({ kind: 'cancel', isRunning: false });
    expect(shown?.dates.map(({ result, isComing }) => [result?.state, isComing])).toEqual(
      Array(3).fill(['cancelled', false]),
    );
    const again = { eventId, changeId: randomUUID() };
    expect(await series.visitor.call(cancelSeries, again)).toMatchObject({
      status: 409,
      body: errorBody('series-change.nothing-to-cancel'),
    });
    expect(await brokenInvariants(app.db)).toEqual([]);
  });

  it('does not wait for an edit, whose remaining dates are then denied', async () => {
    const series = await makeSeries(app, await eventOnSale(app), weeklyDays(app, 2));
    const [eventId = ''] = series.dates;
    await app.endJobs();
    expectOk(await editDates(app, series, eventId, { description: 'New' }));
    const changeId = randomUUID();
    expectOk(await series.visitor.call(cancelSeries, { eventId, changeId }));
    await changeSeries(app.deps, { changeId });
    await app.restartJobs();
    await app.settle();
    expect(await cancelledDates(series)).toEqual([true, true]);
    const denials = app.db.selectFrom('seriesChangeDates').where('denial', 'is not', null).select('denial');
    expect((await denials.execute()).map(({ denial }) => denial)).toEqual(Array(2).fill('edit.event-cancelled'));
  });

  it('is for owners and admins', async () => {
    const series = await makeSeries(app, await eventOnSale(app), weeklyDays(app, 2));
    const [eventId = ''] = series.dates;
    const { visitor } = await newMember(app, series, 'editor');
    const denied = await visitor.call(cancelSeries, { eventId, changeId: randomUUID() });
    expect(denied).toMatchObject({ status: 403, body: { code: 'auth.role-denied' } });
    expect((await visitor.call(seriesToCancel, { eventId })).status).toBe(403);
    expect(expectOk(await visitor.call(eventSeries, { eventId })).series?.mayCancel).toBe(false);
  });
});
