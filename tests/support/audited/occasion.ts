/** Who brings about an audited action, and what its entry in the audit log should say. */
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import {
  buyTickets,
  codesOf,
  eventOnSale,
  generalAdmission,
  newOrganizer,
  onboardedOrganizer,
} from '#tests/support/people.ts';
import type { TestApp } from '#tests/support/test-app.ts';

export interface Occasion {
  /** An email address, or the name of a check-in device or a key; null for jobs, buyers and operators at the command line. */
  actor: string | null;
  /** Null for what belongs to no organization. */
  organization: string | null;
  /** Null for what concerns no event. */
  event: string | null;
  /** Brings the action about, once. All that it needs is there already. */
  act: () => Promise<unknown>;
}

interface Person {
  visitor: Visitor;
  email: string;
  organization: string;
}

/** People and an event for all actions that leave them as they are. */
export async function openStage(app: TestApp) {
  const personOf = async ({ visitor, email }: { visitor: Visitor; email: string }): Promise<Person> => ({
    visitor,
    email,
    organization: (await actorOf(app.db, email)).organizationId,
  });
  const operator = await newOrganizer(app);
  await appointAdmin(app.deps, { email: operator.email, isAdmin: true });
  const owner = await eventOnSale(app);

  return {
    app,
    operator: await personOf(operator),
    owner: { ...owner, ...(await personOf(owner)) },
    personOf,
    /** Onboarded, with an organization of their own. */
    newPerson: async () => personOf(await onboardedOrganizer(app)),
    async newSeller(change: Parameters<typeof eventOnSale>[1] = {}) {
      const event = await eventOnSale(app, change);
      return { ...event, ...(await personOf(event)) };
    },
    async ticketsOf(eventId: string, quantity: number, buyer?: string) {
      return codesOf(await buyTickets(app, eventId, generalAdmission(quantity), buyer));
    },
    /** By a member, in their own organization. */
    by: (
      { email, organization }: { email: string; organization: string },
      act: Occasion['act'],
      event: string | null = null,
    ): Occasion => ({ actor: email, organization, event, act }),
    /** By a job or a buyer. */
    byNobody: (organization: string | null, act: Occasion['act'], event: string | null = null): Occasion => ({
      actor: null,
      organization,
      event,
      act,
    }),
    /** By the operator. */
    byOperator: (organization: string | null, act: Occasion['act'], event: string | null = null): Occasion => ({
      actor: operator.email,
      organization,
      event,
      act,
    }),
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;
