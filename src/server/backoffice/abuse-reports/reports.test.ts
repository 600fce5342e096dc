import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminReports, reportEvent as call, handleReports } from '#contract/app/abuse-reports.ts';
import { REPORT_TEXT_MAX } from '#domain/limits.ts';
import { raiseAlerts } from '#server/backoffice/alerts/alerts.sql.ts';
import { newId } from '#server/platform/ids.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import { eventOnSale, expectOk } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { reportEvent } from './report-event.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ rateLimitScale: 1 });
});
afterAll(() => app.close());

const newReport = (eventId: string) => ({
  eventId,
  reportId: newId(),
  reason: 'not-real' as const,
  text: 'No such hall.',
});

/** From an address of the Internet: this machine has no limit. */
const reportFrom = (ip: string, eventId: string, reportId: string = newId()) =>
  reportEvent(app.deps, { ...newReport(eventId), reportId }, ip);

async function newReader() {
  const visitor = await newOperator(app);
  return {
    visitor,
    listed: async (eventId: string) =>
      expectOk(await visitor.call(adminReports, {})).events.find((event) => event.eventId === eventId),
  };
}

async function alertsOf(eventId: string): Promise<number> {
  await raiseAlerts(app.db);
  const alerts = await app.db
    .selectFrom('alerts')
    .where('kind', '=', 'abuse-reports')
    .where('subject', '=', eventId)
    .where('resolvedAt', 'is', null)
    .select('id')
    .execute();
  return alerts.length;
}

describe('a report of an event', () => {
  it('is listed for operators until they have handled it [BRAKE-6]', async () => {
    const { eventId, visitor: organizer } = await eventOnSale(app, { title: 'Reported Night' });
    const { visitor, listed } = await newReader();

    expectOk(await app.call(call, newReport(eventId)));
    expectOk(await app.call(call, { ...newReport(eventId), reason: 'other', text: '  Two\r\nlines.\u202e ' }));

    expect(await listed(eventId)).toMatchObject({ title: 'Reported Night', count: 2, networks: 1 });
    expect((await listed(eventId))?.reports.map(({ reason, text }) => [reason, text])).toEqual(
      expect.arrayContaining([
        ['not-real', 'No such hall.'],
        ['other', expect.stringMatching(/^Two\nlines\.$/)],
      ]),
    );
    expect(await organizer.call(adminReports, {})).toMatchObject({ status: 404 });
    expectOk(await visitor.call(handleReports, { eventId, note: 'The venue confirms it.' }));
    expect(await listed(eventId)).toBeUndefined();
    expect(await visitor.call(handleReports, { eventId, note: 'Once more.' })).toMatchObject({
      status: 409,
      body: errorBody('action-item.gone'),
    });
    expectOk(await app.call(call, newReport(eventId)));
    expect(await listed(eventId)).toMatchObject({ count: 1, reports: [{ reason: 'not-real' }] });
    expectOk(await visitor.call(handleReports, { eventId, note: 'The same again.' }));
  });

  it('is one, however often it is sent [BRAKE-6]', async () => {
    const { eventId } = await eventOnSale(app);
    const { listed } = await newReader();
    const report = newReport(eventId);

    for (let time = 0; time < 2; time++) expectOk(await app.call(call, report));

    expect(await listed(eventId)).toMatchObject({ count: 1 });
  });

  it('has a reason, an event and at most 1,000 characters; a bot gets an answer [BRAKE-6]', async () => {
    const { eventId } = await eventOnSale(app);
    const { listed } = await newReader();
    const report = newReport(eventId);
    const long = { ...report, text: 'x'.repeat(REPORT_TEXT_MAX + 1) };

    expect(await app.call(call, long)).toMatchObject({ status: 400, body: { code: 'form.invalid' } });
    expect(await app.call(call, { ...report, reason: '' as never })).toMatchObject({ status: 400 });
    expect(await app.call(call, newReport('AAAAAAAAAAAAAAAA'))).toMatchObject({ status: 404 });
    expectOk(await app.call(call, { ...report, honeypot: 'x' }));
    expect(await listed(eventId)).toBeUndefined();
    expectOk(await app.call(call, { ...report, text: 'x'.repeat(REPORT_TEXT_MAX) }));
    expect(await listed(eventId)).toMatchObject({ count: 1 });
  });

  it('is limited to five an hour from one network [BRAKE-6]', async () => {
    const { eventId } = await eventOnSale(app);

    for (let host = 1; host <= 5; host++) await reportFrom(`203.0.113.${host}`, eventId);

    await expect(reportFrom('203.0.113.6', eventId)).rejects.toMatchObject({ code: 'rate-limit.exceeded' });
    await reportFrom('203.0.114.1', eventId);
  });

  it('is limited to 100 an hour of one event, from however many networks [BRAKE-6]', async () => {
    const { eventId } = await eventOnSale(app);
    const networks = Array.from({ length: 100 }, (_, network) => network);

    await Promise.all(networks.map((network) => reportFrom(`100.64.${network}.1`, eventId)));

    await expect(reportFrom('100.65.0.1', eventId)).rejects.toMatchObject({ code: 'rate-limit.exceeded' });
    await reportFrom('100.65.0.1', (await eventOnSale(app)).eventId);
  });
});

describe('reports from three networks within an hour', () => {
  it('raise an alert until they are handled [BRAKE-6]', async () => {
    const { eventId } = await eventOnSale(app);
    await reportFrom('198.51.100.1', eventId);
    await reportFrom('198.51.100.2', eventId);
    await reportFrom('198.51.101.1', eventId);
    expect(await alertsOf(eventId)).toBe(0);

    await app.advance({ minutes: 59 });
    await reportFrom('198.51.102.1', eventId);
    expect(await alertsOf(eventId)).toBe(1);

    await app.advance({ hours: 2 });
    expect(await alertsOf(eventId)).toBe(1);
    const { visitor } = await newReader();
    expectOk(await visitor.call(handleReports, { eventId, note: 'Sales are stopped.' }));
    expect(await alertsOf(eventId)).toBe(0);
  });

  it('raise none if the third comes later [BRAKE-6]', async () => {
    const { eventId } = await eventOnSale(app);
    await reportFrom('192.0.2.1', eventId);
    await reportFrom('198.18.0.1', eventId);
    await app.advance({ minutes: 60 });
    await reportFrom('198.18.1.1', eventId);

    expect(await alertsOf(eventId)).toBe(0);
  });
});
