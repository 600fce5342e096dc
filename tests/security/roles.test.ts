/** What each role may do: every call that acts for an organization, by a member in every role. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkGuest } from '#contract/app/check-in.ts';
import { type Action, mayDo, type Role, roles } from '#domain/roles.ts';
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

/** The call, and what it does for the organization. Null for what concerns nobody but the caller. */
const ACTIONS: Record<string, Action | null> = {
  addPhotos: 'event.edit',
  cancelEvent: 'event.cancel',
  changeAttendantCode: 'check-in.manage',
  changeEmail: null,
  checkInDashboard: 'check-in.manage',
  createAccountLink: 'payout-account.manage',
  createEvent: 'event.create',
  createLoginLink: 'payout-account.manage',
  deleteAccount: 'organization.delete',
  deletePhotos: 'event.edit',
  editEvent: 'event.edit',
  generateCode: 'affiliate-code.generate',
  getCoords: 'event.edit',
  guestFile: 'guest.export',
  guestPage: 'guest.view',
  myRecordsFile: 'organization.export',
  profile: 'event.view',
  removeDevice: 'check-in.manage',
  requestPayout: 'payout.request',
  resendTicket: 'ticket.resend',
  resendVerification: null,
  saveAccountInfo: 'organization.identify',
};

const organizerEndpoints = (await endpointsOfContract()).filter(([, { access }]) => access === 'organizer');

/** Everyone's role in their own organization. */
const becomeAll = (role: Role) => app.db.updateTable('memberships').set({ role }).execute();

const forbidden = (action: Action) => ({ status: 403, body: errorBody('organization.forbidden', { action }) });

it('is known for every call that acts for an organization', () => {
  expect(Object.keys(ACTIONS).sort()).toEqual(organizerEndpoints.map(([name]) => name).sort());
});

const others = roles.filter((role) => role !== 'owner');

describe.each(others)('the role %s', (role) => {
  beforeAll(() => becomeAll(role));

  it.each(organizerEndpoints)('may call %s as the matrix says', async (name, endpoint) => {
    const sample = sampleNamed(samples, name);
    const { status, text } = await sendInput(
      app.publicUrl,
      endpoint,
      inputOf(sample),
      cookieHeader([...sample.by.cookies]),
    );

    const action = ACTIONS[name];
    if (action && !mayDo(role, action)) expect({ status, body: JSON.parse(text) }).toEqual(forbidden(action));
    else expect([401, 403]).not.toContain(status);
  });

  it('may check in with their own browser as the matrix says', async () => {
    const { owner } = stage;
    const confirmationNumber = '1000000000';

    const reply = await owner.visitor.call(checkGuest, { eventId: owner.eventId, confirmationNumber });

    if (mayDo(role, 'check-in.scan'))
      expect(reply).toMatchObject({ status: 404, body: errorBody('check-in.unknown-ticket') });
    else expect(reply).toMatchObject(forbidden('check-in.scan'));
  });
});
