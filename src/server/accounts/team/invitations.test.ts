import { describe, expect, it } from 'vitest';
import * as contract from '#contract/app/team.ts';
import { INVITATION_DAYS, MEMBERS_MAX, ORGANIZATIONS_PER_PERSON_MAX } from '#domain/accounts/team.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { eventOnSale, expectOk, newOrganizer, verifiedOrganizer } from '#tests/support/people.ts';
import { eventsOf, membersOf, newMember, sendInvitation } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

describe('an invitation', () => {
  it('makes the account of the invited address a member [ORG-3]', async () => {
    const owner = await eventOnSale(app);
    const member = await newMember(app, owner, 'editor');

    expect(await eventsOf(member.visitor)).toEqual([owner.eventId]);
    expect(await membersOf(owner.visitor)).toMatchObject([
      { email: owner.email, role: 'owner', isYou: true },
      { email: member.email, role: 'editor', onlyEventIds: null, isYou: false },
    ]);
    expect(expectOk(await owner.visitor.call(contract.team, {})).invitations).toEqual([]);
  });

  it('shows what it offers, and changes nothing by being read [ORG-3 AUTH-10]', async () => {
    const owner = await eventOnSale(app);
    const email = 'invited@example.com';
    const token = await sendInvitation(app, owner, { email, role: 'finance', onlyEventIds: [owner.eventId] });

    const offered = { organizationName: 'Cooperage Nights', email, role: 'finance', isForAllEvents: false };
    expect(expectOk(await app.call(contract.invitation, { token }))).toEqual(offered);
    expect(expectOk(await app.call(contract.invitation, { token }))).toEqual(offered);
    expect(await membersOf(owner.visitor)).toHaveLength(1);
  });

  it('is for nobody else, not even for an unproved account of the address [ORG-3]', async () => {
    const owner = await eventOnSale(app);
    const email = 'colleague@example.com';
    const token = await sendInvitation(app, owner, { email, role: 'owner' });
    const thief = await verifiedOrganizer(app);
    const squatter = await newOrganizer(app, { email });

    expect(await thief.visitor.call(contract.acceptInvitation, { token })).toMatchObject({
      status: 403,
      body: errorBody('invitation.other-address', { email }),
    });
    expect(await squatter.visitor.call(contract.acceptInvitation, { token })).toMatchObject({
      status: 403,
      body: errorBody('auth.email-unverified'),
    });
    expect(await membersOf(owner.visitor)).toHaveLength(1);
  });

  it('works once, and not after it was withdrawn, replaced or expired [ORG-3]', async () => {
    const owner = await eventOnSale(app);
    const person = await verifiedOrganizer(app);
    const accept = async (token: string) => (await person.visitor.call(contract.acceptInvitation, { token })).status;
    const inviteAs = (role: 'editor' | 'viewer') => sendInvitation(app, owner, { email: person.email, role });

    const replaced = await inviteAs('editor');
    const withdrawn = await inviteAs('viewer');
    expect(await accept(replaced)).toBe(404);
    const [open] = expectOk(await owner.visitor.call(contract.team, {})).invitations;
    expectOk(await owner.visitor.call(contract.withdrawInvitation, { invitationId: open?.id ?? '' }));
    expect(await accept(withdrawn)).toBe(404);

    const expired = await inviteAs('viewer');
    await app.db.updateTable('invitations').set({ expiresAt: app.now() }).execute();
    expect(await accept(expired)).toBe(404);

    const used = await inviteAs('viewer');
    expect(await accept(used)).toBe(200);
    expect(await accept(used)).toBe(404);
  });

  it('lives for seven days [ORG-3]', async () => {
    const owner = await eventOnSale(app);
    await sendInvitation(app, owner, { email: 'late@example.com', role: 'viewer' });

    const [open] = expectOk(await owner.visitor.call(contract.team, {})).invitations;
    const lifetime = new Date(open?.expiresAt ?? '').getTime() - app.now().getTime();
    expect(Math.round(lifetime / 86_400_000)).toBe(INVITATION_DAYS);
  });

  it('is refused to members, for events of others, and with fewer events for managers [ORG-3]', async () => {
    const owner = await eventOnSale(app);
    const { eventId } = await eventOnSale(app);
    const send = async (change: Partial<Parameters<typeof owner.visitor.call<typeof contract.invite>>[1]>) =>
      (
        await owner.visitor.call(contract.invite, {
          email: 'new@example.com',
          role: 'viewer',
          onlyEventIds: null,
          ...change,
        })
      ).body;

    expect(await send({ email: owner.email.toUpperCase() })).toMatchObject(errorBody('team.already-member'));
    expect(await send({ onlyEventIds: [owner.eventId, eventId] })).toMatchObject(errorBody('team.unknown-event'));
    expect(await send({ role: 'admin', onlyEventIds: [owner.eventId] })).toMatchObject(errorBody('team.all-events'));
  });

  it('is refused where the team is full, and to people in too many teams [ORG-3]', async () => {
    const owner = await eventOnSale(app);
    const { organizationId } = await actorOf(app.db, owner.email);
    const place = { organizationId, role: 'viewer', onlyEventIds: null, invitedBy: null } as const;
    const times = { createdAt: app.now(), expiresAt: new Date(app.now().getTime() + 1000) };
    await app.db
      .insertInto('invitations')
      .values(
        Array.from({ length: MEMBERS_MAX - 1 }, (_, n) => ({
          id: crypto.randomUUID(),
          ...place,
          ...times,
          email: `guest-${n}@example.com`,
          tokenHash: Buffer.from(`${organizationId} ${n}`),
        })),
      )
      .execute();
    const full = { email: 'one-more@example.com', role: 'viewer', onlyEventIds: null } as const;
    expect((await owner.visitor.call(contract.invite, full)).body).toMatchObject(errorBody('team.full'));

    const person = await verifiedOrganizer(app);
    const { userId } = await actorOf(app.db, person.email);
    for (let n = 1; n < ORGANIZATIONS_PER_PERSON_MAX; n++) {
      const id = crypto.randomUUID();
      await app.db.insertInto('organizations').values({ id, createdAt: app.now() }).execute();
      await app.db
        .insertInto('memberships')
        .values({ organizationId: id, userId, role: 'owner', joinedAt: app.now() })
        .execute();
    }
    const token = await sendInvitation(app, await eventOnSale(app), { email: person.email, role: 'viewer' });
    expect((await person.visitor.call(contract.acceptInvitation, { token })).body).toMatchObject(
      errorBody('team.too-many-organizations'),
    );
  });
});
