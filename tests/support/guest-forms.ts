import { checkoutSession, createCheckoutSession } from '#contract/app/checkout.ts';
import { sendDetails } from '#contract/app/sales/checkout-page.ts';
import { editGuestForm, eventGuestForm } from '#contract/app/sales/guest-forms.ts';
import type { InputOf } from '#contract/endpoint.ts';
import type { Visitor } from './http-visitor.ts';
import { expectOk, generalAdmission, pay, type Site } from './people.ts';

type Form = Omit<InputOf<typeof editGuestForm>, 'eventId' | 'version'>;
type QuestionForm = Form['questions'][number];
type Details = Omit<InputOf<typeof sendDetails>, 'handle'>;

/** A required one of each ticket, unless `change` says otherwise. */
export const questionForm = (label: string, change: Partial<QuestionForm> = {}): QuestionForm => ({
  kind: 'short-text',
  label,
  isRequired: true,
  scope: 'ticket',
  ...change,
});

interface Organizer {
  visitor: Visitor;
  eventId: string;
}

/** Returns the ids of the questions by their labels. */
export async function askBuyers({ visitor, eventId }: Organizer, form: Partial<Form>): Promise<Record<string, string>> {
  const { version } = expectOk(await visitor.call(eventGuestForm, { eventId }));
  expectOk(await visitor.call(editGuestForm, { eventId, version, asksNames: 'off', questions: [], ...form }));
  const { questions } = expectOk(await visitor.call(eventGuestForm, { eventId }));
  return Object.fromEntries(questions.map(({ label, questionId }) => [label, questionId]));
}

/** A buyer at the page that asks. */
export async function reserveAsked(app: Site, eventId: string, cartItems = generalAdmission(1)) {
  const buyer = app.visitor();
  const page = expectOk(await buyer.call(createCheckoutSession, { eventId, cartItems }));
  return {
    buyer,
    handle: page.id,
    url: page.url,
    send: (details: Details) => buyer.call(sendDetails, { handle: page.id, ...details }),
  };
}

/** Buys with these details. Returns the order's page. */
export async function buyWithDetails(
  app: Site,
  eventId: string,
  details: Details,
  { email, cartItems }: { email: string; cartItems?: Parameters<typeof reserveAsked>[2] },
) {
  const { buyer, send } = await reserveAsked(app, eventId, cartItems);
  const { id, url } = expectOk(await send(details));
  await pay(buyer, url, email);
  await app.settle();
  return expectOk(await buyer.call(checkoutSession, { sessionId: id }));
}
