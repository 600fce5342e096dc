/** Emails about teams. The names of organizations are what their owners typed. */
import type { Role } from '#domain/accounts/roles.ts';
import { INVITATION_DAYS } from '#domain/accounts/team.ts';
import { checkInHours, type SetHours } from '#domain/check-in-hours.ts';
import { roleDescriptions, roleNames } from '#messages/accounts/team.ts';
import { longDate } from '#messages/format.ts';
import { button, type EmailContent, paragraph, quoted, smallPrint } from './layout.ts';

const inText = (organizationName: string | null) =>
  organizationName === null ? 'an organization' : quoted(organizationName);

interface Team {
  url: string;
  organizationName: string | null;
}

export function invitationEmail({ url, organizationName, role }: Team & { role: Role }): EmailContent {
  return {
    subject: "You're invited to a team on Handstamp",
    preview: 'Accept to help with their events.',
    head: { title: "You're invited" },
    blocks: [
      paragraph(
        `${organizationName === null ? 'An organization' : quoted(organizationName)} invites you to their team. Your role: ${roleNames[role]}.`,
      ),
      paragraph(roleDescriptions[role]),
      button('See the invitation', url),
      smallPrint(
        `The link works for ${INVITATION_DAYS} days. You accept with an account that has this email address. Don't know them? You can ignore this email.`,
      ),
    ],
  };
}

export function roleChangedEmail({ url, organizationName, role }: Team & { role: Role }): EmailContent {
  return {
    subject: 'Your role on Handstamp was changed',
    preview: `Your role is ${roleNames[role]} now.`,
    head: { title: 'Your role was changed' },
    blocks: [
      paragraph(`Your role in ${inText(organizationName)} is ${roleNames[role]} now.`),
      paragraph(roleDescriptions[role]),
      button('See the events', url),
    ],
  };
}

interface EventAtDoor extends SetHours {
  title: string;
  timezone: string;
  startsAt: Date;
  endsAt: Date;
  url: string;
}

/** To the members who check guests in. */
export function checkInHoursChangedEmail({ title, timezone, url, ...event }: EventAtDoor): EmailContent {
  const { opensAt, closesAt } = checkInHours(event);
  const hasHours = opensAt && closesAt;
  const hours = hasHours
    ? [`Opens: ${longDate(opensAt, timezone)}`, `Closes: ${longDate(closesAt, timezone)}`]
    : ['Open at any time'];
  return {
    subject: `${title}: new check-in hours`,
    preview: hours.join('. '),
    head: { above: 'Check-in', title, below: hours },
    blocks: [
      paragraph(
        hasHours
          ? 'The check-in hours have changed. A ticket that is scanned outside them does not let anyone in.'
          : 'This event has no check-in hours any more, so you can check guests in at any time.',
      ),
      button('Open the scanner', url),
    ],
  };
}

export function memberRemovedEmail({ organizationName }: Pick<Team, 'organizationName'>): EmailContent {
  return {
    subject: 'You were removed from a team on Handstamp',
    preview: 'Your own account stays as it is.',
    head: { title: 'You were removed from a team' },
    blocks: [
      paragraph(`You are no longer a member of ${inText(organizationName)}.`),
      smallPrint('Your own account stays as it is. Ask the organization if you think this was a mistake.'),
    ],
  };
}

export function organizationDeletedEmail({ organizationName }: Pick<Team, 'organizationName'>): EmailContent {
  return {
    subject: 'An organization was deleted on Handstamp',
    preview: 'Your own account stays as it is.',
    head: { title: 'An organization was deleted' },
    blocks: [
      paragraph(`An owner deleted ${inText(organizationName)}, of which you were a member.`),
      smallPrint('Your own account stays as it is. Contact us if you think this was a mistake.'),
    ],
  };
}
