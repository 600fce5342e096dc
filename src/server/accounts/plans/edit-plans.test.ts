import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { adminAudit, auditLog } from '#contract/app/audit.ts';
import { createEvent } from '#contract/app/events.ts';
import { adminPlans, offer, retirePlan, savePlan, setPlan } from '#contract/app/plans.ts';
import type { InputOf } from '#contract/endpoint.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newId } from '#server/platform/ids.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { eventForm, expectOk, newOrganizer, onboardedOrganizer } from '#tests/support/people.ts';
import { STANDARD_TERMS } from '#tests/support/standard-terms.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let operator: Visitor;
beforeAll(async () => {
  app = await startTestApp();
  const { visitor, email } = await newOrganizer(app);
  await appointAdmin(app.deps, { email, isAdmin: true });
  operator = visitor;
});
afterAll(() => app.close());

const standard = { planId: 'standard', name: 'Standard', activeEventsMax: 2, terms: STANDARD_TERMS, isPublic: true };

let plans = 0;
const newPlan = (change: Partial<InputOf<typeof savePlan>> = {}): InputOf<typeof savePlan> => ({
  planId: newId(),
  name: `Plan ${++plans}`,
  activeEventsMax: 5,
  terms: {
    processingCents: 30_00,
    standard: { basisPoints: 150, flatCents: 40 },
    large: { basisPoints: 100, flatCents: 25 },
    largeFrom: 300,
  },
  isPublic: true,
  ...change,
});

async function savedPlan(change: Partial<InputOf<typeof savePlan>> = {}) {
  const plan = newPlan(change);
  expectOk(await operator.call(savePlan, plan));
  return plan;
}

const listed = async (planId: string) =>
  expectOk(await operator.call(adminPlans, {})).plans.find((plan) => plan.planId === planId);

const namesOnPages = async () => expectOk(await app.call(offer, {})).others.map(({ name }) => name);

describe('an operator', () => {
  it('creates a plan, edits it, and sees who has it [PLAN-1]', async () => {
    const plan = newPlan();
    expectOk(await operator.call(savePlan, plan));
    // A repeated request creates no second one.
    expectOk(await operator.call(savePlan, plan));
    expect(await listed(plan.planId)).toEqual({ ...plan, isRetired: false, isStandard: false, organizations: 0 });

    expectOk(await operator.call(savePlan, { ...plan, name: `${plan.name}!`, activeEventsMax: 7, isPublic: false }));
    expect(await listed(plan.planId)).toMatchObject({ name: `${plan.name}!`, activeEventsMax: 7, isPublic: false });
    expect(await namesOnPages()).not.toContain(`${plan.name}!`);
    const { entries } = expectOk(await operator.call(adminAudit, {}));
    const ofPlans = entries.map(({ action }) => action).filter((action) => action.endsWith('plan'));
    expect(ofPlans).toEqual(['edit-plan', 'edit-plan', 'create-plan']);
  });

  it('gives an organization a plan, which its next event gets [PLAN-1 PLAN-2]', async () => {
    const plan = await savedPlan();
    const { visitor, email } = await onboardedOrganizer(app);
    const { eventId } = expectOk(await visitor.call(createEvent, eventForm(app)));

    expectOk(await operator.call(setPlan, { organization: email, planId: plan.planId }));
    const later = expectOk(await visitor.call(createEvent, eventForm(app)));

    const { plan: shown, events } = expectOk(await visitor.call(profile, {}));
    expect(shown).toEqual({ name: plan.name, activeEventsMax: 5, terms: plan.terms });
    expect(events.map((event) => [event.eventId, event.feeTerms])).toEqual([
      [later.eventId, plan.terms],
      [eventId, STANDARD_TERMS],
    ]);
    expect(await listed(plan.planId)).toMatchObject({ organizations: 1 });
    const { entries } = expectOk(await visitor.call(auditLog, { action: 'set-plan' }));
    expect(entries).toMatchObject([{ actorKind: 'operator', actor: null }]);
  });

  it('retires a plan: it is given to no one else, and those that have it keep it [PLAN-1]', async () => {
    const { planId, name } = await savedPlan();
    const { visitor, email } = await onboardedOrganizer(app);
    expectOk(await operator.call(setPlan, { organization: email, planId }));
    expectOk(await operator.call(retirePlan, { planId, isRetired: true }));

    expect(await listed(planId)).toMatchObject({ isRetired: true, organizations: 1 });
    expect(expectOk(await visitor.call(profile, {})).plan.name).toBe(name);
    expect(await namesOnPages()).not.toContain(name);
    const refused = await operator.call(setPlan, { organization: email, planId });
    expect(refused).toMatchObject({ status: 409, body: errorBody('plan.retired') });

    expectOk(await operator.call(retirePlan, { planId, isRetired: false }));
    expect(await namesOnPages()).toContain(name);
    expectOk(await operator.call(setPlan, { organization: email, planId }));
  });

  it('does not give a plan that is being retired [PLAN-1]', async () => {
    const { planId } = await savedPlan();
    const { email } = await onboardedOrganizer(app);

    const { pending } = await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('plans').set({ retiredAt: app.now() }).where('id', '=', planId).execute();
      const pending = operator.call(setPlan, { organization: email, planId });
      await app.untilBlocked();
      return { pending };
    });

    expect(await pending).toMatchObject({ status: 409, body: errorBody('plan.retired') });
  });

  it('does not save the same name twice at a time [PLAN-1]', async () => {
    const [one, other] = [newPlan(), newPlan({ name: 'Twice' })];

    const { pending } = await app.db.transaction().execute(async (tx) => {
      const { terms, planId: id, ...row } = one;
      await tx
        .insertInto('plans')
        .values({
          ...row,
          id,
          name: 'TWICE',
          processingCents: terms.processingCents,
          standardBp: 0,
          standardFlatCents: 0,
          largeBp: 0,
          largeFlatCents: 0,
          largeFrom: 1,
          retiredAt: null,
        })
        .execute();
      const pending = operator.call(savePlan, other);
      await app.untilBlocked();
      return { pending };
    });

    expect(await pending).toMatchObject({ status: 409, body: errorBody('plan.name-taken') });
  });

  it.each([
    ['100 percent', { terms: { ...STANDARD_TERMS, standard: { basisPoints: 100_00, flatCents: 75 } } }, 'plan.invalid'],
    [
      'a negative percentage',
      { terms: { ...STANDARD_TERMS, large: { basisPoints: -1, flatCents: 0 } } },
      'plan.invalid',
    ],
    ['a negative fee', { terms: { ...STANDARD_TERMS, processingCents: -1 } }, 'plan.invalid'],
    ['a negative flat fee', { terms: { ...STANDARD_TERMS, large: { basisPoints: 0, flatCents: -1 } } }, 'plan.invalid'],
    ['an endless fee', { terms: { ...STANDARD_TERMS, processingCents: 2 ** 40 } }, 'plan.invalid'],
    ['no active events', { activeEventsMax: 0 }, 'plan.invalid'],
    ['large events from 0 tickets', { terms: { ...STANDARD_TERMS, largeFrom: 0 } }, 'plan.invalid'],
    [
      'a higher fee for large events',
      { terms: { ...STANDARD_TERMS, large: { basisPoints: 180, flatCents: 76 } } },
      'plan.large-fee-higher',
    ],
  ] as const)('saves no plan with %s [PLAN-1]', async (_what, change, code) => {
    const plan = newPlan(change);

    expect(await operator.call(savePlan, plan)).toMatchObject({ status: 400, body: errorBody(code) });
    expect(await listed(plan.planId)).toBeUndefined();
  });

  it('can neither hide nor retire Standard, nor do anything with an unknown plan [PLAN-1]', async () => {
    const stays = { status: 409, body: errorBody('plan.standard-stays') };
    expect(await operator.call(savePlan, { ...standard, isPublic: false })).toMatchObject(stays);
    expect(await operator.call(retirePlan, { planId: 'standard', isRetired: true })).toMatchObject(stays);
    const unknown = { status: 404, body: errorBody('plan.unknown') };
    expect(await operator.call(retirePlan, { planId: 'none', isRetired: true })).toMatchObject(unknown);
    const { email } = await newOrganizer(app);
    expect(await operator.call(setPlan, { organization: email, planId: 'none' })).toMatchObject(unknown);
    const nobody = await operator.call(setPlan, { organization: 'nobody@example.com', planId: 'standard' });
    expect(nobody).toMatchObject({ status: 404, body: errorBody('view-as.unknown-organization') });
    expect(await listed('standard')).toMatchObject({ ...standard, isRetired: false, isStandard: true });
  });
});
