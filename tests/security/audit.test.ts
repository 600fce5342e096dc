import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { changeAttendantCode, checkGuest } from '#contract/app/check-in.ts';
import { undoCheckIn } from '#contract/app/check-in-devices.ts';
import { cancelEvent } from '#contract/app/events.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

const actsAt = async (eventId: string) =>
  (
    await sql<{ action: string }>`select action from audit_events where event_id = ${eventId} order by id`.execute(
      app.db,
    )
  ).rows.map(({ action }) => action);

describe('the audit log', () => {
  it('records each action once, and no rejected attempt', async () => {
    const { visitor, eventId } = await eventOnSale(app);
    const scanId = randomUUID();
    const [number = '', another = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(2)));

    await app.call(requestRefund, { eventId, confirmationCode: '1000000000' });
    expectOk(await app.call(requestRefund, { eventId, confirmationCode: number }));
    expectOk(await visitor.call(changeAttendantCode, { eventId }));
    expectOk(await visitor.call(checkGuest, { eventId, confirmationNumber: another, scanId }));
    expectOk(await visitor.call(undoCheckIn, { eventId, scanId }));
    await visitor.call(undoCheckIn, { eventId, scanId });
    expectOk(await visitor.call(cancelEvent, { eventId }));
    expectOk(await visitor.call(cancelEvent, { eventId }));

    expect(await actsAt(eventId)).toEqual(['request-refund', 'rotate-attendant-code', 'undo-check-in', 'cancel-event']);
  });

  it('contains no email or IP address', async () => {
    const { rows } = await sql`select row_to_json(a)::text as text from audit_events a`.execute(app.db);

    expect(rows).not.toEqual([]);
    expect(JSON.stringify(rows)).not.toMatch(/@|127\.0\.0\.1|::1/);
  });

  it("cannot be changed or deleted, even by the table's owner", async () => {
    for (const statement of [
      `update audit_events set action = 'x'`,
      'delete from audit_events',
      'truncate audit_events',
    ])
      await expect(sql.raw(statement).execute(app.db)).rejects.toThrow('never changed or removed');
  });
});
