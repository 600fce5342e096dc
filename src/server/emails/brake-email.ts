import * as z from 'zod/mini';
import { brakeActions, yourOrganization } from '#messages/operations/brakes.ts';
import type { Deps } from '#server/platform/deps.ts';
import { organizationName, titleOfEvent } from './outbox.sql.ts';
import { brakeEmail } from './templates/brakes.ts';
import type { EmailContent } from './templates/layout.ts';

const brakeParams = z.object({
  action: z.enum(brakeActions),
  reason: z.string(),
  organizationId: z.string(),
  /** Null where the brake holds for the whole organization. */
  eventId: z.nullable(z.string()),
});

export async function renderBrakeEmail(
  { db, publicUrl }: Pick<Deps, 'db' | 'publicUrl'>,
  { params }: { params: unknown },
): Promise<EmailContent> {
  const { action, reason, organizationId, eventId } = brakeParams.parse(params);
  const about =
    eventId === null
      ? ((await organizationName(db, organizationId)) ?? yourOrganization)
      : await titleOfEvent(db, eventId);
  return brakeEmail({ action, about, reason, url: `${publicUrl}/profile` });
}
