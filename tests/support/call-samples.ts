/**
 * One valid request for every endpoint of the contract, from an authorized caller. An endpoint without one does not
 * compile, or fails the suites that cover all endpoints.
 */
import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import * as abuseReports from '#contract/app/abuse-reports.ts';
import * as accounts from '#contract/app/accounts.ts';
import * as actionItems from '#contract/app/action-items.ts';
import * as admin from '#contract/app/admin.ts';
import * as affiliates from '#contract/app/affiliates.ts';
import * as alerts from '#contract/app/alerts.ts';
import * as audit from '#contract/app/audit.ts';
import * as brakes from '#contract/app/brakes.ts';
import * as admission from '#contract/app/check-in.ts';
import * as door from '#contract/app/check-in-devices.ts';
import * as checkout from '#contract/app/checkout.ts';
import * as disputes from '#contract/app/disputes.ts';
import * as earlyCheckIns from '#contract/app/early-check-ins.ts';
import * as events from '#contract/app/events.ts';
import * as factors from '#contract/app/factors.ts';
import * as guests from '#contract/app/guests.ts';
import * as payouts from '#contract/app/payouts.ts';
import * as photos from '#contract/app/photos.ts';
import * as plans from '#contract/app/plans.ts';
import * as privacy from '#contract/app/privacy.ts';
import * as apiKeys from '#contract/app/programs/api-keys.ts';
import * as embeds from '#contract/app/programs/embed.ts';
import * as webhooks from '#contract/app/programs/webhooks.ts';
import * as eventFiles from '#contract/app/records/event-files.ts';
import * as eventTaxes from '#contract/app/records/event-tax.ts';
import * as exports from '#contract/app/records/exports.ts';
import * as funds from '#contract/app/records/funds.ts';
import * as journal from '#contract/app/records/journal.ts';
import * as links from '#contract/app/records/links.ts';
import * as overviews from '#contract/app/records/overview.ts';
import * as salesReports from '#contract/app/records/sales-report.ts';
import * as workspace from '#contract/app/records/workspace.ts';
import * as refunds from '#contract/app/refunds.ts';
import * as checkoutPages from '#contract/app/sales/checkout-page.ts';
import * as comps from '#contract/app/sales/comps.ts';
import * as contact from '#contract/app/sales/contact.ts';
import * as doorNotes from '#contract/app/sales/door-notes.ts';
import * as eventDates from '#contract/app/sales/event-dates.ts';
import * as eventLife from '#contract/app/sales/event-life.ts';
import * as eventPreview from '#contract/app/sales/event-preview.ts';
import * as findGuests from '#contract/app/sales/find-guests.ts';
import * as findTickets from '#contract/app/sales/find-tickets.ts';
import * as freeOrders from '#contract/app/sales/free-orders.ts';
import * as guestForms from '#contract/app/sales/guest-forms.ts';
import * as guestTables from '#contract/app/sales/guest-table.ts';
import * as importGuests from '#contract/app/sales/import-guests.ts';
import * as orderNames from '#contract/app/sales/order-names.ts';
import * as orders from '#contract/app/sales/orders.ts';
import * as organizerPages from '#contract/app/sales/organizer-page.ts';
import * as promo from '#contract/app/sales/promo-codes.ts';
import * as seriesChanges from '#contract/app/sales/series-changes.ts';
import * as ticketFiles from '#contract/app/sales/ticket-files.ts';
import * as ticketTransfers from '#contract/app/sales/ticket-transfers.ts';
import * as security from '#contract/app/security.ts';
import * as team from '#contract/app/team.ts';
import * as viewing from '#contract/app/viewing.ts';
import * as waitingRoom from '#contract/app/waiting-room.ts';
import type { AnyEndpoint, InputOf } from '#contract/endpoint.ts';
import { appointAdmin } from '#server/accounts/appoint-admin.ts';
import { signQueueToken } from '#server/payments/checkout/queue-token.ts';
import { actorOf } from './actor-of.ts';
import { grantIdOf } from './check-in-devices.ts';
import { askBuyers, buyWithDetails, questionForm, reserveAsked } from './guest-forms.ts';
import type { Visitor } from './http-visitor.ts';
import {
  accountInfo,
  attendantOf,
  buyTickets,
  codesOf,
  eventForm,
  eventOnSale,
  expectOk,
  generalAdmission,
  linkTo,
  newOrganizer,
  onboardedOrganizer,
  openCheckout,
  PASSWORD,
  verifiedOrganizer,
} from './people.ts';
import { newPromoCode, promoForm } from './promo-codes.ts';
import { STANDARD_TERMS } from './standard-terms.ts';
import type { TestApp } from './test-app.ts';
import { uploadPhotos } from './upload-photos.ts';
import { eventWithWaitingRoom } from './waiting-room.ts';

const contract = {
  ...abuseReports,
  ...accounts,
  ...admin,
  ...admission,
  ...brakes,
  ...affiliates,
  ...alerts,
  ...audit,
  ...checkout,
  ...comps,
  ...disputes,
  ...door,
  ...earlyCheckIns,
  ...embeds,
  ...events,
  ...exports,
  ...factors,
  ...funds,
  ...guests,
  ...importGuests,
  ...doorNotes,
  ...eventDates,
  ...eventLife,
  ...eventPreview,
  ...findGuests,
  ...payouts,
  ...photos,
  ...plans,
  ...privacy,
  ...checkoutPages,
  ...freeOrders,
  ...guestForms,
  ...guestTables,
  ...orderNames,
  ...overviews,
  ...organizerPages,
  ...orders,
  ...contact,
  ...findTickets,
  ...seriesChanges,
  ...ticketFiles,
  ...ticketTransfers,
  ...promo,
  ...refunds,
  ...security,
  ...actionItems,
  ...apiKeys,
  ...team,
  ...viewing,
  ...waitingRoom,
  ...webhooks,
  ...eventTaxes,
  ...eventFiles,
  ...journal,
  ...links,
  ...salesReports,
  ...workspace,
};
type Contract = typeof contract;
type Calls = { [Name in keyof Contract as Contract[Name] extends AnyEndpoint ? Name : never]: Contract[Name] };
type CallOf<Name> = Name extends keyof Contract ? Extract<Contract[Name], AnyEndpoint> : never;

export interface Sample<E extends AnyEndpoint = AnyEndpoint> {
  by: Visitor;
  input: InputOf<E>;
  /** Status of the answer: 200, unless the request needs another state. */
  answers?: number;
  /** Prepares the state for one more request. */
  before?: () => Promise<unknown>;
}

export type Samples = { [Name in keyof Calls]: Sample<CallOf<Name>> };

/** All callers, and the objects they name. The app must delay refunds. */
export async function openStage(app: TestApp) {
  const owner = await eventOnSale(app);
  const toCancel = expectOk(await owner.visitor.call(events.createEvent, eventForm(app, { title: 'To cancel' })));
  const buyer = 'buyer@example.com';
  const order = await buyTickets(app, owner.eventId, generalAdmission(4), buyer);
  const [admitted = '', returned = '', kept = '', mistaken = ''] = codesOf(order);
  const other = await eventWithWaitingRoom(app, 60);
  const ownTypes = expectOk(await owner.visitor.call(events.eventTickets, { eventId: owner.eventId }));
  const endedPromoCodeId = await newPromoCode(owner, promoForm('ENDED'));
  expectOk(await owner.visitor.call(promo.endPromoCode, { eventId: owner.eventId, promoCodeId: endedPromoCodeId }));
  const admin = await newOrganizer(app);
  await appointAdmin(app.deps, { email: admin.email, isAdmin: true });
  return {
    owner,
    other,
    admin,
    toCancel,
    creator: await onboardedOrganizer(app),
    newcomer: await newOrganizer(app),
    attendant: await attendantOf(app, owner.eventId, owner.attendantCode),
    deviceToRemove: grantIdOf(app, await attendantOf(app, owner.eventId, owner.attendantCode)),
    buyer,
    sessionId: order.sessionId,
    codes: { admitted, returned, kept, mistaken },
    photo: await uploadPhoto(owner.visitor, owner.eventId),
    promoCodeId: await newPromoCode(owner, promoForm('SPRING')),
    endedPromoCodeId,
    ticketId: ownTypes.tickets[0]?.ticketId ?? '',
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>;

export async function samplesOf(app: TestApp, stage: Stage): Promise<Samples> {
  return {
    ...(await samplesOfAccounts(app, stage)),
    ...(await samplesOfTeams(app, stage)),
    ...samplesOfEvents(app, stage),
    ...(await samplesOfBuyers(app, stage)),
    ...samplesOfDoors(stage),
    ...samplesOfOperators(stage),
    ...(await samplesOfPrivacy(app, stage)),
  };
}

export function sampleNamed(samples: Samples, name: string): Sample {
  const found = Object.entries(samples).find(([sampled]) => sampled === name);
  if (!found) throw new Error(`${name} is in the contract, but has no valid request in tests/support/call-samples.ts`);
  return found[1];
}

async function samplesOfAccounts(app: TestApp, { owner, newcomer }: Stage) {
  const by = app.visitor();
  const confirmPassword = PASSWORD;
  const leaving = (await newOrganizer(app)).visitor;
  const leaver = await newOrganizer(app);
  const mover = await organizerWhoMoves(app);
  return {
    register: {
      by,
      input: { email: 'new@example.com', password: PASSWORD, confirmPassword, acceptedTerms: true, honeypot: '' },
      before: () => app.db.deleteFrom('users').where('email', '=', 'new@example.com').execute(),
    },
    login: { by: app.visitor(), input: { email: newcomer.email, password: PASSWORD, honeypot: '' } },
    logout: { by: leaving, input: {} },
    verifyEmail: { by, input: { token: await linkTo(app, newcomer.email, /verify-email\?token=([\w-]+)/) } },
    reauthenticate: { by: owner.visitor, input: { password: PASSWORD } },
    prepareExport: { by: owner.visitor, input: {} },
    resendVerification: { by: owner.visitor, input: {} },
    forgotPassword: { by, input: { email: owner.email, honeypot: '' } },
    resetPassword: {
      by,
      input: { token: await resetToken(app), newPassword: PASSWORD, confirmNewPassword: PASSWORD },
    },
    commonPasswords: { by, input: {} },
    changePassword: {
      by: leaver.visitor,
      input: { password: PASSWORD, newPassword: PASSWORD, confirmNewPassword: PASSWORD },
    },
    sessions: { by: owner.visitor, input: {} },
    affiliateCodes: { by: owner.visitor, input: {} },
    publicFunds: { by, input: {} },
    organizationFunds: { by: owner.visitor, input: {} },
    viewing: { by: owner.visitor, input: {} },
    endViewing: { by: owner.visitor, input: {} },
    auditLog: { by: owner.visitor, input: { ...auditFilters, after: randomUUID() } },
    endSession: { by: owner.visitor, input: { sessionId: randomUUID() }, answers: 404 },
    endOtherSessions: { by: leaver.visitor, input: {} },
    loginFactor: { by, input: { challengeId: randomUUID(), code: '000000', passkey: { id: 'unknown' } }, answers: 401 },
    startPasskeyLogin: { by, input: {} },
    reauthenticateWithFactor: {
      by: owner.visitor,
      input: { challengeId: randomUUID(), code: '000000', passkey: { id: 'unknown' } },
      answers: 400,
    },
    passkeyLogin: { by, input: { challengeId: randomUUID(), passkey: { id: 'unknown' } }, answers: 401 },
    factors: { by: owner.visitor, input: {} },
    setUpApp: { by: owner.visitor, input: {} },
    confirmApp: { by: owner.visitor, input: { code: '000000' }, answers: 400 },
    setUpPasskey: { by: owner.visitor, input: {} },
    addPasskey: {
      by: owner.visitor,
      input: { challengeId: randomUUID(), name: 'Phone', response: { id: 'unknown' } },
      answers: 400,
    },
    removeFactor: { by: owner.visitor, input: { factorId: randomUUID() }, answers: 404 },
    renewRecoveryCodes: { by: owner.visitor, input: {}, answers: 404 },
    requireFactor: { by: leaver.visitor, input: { isRequired: false } },
    confirmEmailChange: {
      by,
      input: { token: await linkTo(app, mover.newEmail, /confirm-email-change\?token=([\w-]+)/) },
    },
    undoEmailChange: { by, input: { token: await linkTo(app, mover.email, /undo-email-change\?token=([\w-]+)/) } },
    changeEmail: { by: owner.visitor, input: { newEmail: 'elsewhere@example.com', honeypot: '' } },
    profile: { by: owner.visitor, input: {} },
    saveAccountInfo: { by: owner.visitor, input: { ...accountInfo, individualTIN: '' } },
    generateCode: {
      by: owner.visitor,
      input: {},
      before: () => app.db.deleteFrom('affiliateCodes').where('redeemedAt', 'is', null).execute(),
    },
    createAccountLink: { by: owner.visitor, input: {} },
    createLoginLink: { by: owner.visitor, input: {} },
    payoutAccountHolder: { by: owner.visitor, input: {} },
    confirmPayoutAccount: { by: owner.visitor, input: {} },
    setAutomaticPayouts: { by: owner.visitor, input: { isOn: true } },
    saveStatement: { by: owner.visitor, input: { disputeId: randomUUID(), text: 'She was there.' }, answers: 404 },
  } satisfies Partial<Samples>;
}

/** Only a person of their own leaves, so that the other samples keep their callers. */
async function samplesOfTeams(app: TestApp, { owner: { visitor: by, eventId } }: Stage) {
  const access = { role: 'viewer' as const, onlyEventIds: [eventId] };
  const userId = randomUUID();
  return {
    organizationPage: { by, input: {} },
    editOrganizationPage: {
      by,
      input: { slug: 'page-of-the-stage', website: 'https://stage.example', isPublic: true },
    },
    uploadLogo: { by, input: {} },
    team: { by, input: {} },
    apiKeys: { by, input: {} },
    createApiKey: { by, input: { name: 'Turnstile', scopes: ['events:read'], onlyEventIds: [eventId], days: 30 } },
    revokeApiKey: { by, input: { keyId: userId }, answers: 404 },
    webhookEndpoints: { by, input: {} },
    createWebhookEndpoint: {
      by,
      input: { url: 'http://127.0.0.1:9/hooks', types: ['order.paid'], onlyEventIds: [eventId] },
    },
    editWebhookEndpoint: {
      by,
      input: { endpointId: userId, types: ['order.paid'], onlyEventIds: [eventId] },
      answers: 404,
    },
    rotateWebhookSecret: { by, input: { endpointId: userId }, answers: 404 },
    testWebhook: { by, input: { endpointId: userId }, answers: 404 },
    endWebhookEndpoint: { by, input: { endpointId: userId }, answers: 404 },
    webhookDeliveries: { by, input: { endpointId: userId, after: userId }, answers: 404 },
    sendWebhookAgain: { by, input: { endpointId: userId, deliveryId: userId }, answers: 404 },
    organizations: { by, input: {} },
    invite: { by, input: { email: 'door@example.com', ...access } },
    withdrawInvitation: { by, input: { invitationId: randomUUID() }, answers: 404 },
    changeRole: { by, input: { userId, ...access }, answers: 404 },
    removeMember: { by, input: { userId }, answers: 404 },
    leaveOrganization: { by: (await newOrganizer(app)).visitor, input: {}, answers: 409 },
    switchOrganization: { by, input: { organizationId: randomUUID() }, answers: 404 },
    invitation: { by, input: { token: 'unknown' }, answers: 404 },
    acceptInvitation: { by, input: { token: 'unknown' }, answers: 404 },
  } satisfies Partial<Samples>;
}

/** Both links of a change of email have been sent. */
async function organizerWhoMoves(app: TestApp) {
  const { visitor, email } = await verifiedOrganizer(app);
  const newEmail = 'moved@example.com';
  expectOk(await visitor.call(accounts.changeEmail, { newEmail }));
  return { email, newEmail };
}

function samplesOfEvents(app: TestApp, stage: Stage) {
  const { owner, other, creator, toCancel, codes, photo, buyer, promoCodeId, endedPromoCodeId, ticketId } = stage;
  const by = owner.visitor;
  const { eventId } = owner;
  const form = { ...eventForm(app), salesStart: '', useWaitingRoom: false, buyersPerMinute: '' };
  const tickets = form.tickets.map((ticket) => ({ ...ticket, ticketId: '' }));
  /** Edits by other samples hide the ticket type of the codes, or make it free. */
  const sellPlainly = () =>
    by.call(events.editTickets, {
      eventId,
      tickets: form.tickets.map((ticket) => ({ ...ticket, isHidden: false, hasNamedPrice: false })),
    });
  const promoSample = (code: string) =>
    promoForm(code, {
      ticketIds: [ticketId],
      maxUses: '30',
      maxPerOrder: '4',
      validFrom: '2026-01-01T09:00',
      validUntil: '2099-01-01T09:00',
    });
  const now = new Date();
  const guestFilters = {
    q: 'a',
    type: ticketId,
    state: 'not-yet',
    channel: 'online',
    question: randomUUID(),
    answer: 'Soup',
  } as const;
  return {
    createEvent: {
      by: creator.visitor,
      input: { ...form, tickets, affiliateCode: '', isDraft: false },
      // The plan allows two at a time.
      before: async () => {
        const { organizationId } = await actorOf(app.db, creator.email);
        await app.db
          .updateTable('events')
          .set({ cancelledAt: now })
          .where('organizationId', '=', organizationId)
          .where('cancelledAt', 'is', null)
          .execute();
      },
    },
    editEvent: { by, input: { ...form, tickets, eventId } },
    eventTickets: { by, input: { eventId } },
    previewEvent: { by, input: { ...form, tickets, eventId } },
    editTickets: {
      by,
      input: {
        eventId,
        tickets,
        maxPerOrder: '10',
        sharedCapacities: [{ capacityId: randomUUID(), name: 'Hall', capacity: '500', units: ['1'] }],
      },
    },
    eventEmbed: { by, input: { eventId } },
    editEmbed: { by, input: { eventId, add: 'https://www.example.com', remove: 'https://old.example.com' } },
    eventTax: { by, input: { eventId } },
    editEventTax: { by, input: { eventId, percent: '8.875', label: 'Sales tax' } },
    eventGuestForm: { by, input: { eventId } },
    editGuestForm: {
      by,
      input: {
        eventId,
        version: 0,
        asksNames: 'off',
        questions: [
          {
            questionId: randomUUID(),
            ...questionForm('Meal'),
            kind: 'one-of',
            help: 'Hot',
            options: ['Soup', 'Pie'],
            ticketIds: [ticketId],
            deleteAfterDays: 30,
            isShownAtDoor: true,
          },
        ],
      },
    },
    promoCodes: { by, input: { eventId } },
    addPromoCode: { by, input: { eventId, ...promoSample(randomUUID().slice(0, 8)) }, before: sellPlainly },
    editPromoCode: { by, input: { eventId, promoCodeId, ...promoSample('SPRING') }, before: sellPlainly },
    endPromoCode: { by, input: { eventId, promoCodeId: endedPromoCodeId }, answers: 409 },
    // An event other than the grant's.
    changeAttendantCode: { by, input: { eventId: toCancel.eventId } },
    cancelEvent: { by, input: { eventId: toCancel.eventId } },
    addDates: {
      by,
      input: { eventId, dates: ['2027-01-15T20:00'], requestId: randomUUID(), dryRun: true },
    },
    eventSeries: { by, input: { eventId } },
    // An event that no other sample makes a series of.
    editSeries: {
      by,
      input: { ...form, tickets, eventId: toCancel.eventId, scope: 'all', changeId: randomUUID() },
      answers: 409,
    },
    seriesToCancel: { by, input: { eventId: toCancel.eventId }, answers: 409 },
    cancelSeries: { by, input: { eventId: toCancel.eventId, changeId: randomUUID() }, answers: 409 },
    publishEvent: { by, input: { eventId, affiliateCode: '', allDates: true } },
    takeDownEvent: { by, input: { eventId }, answers: 409 },
    duplicateEvent: { by, input: { eventId, duplicateId: randomUUID() } },
    deleteDraft: { by, input: { eventId }, answers: 409 },
    getCoords: { by, input: { street: form.street, city: form.city, state: form.state, postalCode: form.postalCode } },
    eventRows: { by, input: { group: 'upcoming', seriesId: 'unknown', q: 'a', after: eventId } },
    pastVenues: { by, input: {} },
    eventFrame: { by, input: { eventId } },
    eventCard: { by, input: { eventId } },
    eventMoney: { by, input: { eventId } },
    statementFile: { by, input: { eventId, format: 'pdf' } },
    journalFile: { by, input: { eventId } },
    eventFile: { by, input: { eventId, kind: 'orders' } },
    eventSales: { by, input: { eventId, from: '2026-01-01', until: '2030-01-01', split: 'type' } },
    trackingLinks: { by, input: { eventId } },
    addTrackingLink: { by, input: { eventId, name: 'Poster', slug: randomUUID() } },
    removeTrackingLink: { by, input: { eventId, linkId: randomUUID() }, answers: 404 },
    payoutList: { by, input: { after: eventId } },
    guestPage: { by, input: { eventId, after: randomUUID(), q: 'a', all: '1', limit: 10 } },
    guestFile: { by, input: { eventId, all: '1' } },
    guestRows: { by, input: { eventId, ...guestFilters, after: randomUUID(), until: randomUUID() } },
    guestPageEnds: { by, input: { eventId, ...guestFilters, after: randomUUID() } },
    guestTable: { by, input: { eventId, ...guestFilters } },
    eventOverview: { by, input: { eventId } },
    shareKit: { by, input: { eventId, kind: 'square', link: 'poster' } },
    guestDetails: { by, input: { eventId, ticketId: randomUUID() }, answers: 404 },
    orderRows: { by, input: { eventId, q: 'a', state: 'paid', after: randomUUID(), until: randomUUID() } },
    orderPageEnds: { by, input: { eventId, q: 'a', state: 'paid', after: randomUUID() } },
    orderTable: { by, input: { eventId, q: 'a', state: 'paid' } },
    orderDetails: { by, input: { eventId, orderId: randomUUID() }, answers: 404 },
    resendOrderToBuyer: { by, input: { eventId, orderId: randomUUID() }, answers: 404 },
    refundTickets: {
      by,
      input: { eventId, ticketIds: [randomUUID()], reason: 'The balcony is closed.' },
      answers: 404,
    },
    printedGuests: { by, input: { eventId, ...guestFilters, after: randomUUID() } },
    comps: { by, input: { eventId, after: randomUUID() } },
    addComps: {
      by,
      input: {
        eventId,
        compsId: randomUUID(),
        guests: [{ ticketId, quantity: 1, email: 'guest@example.com', name: 'Ada', doorNote: 'Hi' }],
        raisesQuantity: true,
      },
    },
    // Its file is a photo.
    importGuests: {
      by,
      answers: 400,
      input: {
        eventId,
        importId: randomUUID(),
        dryRun: '1',
        emailColumn: '0',
        typeColumn: '1',
        quantityColumn: '2',
        nameColumn: '3',
        noteColumn: '4',
        ticketId,
        raisesQuantity: '1',
      },
    },
    editDoorNote: { by, input: { eventId, ticketId: randomUUID(), doorNote: 'Front row' }, answers: 404 },
    editNameSearch: { by, input: { eventId, isOn: true } },
    withdrawComp: { by, input: { eventId, ticketId: randomUUID() }, answers: 404 },
    correctEmail: {
      by,
      input: { eventId, orderId: randomUUID(), email: 'right@example.com' },
      answers: 404,
    },
    resendTicket: { by, input: { email: buyer, confirmationNumber: codes.admitted } },
    requestPayout: { by, input: { eventId }, answers: 409 },
    addPhotos: { by, input: { eventId } },
    // Other samples add and delete photos: what was seen is outdated in any case.
    arrangePhotos: {
      by,
      input: {
        eventId,
        seen: [photo, photo],
        photos: [{ url: photo, altText: 'A band', focus: { x: 20, y: 80 } }],
        cover: photo,
      },
      answers: 409,
    },
    deletePhotos: { by, input: { eventId, photosToDelete: [photo] } },
    publicEvent: { by: app.visitor(), input: { eventId } },
    offer: { by: app.visitor(), input: {} },
    joinWaitingRoom: { by: app.visitor(), input: { eventId: other.eventId } },
    waitingRoom: { by: app.visitor(), input: { eventId: other.eventId } },
  } satisfies Partial<Samples>;
}

/** Reserved orders of an event that asks its buyers. */
async function askedOrders(app: TestApp) {
  const seller = await eventOnSale(app);
  const { Meal: meal = '' } = await askBuyers(seller, { asksNames: 'required', questions: [questionForm('Meal')] });
  const details = {
    order: { answers: {} },
    tickets: [{ name: 'Sam', answers: { [meal]: 'Soup' } }],
  };
  const [unanswered, answered] = [await reserveAsked(app, seller.eventId), await reserveAsked(app, seller.eventId)];
  expectOk(await answered.send(details));
  const bought = await buyWithDetails(app, seller.eventId, details, { email: 'asked@example.com' });
  return { details, orderToken: bought.details?.token ?? '', unanswered: unanswered.handle, answered: answered.handle };
}

async function confirmedFreeOrder(app: TestApp) {
  const email = 'free@example.com';
  const free = { ticketName: 'Free', ticketDescription: 'Come in', ticketPrice: 0, ticketQuantity: 5 };
  const { eventId } = await eventOnSale(app, { tickets: [free] });
  const { buyer, sessionId: handle } = await openCheckout(app, eventId, [{ ticketName: 'Free', quantity: 1 }]);
  expectOk(await buyer.call(freeOrders.sendOrderCode, { handle, email }));
  const token = await linkTo(app, email, /\/checkout\/[\w.-]+\?token=([\w-]{43})/);
  expectOk(await buyer.call(freeOrders.confirmFreeOrder, { handle, token }));
  return { handle, token };
}

async function samplesOfBuyers(app: TestApp, { owner, attendant, buyer, sessionId, codes }: Stage) {
  const by = app.visitor();
  const { eventId, attendantCode } = owner;
  const [handle, handleToLeave] = [await queuedHandle(app, eventId), await queuedHandle(app, eventId)];
  const line = { ticketId: '', ticketName: 'General admission', ticketPrice: 24, quantity: 1 };
  const confirmationNumber = codes.admitted;
  const searchByName = () =>
    app.db.updateTable('events').set({ allowsNameSearch: true }).where('id', '=', eventId).execute();
  const makeValid = () =>
    app.db
      .updateTable('tickets')
      .set({ state: 'valid', scannedAt: null, scannedBy: null, scanId: null })
      .where('confirmationNumber', '=', confirmationNumber)
      .execute();
  const scanId = randomUUID();
  const token = await refundToken(app, { eventId, confirmationCode: codes.kept, buyer });
  const checkInLink = await checkedInEarly(app, eventId, attendant);
  const freeOrder = await confirmedFreeOrder(app);
  const asked = await askedOrders(app);
  const { details } = expectOk(await app.visitor().call(checkout.checkoutSession, { sessionId }));
  const orderToken = details?.token ?? '';
  return {
    createCheckoutSession: {
      by,
      input: { eventId, cartId: randomUUID(), cartItems: [line], promoCode: 'SPRING', expectedTotalCents: 1 },
    },
    applyPromoCode: { by, input: { eventId, code: 'SPRING' } },
    queuedCheckout: { by, input: { handle } },
    readCheckoutPage: { by, input: { handle: freeOrder.handle } },
    sendDetails: { by, input: { handle: asked.unanswered, ...asked.details } },
    continueCheckout: { by, input: { handle: asked.answered } },
    nameTickets: { by, input: { token: asked.orderToken, names: [{ position: 1, name: 'Sam' }] } },
    sendOrderCode: { by, input: { handle: freeOrder.handle, email: 'free@example.com', honeypot: '' } },
    // The link decides, so that wrong codes do not end it.
    confirmFreeOrder: { by, input: { ...freeOrder, code: '000000' } },
    openCheckouts: { by: app.visitor(), input: {} },
    releaseCheckout: { by: app.visitor(), input: { handle: randomUUID() }, answers: 404 },
    leaveQueuedCheckout: { by, input: { handle: handleToLeave } },
    checkoutSession: { by, input: { sessionId } },
    readOrder: { by, input: { token: orderToken } },
    applePass: { by, input: { token: orderToken, ticket: 1 }, answers: 404 },
    ticketsPdf: { by, input: { token: orderToken } },
    resendOrder: { by, input: { token: orderToken } },
    readTicket: { by, input: { token: orderToken }, answers: 404 },
    // It has no such ticket.
    transferTicket: {
      by,
      input: { token: asked.orderToken, position: 99, email: 'holder@example.com', name: 'Ana' },
      answers: 404,
    },
    refundTicket: { by, input: { token: orderToken, position: 99 }, answers: 404 },
    // Another browser paid.
    correctOwnEmail: { by, input: { token: orderToken, email: 'right@example.com' }, answers: 409 },
    enterAttendantCode: { by: app.visitor(), input: { eventId, formData: { attendantCode, honeypot: '' } } },
    checkGuest: { by: attendant, input: { eventId, confirmationNumber }, before: makeValid },
    checkGuestManual: {
      by: attendant,
      input: { eventId, manualFormData: { confirmationNumber, honeypot: '' } },
      before: makeValid,
    },
    offlineTicketList: { by: attendant, input: { eventId, have: { edition: 'a', upTo: '1.0' }, pending: 0 } },
    findTickets: { by: attendant, input: { eventId, lastDigits: confirmationNumber.slice(-4) } },
    nameSearch: { by: attendant, input: { eventId } },
    findGuests: { by: attendant, input: { eventId, name: 'Ada' }, before: searchByName },
    checkInFoundGuest: {
      by: attendant,
      input: { eventId, ticketId: randomUUID(), scanId: randomUUID() },
      answers: 403,
    },
    syncScans: { by: attendant, input: { eventId, scans: [{ scanId: randomUUID(), confirmationNumber, at: 0 }] } },
    undoCheckIn: {
      by: attendant,
      input: { eventId, scanId },
      before: () =>
        app.db
          .updateTable('tickets')
          .set({ state: 'scanned', scannedAt: app.now(), scannedBy: grantIdOf(app, attendant), scanId })
          .where('confirmationNumber', '=', codes.mistaken)
          .execute(),
    },
    contactOrganizer: {
      by,
      input: { about: eventId, messageId: randomUUID(), email: 'asks@example.com', message: 'Hi', honeypot: '' },
    },
    // An event other than the one whose reports an operator handles.
    reportEvent: { by, input: { eventId, reportId: randomUUID(), reason: 'other', text: 'Odd.', honeypot: '' } },
    requestRefund: { by, input: { eventId, confirmationCode: codes.returned, honeypot: '' } },
    refundStatus: { by, input: { eventId, token } },
    keepTicket: { by, input: { eventId, token } },
    earlyCheckIn: { by, input: { eventId, token: checkInLink } },
    objectToCheckIn: { by, input: { eventId, token: checkInLink } },
  } satisfies Partial<Samples>;
}

function samplesOfDoors({ owner: { visitor, eventId }, deviceToRemove }: Stage) {
  return {
    // The event's owner still has access afterwards.
    endShift: { by: visitor, input: { eventId } },
    checkInDashboard: { by: visitor, input: { eventId } },
    removeDevice: { by: visitor, input: { eventId, deviceId: deviceToRemove } },
  } satisfies Partial<Samples>;
}

const auditFilters = {
  actor: randomUUID(),
  action: 'log-in',
  event: 'AAAAAAAAAAAAAAAA',
  from: '2026-01-01T00:00:00.000Z',
  until: '2027-01-01T00:00:00.000Z',
};

function samplesOfOperators({ admin, toCancel: { eventId } }: Stage) {
  const by = admin.visitor;
  // There are no action items, so this one is unknown.
  const subject = randomUUID();
  const note = 'looked at it';
  return {
    adminOverview: { by, input: {} },
    adminMoney: { by, input: {} },
    adminAlerts: { by, input: {} },
    viewAs: { by, input: { organization: 'nobody@example.com' }, answers: 404 },
    endSessions: { by, input: { email: 'nobody@example.com' }, answers: 404 },
    adminAudit: { by, input: { ...auditFilters, organization: randomUUID(), after: randomUUID() } },
    adminPlans: { by, input: {} },
    savePlan: {
      by,
      input: { planId: 'standard', name: 'Standard', activeEventsMax: 2, terms: STANDARD_TERMS, isPublic: true },
    },
    retirePlan: { by, input: { planId: 'unknown', isRetired: true }, answers: 404 },
    setPlan: { by, input: { organization: 'nobody@example.com', planId: 'standard' }, answers: 404 },
    setReserve: { by, input: { organization: 'nobody@example.com', percent: 10, days: 90 }, answers: 404 },
    adminAuditFile: { by, input: { ...auditFilters, organization: randomUUID() } },
    adminActionItems: { by, input: {} },
    retryActionItem: { by, input: { kind: 'refund-unsent', subject }, answers: 409 },
    refundReviewedOrder: { by, input: { subject }, answers: 409 },
    settleAnotherWay: { by, input: { subject, note }, answers: 409 },
    writeOffReceivable: { by, input: { subject, note }, answers: 409 },
    adminReports: { by, input: {} },
    adminDisputes: { by, input: {} },
    adminMovedEvents: { by, input: {} },
    adminEvidence: { by, input: { disputeId: randomUUID() }, answers: 404 },
    sendEvidence: { by, input: { disputeId: randomUUID() }, answers: 404 },
    handleReports: { by, input: { eventId, note }, answers: 409 },
    adminSearch: { by, input: { q: 'brass' } },
    stopSales: { by, input: { eventId, note } },
    resumeSales: { by, input: { eventId, note } },
    holdPayout: { by, input: { eventId, note } },
    releasePayout: { by, input: { eventId, note } },
    suspendOrganization: { by, input: { organizationId: randomUUID(), note }, answers: 404 },
    resumeOrganization: { by, input: { organizationId: randomUUID(), note }, answers: 404 },
    decideEarlyCheckIn: { by, input: { action: 'undo-check-in', subject, note }, answers: 409 },
  } satisfies Partial<Samples>;
}

async function samplesOfPrivacy(app: TestApp, { owner, buyer }: Stage) {
  const by = app.visitor();
  const leaving = await newOrganizer(app);
  const unused = 'forgotten@example.com';
  await buyTickets(app, owner.eventId, generalAdmission(1), unused);
  async function tokenFor(email: string) {
    expectOk(await app.call(privacy.requestRecordsLink, { email }));
    return linkTo(app, email, /\/privacy\/([\w-]{43})/);
  }
  return {
    myRecordsFile: { by: owner.visitor, input: {} },
    deleteAccount: {
      by: leaving.visitor,
      input: { password: PASSWORD },
      before: () => comeBack(app, leaving),
    },
    // Its event is on sale.
    deleteOrganization: { by: owner.visitor, input: {}, answers: 409 },
    requestRecordsLink: { by, input: { email: owner.email, honeypot: '' } },
    emailMyTickets: { by, input: { email: unused, honeypot: '' } },
    myRecords: { by, input: { token: await tokenFor(buyer) } },
    deleteMyRecords: { by, input: { token: await tokenFor(unused) } },
  } satisfies Partial<Samples>;
}

/** Registers and logs in again after deleting the account. */
async function comeBack(app: TestApp, { email, visitor }: { email: string; visitor: Visitor }) {
  const accountOf = app.db.selectFrom('users').select('id').where('email', '=', email);
  if (await accountOf.executeTakeFirst()) return;
  const confirmPassword = PASSWORD;
  await visitor.call(accounts.register, { email, password: PASSWORD, confirmPassword, acceptedTerms: true });
  await visitor.call(accounts.login, { email, password: PASSWORD });
}

async function uploadPhoto(by: Visitor, eventId: string): Promise<string> {
  const { eventPhotos } = expectOk(await uploadPhotos(by, eventId, [['photo.png', await smallPhoto()]]));
  return eventPhotos[0] ?? '';
}

export async function smallPhoto(): Promise<Uint8Array<ArrayBuffer>> {
  const canvas = { width: 8, height: 8, channels: 3 as const, background: '#ffc23c' };
  return new Uint8Array(await sharp({ create: canvas }).png().toBuffer());
}

async function resetToken(app: TestApp): Promise<string> {
  const { email } = await newOrganizer(app);
  expectOk(await app.call(accounts.forgotPassword, { email }));
  return linkTo(app, email, /reset-password\/([\w-]+)/);
}

async function refundToken(app: TestApp, asked: { eventId: string; confirmationCode: string; buyer: string }) {
  const { eventId, confirmationCode, buyer } = asked;
  expectOk(await app.call(refunds.requestRefund, { eventId, confirmationCode }));
  return linkTo(app, buyer, /\/refund\/[\w-]{16}\/([\w-]{43})/);
}

/** The link of a buyer whose ticket was checked in long before the start. */
async function checkedInEarly(app: TestApp, eventId: string, attendant: Visitor): Promise<string> {
  const buyer = 'early@example.com';
  const [confirmationNumber = ''] = codesOf(await buyTickets(app, eventId, generalAdmission(1), buyer));
  expectOk(await attendant.call(admission.checkGuest, { eventId, confirmationNumber }));
  return linkTo(app, buyer, /\/checked-in\/[\w-]{16}\/([\w-]{43})/);
}

/** The handle of a buyer who waits for the payment page. */
async function queuedHandle(app: TestApp, eventId: string): Promise<string> {
  const { sessionId } = await openCheckout(app, eventId, generalAdmission(1));
  const order = await app.db
    .selectFrom('orders')
    .select('id')
    .where('sessionId', '=', sessionId)
    .executeTakeFirstOrThrow();
  return signQueueToken(app.deps, { eventId, orderId: order.id, position: 1 });
}
