/** /sandbox/express/:token: read-only Express dashboard. The link works once, and the visit lasts 15 minutes. */

import type { FastifyInstance } from 'fastify';
import { canReceiveTransfers } from '#sandbox/accounts/accounts.ts';
import { lockOpenVisit, openLink } from '#sandbox/accounts/hosted-links.ts';
import { readBalance } from '#sandbox/money/balances.ts';
import { type PageCore, runOperation } from '../core.ts';
import { findObject, findObjectsBy, findObjectsOfAccount } from '../objects.ts';
import type { OperationContext } from '../operation-context.ts';
import { html, type Markup } from './html.ts';
import { formatCents, formatTime, layout, messagePage } from './layout.ts';
import { cookieOf, pathParam } from './requests.ts';

const COOKIE = 'sandbox_express';
const VISIT_SECONDS = 15 * 60;

export function expressRoutes(app: FastifyInstance, core: PageCore): void {
  app.get('/sandbox/express/:token', { exposeHeadRoute: false }, async (request, reply) => {
    const token = pathParam(request, 'token');
    const visit = await runOperation(core, async (ctx) => {
      const link =
        (await openLink(ctx, 'express', token)) ??
        (await lockOpenVisit(ctx, 'express', token, cookieOf(request, COOKIE) ?? ''));
      return link && { secret: link.visitSecret, page: await expressPage(ctx, link.account) };
    });
    reply.type('text/html; charset=utf-8');
    if (!visit) {
      return reply
        .code(410)
        .send(
          messagePage(
            'This link was already used',
            'Links to your payouts work once. Request a new one from your profile.',
          ),
        );
    }
    const isSecure = core.publicUrl.startsWith('https:') ? '; Secure' : '';
    reply.header(
      'set-cookie',
      `${COOKIE}=${visit.secret ?? ''}; Path=/sandbox/express/${token}; Max-Age=${VISIT_SECONDS}; HttpOnly; SameSite=Lax${isSecure}`,
    );
    return reply.send(visit.page);
  });
}

async function expressPage(ctx: OperationContext, accountId: string): Promise<string> {
  const account = await findObject(ctx, 'v2.core.account', accountId);
  const { available, pending } = await readBalance(ctx, accountId);
  const transfers = await findObjectsBy(ctx, 'transfer', 'destination', accountId);
  const payouts = await findObjectsOfAccount(ctx, 'payout', accountId);
  return layout(
    'Your payouts',
    html`<h1>Your payouts</h1>
<p class="hint">${account?.body.display_name ?? account?.body.contact_email ?? accountId}, ${
      account && canReceiveTransfers(account) ? 'ready to receive payouts' : 'requirements due'
    }</p>
<dl class="tiles">
<div><dt>Available</dt><dd>${formatCents(available)}</dd></div>
<div><dt>Pending</dt><dd>${formatCents(pending)}</dd></div>
</dl>
<section class="card">
<h2>Transfers received</h2>
${listOf(
  transfers.map(({ body }) =>
    row(body.description ?? body.transfer_group ?? body.id, body.created, body.amount - body.amount_reversed),
  ),
  'No transfers yet.',
)}
</section>
<section class="card">
<h2>Payouts to your bank</h2>
${listOf(
  payouts.map(({ body }) => row(body.status, body.arrival_date, body.amount)),
  'No payouts yet.',
)}
</section>`,
    { wide: true },
  );
}

const row = (text: string, at: number, cents: number) =>
  html`<li><span>${text}<small>${formatTime(at)}</small></span><b>${formatCents(cents)}</b></li>`;

const listOf = (rows: Markup[], empty: string) =>
  rows.length > 0 ? html`<ul class="list">${rows}</ul>` : html`<p class="hint">${empty}</p>`;
