/** What each role may do: every call that acts for an organization, by a member in every role and state. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import {
  type Action,
  type ActionDenial,
  denyAction,
  REAUTHENTICATION_MINUTES,
  type Role,
  roles,
} from '#domain/accounts/roles.ts';
import type { ErrorCode } from '#messages/errors.ts';
import { openStage, type Samples, type Stage, sampleNamed, samplesOf } from '#tests/support/call-samples.ts';
import { endpointsOfContract } from '#tests/support/endpoints.ts';
import { errorBody } from '#tests/support/error-body.ts';
import { cookieHeader, inputOf, sendInput } from '#tests/support/send-sample.ts';
import { startTestApp, type TestApp } from '#tests/support/test-app.ts';

let app: TestApp;
let stage: Stage;
let samples: Samples;
beforeAll(async () => {
  app = await startTestApp();
  stage = await openStage(app);
  samples = await samplesOf(app, stage);
});
afterAll(() => app.close());

/** What a call does for the organization, or the denial of a call that concerns nobody but the caller. */
const ACTIONS: Record<string, Action | { whenStale: ErrorCode } | null> = {
  addPhotos: 'event.edit',
  affiliateCodes: 'affiliate-code.generate',
  auditLog: 'audit.view',
  cancelEvent: 'event.cancel',
  changeAttendantCode: 'check-in.manage',
  changePassword: null,
  changeEmail: { whenStale: 'auth.reauthentication-required' },
  checkInDashboard: 'check-in.manage',
  confirmPayoutAccount: 'payout-account.manage',
  createAccountLink: 'payout-account.manage',
  createEvent: 'event.create',
  createLoginLink: 'payout-account.manage',
  deleteAccount: 'organization.delete',
  deletePhotos: 'event.edit',
  eventPage: 'event.view',
  endOtherSessions: null,
  endSession: null,
  endViewing: null,
  editEvent: 'event.edit',
  generateCode: 'affiliate-code.generate',
  getCoords: 'event.edit',
  guestFile: 'guest.export',
  guestPage: 'guest.view',
  myRecordsFile: 'organization.export',
  payoutAccountHolder: 'payout-account.manage',
  factors: null,
  setUpApp: { whenStale: 'auth.reauthentication-required' },
  confirmApp: { whenStale: 'auth.reauthentication-required' },
  setUpPasskey: { whenStale: 'auth.reauthentication-required' },
  addPasskey: { whenStale: 'auth.reauthentication-required' },
  removeFactor: { whenStale: 'auth.reauthentication-required' },
  renewRecoveryCodes: { whenStale: 'auth.reauthentication-required' },
  requireFactor: 'organization.require-factor',
  prepareExport: { whenStale: 'auth.reauthentication-required' },
  profile: 'event.view',
  reauthenticate: null,
  removeDevice: 'check-in.manage',
  requestPayout: 'payout.request',
  resendTicket: 'ticket.resend',
  resendVerification: null,
  sessions: null,
  saveAccountInfo: 'organization.identify',
  viewing: null,
};

/** All of onboarding, which begins with the address. */
const NEEDS_ONBOARDING = ['createEvent', 'generateCode'];

const organizerEndpoints = (await endpointsOfContract()).filter(([, { access }]) => access === 'organizer');

it('is known for every call that acts for an organization', () => {
  expect(Object.keys(ACTIONS).sort()).toEqual(organizerEndpoints.map(([name]) => name).sort());
});

/** Everyone's role in their own organization. */
const becomeAll = (role: Role) => app.db.updateTable('memberships').set({ role }).execute();

const bodyOf = (denial: ActionDenial, action: Action) =>
  denial === 'role-denied' ? errorBody('auth.role-denied', { action }) : errorBody(`auth.${denial}`);

interface Condition {
  isVerified: boolean;
  isReauthenticated: boolean;
  /** The organization requires a second factor. */
  lacksFactor: boolean;
}

const freshly = { isVerified: true, isReauthenticated: true, lacksFactor: false };

async function becomeEveryone({ isVerified, isReauthenticated, lacksFactor }: Condition) {
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
  await app.db.updateTable('organizations').set({ requiresFactor: lacksFactor }).execute();
}

/** The body of the error that the matrix wants, or null where the call may go on. */
function expectedDenial(name: string, role: Role, { isVerified, isReauthenticated, lacksFactor }: Condition) {
  const action = ACTIONS[name] ?? null;
  if (action === null) return null;
  if (typeof action === 'object') return isReauthenticated ? null : { code: action.whenStale };
  const emailVerifiedAt = isVerified ? app.now() : null;
  const denial = denyAction({ role, emailVerifiedAt, isReauthenticated, lacksFactor }, action);
  if (denial) return bodyOf(denial, action);
  return !isVerified && NEEDS_ONBOARDING.includes(name) ? errorBody('onboarding.incomplete') : null;
}

const STRANGER = { emailVerifiedAt: null, isReauthenticated: false, lacksFactor: false };

const conditions: [string, Condition][] = [
  ['in a fresh session', freshly],
  ['with an unverified address', { ...freshly, isVerified: false }],
  ['in a session without a recent password', { ...freshly, isReauthenticated: false }],
  ['without the second factor that the organization requires', { ...freshly, lacksFactor: true }],
];

describe.each(conditions)('%s', (_condition, condition) => {
  // The owner in a fresh session is the caller of every other suite, and some samples work once.
  describe.each(condition === freshly ? roles.filter((role) => role !== 'owner') : roles)('the role %s', (role) => {
    it.each(organizerEndpoints)('may call %s as the matrix says [ROLE-1 AUTH-1 AUTH-8]', async (name, endpoint) => {
      const sample = sampleNamed(samples, name);
      await becomeAll('owner');
      await sample.before?.();
      await becomeAll(role);
      await becomeEveryone(condition);
      const { status, text } = await sendInput(
        app.publicUrl,
        endpoint,
        inputOf(sample),
        cookieHeader([...sample.by.cookies]),
      );

      const denial = expectedDenial(name, role, condition);
      if (denial) expect({ status, body: JSON.parse(text) }).toMatchObject({ status: 403, body: denial });
      else expect([401, 403]).not.toContain(status);
    });
  });
});

describe.each(roles)('the role %s', (role) => {
  beforeAll(async () => {
    await becomeAll(role);
    await becomeEveryone(freshly);
  });

  it('may check in with their own browser as the matrix says', async () => {
    const { owner } = stage;
    const confirmationNumber = '1000000000';

    const reply = await owner.visitor.call(checkGuest, { eventId: owner.eventId, confirmationNumber });

    const denial = denyAction({ ...STRANGER, role }, 'check-in.scan');
    if (denial) expect(reply).toMatchObject({ status: 403, body: bodyOf(denial, 'check-in.scan') });
    else expect(reply).toMatchObject({ status: 404, body: errorBody('check-in.unknown-ticket') });
  });
});
