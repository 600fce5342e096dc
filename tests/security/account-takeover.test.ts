/** Strangers who register someone else's address, or read someone else's inbox, and want to be paid for their sales. */
import { describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import { generateCode } from '#contract/app/affiliates.ts';
import { createEvent } from '#contract/app/events.ts';
import { confirmApp, requireFactor, setUpApp, setUpPasskey } from '#contract/app/factors.ts';
import {
  confirmPayoutAccount,
  createAccountLink,
  createLoginLink,
  payoutAccountHolder,
  requestPayout,
} from '#contract/app/payouts.ts';
import { changeRole, invite, removeMember, team, withdrawInvitation } from '#contract/app/team.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { codeOf } from '#tests/support/authenticator-app.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { movementsAtStripe } from '#tests/support/money.ts';
import {
  accountInfo,
  buyTickets,
  connectPayouts,
  emailsTo,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  logInAgain,
  newOrganizer,
  onboard,
  onboardedOrganizer,
  PASSWORD,
} from '#tests/support/people.ts';
import { newMember, sendInvitation } from '#tests/support/team.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import { withTestApp } from '#tests/support/with-test-app.ts';

let app: TestApp;
withTestApp((opened) => {
  app = opened;
});

/** Of an event of `eventForm`. */
const SETTLED_AFTER_HOURS = 52;
const NEW_PASSWORD = 'the owner of the inbox';
const form = { newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD };

async function tokenTo(email: string, link: RegExp): Promise<string> {
  const [message] = (await emailsTo(app, email)).filter(({ text }) => link.test(text));
  return link.exec(message?.text ?? '')?.[1] ?? '';
}

/** What the owner of an inbox does who has no password, and logs in with it. */
async function resetByEmail(email: string) {
  expectOk(await app.call(accounts.forgotPassword, { email }));
  const token = await tokenTo(email, /\/reset-password\/([\w-]+)/);
  expect((await app.visitor().send(accounts.resetPassword, { token, ...form })).status).toBe(200);
  const visitor = app.visitor();
  expectOk(await visitor.call(accounts.login, { email, password: NEW_PASSWORD }));
  return { visitor, email };
}

const verify = async (email: string) =>
  app.call(accounts.verifyEmail, { token: await tokenTo(email, /\/verify-email\?token=([\w-]+)/) });

const payoutAccountOf = async (email: string) => {
  const { organizationId } = await storedAccount(app.db, email);
  const accountsOf = app.db.selectFrom('payoutAccounts').where('organizationId', '=', organizationId);
  return accountsOf.select(['accountId', 'confirmedAt']).executeTakeFirst();
};

describe("a stranger who registered an organizer's address first", () => {
  it('can set up nothing, and the owner of the inbox is paid into an account of their own [AUTH-1 AUTH-2]', async () => {
    const stranger = await newOrganizer(app, { email: 'ada@cooperage.example' });
    for (const attempt of [
      () => stranger.visitor.call(accounts.saveAccountInfo, accountInfo),
      () => stranger.visitor.call(createAccountLink, {}),
    ])
      expect(await attempt()).toMatchObject({ status: 403, body: errorBody('auth.email-unverified') });
    for (const attempt of [
      () => stranger.visitor.call(generateCode, {}),
      () => stranger.visitor.call(createEvent, eventForm(app)),
    ])
      expect(await attempt()).toMatchObject({ status: 403, body: errorBody('onboarding.incomplete') });

    const owner = await resetByEmail(stranger.email);
    expect((await stranger.visitor.call(accounts.profile, {})).status).toBe(401);
    const withOldPassword = { email: stranger.email, password: PASSWORD };
    expect((await app.visitor().send(accounts.login, withOldPassword)).status).toBe(401);

    expectOk(await owner.visitor.call(accounts.saveAccountInfo, accountInfo));
    await connectPayouts(owner.visitor);
    const { eventId } = expectOk(await owner.visitor.call(createEvent, eventForm(app)));
    await buyTickets(app, eventId, generalAdmission(2));
    await app.advance({ hours: SETTLED_AFTER_HOURS });
    const again = app.visitor();
    expectOk(await again.call(accounts.login, { email: owner.email, password: NEW_PASSWORD }));
    const { totalPayout } = expectOk(await again.call(requestPayout, { eventId }));
    await app.settle();

    const destination = (await payoutAccountOf(owner.email))?.accountId;
    expect(await movementsAtStripe(app, 'transfer', eventId)).toMatchObject([
      { destination, amount: Math.round(totalPayout * 100) },
    ]);
  });
});

describe('an account that was set up before its address was verified', () => {
  /** As an earlier version allowed it: everything is set up, and a session is open. */
  async function imported() {
    const stranger = await onboard(app, await newOrganizer(app));
    expectOk(await stranger.visitor.call(generateCode, {}));
    const { key } = expectOk(await stranger.visitor.call(setUpApp, {}));
    const code = codeOf(app, key);
    expectOk(await stranger.visitor.call(confirmApp, { code }));
    await app.db.updateTable('users').set({ emailVerifiedAt: null }).where('email', '=', stranger.email).execute();
    const account = await payoutAccountOf(stranger.email);
    await app.settle();
    return { ...stranger, strangersAccount: account?.accountId };
  }

  it.each([
    ['the verification link', async (email: string) => expectOk(await verify(email))],
    ['a password reset', async (email: string) => resetByEmail(email)],
  ])('keeps only its address when %s proves it [AUTH-2]', async (_proof, prove) => {
    const { email, visitor, strangersAccount } = await imported();

    await prove(email);

    expect(await storedAccount(app.db, email)).toMatchObject({
      email,
      emailVerifiedAt: expect.any(Date),
      firstName: null,
      dateOfBirth: null,
      phoneNumber: null,
      organizationName: null,
      taxIdSealed: null,
      tokenCount: 3,
    });
    expect(await payoutAccountOf(email)).toBeUndefined();
    expect((await visitor.call(accounts.profile, {})).status).toBe(401);
    // The stranger's app is asked for no longer, and its recovery codes are gone.
    expect(await app.db.selectFrom('userFactors').select('id').execute()).toEqual([]);
    expect(await app.db.selectFrom('recoveryCodes').select('userId').execute()).toEqual([]);
    const codes = app.db.selectFrom('affiliateCodes').where('redeemedAt', 'is', null).select('code');
    expect(await codes.execute()).toEqual([]);

    const owner = await resetByEmail(email);
    expectOk(await owner.visitor.call(accounts.saveAccountInfo, accountInfo));
    expectOk(await owner.visitor.call(createAccountLink, {}));
    const ownersAccount = (await payoutAccountOf(email))?.accountId;
    expect(ownersAccount).toEqual(expect.stringMatching(/^acct_/));
    expect(ownersAccount).not.toBe(strangersAccount);
  });

  it('keeps everything on a second proof', async () => {
    const { email } = await onboardedOrganizer(app);
    await resetByEmail(email);

    expect((await payoutAccountOf(email))?.accountId).toEqual(expect.stringMatching(/^acct_/));
  });
});

describe('an organizer whose password was reset by email', () => {
  async function afterReset() {
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(2));
    await app.advance({ hours: SETTLED_AFTER_HOURS });
    const owner = await resetByEmail(event.email);
    return { ...owner, eventId: event.eventId };
  }

  it('is paid out after looking at the payout account and confirming it [AUTH-3]', async () => {
    const { visitor, eventId } = await afterReset();
    const unconfirmed = { status: 409, body: errorBody('payout-account.unconfirmed') };

    expect(expectOk(await visitor.call(accounts.profile, {})).isPayoutAccountUnconfirmed).toBe(true);
    expect(await visitor.call(requestPayout, { eventId })).toMatchObject(unconfirmed);
    const holder = expectOk(await visitor.call(payoutAccountHolder, {}));
    expect(holder).toEqual({ name: accountInfo.organizationName, bankLast4: '6789' });
    expect(await visitor.call(requestPayout, { eventId })).toMatchObject(unconfirmed);

    expectOk(await visitor.call(confirmPayoutAccount, {}));
    expect(expectOk(await visitor.call(accounts.profile, {})).isPayoutAccountUnconfirmed).toBe(false);
    expect((await visitor.call(requestPayout, { eventId })).status).toBe(200);
  });

  it('enters the new password once more before confirming it later [AUTH-3 AUTH-8]', async () => {
    const { visitor } = await afterReset();
    await app.advance({ minutes: 10 });
    const denied = { status: 403, body: errorBody('auth.reauthentication-required') };

    expect(await visitor.call(payoutAccountHolder, {})).toMatchObject(denied);
    expect(await visitor.call(confirmPayoutAccount, {})).toMatchObject(denied);

    expectOk(await visitor.call(accounts.reauthenticate, { password: NEW_PASSWORD }));
    expectOk(await visitor.call(confirmPayoutAccount, {}));
  });
});

describe('a stolen session', () => {
  it('requests no payout and exports nothing after 10 minutes, and does after the password [AUTH-8]', async () => {
    const event = await eventOnSale(app);
    await buyTickets(app, event.eventId, generalAdmission(2));
    await app.advance({ hours: SETTLED_AFTER_HOURS });
    await logInAgain(event);
    await app.advance({ minutes: 10 });
    const { visitor, eventId } = event;
    const get = async (path: string) => (await visitor.fetch(path)).status;

    expect((await visitor.call(requestPayout, { eventId })).status).toBe(403);
    expect(await get('/api/protected/my-records')).toBe(403);
    expect(await get(`/api/protected/event/${eventId}/guests.csv`)).toBe(403);

    expectOk(await visitor.call(accounts.reauthenticate, { password: PASSWORD }));
    expect(await get('/api/protected/my-records')).toBe(200);
    expect(await get(`/api/protected/event/${eventId}/guests.csv`)).toBe(200);
    expect((await visitor.call(requestPayout, { eventId })).status).toBe(200);
  });

  it('is asked for the password before the tax ID changes and Stripe opens, not before the other details change [AUTH-8]', async () => {
    const { visitor } = await onboardedOrganizer(app);
    await app.advance({ minutes: 10 });
    const save = (change: object) => visitor.call(accounts.saveAccountInfo, { ...accountInfo, ...change });

    expect((await save({ organizationBio: 'Louder.' })).status).toBe(200);
    const denied = { status: 403, body: errorBody('auth.reauthentication-required') };
    expect(await save({ companyTIN: '98-7654320' })).toMatchObject(denied);
    for (const link of [createAccountLink, createLoginLink]) expect(await visitor.call(link, {})).toMatchObject(denied);

    expectOk(await visitor.call(accounts.reauthenticate, { password: PASSWORD }));
    expect((await save({ companyTIN: '98-7654320' })).status).toBe(200);
    for (const link of [createAccountLink, createLoginLink]) expect((await visitor.call(link, {})).status).toBe(200);
  });

  it('makes and removes no owner and changes no factor after 10 minutes, and does after the password [AUTH-8]', async () => {
    const owner = await onboardedOrganizer(app);
    const [partner, former] = [await newMember(app, owner, 'owner'), await newMember(app, owner, 'owner')];
    const member = await newMember(app, owner, 'editor');
    const userIdOf = async ({ email }: { email: string }) => (await storedAccount(app.db, email)).id;
    const all = { onlyEventIds: null } as const;
    await sendInvitation(app, owner, { email: 'withdrawn@example.com', role: 'owner' });
    const [open] = expectOk(await owner.visitor.call(team, {})).invitations;
    const [partnerId, formerId, memberId] = await Promise.all([partner, former, member].map(userIdOf));
    const { visitor } = owner;
    const acts = {
      invite: () => visitor.call(invite, { email: 'co-owner@example.com', role: 'owner', ...all }),
      withdraw: () => visitor.call(withdrawInvitation, { invitationId: open?.id ?? '' }),
      promote: () => visitor.call(changeRole, { userId: memberId ?? '', role: 'owner', ...all }),
      demote: () => visitor.call(changeRole, { userId: partnerId ?? '', role: 'viewer', ...all }),
      remove: () => visitor.call(removeMember, { userId: formerId ?? '' }),
      requireFactor: () => visitor.call(requireFactor, { isRequired: false }),
      setUpApp: () => visitor.call(setUpApp, {}),
      setUpPasskey: () => visitor.call(setUpPasskey, {}),
      changeEmail: () => visitor.call(accounts.changeEmail, { newEmail: 'new-inbox@example.com' }),
    };
    const answers = async () => {
      const codes: Record<string, string | number> = {};
      for (const [act, send] of Object.entries(acts)) {
        const { status, body } = await send();
        codes[act] = 'code' in body ? String(body.code) : status;
      }
      return codes;
    };
    const each = (answer: string | number) => Object.fromEntries(Object.keys(acts).map((act) => [act, answer]));
    await app.advance({ minutes: 10 });

    expect(await answers()).toEqual(each('auth.reauthentication-required'));
    expectOk(await visitor.call(invite, { email: 'door@example.com', role: 'check-in', ...all }));
    expectOk(await visitor.call(changeRole, { userId: memberId ?? '', role: 'admin', ...all }));

    expectOk(await visitor.call(accounts.reauthenticate, { password: PASSWORD }));
    expect(await answers()).toEqual(each(200));
  });
});
