import { expect, it } from 'vitest';
import { adminDisputes } from '#contract/app/admin.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { decideDispute, disputePayment } from '#tests/support/disputes.ts';
import { stripeOf } from '#tests/support/money.ts';
import { buyTickets, eventOnSale, expectOk, generalAdmission, newOrganizer } from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

it("operators see open disputes with buyer, order and Stripe's due date, what is due first comes first [EVID-1]", async () => {
  const { eventId } = await eventOnSale(app);
  await buyTickets(app, eventId, generalAdmission(2), 'first@example.com');
  await buyTickets(app, eventId, generalAdmission(1), 'second@example.com');
  await app.settle();
  const first = await disputePayment(app, eventId, { which: 0 });
  const second = await disputePayment(app, eventId, { which: 1, kind: 'inquiry' });

  const { visitor, email } = await newOrganizer(app);
  await appointAdmin(app.deps, { email, isAdmin: true });
  const { disputes, total } = expectOk(await visitor.call(adminDisputes, {}));
  const dueAt = async (id: string) =>
    new Date(((await stripeOf(app).disputes.retrieve(id)).evidence_details.due_by ?? 0) * 1000).toISOString();

  expect(total).toBe(2);
  expect(disputes).toMatchObject([
    { eventId, buyerEmail: 'first@example.com', cents: 48_00, isInquiry: false, dueAt: await dueAt(first) },
    { eventId, buyerEmail: 'second@example.com', cents: 24_00, isInquiry: true, dueAt: await dueAt(second) },
  ]);
  expect(disputes[0]?.stripeUrl).toBe(`https://dashboard.stripe.com/test/disputes/${first}`);

  await decideDispute(app, first, 'lost');
  expect(expectOk(await visitor.call(adminDisputes, {})).disputes).toMatchObject([{ isInquiry: true }]);
});
