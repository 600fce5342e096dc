/** A shared ticket: fifty devices scan the same code concurrently. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { admitted } from '#messages/check-in.ts';
import { errorText } from '#messages/errors.ts';
import { deviceAt } from '#tests/support/check-in-devices.ts';
import { buyTickets, codesOf, eventOnSale, generalAdmission } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

const DEVICES = 50;

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

describe('fifty concurrent scans of one code', () => {
  it('admit one guest, and tell all others when and where that was', async () => {
    const event = await eventOnSale(app, { timezone: 'America/Chicago' });
    const { eventId } = event;
    const [confirmationNumber = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(1)));
    const devices = await Promise.all(
      Array.from({ length: DEVICES }, (_, index) => deviceAt(app, event, `Gate ${index + 1}`)),
    );

    const replies = await Promise.all(
      devices.map(async ({ visitor, id, name }) => {
        const { status, body } = await visitor.call(checkGuest, { eventId, confirmationNumber, scanId: randomUUID() });
        return { id, name, status, body };
      }),
    );

    const { scannedAt, scannedBy } = await app.db
      .selectFrom('tickets')
      .where('eventId', '=', eventId)
      .select(['scannedAt', 'scannedBy'])
      .executeTakeFirstOrThrow();
    const [winners, others] = [
      replies.filter(({ status }) => status === 200),
      replies.filter(({ status }) => status !== 200),
    ];
    expect(winners).toMatchObject([
      { id: scannedBy, body: { msg: admitted('General admission'), result: 'admitted' } },
    ]);
    const when = scannedAt?.toLocaleTimeString('en-US', { timeZone: 'America/Chicago', timeStyle: 'short' }) ?? '';
    const denied = {
      status: 409,
      body: expect.objectContaining({
        code: 'check-in.already-in',
        msg: errorText('check-in.already-in', { time: when, device: winners[0]?.name ?? '' }),
      }),
    };
    expect(others.map(({ status, body }) => ({ status, body }))).toEqual(Array(DEVICES - 1).fill(denied));
  });
});
