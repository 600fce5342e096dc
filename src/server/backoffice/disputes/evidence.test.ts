import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { adminDisputes, adminEvidence, sendEvidence as send } from '#contract/app/admin.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { saveStatement } from '#contract/app/disputes.ts';
import { requestRefund } from '#contract/app/refunds.ts';
import { evidenceDocument } from '#messages/operations/evidence.ts';
import { decideDispute, disputeIdOf, disputePayment } from '#tests/support/disputes.ts';
import { editEventOf } from '#tests/support/edited-event.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { clearFaults, planFault, stripeOf } from '#tests/support/money.ts';
import { newOperator } from '#tests/support/new-operator.ts';
import { attendantOf, buyTickets, codesOf, eventOnSale, expectOk, generalAdmission } from '#tests/support/people.ts';
import { raceForLock } from '#tests/support/race.ts';
import { pdfText } from '#tests/support/read-pdf.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { findDispute } from './evidence.sql.ts';
import { assembleEvidence } from './evidence.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** Of three tickets one is scanned, one refunded; then the payment is disputed, and the event moved, with other texts. */
async function disputedOrder() {
  const event = await eventOnSale(app);
  const { eventId, attendantCode } = event;
  const codes = codesOf(await buyTickets(app, eventId, generalAdmission(3), 'frank@example.com'));
  await app.settle();
  const door = await attendantOf(app, eventId, attendantCode);
  expectOk(await door.call(checkGuest, { eventId, confirmationNumber: codes[0] ?? '' }));
  expectOk(await app.call(requestRefund, { eventId, confirmationCode: codes[1] ?? '' }));
  await app.settle();
  const stripeDisputeId = await disputePayment(app, eventId);
  await editEventOf(app, event, {
    street: '1 Elsewhere',
    title: 'Attic Strings',
    description: 'Four strings upstairs.',
  });
  const disputeId = await disputeIdOf(app, eventId);
  expectOk(await event.visitor.call(saveStatement, { disputeId, text: 'She was there.\nOur usher remembers her.' }));
  return { eventId, codes, stripeDisputeId, disputeId };
}

async function evidenceOf(disputeId: string) {
  const dispute = await findDispute(app.db, disputeId);
  if (!dispute) throw new Error('no such dispute');
  return assembleEvidence(app.db, dispute);
}

const atStripe = (id: string) => stripeOf(app).disputes.retrieve(id);
const SENT = { status: 409, body: errorBody('evidence.sent') };

describe('the evidence for a dispute', () => {
  it('has purchase, page, emails, scans and refunds as they were [EVID-1]', async () => {
    const { codes, disputeId } = await disputedOrder();
    const { sections } = await evidenceOf(disputeId);

    expect(sections.purchase.join('\n')).toContain('frank@example.com');
    expect(sections.purchase.join('\n')).toContain('3 x General admission at $24.00');
    expect(sections.page[0]).toBe(evidenceDocument.version(1));
    expect(sections.page[1]).toMatch(/^Basement Brass, by /);
    expect(sections.page).toContain('38 Withers St, Brooklyn, NY 11211');
    expect(sections.page).toContain('Six horns in a cellar.');
    expect(sections.page).toContain(evidenceDocument.policy);
    expect(sections.emails).toContainEqual(expect.stringMatching(/^tickets: delivered .*\d{4}.*\d:\d\d/));
    expect(sections.scans.filter((row) => row.includes('scanned on'))).toHaveLength(1);
    expect(sections.scans[0]).toContain(`${codes[0]}`);
    expect(sections.scans[0]).toContain('by Device');
    expect(sections.refunds).toMatchObject([expect.stringContaining('$24.00, requested, sent')]);
  });

  it('quotes what edits replaced where the order is from before there were versions [EVID-1]', async () => {
    const { eventId, disputeId } = await disputedOrder();
    await app.db.updateTable('orders').set({ pageVersion: null }).where('eventId', '=', eventId).execute();

    const { sections } = await evidenceOf(disputeId);
    expect(sections.page[0]).toMatch(/^Basement Brass, by /);
    expect(sections.page).toContain('38 Withers St, Brooklyn, NY 11211');
    expect(sections.page).toContain('Six horns in a cellar.');
  });

  it('is downloaded as a PDF [EVID-1]', async () => {
    const { disputeId } = await disputedOrder();
    const operator = await newOperator(app);
    const reply = await operator.fetch(`${adminEvidence.path}?disputeId=${disputeId}`);

    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/pdf');
    const pdf = Buffer.from(await reply.arrayBuffer());
    expect(pdf.toString('latin1')).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/);
    const text = (await pdfText(pdf)).replaceAll('\n', ' ');
    const { sections } = await evidenceOf(disputeId);
    for (const rows of Object.values(sections)) {
      expect(rows).not.toEqual([]);
      for (const row of rows) expect(text).toContain(row.replaceAll(/\s+/g, ' '));
    }
    for (const heading of Object.values(evidenceDocument.sections)) expect(text).toContain(heading);
  });

  it('is sent once though pressed twice, and Stripe has fields and file [EVID-1]', async () => {
    const { disputeId, stripeDisputeId } = await disputedOrder();
    const operator = await newOperator(app);

    expect(await operator.call(send, { disputeId })).toMatchObject({ status: 200 });
    expect(await operator.call(send, { disputeId })).toMatchObject(SENT);

    const { evidence, evidence_details, status } = await atStripe(stripeDisputeId);
    expect([status, evidence_details.submission_count]).toEqual(['under_review', 1]);
    expect(evidence.customer_email_address).toBe('frank@example.com');
    expect(evidence.access_activity_log).toContain('scanned on');
    const file = await stripeOf(app).files.retrieve(String(evidence.service_documentation));
    expect(file).toMatchObject({ purpose: 'dispute_evidence', filename: 'evidence.pdf' });
    const { rows } = await sql<{ data: string }>`
      select inside->>'data' as data from sandbox.objects where id = ${file.id}`.execute(app.db);
    expect(Buffer.from(rows[0]?.data ?? '', 'base64').toString('latin1')).toMatch(/^%PDF-[\s\S]*%%EOF\s*$/);
    await app.settle();
    const { disputes } = expectOk(await operator.call(adminDisputes, {}));
    expect(disputes.find((one) => one.disputeId === disputeId)?.evidenceSentAt).toEqual(expect.any(String));
  });

  it('is sent once by two processes at once [EVID-1]', async () => {
    const { disputeId, stripeDisputeId } = await disputedOrder();
    const operator = await newOperator(app);

    const press = () => operator.call(send, { disputeId });
    const lock = sql`select from disputes where id = ${disputeId} for update`;
    const replies = await raceForLock(app, lock, [press, press]);

    const codes = replies.map(({ status, body }) => (status === 200 ? 'done' : JSON.stringify(body)));
    expect(codes.filter((code) => code === 'done')).toHaveLength(1);
    expect(codes.filter((code) => code.includes('evidence.sent'))).toHaveLength(1);
    expect((await atStripe(stripeDisputeId)).evidence_details.submission_count).toBe(1);
  });

  it('is sent once if the first answer is lost [EVID-1]', async () => {
    const { disputeId, stripeDisputeId } = await disputedOrder();
    const operator = await newOperator(app);
    await planFault(app, { match: { method: 'POST', path: '/v1/disputes/*' }, mode: 'drop_after', times: 5 });
    expect((await operator.call(send, { disputeId })).status).toBe(503);
    await clearFaults(app);

    // Nobody knows yet whether the first attempt goes on.
    expect(await operator.call(send, { disputeId })).toMatchObject(SENT);
    await app.advance({ minutes: 6 });
    expect(await operator.call(send, { disputeId })).toMatchObject({ status: 200 });
    expect((await atStripe(stripeDisputeId)).evidence_details.submission_count).toBe(1);
  });

  it('is denied once the bank has decided, and after its deadline [EVID-1]', async () => {
    const [late, lost] = [await disputedOrder(), await disputedOrder()];
    await decideDispute(app, lost.stripeDisputeId, 'lost');
    await app.advance({ days: 22 });
    const operator = await newOperator(app);

    for (const { disputeId } of [late, lost])
      expect(await operator.call(send, { disputeId })).toMatchObject({
        status: 409,
        body: errorBody('evidence.too-late'),
      });
  });
});
