/** Organizers, buyers and attendants who act through the API and the hosted pages. */
import * as accounts from '#contract/app/accounts.ts';
import { enterAttendantCode } from '#contract/app/check-in.ts';
import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { createEvent } from '#contract/app/events.ts';
import { createAccountLink } from '#contract/app/payouts.ts';
import { prepareExport } from '#contract/app/records/exports.ts';
import { confirmFreeOrder, sendOrderCode } from '#contract/app/sales/free-orders.ts';
import type { AnyEndpoint, InputOf, ReplyOf } from '#contract/endpoint.ts';
import { localTimeOf } from '#domain/local-time.ts';
import { submitForm } from './html-form.ts';
import type { Answer, Visitor, VisitorOptions } from './http-visitor.ts';

export const PASSWORD = 'correct horse battery';

/** Onboarded before the tests started, and logged in. */
export interface ReadyOrganizer {
  email: string;
  cookies: [name: string, value: string][];
}

/** The app as people reach it: in this process, or as a started server. */
export interface Site {
  /** Organizers ready to sell, while supplies last. */
  organizers: ReadyOrganizer[];
  publicUrl: string;
  visitor(options?: VisitorOptions): Visitor;
  call<E extends AnyEndpoint>(endpoint: E, input: InputOf<E>): Promise<Answer<ReplyOf<E>>>;
  now(): Date;
  /** Resolves when nothing is queued or running. */
  settle(): Promise<void>;
}

let people = 0;

/** Registered and logged in; the email is not verified and no form is filled in. */
export async function newOrganizer(
  site: Site,
  { email = `organizer-${++people}@example.com`, ...options }: { email?: string; isBrowser?: boolean } = {},
) {
  const visitor = site.visitor(options);
  // An API client, so that the session is the one of the login.
  expectOk(
    await site.visitor({ isBrowser: false }).call(accounts.register, {
      email,
      password: PASSWORD,
      confirmPassword: PASSWORD,
      acceptedTerms: true,
    }),
  );
  expectOk(await visitor.call(accounts.login, { email, password: PASSWORD }));
  return { visitor, email };
}

export interface InboxEmail {
  id: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Logged in, with a verified email; no form is filled in. */
export async function verifiedOrganizer(site: Site, options: Parameters<typeof newOrganizer>[1] = {}) {
  const organizer = await newOrganizer(site, options);
  await verifyEmail(site, organizer.email);
  return organizer;
}

/** Newest first. */
export async function emailsTo(site: Site, address: string): Promise<InboxEmail[]> {
  await site.settle();
  const reply = await fetch(`${site.publicUrl}/sandbox/inbox.json?to=${encodeURIComponent(address)}`);
  const emails: InboxEmail[] = JSON.parse(await reply.text());
  return emails;
}

/** Of the newest email to the address that has it: emails that are sent at once arrive in any order. */
export async function linkTo(site: Site, address: string, link: RegExp): Promise<string> {
  const found = (await emailsTo(site, address)).map(({ text }) => link.exec(text)?.[1]).find(Boolean);
  if (!found) throw new Error(`no ${link} was emailed to ${address}`);
  return found;
}

async function verifyEmail(site: Site, email: string): Promise<void> {
  const [message] = await emailsTo(site, email);
  const token = /verify-email\?token=([\w%-]+)/.exec(message?.text ?? '')?.[1];
  if (!token) throw new Error(`no link was emailed to ${email}`);
  expectOk(await site.call(accounts.verifyEmail, { token: decodeURIComponent(token) }));
}

export const accountInfo = {
  firstName: 'Ada',
  lastName: 'Cooper',
  dateOfBirth: '1990-04-12',
  phoneNumber: '+1 (718) 555-0134',
  organizationName: 'Cooperage Nights',
  organizationBio: 'Live music in a barrel factory.',
  organizationType: 'company',
  companyTIN: '12-3456789',
} satisfies InputOf<typeof accounts.saveAccountInfo>;

/** Sessions expire before events do, so people who return after days log in again. */
export async function logInAgain({ visitor, email }: { visitor: Visitor; email: string }): Promise<void> {
  visitor.cookies.clear();
  expectOk(await visitor.call(accounts.login, { email, password: PASSWORD }));
}

/** Completes Stripe's onboarding by pressing "Complete". */
export async function connectPayouts(visitor: Visitor): Promise<void> {
  const link = expectOk(await visitor.call(createAccountLink, {}));
  const reply = await submitForm(visitor, link.url, {}, 'Complete');
  if (reply.status !== 303) throw new Error(`onboarding answered ${reply.status}`);
  expectOk(await visitor.call(accounts.profile, {}));
}

export async function onboardedOrganizer(site: Site, options: { isBrowser?: boolean } = {}) {
  const ready = site.organizers.pop();
  return ready ? comeBack(site.visitor(options), ready) : onboard(site, await newOrganizer(site, options));
}

async function comeBack(visitor: Visitor, { email, cookies }: ReadyOrganizer) {
  for (const [name, value] of cookies) visitor.cookies.set(name, value);
  // Also denied after the minutes in which a login counts as one.
  const { status } = await visitor.call(prepareExport, {});
  if (status !== 200) await logInAgain({ visitor, email });
  return { visitor, email };
}

/** Completes everything an account needs to sell. */
export async function onboard<Organizer extends { visitor: Visitor; email: string }>(
  site: Site,
  organizer: Organizer,
): Promise<Organizer> {
  await verifyEmail(site, organizer.email);
  expectOk(await organizer.visitor.call(accounts.saveAccountInfo, accountInfo));
  await connectPayouts(organizer.visitor);
  return organizer;
}

const HOUR = 60 * 60 * 1000;
const ZONE = 'America/New_York';

/** A valid form for an event tomorrow evening, with two ticket types. */
export function eventForm(site: Site, change: Partial<InputOf<typeof createEvent>> = {}): InputOf<typeof createEvent> {
  const start = site.now().getTime() + 24 * HOUR;
  return {
    title: 'Basement Brass',
    description: 'Six horns in a cellar.',
    street: '38 Withers St',
    city: 'Brooklyn',
    state: 'NY',
    postalCode: '11211',
    timezone: ZONE,
    startDate_startTime: localTimeOf(new Date(start), ZONE),
    endDate_endTime: localTimeOf(new Date(start + 3 * HOUR), ZONE),
    participants: '200',
    latitude: 40.712,
    longitude: -73.953,
    tickets: [
      { ticketName: 'General admission', ticketDescription: 'Standing room', ticketPrice: 24, ticketQuantity: 100 },
      { ticketName: 'Balcony', ticketDescription: 'Seated', ticketPrice: '38.50', ticketQuantity: 10 },
    ],
    ...change,
  };
}

export async function eventOnSale(site: Site, change: Partial<InputOf<typeof createEvent>> = {}) {
  const organizer = await onboardedOrganizer(site);
  const event = expectOk(await organizer.visitor.call(createEvent, eventForm(site, change)));
  return { ...organizer, ...event };
}

export const goodCard = { number: '4242 4242 4242 4242', exp: '12 / 40', cvc: '123', name: 'Sam Buyer', zip: '11211' };

/** Submits the payment page; returns the URL it redirects to. */
export async function pay(visitor: Visitor, url: string, email: string, card = goodCard): Promise<Response> {
  return submitForm(visitor, url, { email, ...card }, 'Pay');
}

export const cardWith = (number: string): typeof goodCard => ({ ...goodCard, number });

type Cart = InputOf<typeof createCheckoutSession>['cartItems'];

/** A cart with `eventForm`'s first ticket type. */
export const generalAdmission = (quantity: number): Cart => [{ ticketName: 'General admission', quantity }];

/** Opens a payment page. */
export async function openCheckout(site: Site, eventId: string, cartItems: Cart, promoCode?: string) {
  const buyer = site.visitor();
  const order = { eventId, cartItems, ...(promoCode !== undefined && { promoCode }) };
  const { id: sessionId, url } = expectOk(await buyer.call(createCheckoutSession, order));
  return {
    buyer,
    sessionId,
    url,
    pay: (email: string, card = goodCard) => pay(buyer, url, email, card),
    /** The confirmation page's data. */
    poll: async () => expectOk(await buyer.call(checkoutSession, { sessionId })),
  };
}

/** From the cart to the tickets. */
export async function buyTickets(
  site: Site,
  eventId: string,
  cartItems: Cart,
  email = 'sam@example.com',
  card = goodCard,
) {
  const checkout = await openCheckout(site, eventId, cartItems);
  const paid = await checkout.pay(email, card);
  if (paid.status !== 303) throw new Error(`the payment page answered ${paid.status}: ${await paid.text()}`);
  return { sessionId: checkout.sessionId, ...(await checkout.poll()) };
}

/** The same for a free cart. */
export async function takeFreeTickets(
  site: Site,
  eventId: string,
  cartItems: Cart,
  { email = 'sam@example.com', promoCode }: { email?: string; promoCode?: string } = {},
) {
  const { buyer, sessionId: handle } = await openCheckout(site, eventId, cartItems, promoCode);
  return proveAddress(site, buyer, { handle, email });
}

/** Completes a free order by the emailed code. */
export async function proveAddress(site: Site, buyer: Visitor, { handle, email }: { handle: string; email: string }) {
  expectOk(await buyer.call(sendOrderCode, { handle, email }));
  const { sessionId } = expectOk(await buyer.call(confirmFreeOrder, { handle, code: await orderCodeFor(site, email) }));
  return { sessionId, ...expectOk(await buyer.call(checkoutSession, { sessionId })) };
}

/** The newest code that was emailed to the address. */
export async function orderCodeFor(site: Site, email: string): Promise<string> {
  const emails = await emailsTo(site, email);
  const [code] = emails.flatMap(({ subject }) => /^(\d{6}) is your code/.exec(subject)?.[1] ?? []);
  if (!code) throw new Error(`no code was emailed to ${email}`);
  return code;
}

/** The confirmation numbers of an order. */
export const codesOf = (order: { confirmationData: { confirmationNumber: string }[] }) =>
  order.confirmationData.map((ticket) => ticket.confirmationNumber);

/** A check-in device with a grant for the event. */
export async function attendantOf(
  site: Site,
  eventId: string,
  attendantCode: string,
  deviceName = '',
): Promise<Visitor> {
  const visitor = site.visitor();
  expectOk(await visitor.call(enterAttendantCode, { eventId, formData: { attendantCode, deviceName } }));
  return visitor;
}

export function expectOk<Body>(answer: { status: number; body: Body & { msg?: string } }): Body {
  if (answer.status !== 200) throw new Error(`refused with ${answer.status}: ${answer.body.msg}`);
  return answer.body;
}
