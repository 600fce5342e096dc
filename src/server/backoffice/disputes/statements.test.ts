/** What an organizer adds to the evidence for a dispute. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { adminEvidence, sendEvidence } from '#contract/app/admin.ts';
import { saveStatement } from '#contract/app/disputes.ts';
import { createEvent } from '#contract/app/events.ts';
import type { Role } from '#domain/accounts/roles.ts';
import { STATEMENT_MAX } from '#domain/limits.ts';
import { evidenceDocument } from '#messages/operations/evidence.ts';
import { purge } from '#server/backoffice/privacy/purge.ts';
import { decideDispute, disputeIdOf, disputePayment } from '#tests/support/disputes.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { stripeOf } from '#tests/support/money.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import {
  buyTickets,
  emailsTo,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
} from '#tests/support/people.ts';
import { pdfText } from '#tests/support/read-pdf.ts';
import { newMember } from '#tests/support/team.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { remindOfEvidence } from './remind-of-evidence.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const TEXT = 'She wrote on May 2 that she liked it.\nOur usher remembers her.';
const UNKNOWN = { status: 404, body: errorBody('evidence.unknown') };
const SENT = { status: 409, body: errorBody('evidence.sent') };
const TOO_LATE = { status: 409, body: errorBody('evidence.too-late') };

async function disputedEvent() {
  const event = await eventOnSale(app);
  await buyTickets(app, event.eventId, generalAdmission(1), 'frank@example.com');
  await app.settle();
  const stripeDisputeId = await disputePayment(app, event.eventId);
  const disputeId = await disputeIdOf(app, event.eventId);
  return { ...event, stripeDisputeId, disputeId };
}

const shownTo = async (visitor: Visitor) => expectOk(await visitor.call(profile, {})).disputes;

describe('the text of an organizer', () => {
  it('stands in the PDF and in what Stripe gets, and is replaced until then [EVID-1]', async () => {
    const { visitor, disputeId, stripeDisputeId } = await disputedEvent();
    expectOk(await visitor.call(saveStatement, { disputeId, text: 'A first thought.' }));
    expectOk(await visitor.call(saveStatement, { disputeId, text: TEXT }));
    expect(await shownTo(visitor)).toMatchObject([
      { disputeId, title: 'Basement Brass', cents: 24_00, statement: TEXT, denial: null, dueAt: expect.any(String) },
    ]);

    const operator = await newOperator(app);
    const file = await operator.fetch(`${adminEvidence.path}?disputeId=${disputeId}`);
    const text = (await pdfText(Buffer.from(await file.arrayBuffer()))).replaceAll('\n', ' ');
    expect(text).toContain(`${evidenceDocument.sections.organizer} ${TEXT.replaceAll('\n', ' ')}`);
    expect(text).not.toContain('A first thought.');

    expectOk(await operator.call(sendEvidence, { disputeId }));
    const { evidence } = await stripeOf(app).disputes.retrieve(stripeDisputeId);
    expect(evidence.uncategorized_text).toContain(TEXT);
    expect(await visitor.call(saveStatement, { disputeId, text: 'Too late.' })).toMatchObject(SENT);
    expect(await shownTo(visitor)).toMatchObject([{ statement: TEXT, denial: 'sent' }]);
  });

  it('is removed by saving none [EVID-1]', async () => {
    const { visitor, disputeId } = await disputedEvent();
    expectOk(await visitor.call(saveStatement, { disputeId, text: TEXT }));
    expectOk(await visitor.call(saveStatement, { disputeId, text: ' \n' }));

    expect(await shownTo(visitor)).toMatchObject([{ statement: '' }]);
  });

  it('has an end [EVID-1]', async () => {
    const { visitor, disputeId } = await disputedEvent();
    const save = (text: string) => visitor.call(saveStatement, { disputeId, text });

    expect((await save('🎺'.repeat(STATEMENT_MAX))).status).toBe(200);
    expect((await save('x'.repeat(STATEMENT_MAX + 1))).status).toBe(400);
  });

  it('is denied after the deadline and the decision, and deleted then [EVID-1]', async () => {
    const [late, lost] = [await disputedEvent(), await disputedEvent()];
    for (const { visitor, disputeId } of [late, lost])
      expectOk(await visitor.call(saveStatement, { disputeId, text: TEXT }));
    await decideDispute(app, lost.stripeDisputeId, 'lost');
    await app.advance({ days: 22 });
    await Promise.all([late, lost].map(logInAgain));

    for (const { visitor, disputeId } of [late, lost])
      expect(await visitor.call(saveStatement, { disputeId, text: TEXT })).toMatchObject(TOO_LATE);
    await purge(app.deps);
    const left = await app.db.selectFrom('disputeStatements').select('disputeId').execute();
    expect(left.map(({ disputeId }) => disputeId)).toContain(late.disputeId);
    expect(left.map(({ disputeId }) => disputeId)).not.toContain(lost.disputeId);
    expect(await shownTo(late.visitor)).toMatchObject([{ denial: 'too-late' }]);
    expect(await shownTo(lost.visitor)).toEqual([]);
  });

  it('is sent when it is saved while the evidence starts to be sent [EVID-1]', async () => {
    const { visitor, email, disputeId, stripeDisputeId } = await disputedEvent();
    const operator = await newOperator(app);
    await app.endJobs();
    const replies = await app.db.transaction().execute(async (tx) => {
      // Stops the saving once it has found that nothing is being sent.
      await sql`select from users where email = ${email} for update`.execute(tx);
      const saved = visitor.call(saveStatement, { disputeId, text: TEXT });
      await app.untilBlocked(1);
      const sent = operator.call(sendEvidence, { disputeId });
      await Promise.race([app.untilBlocked(2), sent]);
      return [saved, sent];
    });
    await app.restartJobs();

    expect(await Promise.all(replies)).toMatchObject([{ status: 200 }, { status: 200 }]);
    const { evidence } = await stripeOf(app).disputes.retrieve(stripeDisputeId);
    expect(evidence.uncategorized_text).toContain(TEXT);
  });
});

describe('who adds it', () => {
  it.each<[Role, boolean]>([
    ['admin', true],
    ['finance', true],
    ['editor', false],
    ['viewer', false],
  ])('%s: %s [EVID-1]', async (role, may) => {
    const event = await disputedEvent();
    const { visitor } = await newMember(app, event, role);

    expect(await shownTo(visitor)).toHaveLength(may ? 1 : 0);
    const reply = await visitor.call(saveStatement, { disputeId: event.disputeId, text: TEXT });
    expect(reply.status).toBe(may ? 200 : 403);
  });

  it('never finds a dispute of another organization, or of an event that the member was not given [EVID-1]', async () => {
    const [event, foreign] = [await disputedEvent(), await disputedEvent()];
    const { eventId } = expectOk(await event.visitor.call(createEvent, eventForm(app)));
    const { visitor } = await newMember(app, event, 'finance', [eventId]);

    expect(await shownTo(visitor)).toEqual([]);
    for (const other of [visitor, foreign.visitor])
      expect(await other.call(saveStatement, { disputeId: event.disputeId, text: TEXT })).toMatchObject(UNKNOWN);
  });
});

describe('the reminder', () => {
  it('goes to owners once, three days before, unless something was sent or added [EVID-1]', async () => {
    const [silent, added, sent] = [await disputedEvent(), await disputedEvent(), await disputedEvent()];
    expectOk(await added.visitor.call(saveStatement, { disputeId: added.disputeId, text: TEXT }));
    expectOk(await (await newOperator(app)).call(sendEvidence, { disputeId: sent.disputeId }));
    const reminders = async ({ email }: { email: string }) => {
      await remindOfEvidence(app.deps);
      await remindOfEvidence(app.deps);
      await app.settle();
      const emails = await emailsTo(app, email);
      return emails.filter(({ subject }) => subject.includes('the bank takes evidence until')).length;
    };

    await app.advance({ days: 17 });
    expect(await reminders(silent)).toBe(0);
    await app.advance({ days: 2 });
    expect(await Promise.all([silent, added, sent].map(reminders))).toEqual([1, 0, 0]);
  });
});
