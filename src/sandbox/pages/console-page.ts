/** /sandbox/: console that shows and controls the simulated Stripe account. */

import { createHmac } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { secretsMatch } from '#sandbox/accounts/hosted-links.ts';
import { readBalance } from '#sandbox/money/balances.ts';
import { ApiError } from '../api/errors.ts';
import { type PageCore, runOperation, unixNow } from '../core.ts';
import type { OperationContext } from '../operation-context.ts';
import { actions, isAction } from './console-actions.ts';
import { actionButton, consoleTables, type Table } from './console-tables.ts';
import { html, type Markup } from './html.ts';
import { formatCents, formatTime, layout, messagePage } from './layout.ts';
import { fieldsOf, isDirectLoopback } from './requests.ts';

const CLOCK_STEPS: readonly (readonly [string, number])[] = [
  ['1 hour', 60 * 60],
  ['1 day', 24 * 60 * 60],
  ['1 week', 7 * 24 * 60 * 60],
  ['30 days', 30 * 24 * 60 * 60],
];

/** Result of the last action. */
interface Notification {
  doneAction: string | null;
  error: string | null;
}

export function consoleRoutes(app: FastifyInstance, core: PageCore): void {
  // Derived from the shared key, so that every process accepts the form.
  const csrf = createHmac('sha256', core.secretKey).update('console').digest('base64url');
  const isForbidden = (request: FastifyRequest) => !core.isConsoleOpen && !isDirectLoopback(request);
  const sendConsole = async (reply: FastifyReply, status: number, notification: Notification) =>
    reply
      .code(status)
      .type('text/html; charset=utf-8')
      .send(await runOperation(core, (ctx) => consolePage(ctx, core, csrf, notification)));

  app.get('/sandbox', (_request, reply) => reply.redirect('/sandbox/', 303));

  app.get('/sandbox/', { exposeHeadRoute: false }, async (request, reply) => {
    if (isForbidden(request)) return forbid(reply);
    return await sendConsole(reply, 200, { doneAction: doneParam(request), error: null });
  });

  app.post('/sandbox/clock', async (request, reply) => {
    const fields = fieldsOf(request);
    const step = CLOCK_STEPS.find(([, seconds]) => String(seconds) === fields.advance_seconds);
    if (isForbidden(request) || !secretsMatch(csrf, fields.csrf ?? '') || !step) return forbid(reply);
    await core.scheduler.advance(step[1]);
    return reply.redirect('/sandbox/', 303);
  });

  app.post('/sandbox/acts', async (request, reply) => {
    const fields = fieldsOf(request);
    const [action = '', subject = ''] = (fields.act ?? '').split(' ', 2);
    if (isForbidden(request) || !secretsMatch(csrf, fields.csrf ?? '') || !isAction(action)) return forbid(reply);
    try {
      await runOperation(core, (ctx) => actions[action].run(ctx, subject));
    } catch (error) {
      if (error instanceof ApiError) return await sendConsole(reply, 409, { doneAction: null, error: error.message });
      throw error;
    }
    return reply.redirect(`/sandbox/?done=${action}#${actions[action].section}`, 303);
  });
}

function forbid(reply: FastifyReply): FastifyReply {
  return reply
    .code(403)
    .type('text/html; charset=utf-8')
    .send(
      messagePage(
        'Only available on this machine',
        'Open the console on the machine that runs the sandbox, or start with SANDBOX_OPEN=1 to allow remote access.',
      ),
    );
}

function doneParam({ query }: FastifyRequest): string | null {
  return typeof query === 'object' && query !== null && 'done' in query ? String(query.done) : null;
}

async function consolePage(
  ctx: OperationContext,
  core: PageCore,
  csrf: string,
  { doneAction, error }: Notification,
): Promise<string> {
  const { available, pending } = await readBalance(ctx, null);
  const tables = await consoleTables(ctx);
  const finished = doneAction !== null && isAction(doneAction) ? actions[doneAction] : null;
  const notificationFor = (id: string) =>
    finished?.section === id ? html`<p class="confirmation" role="status">${finished.confirmation}</p>` : null;
  return layout(
    'Sandbox',
    html`<h1>Sandbox</h1>
<p class="hint">A simulated Stripe account. It is now ${formatTime(unixNow(core))}. <a href="/sandbox/inbox">Open inbox</a></p>
${error === null ? null : html`<p class="alert" role="alert">${error}</p>`}
<nav aria-label="On this page"><ul class="section-links">${tables.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
<section class="card" id="balance" aria-labelledby="balance-title">
<h2 id="balance-title">Balance and clock</h2>
${notificationFor('balance')}
<dl class="tiles">
<div><dt>Available</dt><dd>${formatCents(available)}</dd></div>
<div><dt>Pending</dt><dd>${formatCents(pending)}</dd></div>
</dl>
${pending === 0 ? null : html`<p>${actionButton('release', 'all', 'all accounts')}</p>`}
<form class="row" method="post" action="/sandbox/clock" aria-label="Clock">
<input type="hidden" name="csrf" value="${csrf}">
<span>Advance the clock by</span>
${CLOCK_STEPS.map(([label, seconds]) => html`<button class="button ghost small" type="submit" name="advance_seconds" value="${seconds}">${label}</button>`)}
</form>
</section>
${tables.map((table) => renderSection(table, notificationFor(table.id)))}
<form id="acts" method="post" action="/sandbox/acts" hidden><input type="hidden" name="csrf" value="${csrf}"></form>`,
    { wide: true },
  );
}

function renderSection({ id, title, empty, headers, rows }: Table, notification: Markup | null): Markup {
  return html`<section class="card" id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${title}</h2>
${notification}
${rows.length > 0 ? renderTable(title, headers, rows) : html`<p class="hint">${empty}</p>`}
</section>`;
}

// Explicit roles, because the narrow layout displays the table as blocks, which removes its implicit roles.
const renderTable = (title: string, headers: string[], rows: Markup[][]) =>
  html`<div class="scroll" tabindex="0" role="region" aria-label="${title}, table"><table class="stacked" role="table"><thead role="rowgroup"><tr role="row">${headers.map((header) => html`<th scope="col" role="columnheader">${header}</th>`)}</tr></thead><tbody role="rowgroup">${rows.map(
    (cells) =>
      html`<tr role="row">${cells.map((cell, index) => html`<td role="cell" data-label="${headers[index] ?? ''}"><div>${cell}</div></td>`)}</tr>
`,
  )}</tbody></table></div>`;
