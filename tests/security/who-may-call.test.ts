/** Authorization of every endpoint in the contract. New endpoints are covered automatically. */
import { randomUUID } from 'node:crypto';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { removeDevice, syncScans, undoCheckIn } from '#contract/app/check-in-devices.ts';
import { editEvent, editTickets } from '#contract/app/events.ts';
import { guestPage, resendTicket } from '#contract/app/guests.ts';
import { deletePhotos } from '#contract/app/photos.ts';
import { apiKeys, revokeApiKey } from '#contract/app/programs/api-keys.ts';
import * as webhooks from '#contract/app/programs/webhooks.ts';
import { keepTicket, refundStatus, requestRefund } from '#contract/app/refunds.ts';
import { changeRole, invite, removeMember, switchOrganization, team, withdrawInvitation } from '#contract/app/team.ts';
import type { Access, AnyEndpoint } from '#contract/endpoint.ts';

import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { newSecret } from '#server/accounts/passwords.ts';
import { writeSessionToken } from '#server/accounts/session-token.ts';
import { signGrants, verifyGrants } from '#server/checkin/devices/grants.ts';
import { type Grant } from '#server/platform/http/callers.ts';
import { newId, newPublicId } from '#server/platform/ids.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { newApiKey } from '#tests/support/api-keys.ts';
import { openStage, type Samples, type Stage, sampleNamed, samplesOf } from '#tests/support/call-samples.ts';
import { grantIdOf } from '#tests/support/check-in-devices.ts';
import { newConfirmationNumber } from '#tests/support/confirmation-number.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { fieldsOf } from '#tests/support/fields-of.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { freezeMonotonicClock } from '#tests/support/monotonic-clock.ts';
import { attendantOf, expectOk, newOrganizer } from '#tests/support/people.ts';
import { type RawAnswer, rawRequest } from '#tests/support/raw-request.ts';
import { cookieHeader, type Input, inputOf, sendInput } from '#tests/support/send-sample.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { newWebhook } from '#tests/support/webhook-receiver.ts';
import { forgedTokens } from './forged-tokens.ts';

let app: TestApp;
let stage: Stage;
let samples: Samples;
let forged: [name: string, token: string][];
let inBrowser: Visitor;
let fallenAdmin: Visitor;
beforeAll(async () => {
  app = await startTestApp({ refundDelayMinutes: 30 });
  stage = await openStage(app);
  samples = await samplesOf(app, stage);
  forged = await forgedTokens(app, tokenOf(stage.owner.visitor));
  ({ visitor: inBrowser } = await newOrganizer(app, { isBrowser: true }));
  const fallen = await newOrganizer(app);
  await appointAdmin(app.deps, { email: fallen.email, isAdmin: true });
  await appointAdmin(app.deps, { email: fallen.email, isAdmin: false });
  fallenAdmin = fallen.visitor;
});
afterAll(() => app.close());

const tokenOf = (visitor: Visitor) => visitor.cookies.get('token') ?? '';

const endpoints = await endpointsOfContract();
const withAccess = (...wanted: Access[]) =>
  endpoints
    .filter(([, { access }]) => wanted.includes(access))
    .map(([name, endpoint]) => [`${endpoint.method} ${endpoint.path}`, name, endpoint] as const);

/** The valid request with another user's cookies. */
function sendAs(name: string, endpoint: AnyEndpoint, cookies: Record<string, string>, change: Input = {}) {
  const input = { ...inputOf(sampleNamed(samples, name)), ...change };
  return sendInput(app.publicUrl, endpoint, input, cookieHeader(Object.entries(cookies)));
}

const sendBy = (name: string, endpoint: AnyEndpoint, visitor: Visitor, change: Input = {}) =>
  sendAs(name, endpoint, Object.fromEntries(visitor.cookies), change);

type PlainCode = 'session.missing' | 'page.not-found' | 'request.cross-site' | 'attendant-code.missing';
const refusedWith = (status: number, code: PlainCode) => [status, JSON.stringify(errorBody(code))];
const outcome = ({ status, text }: RawAnswer) => [status, text];

describe.each(withAccess('organizer', 'admin'))('%s', (_title, name, endpoint) => {
  it('rejects an anonymous caller', async () => {
    expect(outcome(await sendAs(name, endpoint, {}))).toEqual(refusedWith(401, 'session.missing'));
  });

  it('rejects invalid tokens', async () => {
    const taken: string[] = [];
    for (const [what, token] of forged) {
      const { status, text } = await sendAs(name, endpoint, { token });
      if (status !== 401 || text !== JSON.stringify(errorBody('session.missing')))
        taken.push(`${what}: ${status} ${text}`);
    }

    expect(taken).toEqual([]);
  });

  it('rejects a token taken from its browser', async () => {
    const token = tokenOf(inBrowser);

    expect(outcome(await sendAs(name, endpoint, { token }))).toEqual(refusedWith(401, 'session.missing'));
    expect(outcome(await sendAs(name, endpoint, { token, session: 'guess' }))).toEqual(
      refusedWith(401, 'session.missing'),
    );
  });

  it("does not accept an attendant's grant as a session", async () => {
    expect(outcome(await sendBy(name, endpoint, stage.attendant))).toEqual(refusedWith(401, 'session.missing'));
  });
});

const isRead = ([, , { method }]: readonly [string, string, AnyEndpoint]) => method === 'GET';

describe.each(withAccess('organizer', 'admin').filter(isRead))('HEAD of %s', (_title, _name, { path }) => {
  it('reveals no more than the full response to an anonymous caller', async () => {
    const address = path.replace(/:\w+/g, stage.owner.eventId);
    const { status, text } = await rawRequest(app.publicUrl, { method: 'HEAD', path: address });

    expect([401, 404]).toContain(status);
    expect(text).toBe('');
  });
});

const isUnsafe = ([, , { method }]: readonly [string, string, AnyEndpoint]) => method !== 'GET';

describe.each(withAccess('organizer').filter(isUnsafe))('%s', (_title, name, endpoint) => {
  it("does not accept a browser's cookies alone", async () => {
    expect(outcome(await sendBy(name, endpoint, inBrowser))).toEqual(refusedWith(403, 'request.cross-site'));
  });
});

describe.each(withAccess('admin'))('%s', (_title, name, endpoint) => {
  it('rejects organizers', async () => {
    expect(outcome(await sendBy(name, endpoint, stage.owner.visitor))).toEqual(refusedWith(404, 'page.not-found'));
  });

  it("checks the account, not the token's claims", async () => {
    const { sid, sub } = decodeJwt(tokenOf(stage.owner.visitor));
    const token = await writeSessionToken(app.deps.appSecret, {
      sessionId: String(sid),
      userId: String(sub),
      isAdmin: true,
      createdAt: app.now(),
      expiresAt: new Date(app.now().getTime() + 3_600_000),
    });

    expect(outcome(await sendAs(name, endpoint, { token }))).toEqual(refusedWith(404, 'page.not-found'));
  });

  it('rejects a former admin immediately', async () => {
    expect(outcome(await sendBy(name, endpoint, fallenAdmin))).toEqual(refusedWith(404, 'page.not-found'));
  });
});

describe.each(withAccess('attendant'))('%s', (_title, name, endpoint) => {
  const withoutGrant = refusedWith(401, 'attendant-code.missing');
  const sendWith = (attendant: string) => sendAs(name, endpoint, { attendant });
  const grantOf = (change: Partial<Grant>): Grant => {
    const [grant] = verifyGrants(stage.attendant.cookies.get('attendant'), app.deps.appSecret);
    if (!grant) throw new Error('the attendant has no grant');
    return { ...grant, ...change };
  };

  it('asks an anonymous caller for the attendant code', async () => {
    expect(outcome(await sendAs(name, endpoint, {}))).toEqual(withoutGrant);
  });

  it.each([
    ["another event's grant", () => attendantOf(app, stage.other.eventId, stage.other.attendantCode)],
    ["another organizer's session", async () => stage.other.visitor],
    ["an admin's session", async () => stage.admin.visitor],
    ["an organizer's browser token without its second cookie", async () => withToken(tokenOf(inBrowser))],
  ])('rejects a caller with %s', async (_whose, caller) => {
    expect(outcome(await sendBy(name, endpoint, await caller()))).toEqual(withoutGrant);
  });

  // Processes read what an event allows at most every so often, so that devices that are removed one after another cost little.
  it("rejects a caller with a removed device's grant within a second", async () => {
    const watch = freezeMonotonicClock();
    const device = await removedDevice();
    watch.advance(1_000);
    // The clock stands still; a refresh that was under way may take its time on a busy machine.
    await expect.poll(async () => outcome(await sendBy(name, endpoint, device))).toEqual(withoutGrant);
  });

  it.each<[string, () => string]>([
    ['an arbitrary string', () => 'grant'],
    ['a grant without a signature', () => seal(grantOf({})).split('.')[0] ?? ''],
    [
      "another grant's valid signature",
      () => swapped(seal(grantOf({ eventId: stage.other.eventId })), seal(grantOf({}))),
    ],
    ["another app's grant", () => signGrants([grantOf({})], ['another secret, of 32 characters or more'])],
    ['an expired grant', () => seal(grantOf({ expiresAt: app.now().getTime() - 1 }))],
    ['a grant for an earlier attendant code', () => seal(grantOf({ codeVersion: 0 }))],
  ])('rejects %s', async (_what, cookie) => {
    expect(outcome(await sendWith(cookie()))).toEqual(withoutGrant);
  });

  it('names its event once: the one of the grant', async () => {
    const input = { ...inputOf(sampleNamed(samples, name)), eventId: [stage.owner.eventId, stage.other.eventId] };

    expect(outcome(await sendBy(name, endpoint, stage.attendant, input))).toEqual(withoutGrant);
  });

  const seal = (grant: Grant) => signGrants([grant], app.deps.appSecret);
});

const swapped = (claims: string, signature: string) => `${claims.split('.')[0]}.${signature.split('.')[1]}`;

async function removedDevice(): Promise<Visitor> {
  const { visitor, eventId, attendantCode } = stage.owner;
  const device = await attendantOf(app, eventId, attendantCode);
  expectOk(await visitor.call(removeDevice, { eventId, deviceId: grantIdOf(app, device) }));
  await app.deps.changes.catchUp();
  return device;
}

function withToken(token: string): Visitor {
  const visitor = app.visitor();
  visitor.cookies.set('token', token);
  return visitor;
}

const namesEvent = ({ input }: AnyEndpoint) => fieldsOf(input).some(({ path }) => path.join('.') === 'eventId');

/** The whole response, except parts that always differ. */
function whole({ status, headers, text }: RawAnswer) {
  const { date: _date, 'x-request-id': _id, ...others } = headers;
  return { status, headers: others, text };
}

describe.each(withAccess('organizer').filter(([, , endpoint]) => namesEvent(endpoint)))(
  '%s',
  (_title, name, endpoint) => {
    it("answers for another organizer's event as for an unknown one", async () => {
      const by = stage.owner.visitor;
      const foreign = await sendBy(name, endpoint, by, { eventId: stage.other.eventId });
      const unknown = await sendBy(name, endpoint, by, { eventId: newPublicId() });

      expect(foreign.status).toBe(404);
      expect(whole(foreign)).toEqual(whole(unknown));
    });
  },
);

describe('organizer endpoints without an event', () => {
  it('are these, and each is covered below if it names another object', () => {
    const names = withAccess('organizer').filter(([, , endpoint]) => !namesEvent(endpoint));

    expect(names.map(([, name]) => name).toSorted()).toEqual([
      'acceptInvitation',
      'addPasskey',
      'affiliateCodes',
      'apiKeys',
      'auditLog',
      'changeEmail',
      'changePassword',
      'changeRole',
      'confirmApp',
      'confirmPayoutAccount',
      'createAccountLink',
      'createApiKey',
      'createEvent',
      'createLoginLink',
      'createWebhookEndpoint',
      'deleteAccount',
      'deleteOrganization',
      'editOrganizationPage',
      'editWebhookEndpoint',
      'endOtherSessions',
      'endSession',
      'endViewing',
      'endWebhookEndpoint',
      'eventRows',
      'factors',
      'generateCode',
      'getCoords',
      'invite',
      'leaveOrganization',
      'myRecordsFile',
      'organizationFunds',
      'organizationPage',
      'organizations',
      'pastVenues',
      'payoutAccountHolder',
      'payoutList',
      'prepareExport',
      'profile',
      'reauthenticate',
      'reauthenticateWithFactor',
      'removeFactor',
      'removeMember',
      'renewRecoveryCodes',
      'requireFactor',
      'resendTicket',
      'resendVerification',
      'revokeApiKey',
      'rotateWebhookSecret',
      'saveAccountInfo',
      'saveStatement',
      'sendWebhookAgain',
      'sessions',
      'setAutomaticPayouts',
      'setUpApp',
      'setUpPasskey',
      'switchOrganization',
      'team',
      'testWebhook',
      'uploadLogo',
      'viewing',
      'webhookDeliveries',
      'webhookEndpoints',
      'withdrawInvitation',
    ]);
  });
});

async function keyOf({ visitor }: { visitor: Visitor }): Promise<string> {
  await newApiKey(visitor);
  return expectOk(await visitor.call(apiKeys, {})).keys[0]?.keyId ?? '';
}

async function webhookOf() {
  const { endpointId } = await newWebhook(stage.owner.visitor, { url: 'http://127.0.0.1:9/hooks' });
  expectOk(await stage.owner.visitor.call(webhooks.endWebhookEndpoint, { endpointId }));
  return { endpointId };
}

async function invitationOf({ visitor }: { visitor: Visitor }): Promise<string> {
  expectOk(await visitor.call(invite, { email: 'crew@example.com', role: 'viewer', onlyEventIds: null }));
  return expectOk(await visitor.call(team, {})).invitations[0]?.id ?? '';
}

describe("another organizer's objects", () => {
  const byOther = (name: string, endpoint: AnyEndpoint, change: Input) =>
    sendBy(name, endpoint, stage.other.visitor, { eventId: stage.other.eventId, ...change });

  it('POST /api/protected/resend-ticket: a ticket looks like an unknown one', async () => {
    const foreign = await byOther('resendTicket', resendTicket, {});
    const unknown = await byOther('resendTicket', resendTicket, { confirmationNumber: newConfirmationNumber() });

    expect(foreign.status).toBe(404);
    expect(whole(foreign)).toEqual(whole(unknown));
  });

  it.each([
    ['changeRole', changeRole, async () => ({ userId: (await actorOf(app.db, stage.owner.email)).userId })],
    ['removeMember', removeMember, async () => ({ userId: (await actorOf(app.db, stage.owner.email)).userId })],
    ['withdrawInvitation', withdrawInvitation, async () => ({ invitationId: await invitationOf(stage.owner) })],
    ['revokeApiKey', revokeApiKey, async () => ({ keyId: await keyOf(stage.owner) })],
    ['editWebhookEndpoint', webhooks.editWebhookEndpoint, webhookOf],
    ['rotateWebhookSecret', webhooks.rotateWebhookSecret, webhookOf],
    ['testWebhook', webhooks.testWebhook, webhookOf],
    ['endWebhookEndpoint', webhooks.endWebhookEndpoint, webhookOf],
    ['webhookDeliveries', webhooks.webhookDeliveries, webhookOf],
    ['sendWebhookAgain', webhooks.sendWebhookAgain, webhookOf],
    [
      'switchOrganization',
      switchOrganization,
      async () => ({ organizationId: (await actorOf(app.db, stage.owner.email)).organizationId }),
    ],
  ])('%s: a member, invitation, key or organization looks like an unknown one', async (name, endpoint, theirs) => {
    const change = await theirs();
    const foreign = await byOther(name, endpoint, { onlyEventIds: null, ...change });
    const unknown = await byOther(name, endpoint, { onlyEventIds: null });

    expect(foreign.status).toBe(404);
    expect(whole(foreign)).toEqual(whole(unknown));
  });

  it('POST /api/protected/delete-photos: a photo looks like an unknown one, and stays', async () => {
    const nowhere = stage.photo.replace(/[0-9a-f]{32}/, 'f'.repeat(32));
    const foreign = await byOther('deletePhotos', deletePhotos, {});
    const unknown = await byOther('deletePhotos', deletePhotos, { photosToDelete: [nowhere] });

    expect(foreign.status).toBe(404);
    expect(whole(foreign)).toEqual(whole(unknown));
    expect((await fetch(stage.photo)).status).toBe(200);
  });

  it('GET /api/protected/event/:eventId/guests: a guest is no cursor into the own list', async () => {
    const [guest] = await app.db
      .selectFrom('tickets')
      .select('id')
      .where('eventId', '=', stage.owner.eventId)
      .execute();
    const foreign = await byOther('guestPage', guestPage, { after: guest?.id });
    const unknown = await byOther('guestPage', guestPage, { after: newId() });

    expect(whole(foreign)).toEqual(whole(unknown));
  });

  it('PATCH /api/protected/event/:eventId and its tickets: a ticket type looks like an unknown one', async () => {
    const types = app.db.selectFrom('ticketTypes').where('eventId', '=', stage.owner.eventId);
    const [theirs] = await types.select('id').execute();
    const row = { ticketName: 'Mine', ticketDescription: 'All of it', ticketPrice: 1, ticketQuantity: 5 };
    const edits = [
      (ticketId = '') => byOther('editEvent', editEvent, { ...stage.other.sale, tickets: [{ ...row, ticketId }] }),
      (ticketId = '') => byOther('editTickets', editTickets, { tickets: [{ ...row, ticketId }] }),
    ];
    for (const edit of edits) expect(whole(await edit(theirs?.id))).toEqual(whole(await edit(newId())));
    expect(await types.where('name', '=', 'Mine').select('id').execute()).toEqual([]);
  });

  it('POST /api/public/checkGuest: a ticket looks like an unknown one', async () => {
    const door = await attendantOf(app, stage.other.eventId, stage.other.attendantCode);
    const at = (confirmationNumber: string) =>
      sendBy('checkGuest', checkGuest, door, { eventId: stage.other.eventId, confirmationNumber });
    const foreign = await at(stage.codes.admitted);

    expect(foreign.text).toBe(JSON.stringify(errorBody('check-in.unknown-ticket')));
    expect(whole(foreign)).toEqual(whole(await at(newConfirmationNumber())));
  });
});

describe("another organizer's scans", () => {
  it('POST /api/public/sync-scans: a ticket looks like an unknown one, and stays', async () => {
    const { eventId, attendantCode } = stage.other;
    const door = await attendantOf(app, eventId, attendantCode);
    const sync = (confirmationNumber: string) =>
      sendBy('syncScans', syncScans, door, {
        eventId,
        scans: [{ scanId: randomUUID(), confirmationNumber, at: 0 }],
      });
    const resultOf = ({ text }: RawAnswer) => JSON.parse(text).results[0].result;

    expect(resultOf(await sync(stage.codes.returned))).toBe('unknown');
    expect(resultOf(await sync(newConfirmationNumber()))).toBe('unknown');
    const tickets = app.db.selectFrom('tickets').where('confirmationNumber', '=', stage.codes.returned);
    expect(await tickets.select('scannedAt').execute()).toEqual([{ scannedAt: null }]);
  });

  it('POST /api/public/undo-check-in: a scan looks like an unknown one', async () => {
    const { eventId, attendantCode } = stage.other;
    const door = await attendantOf(app, eventId, attendantCode);
    const sample = sampleNamed(samples, 'undoCheckIn');
    await sample.before?.();
    const foreign = await sendBy('undoCheckIn', undoCheckIn, door, { eventId });

    expect(foreign.status).toBe(409);
    expect(whole(foreign)).toEqual(
      whole(await sendBy('undoCheckIn', undoCheckIn, door, { eventId, scanId: randomUUID() })),
    );
    const tickets = app.db.selectFrom('tickets').where('confirmationNumber', '=', stage.codes.mistaken);
    expect(await tickets.select('state').execute()).toEqual([{ state: 'scanned' }]);
  });
});

describe('a ticket of another event', () => {
  it.each<[string, AnyEndpoint, () => Input]>([
    ['requestRefund', requestRefund, () => ({ confirmationCode: newConfirmationNumber() })],
    ['refundStatus', refundStatus, () => ({ token: newSecret() })],
    ['keepTicket', keepTicket, () => ({ token: newSecret() })],
  ])('%s: looks like an unknown one', async (name, endpoint, unknown) => {
    const { eventId } = stage.other;
    const foreign = await sendAs(name, endpoint, {}, { eventId });

    expect(foreign.status).toBe(404);
    expect(whole(foreign)).toEqual(whole(await sendAs(name, endpoint, {}, { eventId, ...unknown() })));
  });
});
