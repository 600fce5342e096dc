/** Plans: what organizations pay, and how many events they may have at a time. */
import * as z from 'zod/mini';
import { endpoint } from '#contract/endpoint.ts';
import { because } from '#contract/forms/form-problem.ts';
import { oneLine } from '#contract/forms/typed-text.ts';
import { messageReply } from '#contract/message-reply.ts';
import { PLAN_NAME_MAX } from '#domain/limits.ts';
import { RESERVE_DAYS_MAX, RESERVE_PERCENT_MAX } from '#domain/payouts/brakes.ts';

const rate = z.object({
  /** Hundredths of a percent. */
  basisPoints: z.int(),
  flatCents: z.int(),
});

/** Of an event: copied from its organization's plan when it was created. */
export const feeTerms = z.object({
  processingCents: z.int(),
  standard: rate,
  large: rate,
  /** From this many paid tickets on, `large` applies to every paid ticket. */
  largeFrom: z.int(),
});

export const plan = z.object({ name: z.string(), activeEventsMax: z.int(), terms: feeTerms });

export type Plan = z.infer<typeof plan>;

const offerReply = z.object({
  /** What every organization starts on. */
  standard: plan,
  /** The other plans that anyone may see, by name. */
  others: z.array(plan),
  /** An event of the demo to look at, while it is on sale. */
  demoEventId: z.nullable(z.string()),
});

export type Offer = z.infer<typeof offerReply>;

export const offer = endpoint({
  method: 'GET',
  path: '/api/public/plans',
  access: 'public',
  input: z.object({}),
  reply: offerReply,
});

const planId = z.string().check(z.regex(/^[\w-]{1,36}$/));

const operatorPlan = z.extend(plan, {
  planId: z.string(),
  /** Shown on the public pages. */
  isPublic: z.boolean(),
  /** Given to no more organizations, and not shown. Those that have it keep it. */
  isRetired: z.boolean(),
  /** Every organization starts on it, so it can't be retired. */
  isStandard: z.boolean(),
  organizations: z.number(),
});

export type OperatorPlan = z.infer<typeof operatorPlan>;

export const adminPlans = endpoint({
  method: 'GET',
  path: '/api/protected/admin/plans',
  access: 'admin',
  input: z.object({}),
  /** Standard first, then by name; retired ones last. */
  reply: z.object({ plans: z.array(operatorPlan) }),
});

export const planName = z
  .string()
  .check(
    oneLine(),
    z.minLength(1, because('plan-name.missing')),
    z.maxLength(PLAN_NAME_MAX, because('plan-name.too-long')),
  );

/** Changes the plan, or creates one: its caller chooses the ID of a new plan. Existing events keep their terms. */
export const savePlan = endpoint({
  method: 'POST',
  path: '/api/protected/admin/plans',
  access: 'admin',
  input: z.extend(plan, { planId, name: planName, isPublic: z.boolean() }),
  reply: messageReply,
});

export const retirePlan = endpoint({
  method: 'POST',
  path: '/api/protected/admin/retire-plan',
  access: 'admin',
  /** `false` offers it again. */
  input: z.object({ planId, isRetired: z.boolean() }),
  reply: messageReply,
});

const ORGANIZATION_MAX = 300;

/** Its ID, or the email address of an owner. */
const organization = z.string().check(z.trim(), z.maxLength(ORGANIZATION_MAX));

/** For the organization's next event on. */
export const setPlan = endpoint({
  method: 'POST',
  path: '/api/protected/admin/set-plan',
  access: 'admin',
  input: z.object({ organization, planId }),
  reply: messageReply,
});

/** The reserve of the organization's next payouts. Null: as the settings say. */
export const setReserve = endpoint({
  method: 'POST',
  path: '/api/protected/admin/set-reserve',
  access: 'admin',
  input: z.object({
    organization,
    percent: z.nullable(z.int().check(z.minimum(0), z.maximum(RESERVE_PERCENT_MAX))),
    days: z.nullable(z.int().check(z.minimum(1), z.maximum(RESERVE_DAYS_MAX))),
  }),
  reply: messageReply,
});
