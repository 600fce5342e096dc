/** How each audited action of an operator comes about: on the dashboard, or at the command line. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { handleReports, reportEvent } from '#contract/app/abuse-reports.ts';
import { login } from '#contract/app/accounts.ts';
import * as items from '#contract/app/action-items.ts';
import { adminEvidence, sendEvidence } from '#contract/app/admin.ts';
import { adminAuditFile } from '#contract/app/audit.ts';
import * as brakes from '#contract/app/brakes.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import { objectToCheckIn } from '#contract/app/early-check-ins.ts';
import * as plans from '#contract/app/plans.ts';
import { endSessions } from '#contract/app/security.ts';
import { endViewing, viewAs } from '#contract/app/viewing.ts';
import { appointAdmin, forgetFactorsOf } from '#server/accounts/appoint-admin.ts';
import { plantOrder, plantRefund, plantTransferReversal } from '#tests/support/action-items.ts';
import { disputePayment } from '#tests/support/disputes.ts';
import { attendantOf, expectOk, linkTo, PASSWORD } from '#tests/support/people.ts';
import { STANDARD_TERMS } from '#tests/support/standard-terms.ts';
import type { Stage } from './occasion.ts';

const note = 'looked at it';

export function operatorActions({
  app,
  operator,
  owner,
  newPerson,
  newSeller,
  ticketsOf,
  byNobody,
  byOperator,
}: Stage) {
  const { eventId, organization } = owner;
  const { visitor } = operator;
  const planted = () => plantOrder(app.db, owner.email, app.now());
  let planCount = 0;
  const newPlan = () => {
    const planId = randomUUID();
    return { planId, name: `Large halls ${++planCount}`, activeEventsMax: 9, terms: STANDARD_TERMS, isPublic: false };
  };
  const createdPlan = async () => {
    const plan = newPlan();
    expectOk(await visitor.call(plans.savePlan, plan));
    return plan;
  };

  /** Early check-ins of a new event, and the subject of their action item. */
  async function checkedInEarly(kind: items.ActionItemKind, tickets: number) {
    const seller = await newSeller({ startDate_startTime: inHours(480), endDate_endTime: inHours(483) });
    const buyer = `${randomUUID()}@example.com`;
    const door = await attendantOf(app, seller.eventId, seller.attendantCode);
    for (const confirmationNumber of await ticketsOf(seller.eventId, tickets, buyer))
      expectOk(await door.call(checkGuest, { eventId: seller.eventId, confirmationNumber }));
    if (kind === 'check-in-objection') {
      const token = await linkTo(app, buyer, /\/checked-in\/[\w-]{16}\/([\w-]{43})/);
      expectOk(await app.call(objectToCheckIn, { eventId: seller.eventId, token }));
    }
    const open = expectOk(await visitor.call(items.adminActionItems, {})).items;
    const subject = open.find((item) => item.kind === kind && item.event?.eventId === seller.eventId)?.subject ?? '';
    return (action: items.CheckInDecision) =>
      byOperator(
        seller.organization,
        () => visitor.call(items.decideEarlyCheckIn, { action, subject, note }),
        seller.eventId,
      );
  }
  const inHours = (hours: number) => new Date(app.now().getTime() + hours * 3_600_000).toISOString();

  /** A session that views as an organization writes nothing. */
  async function anotherSession() {
    const session = app.visitor();
    expectOk(await session.call(login, { email: operator.email, password: PASSWORD }));
    return session;
  }

  async function disputed() {
    const seller = await newSeller();
    await ticketsOf(seller.eventId, 1);
    await app.settle();
    await disputePayment(app, seller.eventId);
    const { id: disputeId } = await app.db
      .selectFrom('disputes')
      .where('eventId', '=', seller.eventId)
      .select('id')
      .executeTakeFirstOrThrow();
    return { ...seller, disputeId };
  }

  return {
    async 'forget-factors'() {
      const { email } = await newPerson();
      return byNobody(null, () => forgetFactorsOf(app.deps, email));
    },
    async 'log-out-person'() {
      const { email } = await newPerson();
      return byOperator(null, () => visitor.call(endSessions, { email }));
    },
    async 'appoint-admin'() {
      const { email } = await newPerson();
      return byNobody(null, () => appointAdmin(app.deps, { email, isAdmin: true }));
    },
    async 'dismiss-admin'() {
      const { email } = await newPerson();
      await appointAdmin(app.deps, { email, isAdmin: true });
      return byNobody(null, () => appointAdmin(app.deps, { email, isAdmin: false }));
    },
    async retry() {
      const order = await planted();
      const subject = await plantRefund(app.db, order, { state: 'refused', failureReason: 'No.' });
      const retried = { kind: 'refund-refused' as const, subject };
      return byOperator(organization, () => visitor.call(items.retryActionItem, retried), order.eventId);
    },
    async 'refund-order'() {
      const { orderId: subject, eventId: event } = await planted();
      await sql`update orders set state = 'needs-review', review_reason = 'other-amount', received_cents = 700
                 where id = ${subject}`.execute(app.db);
      return byOperator(organization, () => visitor.call(items.refundReviewedOrder, { subject }), event);
    },
    async 'paid-another-way'() {
      const order = await planted();
      const subject = await plantRefund(app.db, order, { state: 'failed' });
      return byOperator(organization, () => visitor.call(items.settleAnotherWay, { subject, note }), order.eventId);
    },
    async 'write-off'() {
      const debtor = await newPerson();
      const order = await plantOrder(app.db, debtor.email, app.now());
      const subject = await plantTransferReversal(app.db, order, { state: 'receivable' });
      const writeOff = () => visitor.call(items.writeOffReceivable, { subject, note });
      return byOperator(debtor.organization, writeOff, order.eventId);
    },
    async 'keep-check-in'() {
      return (await checkedInEarly('check-in-objection', 1))('keep-check-in');
    },
    async 'undo-check-ins'() {
      return (await checkedInEarly('early-check-ins', 5))('undo-check-ins');
    },
    async 'keep-check-ins'() {
      return (await checkedInEarly('early-check-ins', 5))('keep-check-ins');
    },
    async 'stop-sales'() {
      return byOperator(organization, () => visitor.call(brakes.stopSales, { eventId, note }), eventId);
    },
    async 'resume-sales'() {
      await visitor.call(brakes.stopSales, { eventId, note });
      return byOperator(organization, () => visitor.call(brakes.resumeSales, { eventId, note }), eventId);
    },
    async 'hold-payout'() {
      return byOperator(organization, () => visitor.call(brakes.holdPayout, { eventId, note }), eventId);
    },
    async 'release-payout'() {
      await visitor.call(brakes.holdPayout, { eventId, note });
      return byOperator(organization, () => visitor.call(brakes.releasePayout, { eventId, note }), eventId);
    },
    async 'suspend-organization'() {
      const suspended = { organizationId: organization, note };
      return byOperator(organization, () => visitor.call(brakes.suspendOrganization, suspended));
    },
    async 'resume-organization'() {
      const suspended = { organizationId: organization, note };
      await visitor.call(brakes.suspendOrganization, suspended);
      return byOperator(organization, () => visitor.call(brakes.resumeOrganization, suspended));
    },
    async 'handle-reports'() {
      const report = { eventId, reportId: randomUUID(), reason: 'other' as const, text: 'Odd.' };
      expectOk(await app.call(reportEvent, report));
      return byOperator(organization, () => visitor.call(handleReports, { eventId, note }), eventId);
    },
    async 'export-audit-log'() {
      return byOperator(null, () => visitor.fetch(adminAuditFile.path));
    },
    async 'export-evidence'() {
      const { disputeId, organization: of, eventId: event } = await disputed();
      return byOperator(of, () => visitor.fetch(`${adminEvidence.path}?disputeId=${disputeId}`), event);
    },
    async 'send-evidence'() {
      const { disputeId, organization: of, eventId: event } = await disputed();
      return byOperator(of, () => visitor.call(sendEvidence, { disputeId }), event);
    },
    async 'create-plan'() {
      return byOperator(null, () => visitor.call(plans.savePlan, newPlan()));
    },
    async 'edit-plan'() {
      const plan = await createdPlan();
      return byOperator(null, () => visitor.call(plans.savePlan, { ...plan, activeEventsMax: 12 }));
    },
    async 'retire-plan'() {
      const { planId } = await createdPlan();
      return byOperator(null, () => visitor.call(plans.retirePlan, { planId, isRetired: true }));
    },
    async 'offer-plan'() {
      const { planId } = await createdPlan();
      expectOk(await visitor.call(plans.retirePlan, { planId, isRetired: true }));
      return byOperator(null, () => visitor.call(plans.retirePlan, { planId, isRetired: false }));
    },
    async 'set-plan'() {
      const { planId } = await createdPlan();
      return byOperator(organization, () => visitor.call(plans.setPlan, { organization: owner.email, planId }));
    },
    async 'set-reserve'() {
      const input = { organization: owner.email, percent: 10, days: 90 };
      return byOperator(organization, () => visitor.call(plans.setReserve, input));
    },
    async 'view-as'() {
      const support = await anotherSession();
      return byOperator(organization, () => support.call(viewAs, { organization }));
    },
    async 'end-viewing'() {
      const support = await anotherSession();
      expectOk(await support.call(viewAs, { organization }));
      return byOperator(organization, () => support.call(endViewing, {}));
    },
  };
}
