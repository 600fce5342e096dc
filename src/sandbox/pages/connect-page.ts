/** /sandbox/connect/:token: onboarding form of a connected account, with three outcomes. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { finishOnboarding } from '#sandbox/accounts/accounts.ts';
import { findRefreshUrl, finishVisit, type Link, lockOpenVisit, openLink } from '#sandbox/accounts/hosted-links.ts';
import { type PageCore, runOperation } from '../core.ts';
import { findObject, lockObject } from '../objects.ts';
import type { OperationContext } from '../operation-context.ts';
import type { Account } from '../shapes/account.ts';
import { html } from './html.ts';
import { layout, messagePage } from './layout.ts';
import { fieldsOf, pathParam } from './requests.ts';

type PageResult = { page: string } | { location: string } | null;

export function connectRoutes(app: FastifyInstance, core: PageCore): void {
  app.get('/sandbox/connect/:token', { exposeHeadRoute: false }, async (request, reply) => {
    const result = await runOperation(core, async (ctx): Promise<PageResult> => {
      const token = pathParam(request, 'token');
      const link = await openLink(ctx, 'connect', token);
      if (!link) return await toRefreshUrl(ctx, token);
      const account = await findObject(ctx, 'v2.core.account', link.account);
      return account ? { page: onboardingPage(account.body, link) } : null;
    });
    return await send(reply, result);
  });

  app.post('/sandbox/connect/:token', async (request, reply) => {
    const { csrf = '', outcome } = fieldsOf(request);
    const result = await runOperation(core, async (ctx): Promise<PageResult> => {
      const token = pathParam(request, 'token');
      const link = await lockOpenVisit(ctx, 'connect', token, csrf);
      if (!link) return await toRefreshUrl(ctx, token);
      const account = await lockObject(ctx, 'v2.core.account', link.account);
      if (account && (outcome === 'complete' || outcome === 'requirement'))
        await finishOnboarding(ctx, account, outcome);
      await finishVisit(ctx, token);
      return link.returnUrl === null ? null : { location: link.returnUrl };
    });
    return await send(reply, result);
  });
}

async function toRefreshUrl(ctx: OperationContext, token: string): Promise<PageResult> {
  const location = await findRefreshUrl(ctx, token);
  return location === null ? null : { location };
}

async function send(reply: FastifyReply, result: PageResult) {
  if (result && 'location' in result) return reply.redirect(result.location, 303);
  const page = result?.page ?? messagePage('Link not found', 'Request a new link from your profile.');
  return reply
    .code(result ? 200 : 404)
    .type('text/html; charset=utf-8')
    .send(page);
}

function onboardingPage(
  { display_name, contact_email, identity, requirements }: Account,
  { token, visitSecret }: Link,
): string {
  const isDone = requirements.entries.length === 0;
  return layout(
    'Set up payouts',
    html`<section class="card message">
<h1>Set up payouts</h1>
<p>Stripe would ask for your identity and bank account here. Choose an outcome instead.</p>
<dl>
<dt>Organizer</dt><dd>${display_name ?? contact_email}</dd>
<dt>Email</dt><dd>${contact_email}</dd>
<dt>Entity type</dt><dd>${identity.entity_type ?? 'Not provided'}</dd>
<dt>Status</dt><dd>${isDone ? 'Complete' : `${requirements.entries.length} requirements due`}</dd>
</dl>
<form method="post" action="/sandbox/connect/${token}" class="stack">
<input type="hidden" name="csrf" value="${visitSecret ?? ''}">
<button class="button" type="submit" name="outcome" value="complete">Complete onboarding</button>
<button class="button ghost" type="submit" name="outcome" value="requirement">Complete with one requirement due</button>
<button class="button ghost" type="submit" name="outcome" value="leave">Leave without finishing</button>
</form>
</section>`,
  );
}
