import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/accounts.ts';
import { loginFactor, renewRecoveryCodes } from '#contract/app/factors.ts';
import { changePassword } from '#contract/app/security.ts';
import { readOrganization } from '#contract/v1/organization.ts';
import { changeLinkSent, emailChanged, emailChangeUndone } from '#messages/accounts.ts';
import { callV1, newApiKey } from '#tests/support/api-keys.ts';
import { addApp, codeOf } from '#tests/support/authenticator-app.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { emailsTo, expectOk, newOrganizer, PASSWORD, verifiedOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { newWebhook } from '#tests/support/webhook-receiver.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let addresses = 0;
const freshAddress = () => `new-${++addresses}@example.org`;
const confirmChange = (token: string) => app.call(contract.confirmEmailChange, { token });
const undoChange = (token: string) => app.call(contract.undoEmailChange, { token });
const logInAs = (email: string, password = PASSWORD) => app.visitor().send(contract.login, { email, password });
const GONE = { status: 400, body: errorBody('email-change.unknown-token') };

async function tokenTo(address: string, subject: RegExp): Promise<string> {
  const email = (await emailsTo(app, address)).find((candidate) => subject.test(candidate.subject));
  const token = /-email-change\?token=([\w-]+)/.exec(email?.text ?? '')?.[1];
  if (!token) throw new Error(`no such link was emailed to ${address}`);
  return token;
}

/** Sets a password with the newest reset link to the address, and returns it. */
async function chooseNewPassword(address: string): Promise<string> {
  const [email] = (await emailsTo(app, address)).filter(({ text }) => text.includes('/reset-password/'));
  const token = /\/reset-password\/([\w-]+)/.exec(email?.text ?? '')?.[1] ?? '';
  const newPassword = `chosen for ${address}`;
  const form = { token, newPassword, confirmNewPassword: newPassword };
  expect((await app.visitor().send(contract.resetPassword, form)).status).toBe(200);
  return newPassword;
}

const CONFIRM = /^Confirm your new email/;
const CODES_REPLACED = expect.stringContaining('your recovery codes were replaced');
const ALERT = /^Your Handstamp email is about to change/;

/** Requests a change; both emails are sent. */
async function requestChange(of?: Awaited<ReturnType<typeof verifiedOrganizer>>) {
  const organizer = of ?? (await verifiedOrganizer(app));
  const newEmail = freshAddress();
  const reply = await organizer.visitor.call(contract.changeEmail, { newEmail });
  return {
    ...organizer,
    newEmail,
    reply,
    confirm: await tokenTo(newEmail, CONFIRM),
    undo: await tokenTo(organizer.email, ALERT),
  };
}

describe('changing the email', () => {
  it('emails both addresses, and changes nothing yet [MAIL-3]', async () => {
    const { visitor, email, newEmail, reply } = await requestChange();

    expect([reply.status, reply.body]).toEqual([200, { msg: changeLinkSent }]);
    const [alert] = await emailsTo(app, email);
    expect(alert?.text.replaceAll('\u2060', '')).toContain(newEmail);
    expect((await visitor.call(contract.profile, {})).body.email).toBe(email);
  });

  it('is not confirmed by opening the verification page with the token [AUTH-10]', async () => {
    const { email, confirm, undo } = await requestChange();

    for (const token of [confirm, undo]) expect((await app.call(contract.verifyEmail, { token })).status).toBe(400);

    expect((await logInAs(email)).status).toBe(200);
  });

  it('emails only the new address while the old one is not verified [EMAIL-4]', async () => {
    const { visitor, email } = await newOrganizer(app);
    const before = (await emailsTo(app, email)).length;
    const newEmail = freshAddress();

    expect((await visitor.call(contract.changeEmail, { newEmail })).status).toBe(200);

    expect(await emailsTo(app, email)).toHaveLength(before);
    expect((await confirmChange(await tokenTo(newEmail, CONFIRM))).status).toBe(200);
  });

  it('takes effect when it is confirmed, and ends all sessions [MAIL-1 MAIL-3]', async () => {
    const { visitor, email, newEmail, confirm } = await requestChange();

    expect(await confirmChange(confirm)).toMatchObject({ status: 200, body: { msg: emailChanged } });

    expect(await visitor.call(contract.profile, {})).toMatchObject({ status: 401, body: { code: 'session.missing' } });
    expect((await logInAs(email)).status).toBe(401);
    expect((await logInAs(newEmail)).status).toBe(200);
  });

  it('verifies the new address, and keeps newer sessions when it is confirmed again', async () => {
    const { newEmail, confirm } = await requestChange();
    await confirmChange(confirm);
    const visitor = app.visitor();
    await visitor.call(contract.login, { email: newEmail, password: PASSWORD });

    expect((await confirmChange(confirm)).body).toEqual({ msg: emailChanged });
    expect((await visitor.call(contract.profile, {})).body).toMatchObject({ email: newEmail, isEmailVerified: true });
  });

  it('gives the same response for an address that is taken, and emails nothing to it [MAIL-3]', async () => {
    const { email: taken } = await verifiedOrganizer(app);
    const { visitor, email } = await verifiedOrganizer(app);
    const before = (await emailsTo(app, taken)).length;

    const reply = await visitor.call(contract.changeEmail, { newEmail: taken.toUpperCase() });

    expect([reply.status, reply.body]).toEqual([200, { msg: changeLinkSent }]);
    expect(await emailsTo(app, taken)).toHaveLength(before);
    await tokenTo(email, ALERT);
  });

  it('gives the address to one of two accounts that confirm concurrently', async () => {
    const newEmail = freshAddress();
    const [one, two] = [await verifiedOrganizer(app), await verifiedOrganizer(app)];
    const tokens: string[] = [];
    for (const { visitor } of [one, two]) {
      await visitor.call(contract.changeEmail, { newEmail });
      tokens.push(await tokenTo(newEmail, CONFIRM));
    }
    expect(new Set(tokens).size).toBe(2);

    const { replies } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').where('email', 'in', [one.email, two.email]).select('id').forUpdate().execute();
      const sent = tokens.map(confirmChange);
      await app.untilBlocked(2);
      return { replies: sent };
    });

    expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('accepts only the newest link', async () => {
    const { visitor, confirm } = await requestChange();
    await visitor.call(contract.changeEmail, { newEmail: freshAddress() });

    expect(await confirmChange(confirm)).toMatchObject(GONE);
  });

  it('expires after 24 hours', async () => {
    const { confirm } = await requestChange();
    await app.advance({ hours: 25 });

    expect(await confirmChange(confirm)).toMatchObject(GONE);
  });

  it.each([
    ['an empty address', '', 'Email is required.'],
    ['a long address', `${'a'.repeat(300)}@example.com`, 'Email must be 300 characters or less.'],
    ['an invalid address', 'not an address', 'Email must be a valid email address.'],
  ])('refuses %s [MAIL-4]', async (_what, newEmail, msg) => {
    const { visitor } = await verifiedOrganizer(app);

    expect(await visitor.call(contract.changeEmail, { newEmail })).toMatchObject({ status: 400, body: { msg } });
  });

  it('returns the usual response but emails nothing when the honeypot is filled [MAIL-3]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    const newEmail = freshAddress();

    const reply = await visitor.call(contract.changeEmail, { newEmail, honeypot: 'x' });

    expect(reply.body).toEqual({ msg: changeLinkSent });
    expect(await emailsTo(app, newEmail)).toEqual([]);
  });

  it('asks for the password 10 minutes after the login [AUTH-8]', async () => {
    const { visitor } = await verifiedOrganizer(app);
    await app.advance({ minutes: 10 });
    const request = () => visitor.call(contract.changeEmail, { newEmail: freshAddress() });

    expect(await request()).toMatchObject({ status: 403, body: errorBody('auth.reauthentication-required') });
    const wrong = await visitor.call(contract.reauthenticate, { password: 'not this one' });
    expect(wrong).toMatchObject({ status: 400, body: errorBody('password.wrong') });
    expect((await request()).status).toBe(403);

    expect((await visitor.call(contract.reauthenticate, { password: PASSWORD })).status).toBe(200);
    expect((await request()).status).toBe(200);
  });

  it('requires a session', async () => {
    expect((await app.call(contract.changeEmail, { newEmail: freshAddress() })).status).toBe(401);
  });
});

describe('the undo link sent to the old address', () => {
  it('restores the old address within 72 hours, and ends all sessions [MAIL-3]', async () => {
    const { newEmail, confirm, undo } = await requestChange();
    await app.advance({ hours: 23 });
    await confirmChange(confirm);
    const intruder = app.visitor();
    await app.advance({ hours: 71 });
    await intruder.call(contract.login, { email: newEmail, password: PASSWORD });

    expect(await undoChange(undo)).toMatchObject({ status: 200, body: { msg: emailChangeUndone } });

    expect((await intruder.call(contract.profile, {})).status).toBe(401);
    expect((await logInAs(newEmail)).status).toBe(401);
    expect(await confirmChange(confirm)).toMatchObject(GONE);
  });

  it('turns off the password, and emails the old address a link to choose a new one [AUTH-9]', async () => {
    const { email, confirm, undo } = await requestChange();
    await confirmChange(confirm);

    await undoChange(undo);

    expect((await logInAs(email)).status).toBe(401);
    expect((await logInAs(email, await chooseNewPassword(email))).status).toBe(200);
  });

  it('turns off a password that the intruder has set by email [AUTH-9]', async () => {
    const { email, newEmail, confirm, undo } = await requestChange();
    await confirmChange(confirm);
    await app.call(contract.forgotPassword, { email: newEmail });
    const intruders = await chooseNewPassword(newEmail);

    await undoChange(undo);

    for (const address of [email, newEmail]) expect((await logInAs(address, intruders)).status).toBe(401);
  });

  it('turns off a password that the intruder has set in an open session [AUTH-9]', async () => {
    const { email, newEmail, confirm, undo } = await requestChange();
    await confirmChange(confirm);
    const intruder = app.visitor();
    await intruder.call(contract.login, { email: newEmail, password: PASSWORD });
    const newPassword = 'chosen by the intruder';
    const change = { password: PASSWORD, newPassword, confirmNewPassword: newPassword };
    expect((await intruder.call(changePassword, change)).status).toBe(200);

    await undoChange(undo);

    for (const address of [email, newEmail])
      for (const password of [newPassword, PASSWORD]) expect((await logInAs(address, password)).status).toBe(401);
    expect((await intruder.call(contract.profile, {})).status).toBe(401);
    expect((await logInAs(email, await chooseNewPassword(email))).status).toBe(200);
  });

  it('ends recovery codes that the intruder has made, and keeps the phone of the owner [AUTH-9]', async () => {
    const owner = await verifiedOrganizer(app);
    const { key } = await addApp(app, owner.visitor);
    const { visitor, email, confirm, undo } = await requestChange(owner);
    const { recoveryCodes } = expectOk(await visitor.call(renewRecoveryCodes, {}));
    expect(await emailsTo(app, email)).toContainEqual(expect.objectContaining({ text: CODES_REPLACED }));
    await confirmChange(confirm);

    await undoChange(undo);

    const answer = expectOk(await logInAs(email, await chooseNewPassword(email)));
    if (!('challengeId' in answer)) throw new Error('the password was enough');
    const { challengeId } = answer;
    const enter = (code: string) => app.visitor().send(loginFactor, { challengeId, code });
    expect((await enter(recoveryCodes[0] ?? '')).body).toMatchObject(errorBody('auth.factor-invalid'));
    expectOk(await enter(codeOf(app, key)));
  });

  it('ends the API keys that the account has made [AUTH-9]', async () => {
    const { visitor, confirm, undo } = await requestChange();
    const key = await newApiKey(visitor);
    const statusOf = async () => (await callV1(app, key, readOrganization)).status;
    await confirmChange(confirm);
    const before = await statusOf();

    await undoChange(undo);

    expect([before, await statusOf()]).toEqual([200, 401]);
  });

  it('ends the webhooks that the intruder has added, and no earlier one [AUTH-9]', async () => {
    const organizer = await verifiedOrganizer(app);
    const receiver = { url: 'http://127.0.0.1:9/hooks' };
    const own = await newWebhook(organizer.visitor, receiver);
    await app.advance({ minutes: 1 });
    const { visitor, confirm, undo } = await requestChange(organizer);
    const theirs = await newWebhook(visitor, receiver);
    expect((await emailsTo(app, organizer.email)).map(({ subject }) => subject)).toContainEqual(
      expect.stringMatching(/^A new webhook/),
    );
    await confirmChange(confirm);

    await undoChange(undo);
    await app.settle();

    const endpoints = await app.db.selectFrom('webhookEndpoints').select(['id', 'endedAt']).execute();
    const ended = endpoints.filter(({ endedAt }) => endedAt !== null).map(({ id }) => id);
    expect([ended.includes(theirs.endpointId), ended.includes(own.endpointId)]).toEqual([true, false]);
  });

  it('expires 72 hours after the change', async () => {
    const { confirm, undo } = await requestChange();
    await confirmChange(confirm);
    await app.advance({ hours: 73 });

    expect(await undoChange(undo)).toMatchObject(GONE);
  });

  it('stops a pending change, and logs the intruder out', async () => {
    const { visitor, confirm, undo } = await requestChange();

    expect((await undoChange(undo)).body).toEqual({ msg: emailChangeUndone });

    expect((await visitor.call(contract.profile, {})).status).toBe(401);
    expect(await confirmChange(confirm)).toMatchObject(GONE);
  });

  it('keeps the new password and its sessions when it is used again', async () => {
    const { email, undo } = await requestChange();
    await undoChange(undo);
    const visitor = app.visitor();
    await visitor.call(contract.login, { email, password: await chooseNewPassword(email) });

    expect((await undoChange(undo)).status).toBe(200);
    expect((await visitor.call(contract.profile, {})).status).toBe(200);
  });

  it('keeps the old address reserved, so that no new account can take it', async () => {
    const { email, confirm, undo } = await requestChange();
    await confirmChange(confirm);
    const form = { email, password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true as const };

    expect((await app.visitor().send(contract.register, form)).status).toBe(409);
    expect((await undoChange(undo)).status).toBe(200);
  });

  it("revokes an intruder's undo links", async () => {
    const { newEmail, confirm, undo } = await requestChange();
    await confirmChange(confirm);
    const intruder = app.visitor();
    await intruder.call(contract.login, { email: newEmail, password: PASSWORD });
    await intruder.call(contract.changeEmail, { newEmail: freshAddress() });
    const intruderUndo = await tokenTo(newEmail, ALERT);

    await undoChange(undo);

    expect(await undoChange(intruderUndo)).toMatchObject(GONE);
  });
});
