/** Changing `APP_SECRET`: the old and the new secret together, then the new one alone. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as accounts from '#contract/app/accounts.ts';
import { checkGuest } from '#contract/app/check-in.ts';
import * as factors from '#contract/app/factors.ts';
import { acceptInvitation, invite } from '#contract/app/team.ts';
import { joinWaitingRoom, waitingRoom } from '#contract/app/waiting-room.ts';
import { TOTP_SECONDS } from '#domain/accounts/factors.ts';
import { sendResetLink } from '#server/accounts/password-reset.ts';
import { countOutdated, reseal } from '#server/accounts/reseal/reseal.ts';
import { sealedColumns } from '#server/accounts/reseal/sealed-columns.ts';
import { readSessionToken, writeSessionToken } from '#server/accounts/session-token.ts';
import { sealTaxId } from '#server/accounts/tax-id.ts';
import { checkSealedValues } from '#server/backoffice/doctor/sealed-values.ts';
import { signGrants, verifyGrants } from '#server/checkin/devices/grants.ts';
import { checkInToken, verifyCheckInToken } from '#server/checkin/early/check-in-link.ts';
import { renderEmail } from '#server/emails/send-email.ts';
import { addPass, drawSecretOf, findPass, newPass } from '#server/events/waiting-room/pass.ts';
import { buildApp } from '#server/main/app.ts';
import { browserCheckouts } from '#server/payments/checkout/browser-checkouts.ts';
import { signQueueToken, verifyQueueToken } from '#server/payments/checkout/queue-token.ts';
import { hashOfToken, refundToken, storedRefundToken } from '#server/payments/refunds/refund-token.ts';
import { emailedCode, isEmailedCode } from '#server/platform/outbox/emailed-code.ts';
import { hashOfLinkToken, linkToken, storedLinkToken } from '#server/platform/outbox/link-token.ts';
import type { AppSecret } from '#server/platform/secrets.ts';
import { actorOf, storedAccount } from '#tests/support/actor-of.ts';
import { anotherServer } from '#tests/support/another-server.ts';
import { codeOf } from '#tests/support/authenticator-app.ts';
import { Visitor } from '#tests/support/http-visitor.ts';
import {
  accountInfo,
  attendantOf,
  buyTickets,
  codesOf,
  emailsTo,
  eventOnSale,
  expectOk,
  generalAdmission,
  newOrganizer,
  onboard,
  PASSWORD,
  verifiedOrganizer,
} from '#tests/support/people.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { eventWithWaitingRoom, joined } from '#tests/support/waiting-room.ts';

const OLD = 'the first secret for tests longer than 32 characters';
const NEW = 'the next secret for tests longer than 32 characters';
const old: AppSecret = [OLD];
const oldFirst: AppSecret = [OLD, NEW];
const newFirst: AppSecret = [NEW, OLD];

let app: TestApp;
const servers: { close(): Promise<unknown> }[] = [];
beforeAll(async () => {
  // Its jobs render the emails of all servers.
  app = await startTestApp({ hasOrganizers: false, appSecret: oldFirst });
});
afterAll(async () => {
  for (const server of servers) await server.close();
  await app.close();
});

/** A further server on the same database. Returns its address. */
async function serverWith(appSecret: AppSecret): Promise<string> {
  const server = await buildApp({
    deps: { ...anotherServer(app.deps), appSecret },
    trustedProxies: 0,
    isReady: async () => true,
    webRoot: null,
    plugins: [],
  });
  servers.push(server);
  return server.listen({ port: 0, host: '127.0.0.1' });
}

/** The same browser at another server behind the balancer. */
function at(address: string, visitor: Visitor): Visitor {
  const there = new Visitor(address);
  for (const [name, value] of visitor.cookies) there.cookies.set(name, value);
  return there;
}

async function organizerWithApp() {
  const organizer = await onboard(app, await newOrganizer(app));
  const { key } = expectOk(await organizer.visitor.call(factors.setUpApp, {}));
  expectOk(await organizer.visitor.call(factors.confirmApp, { code: codeOf(app, key) }));
  return { ...organizer, key };
}

/** Logs in with the password and the next code of the authenticator app. */
async function logInWithApp(address: string, { email, key }: { email: string; key: string }): Promise<Visitor> {
  await app.advance({ seconds: TOTP_SECONDS });
  const visitor = new Visitor(address);
  const answer = expectOk(await visitor.call(accounts.login, { email, password: PASSWORD }));
  if (!('challengeId' in answer)) throw new Error('the password was enough');
  const entered = await visitor.send(factors.loginFactor, { challengeId: answer.challengeId, code: codeOf(app, key) });
  expect(entered.status).toBe(200);
  return visitor;
}

describe('a rotation of APP_SECRET', () => {
  it('goes unnoticed under load, server by server [OPS-2]', async () => {
    const organizer = await organizerWithApp();
    const { eventId, visitor, attendantCode } = await eventOnSale(app);
    const [number = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(1)));
    const device = await attendantOf(app, eventId, attendantCode);
    const room = await eventWithWaitingRoom(app, 10);
    const buyers = await Promise.all(Array.from({ length: 5 }, () => joined(app, room.eventId)));
    await app.advance({ minutes: 10 });
    const { draw } = expectOk(await app.call(waitingRoom, { eventId: room.eventId }));
    const positions = new Map<Visitor, number | null>();
    for (const buyer of buyers)
      positions.set(buyer.visitor, expectOk(await buyer.visitor.call(joinWaitingRoom, room)).position);
    expect(new Set(positions.values()).size).toBe(5);

    const [first, second, third] = [await serverWith(old), await serverWith(oldFirst), await serverWith(newFirst)];
    const sessions = [organizer.visitor];
    // Admitted once, then already in.
    const scan = async (there: Visitor) => {
      const { status } = await there.call(checkGuest, { eventId, confirmationNumber: number });
      return { status: status === 409 ? 200 : status };
    };
    const everything = (address: string) => [
      ...sessions.map((session) => at(address, session).call(accounts.profile, {})),
      at(address, organizer.visitor).call(accounts.saveAccountInfo, accountInfo),
      at(address, visitor).call(accounts.profile, {}),
      scan(at(address, device)),
      ...buyers.map(async (buyer) => {
        const answer = await at(address, buyer.visitor).call(joinWaitingRoom, room);
        expect(answer.body.position).toBe(positions.get(buyer.visitor));
        return answer;
      }),
    ];

    for (const running of [[first], [first, second], [second], [second, third], [third]]) {
      const jobs = running.includes(third) ? [reseal({ ...app.deps, appSecret: newFirst })] : [];
      const calls = running.flatMap((address) => Array.from({ length: 5 }, () => everything(address)).flat());
      expect([...new Set((await Promise.all(calls)).map(({ status }) => status))]).toEqual([200]);
      await Promise.all(jobs);
      for (const address of running) sessions.push(await logInWithApp(address, organizer));
    }

    const now = await new Visitor(third).call(waitingRoom, { eventId: room.eventId });
    expect(now.body.draw?.hash).toBe(draw?.hash);
    await reseal({ ...app.deps, appSecret: newFirst });
    const alone = await serverWith([NEW]);
    const last = await logInWithApp(alone, organizer);
    expect((await last.call(accounts.saveAccountInfo, accountInfo)).status).toBe(200);
    expect((await at(alone, organizer.visitor).call(accounts.profile, {})).status).toBe(401);
  });

  it('seals every value again, and says how many still need the old secret [OPS-2]', async () => {
    await organizerWithApp();
    const before = await countOutdated(app.db, newFirst);
    expect(before.unreadable).toBe(0);
    expect(before.outdated).toBeGreaterThanOrEqual(2);
    expect(await countOutdated(app.db, [NEW])).toMatchObject({ outdated: 0, unreadable: before.outdated });
    expect((await checkSealedValues(app.db, [NEW])).passed).toBe(false);
    const during = await checkSealedValues(app.db, newFirst);
    expect(during).toMatchObject({ passed: true, message: expect.stringContaining(`: ${before.outdated}.`) });

    await reseal({ ...app.deps, appSecret: newFirst });
    expect(await countOutdated(app.db, newFirst)).toEqual({ outdated: 0, unreadable: 0 });
    expect(await countOutdated(app.db, [NEW])).toEqual({ outdated: 0, unreadable: 0 });
    expect((await checkSealedValues(app.db, [NEW])).passed).toBe(true);

    await reseal({ ...app.deps, appSecret: oldFirst });
    expect(await countOutdated(app.db, old)).toEqual({ outdated: 0, unreadable: 0 });
  });

  it('keeps a tax ID that changes while the old one is sealed again [OPS-2]', async () => {
    const { email } = await organizerWithApp();
    const { organizationId } = await actorOf(app.db, email);
    const changed = sealTaxId(newFirst, organizationId, '987654321');
    const resealing = await app.db.transaction().execute(async (tx) => {
      await tx.updateTable('organizations').set({ taxIdSealed: changed }).where('id', '=', organizationId).execute();
      // Wrapped, so that the transaction does not wait for it.
      const pending = { done: reseal({ ...app.deps, appSecret: newFirst }) };
      await app.untilBlocked();
      return pending;
    });
    await resealing.done;

    const { taxIdSealed } = await app.db
      .selectFrom('organizations')
      .where('id', '=', organizationId)
      .select('taxIdSealed')
      .executeTakeFirstOrThrow();
    expect(taxIdSealed).toEqual(changed);
    await reseal({ ...app.deps, appSecret: oldFirst });
  });

  it('knows every sealed column of the database [OPS-2]', async () => {
    const columns = (await app.db.introspection.getTables()).flatMap((table) =>
      table.columns.filter(({ name }) => name.endsWith('_sealed')).map(({ name }) => `${table.name}.${name}`),
    );
    expect(columns.sort()).toEqual(sealedColumns.map(({ table, column }) => `${table}.${column}`).sort());
  });

  it('leaves the links in emails as they were sent [OPS-2]', async () => {
    const { email } = await verifiedOrganizer(app);
    const account = await storedAccount(app.db, email);
    await sendResetLink(app.deps, { email });
    const linksOf = () => app.db.selectFrom('emailLinks').where('userId', '=', account.id).selectAll().execute();
    const links = await linksOf();
    const link = links.find(({ purpose }) => purpose === 'reset-password');
    if (!link) throw new Error('no link');

    const queued = { kind: 'reset-password', subjectId: link.id, toAddress: 'sam@example.com', params: {} };
    const rendered = await renderEmail({ ...app.deps, appSecret: newFirst }, queued);
    expect(rendered?.text).toContain(`/reset-password/${linkToken(old, link.id)}`);

    await sendResetLink({ ...app.deps, appSecret: newFirst }, { email });
    expect(await linksOf()).toHaveLength(links.length);
  });
});

describe('three people who are served by two servers during a rotation', () => {
  const NEW_PASSWORD = 'a better one than before';

  async function tokenTo(address: string, link: RegExp): Promise<string> {
    for (const { text } of await emailsTo(app, address)) {
      const token = link.exec(text)?.[1];
      if (token) return token;
    }
    throw new Error(`no link ${link.source} was emailed to ${address}`);
  }

  async function challengeAt(address: string, { email, password }: { email: string; password: string }) {
    const visitor = new Visitor(address);
    const answer = expectOk(await visitor.call(accounts.login, { email, password }));
    if (!('challengeId' in answer)) throw new Error('the password was enough');
    return answer.challengeId;
  }

  /** Sends it to both servers at once. Returns whether one of them accepted it, and the other one not. */
  async function oneAccepts(...sent: Promise<{ status: number }>[]): Promise<void> {
    const statuses = (await Promise.all(sent)).map(({ status }) => status).sort();
    expect([statuses.length, statuses[0]]).toEqual([2, 200]);
    expect(statuses[1]).toBeGreaterThanOrEqual(400);
  }

  async function personAt(here: string, there: string) {
    const { visitor, email } = await newOrganizer({ ...app, visitor: (options) => new Visitor(here, options) });
    const token = await tokenTo(email, /verify-email\?token=([\w-]+)/);
    expectOk(await new Visitor(there).call(accounts.verifyEmail, { token }));
    const { key } = expectOk(await visitor.call(factors.setUpApp, {}));
    const confirmed = expectOk(await at(there, visitor).call(factors.confirmApp, { code: codeOf(app, key) }));
    return { visitor, email, key, recoveryCodes: confirmed.recoveryCodes ?? [] };
  }
  type Person = Awaited<ReturnType<typeof personAt>>;

  it.each([
    ['an old server', 'one that knows both', old, oldFirst],
    ['one that signs with the old secret', 'one that signs with the new one', oldFirst, newFirst],
    ['one that signs with the new secret', 'one that signs with the old one', newFirst, oldFirst],
  ])('begin at %s and end at %s, each thing once [OPS-2 AUTH-6 AUTH-9 ORG-3]', async (_one, _other, making, taking) => {
    const [here, there] = [await serverWith(making), await serverWith(taking)];
    const people = await Promise.all([1, 2, 3].map(() => personAt(here, there)));
    const each = (act: (person: Person, next: Person) => Promise<void>) =>
      Promise.all(people.map((person, n) => act(person, people[(n + 1) % people.length] ?? person)));
    const enter = (address: string, challengeId: string, code = '') =>
      new Visitor(address).send(factors.loginFactor, { challengeId, code });
    const logInTwice = async (email: string, code?: string) => {
      const credentials = { email, password: PASSWORD };
      const challenges = [await challengeAt(here, credentials), await challengeAt(there, credentials)] as const;
      await oneAccepts(enter(there, challenges[0], code), enter(here, challenges[1], code));
    };
    await app.advance({ seconds: TOTP_SECONDS });

    await each(({ email, key }) => logInTwice(email, codeOf(app, key)));
    await each(({ email, recoveryCodes }) => logInTwice(email, recoveryCodes[0]));

    await each(async ({ visitor }, next) => {
      expectOk(await visitor.call(invite, { email: next.email, role: 'editor', onlyEventIds: null }));
      const token = await tokenTo(next.email, /invitation\?token=([\w-]+)/);
      const accept = (address: string) => at(address, next.visitor).call(acceptInvitation, { token });
      await oneAccepts(accept(here), accept(there));
      expect(expectOk(await next.visitor.call(accounts.profile, {})).access.role).toBe('editor');
    });

    await each(async ({ visitor, email, recoveryCodes }) => {
      const newEmail = `moved-${email}`;
      expectOk(await visitor.call(accounts.changeEmail, { newEmail }));
      const confirmation = await tokenTo(newEmail, /confirm-email-change\?token=([\w-]+)/);
      expectOk(await new Visitor(there).call(accounts.confirmEmailChange, { token: confirmation }));
      const undo = await tokenTo(email, /undo-email-change\?token=([\w-]+)/);
      expectOk(await new Visitor(there).call(accounts.undoEmailChange, { token: undo }));
      for (const address of [here, there])
        expect((await at(address, visitor).call(accounts.profile, {})).status).toBe(401);

      const token = await tokenTo(email, /reset-password\/([\w-]+)/);
      const form = { token, newPassword: NEW_PASSWORD, confirmNewPassword: NEW_PASSWORD };
      const reset = (address: string) => new Visitor(address).call(accounts.resetPassword, form);
      await oneAccepts(reset(here), reset(there));
      const challengeId = await challengeAt(here, { email, password: NEW_PASSWORD });
      expect((await enter(there, challengeId, recoveryCodes[1])).status).toBe(200);
    });
  });
});

describe('what an earlier secret signed', () => {
  const id = 'b3a1f0c2-1111-4222-8333-444455556666';
  const eventId = 'AAAAAAAAAAAAAAAA';
  const grant = { eventId, grantId: id, codeVersion: 1, expiresAt: 1 };
  const room = { rates: [], drawSize: null, pausedAt: null, drawSecret: ['any'] } as const;
  const [issuedAt, expiresAt] = [new Date('2026-01-01'), new Date('2026-01-02')];
  const session = { sessionId: id, userId: id, isAdmin: false, createdAt: issuedAt, expiresAt };
  const signed: [string, (made: AppSecret, accepted: AppSecret) => unknown][] = [
    ['session', async (made, accepted) => readSessionToken(accepted, await writeSessionToken(made, session), issuedAt)],
    ['attendant grant', (made, accepted) => verifyGrants(signGrants([grant], made), accepted)[0] ?? null],
    [
      'check-in link',
      (made, accepted) => verifyCheckInToken(accepted, eventId, checkInToken(made, { eventId, checkInId: id })),
    ],
    [
      'queue token',
      (made, accepted) => {
        const token = signQueueToken({ appSecret: made }, { eventId, orderId: id, position: 1 });
        return verifyQueueToken({ appSecret: accepted }, token);
      },
    ],
    [
      'waiting-room pass',
      (made, accepted) =>
        findPass(
          addPass(undefined, newPass(made, eventId, 1), made),
          { eventId, room: { ...room, rates: [] } },
          accepted,
        ),
    ],
    ['emailed login code', (made, accepted) => isEmailedCode(accepted, id, emailedCode(made, id)) || null],
    ['emailed link', (made, accepted) => storedLinkToken(accepted, id, hashOfLinkToken(linkToken(made, id)))],
    ['refund link', (made, accepted) => storedRefundToken(accepted, id, hashOfToken(refundToken(made, id)))],
    [
      'started checkouts',
      (made, accepted) => {
        let cookie = '';
        const jar = { read: () => cookie, write: (_name: string, value: string) => void (cookie = value) };
        browserCheckouts({ appSecret: made }, jar as never).add({ eventId, orderId: id });
        return browserCheckouts({ appSecret: accepted }, jar as never).refs[0] ?? null;
      },
    ],
  ];

  it.each(signed)('is accepted as long as the secret is: %s [OPS-2]', async (_what, roundTrip) => {
    expect(await roundTrip(old, newFirst)).not.toBeNull();
    expect(await roundTrip(newFirst, oldFirst)).not.toBeNull();
    expect(await roundTrip(old, [NEW])).toBeNull();
  });

  it('keeps the secret of a draw, and a pass keeps its own [OPS-2]', () => {
    expect(drawSecretOf(newFirst, null)).toEqual([NEW]);
    const pass = newPass(old, eventId, 1);
    const cookie = addPass(addPass(undefined, pass, newFirst), newPass(newFirst, 'BBBBBBBBBBBBBBBB', 2), newFirst);
    expect(findPass(cookie, { eventId, room: { ...room, rates: [] } }, newFirst)).toEqual(pass);
  });
});
