/** What each role may do: every call that a member can send, by a member in every role and state. */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiKeys } from '#contract/app/programs/api-keys.ts';
import { invite } from '#contract/app/team.ts';
import {
  type Access,
  type Action,
  type ActionDenial,
  denyAction,
  isForAllEvents,
  REAUTHENTICATION_MINUTES,
  type Role,
  roles,
} from '#domain/accounts/roles.ts';
import type { ErrorCode, ErrorParams } from '#messages/errors.ts';
import { statusOf } from '#server/platform/http/error-status.ts';
import { actorOf } from '#tests/support/actor-of.ts';
import { newApiKey } from '#tests/support/api-keys.ts';
import {
  openStage,
  type Sample,
  type Samples,
  type Stage,
  sampleNamed,
  samplesOf,
} from '#tests/support/call-samples.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { fieldsOf } from '#tests/support/fields-of.ts';
import type { Visitor } from '#tests/support/http-visitor.ts';
import { expectOk, newOrganizer } from '#tests/support/people.ts';
import { cookieHeader, type Input, inputOf, sendInput } from '#tests/support/send-sample.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';
import { newWebhook } from '#tests/support/webhook-receiver.ts';

/** An error without parameters. */
type PlainCode = Extract<
  ErrorCode,
  | `${string}.not-found`
  | `${string}.unknown-${string}`
  | 'api-key.unknown'
  | 'webhook.unknown'
  | 'evidence.unknown'
  | 'invitation.unknown'
  | 'attendant-code.missing'
>;

interface Row {
  /** What the call does for the organization. Null: it concerns only the caller's own account. */
  action: Action | null;
  /** The answer when it names something of another organization, or of an event that the member wasn't given. */
  unknown?: PlainCode;
  /** Needs the password of the last minutes, although it does nothing for the organization. */
  isReauthenticated?: true;
  /** Needs all of onboarding, which begins with the address. */
  isOnboarded?: true;
  /** Needs a verified address, whatever the role needs. */
  isVerified?: true;
  /** Denied while the organization is suspended. */
  isBraked?: true;
  /** Sent after the others, because it changes the session that they use. */
  isLast?: true;
}

const own: Row = { action: null };
const ownProved: Row = { action: null, isReauthenticated: true };
const event = (action: Action): Row => ({ action, unknown: 'event.not-found' });
const edit: Row = { ...event('event.edit'), isBraked: true };
/** With the member's own browser. */
const scan: Row = { action: 'check-in.scan', unknown: 'attendant-code.missing' };

async function keyOf(visitor: Visitor): Promise<string> {
  await newApiKey(visitor);
  return expectOk(await visitor.call(apiKeys, {})).keys[0]?.keyId ?? '';
}

const TABLE: Record<string, Row> = {
  acceptInvitation: own,
  addComps: { ...event('comp.manage'), isBraked: true },
  addPasskey: ownProved,
  addDates: { ...event('event.create'), isVerified: true, isBraked: true },
  addPhotos: edit,
  addPromoCode: edit,
  apiKeys: { action: 'api-key.view' },
  arrangePhotos: edit,
  affiliateCodes: { action: 'affiliate-code.generate' },
  auditLog: { action: 'audit.view' },
  cancelEvent: event('event.cancel'),
  cancelSeries: event('event.cancel'),
  changeAttendantCode: event('check-in.manage'),
  changeEmail: ownProved,
  changePassword: { ...own, isLast: true },
  createApiKey: { action: 'api-key.create', unknown: 'team.unknown-event' },
  revokeApiKey: { action: 'api-key.revoke', unknown: 'api-key.unknown' },
  webhookEndpoints: { action: 'webhook.view' },
  createWebhookEndpoint: { action: 'webhook.create', unknown: 'team.unknown-event' },
  editWebhookEndpoint: { action: 'webhook.change', unknown: 'webhook.unknown' },
  rotateWebhookSecret: { action: 'webhook.create', unknown: 'webhook.unknown' },
  testWebhook: { action: 'webhook.change', unknown: 'webhook.unknown' },
  endWebhookEndpoint: { action: 'webhook.change', unknown: 'webhook.unknown' },
  webhookDeliveries: { action: 'webhook.view', unknown: 'webhook.unknown' },
  sendWebhookAgain: { action: 'webhook.change', unknown: 'webhook.unknown' },
  changeRole: { action: 'member.manage', unknown: 'team.unknown-member' },
  checkGuest: scan,
  checkInFoundGuest: scan,
  checkGuestManual: scan,
  checkInDashboard: event('check-in.manage'),
  comps: event('comp.manage'),
  confirmApp: ownProved,
  setAutomaticPayouts: { action: 'payout.request' },
  confirmPayoutAccount: { action: 'payout-account.manage' },
  createAccountLink: { action: 'payout-account.manage' },
  correctEmail: event('order.correct-email'),
  createEvent: { action: 'event.create', isOnboarded: true, isBraked: true },
  orderDetails: event('guest.view'),
  orderPageEnds: event('guest.view'),
  orderRows: event('guest.view'),
  orderTable: event('guest.view'),
  refundTickets: event('ticket.refund'),
  resendOrderToBuyer: event('ticket.resend'),
  createLoginLink: { action: 'payout-account.manage' },
  deleteAccount: own,
  deleteDraft: edit,
  deleteOrganization: { action: 'organization.delete', isBraked: true },
  deletePhotos: edit,
  duplicateEvent: { ...event('event.create'), isVerified: true, isBraked: true },
  editDoorNote: event('door-note.edit'),
  editEmbed: event('event.edit'),
  editEvent: edit,
  editGuestForm: edit,
  eventTax: event('payout.view'),
  editEventTax: { ...event('event-tax.edit'), isBraked: true },
  editNameSearch: event('check-in.manage'),
  editPromoCode: edit,
  editSeries: edit,
  editTickets: edit,
  endPromoCode: edit,
  endOtherSessions: { ...ownProved, isLast: true },
  endSession: { ...ownProved, unknown: 'session.not-found' },
  endShift: scan,
  endViewing: own,
  eventCard: event('event.view'),
  eventFrame: event('event.view'),
  eventMoney: event('payout.view'),
  statementFile: event('payout.view'),
  journalFile: event('payout.view'),
  eventFile: event('guest.export'),
  eventSales: event('sales.view'),
  trackingLinks: event('sales.view'),
  addTrackingLink: edit,
  removeTrackingLink: edit,
  payoutList: { action: 'payout.view' },
  eventEmbed: event('event.edit'),
  eventGuestForm: event('event.edit'),
  eventRows: { action: 'event.view' },
  pastVenues: { action: 'event.edit' },
  eventSeries: event('event.view'),
  seriesToCancel: event('event.cancel'),
  eventOverview: event('event.view'),
  eventTickets: event('event.edit'),
  previewEvent: event('event.edit'),
  factors: own,
  findGuests: scan,
  findTickets: scan,
  generateCode: { action: 'affiliate-code.generate', isOnboarded: true },
  getCoords: { action: 'event.edit' },
  guestDetails: event('guest.view'),
  guestFile: event('guest.export'),
  guestPage: event('guest.view'),
  guestPageEnds: event('guest.view'),
  guestRows: event('guest.view'),
  guestTable: event('guest.view'),
  importGuests: event('comp.manage'),
  invite: { action: 'member.manage', unknown: 'team.unknown-event' },
  leaveOrganization: own,
  myRecordsFile: ownProved,
  nameSearch: scan,
  offlineTicketList: scan,
  organizationFunds: { action: 'payout.view' },
  organizations: own,
  payoutAccountHolder: { action: 'payout-account.manage' },
  prepareExport: ownProved,
  printedGuests: event('guest.view'),
  profile: { action: 'event.view' },
  promoCodes: event('event.edit'),
  publishEvent: edit,
  reauthenticate: { ...own, isLast: true },
  reauthenticateWithFactor: own,
  removeDevice: event('check-in.manage'),
  removeFactor: ownProved,
  removeMember: { action: 'member.manage', unknown: 'team.unknown-member' },
  renewRecoveryCodes: ownProved,
  requestPayout: event('payout.request'),
  requireFactor: { action: 'organization.require-factor', isLast: true },
  resendTicket: { action: 'ticket.resend', unknown: 'resend.unknown-ticket' },
  resendVerification: own,
  saveAccountInfo: { action: 'organization.identify', isBraked: true },
  saveStatement: { action: 'dispute.answer', unknown: 'evidence.unknown' },
  sessions: own,
  shareKit: event('event.view'),
  setUpApp: ownProved,
  setUpPasskey: ownProved,
  switchOrganization: { ...own, unknown: 'team.unknown-organization' },
  syncScans: scan,
  organizationPage: { action: 'organization-page.edit' },
  editOrganizationPage: { action: 'organization-page.edit', isBraked: true },
  uploadLogo: { action: 'organization-page.edit', isBraked: true },
  takeDownEvent: edit,
  team: { action: 'member.view' },
  undoCheckIn: scan,
  viewing: own,
  withdrawComp: event('comp.manage'),
  withdrawInvitation: { action: 'member.manage', unknown: 'invitation.unknown' },
};

const endpoints = (await endpointsOfContract()).filter(([, { access }]) => ['organizer', 'attendant'].includes(access));
const namesEvent = ([, { input }]: (typeof endpoints)[number]) =>
  fieldsOf(input).some(({ path }) => path.join('.') === 'eventId');
const table = endpoints.map((call) => {
  const [name, endpoint] = call;
  return { name, endpoint, row: TABLE[name] ?? own, namesEvent: namesEvent(call) };
});
type Call = (typeof table)[number];

/** Need another permission when they make an owner. */
const makingOwners = table.filter(({ name }) => ['invite', 'changeRole'].includes(name));

it('has a row for every call that a member can send', () => {
  expect(Object.keys(TABLE).toSorted()).toEqual(endpoints.map(([name]) => name).toSorted());
});

it('says of every call about an event that others are not found', () => {
  const unknown = new Set(table.filter((call) => call.namesEvent).map(({ row }) => row.unknown));

  expect([...unknown].toSorted()).toEqual(['attendant-code.missing', 'event.not-found']);
});

let app: TestApp;
let stage: Stage;
let samples: Samples;
let coOwner: string;
/** What calls without an event name: real objects of the organization, where the samples name unknown ones. */
let named: Record<string, Input>;
let ownersNamed: Record<string, Input>;
beforeAll(async () => {
  app = await startTestApp();
  stage = await openStage(app);
  samples = await samplesOf(app, stage);
  ({ userId: coOwner } = await actorOf(app.db, (await newOrganizer(app)).email));
  const { userId, organizationId } = await actorOf(app.db, stage.owner.email);
  const { endpointId } = await newWebhook(stage.owner.visitor, { url: 'http://127.0.0.1:9/hooks' });
  expectOk(await stage.owner.visitor.call(invite, { email: 'crew@example.com', role: 'viewer', onlyEventIds: null }));
  const { id: invitationId } = await app.db.selectFrom('invitations').select('id').executeTakeFirstOrThrow();
  const sessions = app.db.selectFrom('sessions').where('userId', '=', userId);
  const { id: sessionId } = await sessions.select('id').executeTakeFirstOrThrow();
  named = {
    changeRole: { userId, onlyEventIds: null },
    endSession: { sessionId },
    removeMember: { userId },
    revokeApiKey: { keyId: await keyOf(stage.owner.visitor) },
    editWebhookEndpoint: { endpointId },
    rotateWebhookSecret: { endpointId },
    testWebhook: { endpointId },
    endWebhookEndpoint: { endpointId },
    webhookDeliveries: { endpointId },
    sendWebhookAgain: { endpointId },
    switchOrganization: { organizationId },
    withdrawInvitation: { invitationId },
  };
  ownersNamed = {
    invite: { email: 'partner@example.com', role: 'owner', onlyEventIds: null },
    changeRole: { userId: coOwner, role: 'owner', onlyEventIds: null },
  };
});
afterAll(() => app.close());

interface Condition {
  isVerified: boolean;
  isReauthenticated: boolean;
  /** The organization requires a second factor. */
  lacksFactor: boolean;
  isSuspended: boolean;
  onlyEventIds: readonly string[] | null;
}

const freshly: Condition = {
  isVerified: true,
  isReauthenticated: true,
  lacksFactor: false,
  isSuspended: false,
  onlyEventIds: null,
};
const reason = 'Buyers report a fake venue.';

/** Everyone's access in their own organization, which one more person owns. */
async function becomeAll({ role, onlyEventIds }: Access): Promise<void> {
  await sql`
    insert into memberships (organization_id, user_id, role, joined_at)
    select o.id, ${coOwner}::uuid, 'owner', now() from organizations o on conflict do nothing`.execute(app.db);
  await app.db
    .updateTable('memberships')
    .set({ role, onlyEventIds: onlyEventIds && [...onlyEventIds] })
    .where('userId', '!=', coOwner)
    .execute();
}

async function becomeEveryone({ isVerified, isReauthenticated, lacksFactor, isSuspended }: Condition): Promise<void> {
  const now = app.now();
  const longAgo = new Date(now.getTime() - REAUTHENTICATION_MINUTES * 60_000);
  await app.db
    .updateTable('users')
    .set({ emailVerifiedAt: isVerified ? now : null })
    .execute();
  await app.db
    .updateTable('sessions')
    .set({ reauthenticatedAt: isReauthenticated ? now : longAgo })
    .execute();
  const suspended = isSuspended
    ? { suspendedAt: now, suspendedBy: coOwner, suspendReason: reason }
    : { suspendedAt: null, suspendedBy: null, suspendReason: null };
  await app.db
    .updateTable('organizations')
    .set({ requiresFactor: lacksFactor, ...suspended })
    .execute();
}

const GOES_ON = 'goes on';
const denied = <Code extends ErrorCode>(code: Code, ...params: ErrorParams<Code>) =>
  `${statusOf(code)} ${JSON.stringify(errorBody(code, ...params))}`;

const byMatrix = (denial: ActionDenial, action: Action) =>
  denial === 'role-denied' ? denied('auth.role-denied', { action }) : denied(`auth.${denial}`);

/** What the table wants. */
function expectedOf({ row }: Call, role: Role, condition: Condition): string {
  const { isVerified, isReauthenticated, isSuspended, lacksFactor, onlyEventIds } = condition;
  if (row.action === null)
    return row.isReauthenticated && !isReauthenticated ? denied('auth.reauthentication-required') : GOES_ON;
  const emailVerifiedAt = isVerified ? app.now() : null;
  const denial = denyAction(
    { role, onlyEventIds, emailVerifiedAt, isReauthenticated, lacksFactor, scopes: null },
    row.action,
  );
  if (denial) return byMatrix(denial, row.action);
  if (row.isOnboarded && !isVerified) return denied('onboarding.incomplete');
  if (row.isVerified && !isVerified) return denied('auth.email-unverified');
  return row.isBraked && isSuspended ? denied('org.suspended', { reason }) : GOES_ON;
}

interface Sending {
  by: (call: Call, sample: Sample) => Visitor | null;
  change?: (call: Call) => Input;
  /** What must not appear in any answer: of another organization, or of an event that the member wasn't given. */
  secrets?: readonly string[];
}

/** `goes on`, or the denial. */
async function send(call: Call, { by, change = () => ({}), secrets }: Sending): Promise<string> {
  const { name, endpoint, row } = call;
  const sample = sampleNamed(samples, name);
  const headers = cookieHeader([...(by(call, sample)?.cookies ?? [])]);
  const { status, text } = await sendInput(app.publicUrl, endpoint, { ...inputOf(sample), ...change(call) }, headers);
  if (secrets?.some((secret) => text.includes(secret))) return `shows what it must not: ${text}`;
  // Some samples name nothing that exists, and the photo is deleted once.
  const isFound = status !== 404 || !text.includes(`"${row.unknown}"`) || (!secrets && sample.answers === 404);
  return [401, 403].includes(status) || !isFound ? `${status} ${text}` : GOES_ON;
}

/** The member whose browser the calls come from. Only the attendant's calls need a grant otherwise. */
const member: Sending['by'] = ({ endpoint }, { by }) => (endpoint.access === 'attendant' ? stage.owner.visitor : by);

/** Sends the calls at once, but for those that change the sessions of others. */
async function answersOf(calls: readonly Call[], sending: Sending): Promise<Record<string, string>> {
  const answers = new Map<string, string>();
  const ask = async (call: Call) => answers.set(call.name, await send(call, sending));
  await Promise.all(calls.filter(({ row }) => !row.isLast).map(ask));
  for (const call of calls.filter(({ row }) => row.isLast)) await ask(call);
  return Object.fromEntries(calls.map(({ name }) => [name, answers.get(name) ?? '']));
}

const valuesOf = (calls: readonly Call[], valueOf: (call: Call) => string) =>
  Object.fromEntries(calls.map((call) => [call.name, valueOf(call)]));

/** Samples that work once are prepared by owners, before everyone gets the role. */
async function prepare(role: Role, condition: Condition): Promise<void> {
  await becomeAll({ role: 'owner', onlyEventIds: null });
  await becomeEveryone(freshly);
  for (const { name } of table) await sampleNamed(samples, name).before?.();
  await becomeAll({ role, onlyEventIds: condition.onlyEventIds });
  await becomeEveryone(condition);
}

const conditions: [string, Condition][] = [
  ['in a fresh session', freshly],
  ['with an unverified address', { ...freshly, isVerified: false }],
  ['in a session without a recent password', { ...freshly, isReauthenticated: false }],
  ['without the second factor that the organization requires', { ...freshly, lacksFactor: true }],
  ['of a suspended organization', { ...freshly, isSuspended: true }],
];

describe.each(conditions)('a member %s', (_condition, condition) => {
  it.each(roles)('may as %s make owners where the matrix says so [ROLE-1 ORG-3 AUTH-8]', async (role) => {
    await prepare(role, condition);
    const change = ({ name }: Call) => ownersNamed[name] ?? {};

    const wanted = (call: Call) => {
      const asMember = expectedOf(call, role, condition);
      // A changed role is first one of any member.
      if (call.name === 'changeRole' && asMember !== GOES_ON) return asMember;
      return expectedOf({ ...call, row: { action: 'owner.manage' } }, role, condition);
    };

    expect(await answersOf(makingOwners, { by: member, change })).toEqual(valuesOf(makingOwners, wanted));
  });

  it.each(roles)('may as %s do what the matrix says [ROLE-1 ROLE-2 AUTH-1 AUTH-8 BRAKE-1]', async (role) => {
    await prepare(role, condition);

    expect(await answersOf(table, { by: member })).toEqual(
      valuesOf(table, (call) => expectedOf(call, role, condition)),
    );
  });
});

it('sends nothing without a session [ROLE-1]', async () => {
  await prepare('owner', freshly);

  expect(await answersOf(table, { by: () => null })).toEqual(
    valuesOf(table, ({ endpoint }) =>
      denied(endpoint.access === 'attendant' ? 'attendant-code.missing' : 'session.missing'),
    ),
  );
});

/** An unknown event comes before the role; other objects are looked up after it. */
function expectedOfUnknown(call: Call, role: Role, condition: Condition): string {
  const { unknown } = call.row;
  const first = call.namesEvent ? GOES_ON : expectedOf(call, role, condition);
  return first === GOES_ON && unknown ? denied(unknown) : first;
}

describe("another organization's member", () => {
  /** Those that only concern the caller name nothing of an organization. */
  const calls = table.filter(({ row }) => row.action !== null || row.unknown);

  it.each(roles)('finds nothing as %s [ROLE-2]', async (role) => {
    await prepare(role, freshly);
    const { eventId, email } = stage.owner;
    const sending = { by: () => stage.other.visitor, change: ({ name }: Call) => named[name] ?? {} };

    expect(await answersOf(calls, { ...sending, secrets: [eventId, email] })).toEqual(
      valuesOf(calls, (call) => expectedOfUnknown(call, role, freshly)),
    );
  });
});

describe.each(roles.filter((role) => !isForAllEvents(role)))('the role %s for chosen events', (role) => {
  it("doesn't find the others in any call [ORG-3 ROLE-2]", async () => {
    const condition = { ...freshly, onlyEventIds: [stage.toCancel.eventId] };
    const { eventId } = stage.owner;
    const calls = table.filter(({ row }) => row.action !== null);
    await prepare(role, condition);
    const change = (call: Call) => (call.namesEvent ? { eventId } : {});

    expect(await answersOf(calls, { by: () => stage.owner.visitor, change, secrets: [eventId] })).toEqual(
      valuesOf(calls, (call) => expectedOfUnknown(call, role, condition)),
    );
  });

  it('may do what the role may in any call [ORG-3]', async () => {
    const condition = { ...freshly, onlyEventIds: [stage.owner.eventId, stage.toCancel.eventId] };
    await prepare(role, condition);

    expect(await answersOf(table, { by: member })).toEqual(
      valuesOf(table, (call) => expectedOf(call, role, condition)),
    );
  });
});
