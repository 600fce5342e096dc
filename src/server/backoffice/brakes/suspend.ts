/** Operator actions: suspend an organization, and lift it. Repeating one changes nothing and emails nobody. */
import { type BrakeAction, brakeTexts } from '#messages/operations/brakes.ts';
import { changeSuspension, lockSuspension } from '#server/accounts/suspension/suspension.ts';
import { brakeEventsOf } from '#server/events/brakes/change-brakes.ts';
import { AppError } from '#server/platform/app-error.ts';
import { inTransaction } from '#server/platform/database.ts';
import type { Deps } from '#server/platform/deps.ts';
import { recordBrake } from './record-brake.ts';

interface Suspension {
  operatorId: string;
  sessionId: string;
  organizationId: string;
  note: string;
}

export function suspendOrganization(deps: Pick<Deps, 'db'>, suspension: Suspension): Promise<{ msg: string }> {
  return change(deps, 'suspend-organization', suspension);
}

export function resumeOrganization(deps: Pick<Deps, 'db'>, suspension: Suspension): Promise<{ msg: string }> {
  return change(deps, 'resume-organization', suspension);
}

async function change(
  { db }: Pick<Deps, 'db'>,
  action: BrakeAction & `${string}-organization`,
  { operatorId, sessionId, organizationId, note }: Suspension,
): Promise<{ msg: string }> {
  const isSuspending = action === 'suspend-organization';
  await inTransaction(db, async (tx) => {
    const organization = await lockSuspension(tx, organizationId);
    if (!organization) throw new AppError('org.unknown');
    const { now: at, suspendedAt } = organization;
    if ((suspendedAt !== null) === isSuspending) return;
    await changeSuspension(
      tx,
      organizationId,
      isSuspending
        ? { suspendedAt: at, suspendedBy: operatorId, suspendReason: note }
        : { suspendedAt: null, suspendedBy: null, suspendReason: null },
    );
    await recordBrake(tx, { action, operatorId, sessionId, organizationId, eventId: null, note, at });
  });
  // Also for a repeated call: the first one may have stopped halfway. The answer means that the last event is done.
  await brakeEventsOf(db, organizationId);
  return { msg: brakeTexts[action].done };
}
