import * as z from 'zod/mini';
import { brakeActions, yourOrganization } from '#messages/operations/brakes.ts';
import { emailLinks } from '#messages/records/workspace.ts';
import { workspaceUrl } from '#server/events/event-url.ts';
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
  deps: Pick<Deps, 'db' | 'publicUrl'>,
  { params }: { params: unknown },
): Promise<EmailContent> {
  const { action, reason, organizationId, eventId } = brakeParams.parse(params);
  if (eventId === null)
    return brakeEmail({
      action,
      about: (await organizationName(deps.db, organizationId)) ?? yourOrganization,
      reason,
      link: { label: emailLinks.home, url: `${deps.publicUrl}/profile` },
    });
  const isAboutMoney = action === 'hold-payout' || action === 'release-payout';
  return brakeEmail({
    action,
    about: await titleOfEvent(deps.db, eventId),
    reason,
    link: isAboutMoney
      ? { label: emailLinks.money, url: workspaceUrl(deps, eventId, 'money') }
      : { label: emailLinks.event, url: workspaceUrl(deps, eventId, 'overview') },
  });
}
