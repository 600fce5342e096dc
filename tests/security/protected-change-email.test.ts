/** Account takeover through a change of address, and the owner's protection. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as contract from '#contract/app/accounts.ts';
import { emailChangeUndone } from '#messages/accounts.ts';
import { storedAccount } from '#tests/support/actor-of.ts';
import { emailsTo, expectOk, newOrganizer, PASSWORD, verifiedOrganizer } from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const CONFIRM = /^Confirm your new email/;
const CHANGE_SUBJECT = /^Your Handstamp email is about to change/;
const undoChange = (token: string) => app.call(contract.undoEmailChange, { token });
const logInAs = (email: string) => app.visitor().send(contract.login, { email, password: PASSWORD });

let addresses = 0;
const freshAddress = () => `taken-over-${++addresses}@example.org`;

async function tokenTo(address: string, subject: RegExp): Promise<string> {
  const message = (await emailsTo(app, address)).find((one) => subject.test(one.subject));
  const token = /-email-change\?token=([\w-]+)/.exec(message?.text ?? '')?.[1];
  if (!token) throw new Error(`no such link was emailed to ${address}`);
  return token;
}

/** Someone with the owner's session moves the account to their own address. */
async function takeOver(from: string, to: string): Promise<void> {
  const intruder = app.visitor();
  await intruder.call(contract.login, { email: from, password: PASSWORD });
  await intruder.call(contract.changeEmail, { newEmail: to });
  expectOk(await app.call(contract.confirmEmailChange, { token: await tokenTo(to, CONFIRM) }));
}

describe('POST /api/protected/change-email', () => {
  it('can be undone from the old address, even after the intruder has moved on to a third one', async () => {
    const { email } = await verifiedOrganizer(app);
    const [second, third] = [freshAddress(), freshAddress()];
    await takeOver(email, second);
    const undo = await tokenTo(email, CHANGE_SUBJECT);
    await takeOver(second, third);
    const intruder = app.visitor();
    await intruder.call(contract.login, { email: third, password: PASSWORD });

    expect(await undoChange(undo)).toMatchObject({ status: 200, body: { msg: emailChangeUndone } });

    for (const address of [email, second, third]) expect((await logInAs(address)).status).toBe(401);
    expect((await intruder.call(contract.profile, {})).status).toBe(401);
    expect((await undoChange(await tokenTo(second, CHANGE_SUBJECT))).status).toBe(400);
    const { emailVerifiedAt } = await storedAccount(app.db, email);
    expect(emailVerifiedAt).not.toBeNull();
  });

  it('changes nothing and ends no session until the new address confirms', async () => {
    const { visitor, email } = await newOrganizer(app);
    const newEmail = freshAddress();

    await visitor.send(contract.changeEmail, { newEmail, email: newEmail, confirmed: true, emailVerifiedAt: 'now' });

    expect((await visitor.call(contract.profile, {})).body).toMatchObject({ email, isEmailVerified: false });
    expect((await logInAs(newEmail)).status).toBe(401);
  });

  it('ends every session when it completes, and opens none', async () => {
    const { visitor, email } = await newOrganizer(app);
    const newEmail = freshAddress();
    await visitor.call(contract.changeEmail, { newEmail });

    const opener = app.visitor();
    await opener.call(contract.confirmEmailChange, { token: await tokenTo(newEmail, CONFIRM) });

    expect(opener.cookies.size).toBe(0);
    expect((await visitor.call(contract.profile, {})).status).toBe(401);
    expect((await logInAs(email)).status).toBe(401);
  });

  it('does not reveal which addresses are taken, in responses or emails', async () => {
    const { email: taken } = await newOrganizer(app);
    const { visitor } = await newOrganizer(app);
    const countBefore = (await emailsTo(app, taken)).length;

    const replies = [];
    for (const newEmail of [taken, freshAddress()]) {
      const { status, body } = await visitor.call(contract.changeEmail, { newEmail });
      replies.push({ status, body });
    }

    expect(replies[0]).toEqual(replies[1]);
    expect(await emailsTo(app, taken)).toHaveLength(countBefore);
  });

  it.each([
    ['a header', 'a@example.com\r\nBcc: b@example.com'],
    ['two addresses', '"a@example.com b"@example.com'],
    ['a list', 'a@example.com,b@example.com'],
    ['a look-alike letter', '\u212Aim@example.com'],
    ['a list as a value', ['a@example.com']],
    ['an object', { address: 'a@example.com' }],
  ])('sends no email for %s', async (_what, newEmail) => {
    const { visitor, email } = await newOrganizer(app);
    const countBefore = (await emailsTo(app, email)).length;

    expect((await visitor.send(contract.changeEmail, { newEmail })).status).toBe(400);
    expect(await emailsTo(app, email)).toHaveLength(countBefore);
  });
});
