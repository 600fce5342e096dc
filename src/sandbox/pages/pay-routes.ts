/** /sandbox/pay/:id and its 3D Secure challenge. */

import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { secretsMatch } from '#sandbox/accounts/hosted-links.ts';
import { lockSession, type StoredSession, successUrl } from '#sandbox/payments/checkout-sessions.ts';
import { payFromBankAccount } from '#sandbox/payments/delayed-payments.ts';
import { answerChallenge, completeWithoutPayment, type PaymentResult, pay } from '#sandbox/payments/payments.ts';
import { testBankAccounts } from '#sandbox/payments/test-bank-accounts.ts';
import { testCards } from '#sandbox/payments/test-cards.ts';
import { type PageCore, runOperation } from '../core.ts';
import type { OperationContext } from '../operation-context.ts';
import { messagePage } from './layout.ts';
import { parseEmail, parsePayment } from './parse-payment.ts';
import { challengePage, emptyForm, type FormState, payPage } from './pay-page.ts';
import { type Fields, fieldsOf, pathParam } from './requests.ts';

/** A page or a redirect. */
type PageResult = { status: number; page: string; delayMs?: number } | { location: string };

/** Slows down card testing. */
const DECLINES_BEFORE_DELAY = 10;
const DECLINE_DELAY_MS = 1_000;

export function payRoutes(app: FastifyInstance, core: PageCore): void {
  app.get('/sandbox/pay/:id', { exposeHeadRoute: false }, async (request, reply) => {
    const result = await runOperation(core, async (ctx) => {
      const session = await lockSession(ctx, pathParam(request, 'id'));
      if (!session) return notFoundPage();
      if (session.body.status === 'open') return { status: 200, page: payPage(session, emptyForm(session)) };
      return closedPage(session);
    });
    return await send(reply, result);
  });

  app.post('/sandbox/pay/:id', async (request, reply) => {
    const fields = fieldsOf(request);
    const result = await runOperation(core, (ctx) =>
      withOpenSession(ctx, pathParam(request, 'id'), fields, (session) => submit(core, ctx, session, fields)),
    );
    return await send(reply, result);
  });

  app.get('/sandbox/pay/:id/challenge', { exposeHeadRoute: false }, async (request, reply) => {
    const id = pathParam(request, 'id');
    const result = await runOperation(core, async (ctx): Promise<PageResult> => {
      const session = await lockSession(ctx, id);
      if (!session) return notFoundPage();
      if (session.body.status !== 'open') return closedPage(session);
      return session.inside.challenged
        ? { status: 200, page: challengePage(session) }
        : { location: `/sandbox/pay/${id}` };
    });
    return await send(reply, result);
  });

  app.post('/sandbox/pay/:id/challenge', async (request, reply) => {
    const id = pathParam(request, 'id');
    const fields = fieldsOf(request);
    const result = await runOperation(core, (ctx) =>
      withOpenSession(ctx, id, fields, async (session) => {
        const result = await answerChallenge(ctx, session, fields.outcome === 'complete');
        return result ? afterPayment(session, result, emptyForm(session)) : { location: `/sandbox/pay/${id}` };
      }),
    );
    return await send(reply, result);
  });
}

/** Locks the session while `run` executes. A second click finds it complete and redirects like the first. */
async function withOpenSession(
  ctx: OperationContext,
  id: string,
  fields: Fields,
  run: (session: StoredSession) => Promise<PageResult>,
): Promise<PageResult> {
  const session = await lockSession(ctx, id);
  if (!session) return notFoundPage();
  if (!secretsMatch(session.inside.csrf, fields.csrf ?? '')) {
    return {
      status: 403,
      page: messagePage('This form has expired', 'Reload the payment page and try again.'),
    };
  }
  if (session.body.status === 'complete') return toSuccessPage(session);
  if (session.body.status === 'expired') return closedPage(session);
  return await run(session);
}

async function submit(
  core: PageCore,
  ctx: OperationContext,
  session: StoredSession,
  fields: Fields,
): Promise<PageResult> {
  const values = { email: fields.email ?? '', name: fields.name ?? '', zip: fields.zip ?? '', exp: fields.exp ?? '' };
  if (fields.fill !== undefined)
    return { status: 200, page: payPage(session, prefilledForm(values, fields.fill, ctx.now)) };

  if (session.body.amount_total === 0) {
    const parsed = parseEmail(fields);
    if ('errors' in parsed) return invalidForm(session, { values, errors: parsed.errors, declined: null });
    await completeWithoutPayment(ctx, session, parsed.email);
    return toSuccessPage(session);
  }

  const parsed = parsePayment(fields, core.clock.now());
  if ('errors' in parsed)
    return invalidForm(session, { values, errors: parsed.errors, declined: parsed.declined ?? null });
  if ('bankPayer' in parsed) {
    await payFromBankAccount(ctx, session, parsed.bankPayer);
    return toSuccessPage(session);
  }
  return afterPayment(session, await pay(ctx, session, parsed.payer), { values, errors: {}, declined: null });
}

function afterPayment(session: StoredSession, result: PaymentResult, form: FormState): PageResult {
  if (result.outcome === 'succeeded') return toSuccessPage(session);
  if (result.outcome === 'challenged') return { location: `/sandbox/pay/${session.body.id}/challenge` };
  const page = payPage(session, { ...form, declined: result.message });
  return { status: 402, page, delayMs: session.inside.declines < DECLINES_BEFORE_DELAY ? 0 : DECLINE_DELAY_MS };
}

const invalidForm = (session: StoredSession, form: FormState): PageResult => ({
  status: form.declined === null ? 422 : 402,
  page: payPage(session, form),
});

/** Prefills the form with the selected test card or bank account. */
function prefilledForm(values: Fields, name: string, now: number): FormState {
  const card = testCards.find((candidate) => candidate.name === name);
  const year = (new Date(now * 1000).getUTCFullYear() + 3) % 100;
  const bank = testBankAccounts.find((candidate) => candidate.name === name);
  if (bank) return { values: { ...values, number: bank.number, exp: '' }, errors: {}, declined: null };
  const cardValues = card
    ? { number: card.number, exp: `12 / ${year}`, cvc: card.brand === 'amex' ? '1234' : '123' }
    : {};
  return { values: { ...values, ...cardValues }, errors: {}, declined: null };
}

function toSuccessPage(session: StoredSession): PageResult {
  const location = successUrl(session.body);
  return location === null ? closedPage(session) : { location };
}

function closedPage(session: StoredSession): PageResult {
  if (session.body.status === 'complete') {
    const href = successUrl(session.body);
    const link = href === null ? null : { href, text: 'View your order' };
    return { status: 200, page: messagePage('This order is complete', 'Nothing is left to pay.', link) };
  }
  const href = session.body.cancel_url;
  const link = href === null ? null : { href, text: 'Go back' };
  return {
    status: 410,
    page: messagePage('This payment page has expired', "You weren't charged. Start over to buy tickets.", link),
  };
}

const notFoundPage = (): PageResult => ({
  status: 404,
  page: messagePage('Payment page not found', 'Check the link, or start over from the event page.'),
});

async function send(reply: FastifyReply, result: PageResult): Promise<FastifyReply> {
  if ('location' in result) return reply.redirect(result.location, 303);
  if (result.delayMs) await sleep(result.delayMs);
  return reply.code(result.status).type('text/html; charset=utf-8').send(result.page);
}
