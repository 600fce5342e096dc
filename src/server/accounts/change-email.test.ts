import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/accounts.ts';
import { changeLinkSent, emailChanged, emailChangeUndone } from '#messages/accounts.ts';
import { errorBody } from '#tests/support/error-body.ts';

import { emailsTo, newOrganizer, PASSWORD } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

let addresses = 0;
const freshAddress = () => `new-${++addresses}@example.org`;
const open = (token: string) => app.call(contract.verifyEmail, { token });
const logInAs = (email: string) => app.visitor().send(contract.login, { email, password: PASSWORD });
const GONE = { status: 400, body: errorBody('email-verification.unknown-token') };

async function tokenTo(address: string, subject: RegExp): Promise<string> {
  const email = (await emailsTo(app, address)).find((candidate) => subject.test(candidate.subject));
  const token = /\/verify-email\?token=([\w-]+)/.exec(email?.text ?? '')?.[1];
  if (!token) throw new Error(`no such link was emailed to ${address}`);
  return token;
}

const CONFIRM = /^Confirm your new email/;
const ALERT = /^Your Handstamp email is about to change/;

/** Requests a change; both emails are sent. */
async function requestChange() {
  const organizer = await newOrganizer(app);
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

describe('requestChange the email', () => {
  it('emails both addresses, and changes nothing yet [MAIL-3]', async () => {
    const { visitor, email, newEmail, reply } = await requestChange();

    expect([reply.status, reply.body]).toEqual([200, { msg: changeLinkSent }]);
    const [alert] = await emailsTo(app, email);
    expect(alert?.text).toContain(newEmail);
    expect((await visitor.call(contract.profile, {})).body.email).toBe(email);
  });

  it('takes effect when the link is opened, and ends all sessions [MAIL-1 MAIL-3]', async () => {
    const { visitor, email, newEmail, confirm } = await requestChange();

    expect(await open(confirm)).toMatchObject({ status: 200, body: { msg: emailChanged } });

    expect(await visitor.call(contract.profile, {})).toMatchObject({ status: 401, body: { code: 'session.missing' } });
    expect((await logInAs(email)).status).toBe(401);
    expect((await logInAs(newEmail)).status).toBe(200);
  });

  it('verifies the new address, and keeps newer sessions when the link is opened again', async () => {
    const { newEmail, confirm } = await requestChange();
    await open(confirm);
    const visitor = app.visitor();
    await visitor.call(contract.login, { email: newEmail, password: PASSWORD });

    expect((await open(confirm)).body).toEqual({ msg: emailChanged, endsSessions: true });
    expect((await visitor.call(contract.profile, {})).body).toMatchObject({ email: newEmail, isEmailVerified: true });
  });

  it('gives the same response for an address that is taken, and emails nothing to it [MAIL-3]', async () => {
    const { email: taken } = await newOrganizer(app);
    const { visitor, email } = await newOrganizer(app);
    const before = (await emailsTo(app, taken)).length;

    const reply = await visitor.call(contract.changeEmail, { newEmail: taken.toUpperCase() });

    expect([reply.status, reply.body]).toEqual([200, { msg: changeLinkSent }]);
    expect(await emailsTo(app, taken)).toHaveLength(before);
    await tokenTo(email, ALERT);
  });

  it('gives the address to one of two accounts that open their links concurrently', async () => {
    const newEmail = freshAddress();
    const [one, two] = [await newOrganizer(app), await newOrganizer(app)];
    const tokens: string[] = [];
    for (const { visitor } of [one, two]) {
      await visitor.call(contract.changeEmail, { newEmail });
      tokens.push(await tokenTo(newEmail, CONFIRM));
    }
    expect(new Set(tokens).size).toBe(2);

    const { replies } = await app.db.transaction().execute(async (tx) => {
      await tx.selectFrom('users').where('email', 'in', [one.email, two.email]).select('id').forUpdate().execute();
      const sent = tokens.map(open);
      await app.untilBlocked(2);
      return { replies: sent };
    });

    expect((await Promise.all(replies)).map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('accepts only the newest link', async () => {
    const { visitor, confirm } = await requestChange();
    await visitor.call(contract.changeEmail, { newEmail: freshAddress() });

    expect(await open(confirm)).toMatchObject(GONE);
  });

  it('expires after 24 hours', async () => {
    const { confirm } = await requestChange();
    await app.advance({ hours: 25 });

    expect(await open(confirm)).toMatchObject(GONE);
  });

  it.each([
    ['an empty address', '', 'Email is required.'],
    ['a long address', `${'a'.repeat(300)}@example.com`, 'Email must be 300 characters or less.'],
    ['an invalid address', 'not an address', 'Email must be a valid email address.'],
  ])('refuses %s [MAIL-4]', async (_what, newEmail, msg) => {
    const { visitor } = await newOrganizer(app);

    expect(await visitor.call(contract.changeEmail, { newEmail })).toMatchObject({ status: 400, body: { msg } });
  });

  it('returns the usual response but emails nothing when the honeypot is filled [MAIL-3]', async () => {
    const { visitor } = await newOrganizer(app);
    const newEmail = freshAddress();

    const reply = await visitor.call(contract.changeEmail, { newEmail, honeypot: 'x' });

    expect(reply.body).toEqual({ msg: changeLinkSent });
    expect(await emailsTo(app, newEmail)).toEqual([]);
  });

  it('requires a session', async () => {
    expect((await app.call(contract.changeEmail, { newEmail: freshAddress() })).status).toBe(401);
  });
});

describe('the undo link sent to the old address', () => {
  it('restores the old address within 72 hours, and ends all sessions [MAIL-3]', async () => {
    const { email, newEmail, confirm, undo } = await requestChange();
    await app.advance({ hours: 23 });
    await open(confirm);
    const intruder = app.visitor();
    await app.advance({ hours: 71 });
    await intruder.call(contract.login, { email: newEmail, password: PASSWORD });

    expect(await open(undo)).toMatchObject({ status: 200, body: { msg: emailChangeUndone } });

    expect((await intruder.call(contract.profile, {})).status).toBe(401);
    expect((await logInAs(newEmail)).status).toBe(401);
    expect((await logInAs(email)).status).toBe(200);
    expect(await open(confirm)).toMatchObject(GONE);
  });

  it('expires 72 hours after the change', async () => {
    const { confirm, undo } = await requestChange();
    await open(confirm);
    await app.advance({ hours: 73 });

    expect(await open(undo)).toMatchObject(GONE);
  });

  it('stops a pending change, and logs the intruder out', async () => {
    const { visitor, confirm, undo } = await requestChange();

    expect((await open(undo)).body).toEqual({ msg: emailChangeUndone, endsSessions: true });

    expect((await visitor.call(contract.profile, {})).status).toBe(401);
    expect(await open(confirm)).toMatchObject(GONE);
  });

  it('keeps newer sessions when a mail scanner opens it again', async () => {
    const { email, undo } = await requestChange();
    await open(undo);
    const visitor = app.visitor();
    await visitor.call(contract.login, { email, password: PASSWORD });

    expect((await open(undo)).status).toBe(200);
    expect((await visitor.call(contract.profile, {})).status).toBe(200);
  });

  it('keeps the old address reserved, so that no new account can take it', async () => {
    const { email, confirm, undo } = await requestChange();
    await open(confirm);
    const form = { email, password: PASSWORD, confirmPassword: PASSWORD, acceptedTerms: true as const };

    expect((await app.visitor().send(contract.register, form)).status).toBe(409);
    expect((await open(undo)).status).toBe(200);
  });

  it("revokes an intruder's undo links", async () => {
    const { newEmail, confirm, undo } = await requestChange();
    await open(confirm);
    const intruder = app.visitor();
    await intruder.call(contract.login, { email: newEmail, password: PASSWORD });
    await intruder.call(contract.changeEmail, { newEmail: freshAddress() });
    const intruderUndo = await tokenTo(newEmail, ALERT);

    await open(undo);

    expect(await open(intruderUndo)).toMatchObject(GONE);
  });
});
