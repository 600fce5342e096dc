import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { profile } from '#contract/app/accounts.ts';
import { checkGuest, enterAttendantCode } from '#contract/app/check-in.ts';
import { createEvent } from '#contract/app/events.ts';
import { guestPage, resendTicket } from '#contract/app/guests.ts';
import { deleteAccount, myRecordsFile } from '#contract/app/privacy.ts';
import * as contract from '#contract/app/team.ts';
import { roles } from '#domain/accounts/roles.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { errorBody } from '#tests/support/error-body.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import {
  buyTickets,
  codesOf,
  emailsTo,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  newOrganizer,
  PASSWORD,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import { raceFor } from '#tests/support/race.ts';
import { eventsOf, membersOf, newMember, sendInvitation } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

async function userIdOf(email: string): Promise<string> {
  const { id } = await app.db.selectFrom('users').where('email', '=', email).select('id').executeTakeFirstOrThrow();
  return id;
}

it('begins with the person who signs up as the owner [ORG-1]', async () => {
  const { visitor, email } = await newOrganizer(app);

  expect(await membersOf(visitor)).toMatchObject([{ email, role: 'owner', onlyEventIds: null, isYou: true }]);
});

describe('the role of an owner', () => {
  it('is neither given nor taken by an admin [ROLE-1 ORG-4]', async () => {
    const owner = await eventOnSale(app);
    const admin = await newMember(app, owner, 'admin');
    const ownerId = await userIdOf(owner.email);
    const adminId = await userIdOf(admin.email);
    const denied = { status: 403, body: errorBody('auth.role-denied', { action: 'owner.manage' }) };
    const all = { onlyEventIds: null } as const;

    const invited = { email: 'friend@example.com', role: 'owner', ...all } as const;
    expect(await admin.visitor.call(contract.invite, invited)).toMatchObject(denied);
    const promoted = { userId: adminId, role: 'owner', ...all } as const;
    expect(await admin.visitor.call(contract.changeRole, promoted)).toMatchObject(denied);
    const demoted = { userId: ownerId, role: 'viewer', ...all } as const;
    expect(await admin.visitor.call(contract.changeRole, demoted)).toMatchObject(denied);
    expect(await admin.visitor.call(contract.removeMember, { userId: ownerId })).toMatchObject(denied);

    await sendInvitation(app, owner, { email: 'co-owner@example.com', role: 'owner' });
    const [open] = expectOk(await owner.visitor.call(contract.team, {})).invitations;
    const withdrawn = { invitationId: open?.id ?? '' };
    expect(await admin.visitor.call(contract.withdrawInvitation, withdrawn)).toMatchObject(denied);
  });

  it('is given only by someone who just proved to be the owner [AUTH-8]', async () => {
    const owner = await eventOnSale(app);
    const member = await newMember(app, owner, 'editor');
    await app.advance({ minutes: 10 });

    const promoted = { userId: await userIdOf(member.email), role: 'owner', onlyEventIds: null } as const;
    const reply = await owner.visitor.call(contract.changeRole, promoted);

    expect(reply).toMatchObject({ status: 403, body: errorBody('auth.reauthentication-required') });
  });

  it('remains with someone: the last owner stays, and stays owner [ORG-4]', async () => {
    const owner = await eventOnSale(app);
    await newMember(app, owner, 'admin');
    const lastOwner = { status: 409, body: errorBody('team.last-owner') };
    const userId = await userIdOf(owner.email);

    expect(await owner.visitor.call(contract.leaveOrganization, {})).toMatchObject(lastOwner);
    expect(await owner.visitor.call(contract.removeMember, { userId })).toMatchObject(lastOwner);
    const demoted = { userId, role: 'viewer', onlyEventIds: null } as const;
    expect(await owner.visitor.call(contract.changeRole, demoted)).toMatchObject(lastOwner);
    expect(await owner.visitor.call(deleteAccount, { password: PASSWORD })).toMatchObject(lastOwner);
  });

  it('remains with one of two owners who demote each other at once [ORG-4]', async () => {
    const one = await eventOnSale(app);
    const two = await newMember(app, one, 'owner');
    const { organizationId } = await actorOf(app.db, one.email);
    const demote = async (by: { visitor: Visitor }, whom: { email: string }) => {
      const change = { userId: await userIdOf(whom.email), role: 'viewer', onlyEventIds: null } as const;
      return () => by.visitor.call(contract.changeRole, change);
    };

    const replies = await raceFor(app, 'organizations', organizationId, [
      await demote(one, two),
      await demote(two, one),
    ]);

    expect(replies.map(({ status }) => status)).toEqual([200, 409]);
    expect((await membersOf(one.visitor)).map(({ role }) => role).sort()).toEqual(['owner', 'viewer']);
  });

  it('remains, whatever statement takes it [ORG-4]', async () => {
    const owner = await eventOnSale(app);
    await newMember(app, owner, 'admin');
    const { organizationId, userId } = await actorOf(app.db, owner.email);

    const take = sql`delete from memberships where organization_id = ${organizationId} and user_id = ${userId}`;

    await expect(take.execute(app.db)).rejects.toMatchObject({ code: '23514' });
  });
});

describe('a member', () => {
  it('has the new role from the next request on, and gets an email about it [ORG-4]', async () => {
    const owner = await eventOnSale(app);
    const member = await newMember(app, owner, 'editor');
    expectOk(await member.visitor.call(guestPage, { eventId: owner.eventId }));

    const userId = await userIdOf(member.email);
    expectOk(await owner.visitor.call(contract.changeRole, { userId, role: 'viewer', onlyEventIds: null }));

    expect((await member.visitor.call(guestPage, { eventId: owner.eventId })).status).toBe(403);
    expect((await emailsTo(app, member.email))[0]?.subject).toContain('role');
  });

  it('who is removed has no access at once, not at the door either, and keeps their account [ORG-4]', async () => {
    const owner = await eventOnSale(app);
    const member = await newMember(app, owner, 'editor');
    const [confirmationNumber = ''] = codesOf(await buyTickets(app, owner.eventId, generalAdmission(1)));
    const scan = () => member.visitor.call(checkGuest, { eventId: owner.eventId, confirmationNumber });
    const userId = await userIdOf(member.email);
    const { organizationId } = await actorOf(app.db, member.email);

    expectOk(await owner.visitor.call(contract.removeMember, { userId }));

    expect((await member.visitor.call(profile, {})).status).toBe(401);
    expect((await scan()).status).toBe(401);
    await logInAgain(member);
    expect(await eventsOf(member.visitor)).toEqual([]);
    expect((await scan()).status).toBe(401);
    expect((await actorOf(app.db, member.email)).organizationId).toBe(organizationId);
    expect((await emailsTo(app, member.email)).map(({ subject }) => subject)).toContain(
      'You were removed from a team on Handstamp',
    );
  });

  it('who was removed scans again with the attendant code [ORG-4]', async () => {
    const owner = await eventOnSale(app);
    const member = await newMember(app, owner, 'check-in');
    const [confirmationNumber = ''] = codesOf(await buyTickets(app, owner.eventId, generalAdmission(1)));
    expectOk(await owner.visitor.call(contract.removeMember, { userId: await userIdOf(member.email) }));

    const { eventId, attendantCode } = owner;
    expectOk(await member.visitor.call(enterAttendantCode, { eventId, formData: { attendantCode } }));
    expectOk(await member.visitor.call(checkGuest, { eventId, confirmationNumber }));
  });

  it('leaves, and the session goes on in their own organization [ORG-2 ORG-4]', async () => {
    const owner = await eventOnSale(app);
    const member = await newMember(app, owner, 'viewer');

    expectOk(await member.visitor.call(contract.leaveOrganization, {}));

    expect(await eventsOf(member.visitor)).toEqual([]);
    expect(await membersOf(owner.visitor)).toHaveLength(1);
  });

  it('whose last membership ends gets an empty organization [ORG-4]', async () => {
    const owner = await eventOnSale(app);
    const member = await newMember(app, owner, 'viewer');
    const userId = await userIdOf(member.email);
    const { organizationId } = await actorOf(app.db, owner.email);
    await app.db
      .deleteFrom('memberships')
      .where('userId', '=', userId)
      .where('organizationId', '!=', organizationId)
      .execute();

    expectOk(await owner.visitor.call(contract.removeMember, { userId }));

    await logInAgain(member);
    expect(expectOk(await member.visitor.call(profile, {})).access).toEqual({ role: 'owner', onlyEventIds: null });
  });

  it('switches between their organizations, and logs in to the last one [ORG-2]', async () => {
    const owner = await eventOnSale(app);
    const member = await newMember(app, owner, 'editor');
    const organizationId = async (isThis: boolean) =>
      expectOk(await member.visitor.call(contract.organizations, {})).organizations.find((one) => one.isThis === isThis)
        ?.organizationId ?? '';
    const theirs = await organizationId(true);

    expectOk(await member.visitor.call(contract.switchOrganization, { organizationId: await organizationId(false) }));
    expect(await eventsOf(member.visitor)).toEqual([]);

    await app.advance({ minutes: 1 });
    expectOk(await member.visitor.call(contract.switchOrganization, { organizationId: theirs }));
    await logInAgain(member);
    expect(await eventsOf(member.visitor)).toEqual([owner.eventId]);
  });

  it('switches to no organization of others [ORG-2]', async () => {
    const stranger = await verifiedOrganizer(app);
    const { organizationId } = await actorOf(app.db, (await eventOnSale(app)).email);

    const reply = await stranger.visitor.call(contract.switchOrganization, { organizationId });

    expect(reply).toMatchObject({ status: 404, body: errorBody('team.unknown-organization') });
  });

  it('for chosen events sees only these, and creates none [ORG-3]', async () => {
    const owner = await eventOnSale(app);
    const other = expectOk(await owner.visitor.call(createEvent, eventForm(app, { title: 'Another evening' })));
    const order = await buyTickets(app, other.eventId, generalAdmission(2), 'guest@example.com');
    const member = await newMember(app, owner, 'editor', [owner.eventId]);

    const shown = expectOk(await member.visitor.call(profile, {}));

    expect(shown.events.map(({ eventId }) => eventId)).toEqual([owner.eventId]);
    expect(shown.sales).toMatchObject({ ticketsSold: 0, gross: 0 });
    expect((await member.visitor.call(createEvent, eventForm(app))).body).toMatchObject(
      errorBody('auth.role-denied', { action: 'event.create' }),
    );
    const ticket = { email: 'guest@example.com', confirmationNumber: codesOf(order)[0] ?? '' };
    expect((await member.visitor.call(resendTicket, ticket)).body).toMatchObject(errorBody('resend.unknown-ticket'));
    expectOk(await owner.visitor.call(resendTicket, ticket));
  });
});

const SEES = {
  owner: { code: true, statement: true, gross: true, guests: 1, accountInfo: true },
  admin: { code: true, statement: true, gross: true, guests: 1, accountInfo: false },
  editor: { code: true, statement: false, gross: true, guests: 1, accountInfo: false },
  finance: { code: false, statement: true, gross: true, guests: 1, accountInfo: false },
  'check-in': { code: false, statement: false, gross: false, guests: 0, accountInfo: false },
  viewer: { code: false, statement: false, gross: true, guests: 0, accountInfo: false },
};

describe.each(roles)('the profile of the role %s', (role) => {
  it('has only what the role may see [ROLE-3]', async () => {
    const owner = await eventOnSale(app);
    await buyTickets(app, owner.eventId, generalAdmission(1));
    const { visitor } = await newMember(app, owner, role);

    const { accountInfo, events, sales } = expectOk(await visitor.call(profile, {}));
    const [event] = events;

    expect({
      code: event?.attendantId !== null,
      statement: event?.payout.statement !== null,
      gross: event?.gross !== null,
      guests: event?.guestList.length,
    }).toEqual({ ...SEES[role], accountInfo: undefined });
    expect(sales.gross !== null).toBe(SEES[role].gross);
    // A new owner hasn't entered a name and a birthday yet.
    expect(accountInfo).toBeNull();
  });
});

describe('deleting an account', () => {
  it('leaves the organization to its other owner [ORG-5]', async () => {
    const founder = await eventOnSale(app);
    const partner = await newMember(app, founder, 'owner');

    expectOk(await founder.visitor.call(deleteAccount, { password: PASSWORD }));

    expect(await eventsOf(partner.visitor)).toEqual([founder.eventId]);
    expect(await membersOf(partner.visitor)).toMatchObject([{ email: partner.email }]);
    await buyTickets(app, founder.eventId, generalAdmission(1));
  });

  it('takes nothing of the organizations in which a person only helped [ORG-5]', async () => {
    const owner = await eventOnSale(app);
    const helper = await newMember(app, owner, 'editor');

    expectOk(await helper.visitor.call(deleteAccount, { password: PASSWORD }));

    expect(await eventsOf(owner.visitor)).toEqual([owner.eventId]);
    expect(await membersOf(owner.visitor)).toHaveLength(1);
    expect((await helper.visitor.call(profile, {})).status).toBe(401);
  });
});

describe('the data of a member', () => {
  it("has none of the organization's [ORG-3 ROLE-3]", async () => {
    const owner = await eventOnSale(app);
    await buyTickets(app, owner.eventId, generalAdmission(1), 'guest@example.com');
    const member = await newMember(app, owner, 'viewer');

    const reply = await member.visitor.fetch(myRecordsFile.path);
    const file = await reply.text();

    expect(reply.status).toBe(200);
    expect(file).toContain(member.email);
    expect(file).not.toContain('guest@example.com');
    expect(file).not.toContain(owner.eventId);
  });
});
