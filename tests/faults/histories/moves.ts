/** What people do in a history. Add an entry for each new capability. */
import { emailedCode } from '#server/platform/outbox/emailed-code.ts';
import { goodCard, pay } from '#tests/support/people.ts';
import { dashboardRefund, dispute, disputeProceeds, refundFails } from './bank-moves.ts';
import { isValid, scanAndUndo, scanAt, scanOffline, someTicket, syncAll } from './check-in-moves.ts';
import type { Session, Stage } from './history.ts';

export interface Move {
  name: string;
  /** Weights while the event is on sale, and after its end. */
  weights: readonly [onSale: number, ended: number];
  make(stage: Stage): Promise<void>;
}

const BUYERS = 4;
const CARDS = [
  { number: '4242 4242 4242 4242', weight: 12 },
  { number: '4000 0000 0000 0077', weight: 4 },
  { number: '4000 0000 0000 0002', weight: 1 },
  // Refunds to these cards stay pending, or fail later.
  { number: '4000 0000 0000 7726', weight: 1 },
  { number: '4000 0000 0000 5126', weight: 1 },
];

export const moves: readonly Move[] = [
  { name: 'buy', weights: [40, 2], make: buy },
  { name: 'abandon a checkout', weights: [6, 0], make: async (stage) => void (await checkOut(stage)) },
  { name: 'pay late', weights: [8, 4], make: payLate },
  { name: 'open the confirmation', weights: [8, 4], make: reopenConfirmation },
  { name: 'scan', weights: [14, 6], make: scan },
  { name: 'refund', weights: [14, 8], make: refund },
  { name: 'scan and refund at once', weights: [6, 4], make: scanAndRefund },
  { name: 'scan offline', weights: [9, 4], make: scanOffline },
  { name: 'sync', weights: [9, 6], make: syncAll },
  { name: 'scan and undo', weights: [5, 2], make: scanAndUndo },
  { name: 'payout', weights: [1, 30], make: payout },
  { name: 'cancel', weights: [2, 2], make: cancel },
  { name: 'pay while it is cancelled', weights: [2, 0], make: payWhileCancelled },
  { name: 'a dispute', weights: [4, 7], make: dispute },
  { name: 'a dispute proceeds', weights: [4, 8], make: disputeProceeds },
  { name: 'a refund fails', weights: [1, 1], make: refundFails },
  { name: 'a refund in the dashboard', weights: [2, 3], make: dashboardRefund },
];

async function buy(stage: Stage): Promise<void> {
  const session = await checkOut(stage);
  if (session) await payFor(stage, session);
}

async function checkOut(stage: Stage): Promise<Session | null> {
  const { history, client } = stage;
  const { random } = history;
  const chosen = history.types.filter(() => random.chance(0.6));
  const cartItems = (chosen.length > 0 ? chosen : history.types.slice(0, 1)).map(({ name }) => ({
    ticketName: name,
    quantity: random.between(1, 3),
  }));
  const promo = history.promoCode && random.chance(0.6) ? { promoCode: history.promoCode } : undefined;
  let outcome = await client.checkOut(history, cartItems, promo);
  // A code that runs short is quoted, and the buyer accepts.
  if (promo && outcome.is === 'done' && outcome.value.quote)
    outcome = await client.checkOut(history, cartItems, {
      ...promo,
      expectedTotalCents: outcome.value.quote.totalCents,
    });
  if (outcome.is !== 'done' || outcome.value.quote) return null;
  const email = `buyer-${random.between(1, BUYERS)}-of-${history.name}@example.com`;
  const { id, url } = outcome.value;
  const session = { id, url, email, isPaid: false };
  history.sessions.push(session);
  return session;
}

async function payFor(stage: Stage, session: Session): Promise<void> {
  const { random } = stage.history;
  if (new URL(session.url).pathname.startsWith('/checkout/')) return proveAddress(stage, session);
  const card = { ...goodCard, number: random.pickWeighted(CARDS).number };
  const times = random.chance(0.1) ? 2 : 1;
  const comesBack = random.chance(0.5);
  await Promise.all(Array.from({ length: times }, () => submitPayment(stage, session, card)));
  if (comesBack) await openConfirmation(stage, session);
}

/** What the payment is to other orders. One code in five is mistyped. */
async function proveAddress(stage: Stage, session: Session): Promise<void> {
  const { app, client, history } = stage;
  const { id: handle, email } = session;
  const sent = await client.sendCode(history, { handle, email });
  if (sent.is === 'refused') return;
  const { id: proofId } =
    (await app.db
      .selectFrom('emailProofs')
      .where('eventId', '=', history.eventId)
      .where('orderId', '=', handle.split('.')[1] ?? '')
      .select('id')
      .executeTakeFirst()) ?? {};
  if (proofId === undefined) return;
  const code = history.random.chance(0.2) ? '000000' : emailedCode(app.deps.appSecret, proofId);
  const times = history.random.chance(0.3) ? 2 : 1;
  await Promise.all(
    Array.from({ length: times }, async () => {
      const proved = await client.prove(history, { handle, code });
      if (proved.is === 'done') Object.assign(session, { id: proved.value.sessionId, isPaid: true });
    }),
  );
}

async function submitPayment({ app, history }: Stage, session: Session, card: typeof goodCard): Promise<void> {
  try {
    const reply = await pay(app.visitor(), session.url, session.email, card);
    if (reply.status === 303 && (reply.headers.get('location') ?? '').includes('/success')) session.isPaid = true;
    history.log.push(`pay ${session.id.slice(0, 14)}: ${reply.status}`);
  } catch (error) {
    // An expired page has no form.
    history.log.push(`pay ${session.id.slice(0, 14)}: ${String(error).slice(0, 60)}`);
  }
}

async function payLate(stage: Stage): Promise<void> {
  const open = stage.history.sessions.filter(({ isPaid }) => !isPaid);
  if (open.length > 0) await payFor(stage, stage.history.random.pick(open));
}

async function openConfirmation(stage: Stage, session: Session): Promise<void> {
  const answer = await stage.client.confirm(stage.history, session.id);
  if (answer.is === 'done' && session.isPaid && answer.value.status === 'expired')
    stage.history.failures.push(`the page of paid session ${session.id} says expired`);
}

async function reopenConfirmation(stage: Stage): Promise<void> {
  const { random, sessions } = stage.history;
  if (sessions.length === 0) return;
  const session = random.pick(sessions);
  const times = random.between(1, 2);
  await Promise.all(Array.from({ length: times }, () => openConfirmation(stage, session)));
}

async function scan(stage: Stage): Promise<void> {
  const number = await someTicket(stage, isValid);
  if (!number) return;
  const devices = stage.history.random.chance(0.3) ? [1, 2] : [1];
  await Promise.all(devices.map((device) => scanAt(stage, number, device)));
}

async function refund(stage: Stage): Promise<void> {
  const number = await someTicket(stage, isValid);
  if (!number) return;
  const times = stage.history.random.chance(0.3) ? 2 : 1;
  await Promise.all(Array.from({ length: times }, () => refundNow(stage, number)));
}

async function refundNow(stage: Stage, confirmationCode: string): Promise<void> {
  const outcome = await stage.client.refund(stage.history, confirmationCode);
  if (outcome.is === 'done') stage.history.acceptedRefunds.add(confirmationCode);
}

async function scanAndRefund(stage: Stage): Promise<void> {
  const number = await someTicket(stage, isValid);
  if (number) await Promise.all([scanAt(stage, number, 1), refundNow(stage, number)]);
}

async function payout(stage: Stage): Promise<void> {
  const times = stage.history.random.chance(0.3) ? 2 : 1;
  await Promise.all(Array.from({ length: times }, () => payOutNow(stage)));
}

async function payOutNow(stage: Stage): Promise<void> {
  const outcome = await stage.client.payOut(stage.history);
  if (outcome.is === 'done') stage.history.paidOut.push(Math.round(outcome.value.totalPayout * 100));
}

async function cancel(stage: Stage): Promise<void> {
  const outcome = await stage.client.cancel(stage.history);
  if (outcome.is === 'done') stage.history.isCancelled = true;
}

async function payWhileCancelled(stage: Stage): Promise<void> {
  const session = await checkOut(stage);
  if (session) await Promise.all([payFor(stage, session), cancel(stage)]);
}
