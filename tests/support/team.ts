/** Members who join by the emailed link, and what they see. */
import { profile } from '#contract/app/accounts.ts';
import { acceptInvitation, invite, team } from '#contract/app/team.ts';
import type { Role } from '#domain/accounts/roles.ts';
import type { Visitor } from './http-visitor.ts';
import { emailsTo, expectOk, type Site, verifiedOrganizer } from './people.ts';

/** The token of the newest invitation. */
async function invitationTo(site: Site, email: string): Promise<string> {
  for (const { text } of await emailsTo(site, email)) {
    const token = /\/invitation\?token=([\w-]+)/.exec(text)?.[1];
    if (token) return token;
  }
  throw new Error(`no invitation was emailed to ${email}`);
}

export async function sendInvitation(
  site: Site,
  owner: { visitor: Visitor },
  invited: { email: string; role: Role; onlyEventIds?: string[] | null },
): Promise<string> {
  expectOk(await owner.visitor.call(invite, { onlyEventIds: null, ...invited }));
  return invitationTo(site, invited.email);
}

/** A person with an account of their own, whose session acts for the owner's organization. */
export async function newMember(
  site: Site,
  owner: { visitor: Visitor },
  role: Role,
  onlyEventIds: string[] | null = null,
): Promise<{ visitor: Visitor; email: string }> {
  const person = await verifiedOrganizer(site);
  const token = await sendInvitation(site, owner, { email: person.email, role, onlyEventIds });
  expectOk(await person.visitor.call(acceptInvitation, { token }));
  return person;
}

export const eventsOf = async (visitor: Visitor) =>
  expectOk(await visitor.call(profile, {})).events.map(({ eventId }) => eventId);

export const membersOf = async (visitor: Visitor) => expectOk(await visitor.call(team, {})).members;
