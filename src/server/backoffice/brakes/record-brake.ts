/** What each brake leaves behind: the operator's action with its reason, an audit event, and an email to the owners. */
import type { BrakeAction } from '#messages/operations/brakes.ts';
import { emailOwners } from '#server/accounts/organization.ts';
import type { Db } from '#server/platform/database.ts';
import { newId } from '#server/platform/ids.ts';
import type { BrakeEmailKind } from '#server/platform/outbox/queue-email.ts';
import { recordOperatorAction } from '../admin/record-operator-action.ts';

interface BrakeRecord {
  action: BrakeAction;
  operatorId: string;
  sessionId: string;
  organizationId: string;
  /** Null where the brake holds for the whole organization. */
  eventId: string | null;
  note: string;
  at: Date;
}

const EMAILS: Record<BrakeAction, BrakeEmailKind> = {
  'stop-sales': 'sales-stopped',
  'resume-sales': 'resumed',
  'suspend-organization': 'suspended',
  'resume-organization': 'resumed',
  'hold-payout': 'payout-on-hold',
  'release-payout': 'resumed',
};

/** Runs in the transaction of the brake. */
export async function recordBrake(tx: Db, record: BrakeRecord): Promise<void> {
  const { action, organizationId, eventId, note, at } = record;
  const subject =
    eventId === null ? { kind: 'organization', subject: organizationId } : { kind: 'event', subject: eventId };
  await recordOperatorAction(tx, { ...record, ...subject });
  await emailOwners(tx, organizationId, {
    kind: EMAILS[action],
    subjectId: newId(),
    params: { action, reason: note, organizationId, eventId },
    now: at,
  });
}
