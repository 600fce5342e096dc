/** /sandbox/connect/:token: the onboarding form of a connected account, with three ways to leave it. */

import type { FastifyInstance, FastifyReply } from 'fastify';
import { finishOnboarding } from '../accounts.ts';
import { asPage, type PageCore } from '../core.ts';
import { finishVisit, type Link, refreshUrlOf, visitedLink, visitLink } from '../hosted-links.ts';
import { findObject, lockObject } from '../objects.ts';
import type { Account } from '../shapes/account.ts';
import type { Work } from '../operation-context.ts';
import { fieldsOf, segmentOf } from './requests.ts';
import { html } from './html.ts';
import { layout, plainPage } from './layout.ts';

type Next = { page: string } | { location: string } | null;

export function connectPages(app: FastifyInstance, core: PageCore): void {
  app.get('/sandbox/connect/:token', { exposeHeadRoute: false }, async (request, reply) => {
    const next = await asPage(core, async (work): Promise<Next> => {
      const token = segmentOf(request, 'token');
      const link = await visitLink(work, 'connect', token);
      if (!link) return await startOver(work, token);
      const account = await findObject(work, 'v2.core.account', link.account);
      return account ? { page: onboardingPage(account.body, link) } : null;
    });
    return await show(reply, next);
  });

  app.post('/sandbox/connect/:token', async (request, reply) => {
    const { csrf = '', outcome } = fieldsOf(request);
    const next = await asPage(core, async (work): Promise<Next> => {
      const token = segmentOf(request, 'token');
      const link = await visitedLink(work, 'connect', token, csrf);
      if (!link) return await startOver(work, token);
      const account = await lockObject(work, 'v2.core.account', link.account);
      if (account && (outcome === 'complete' || outcome === 'requirement'))
        await finishOnboarding(work, account, outcome);
      await finishVisit(work, token);
      return link.returnUrl === null ? null : { location: link.returnUrl };
    });
    return await show(reply, next);
  });
}

async function startOver(work: Work, token: string): Promise<Next> {
  const location = await refreshUrlOf(work, token);
  return location === null ? null : { location };
}

async function show(reply: FastifyReply, next: Next) {
  if (next && 'location' in next) return reply.redirect(next.location, 303);
  const page = next?.page ?? plainPage('No such link', 'Ask for a new link from your profile.');
  return reply
    .code(next ? 200 : 404)
    .type('text/html; charset=utf-8')
    .send(page);
}

function onboardingPage(
  { display_name, contact_email, identity, requirements }: Account,
  { token, visitSecret }: Link,
): string {
  const isDone = requirements.entries.length === 0;
  return layout(
    'Get paid',
    html`<section class="card notice">
<h1>Get paid</h1>
<p>In the real sandbox you would tell the card company who you are, and which bank account your payouts go to. Here you choose how it ends.</p>
<dl>
<dt>Organizer</dt><dd>${display_name ?? contact_email}</dd>
<dt>E-mail</dt><dd>${contact_email}</dd>
<dt>Kind</dt><dd>${identity.entity_type ?? 'not given'}</dd>
<dt>Status</dt><dd>${isDone ? 'Complete' : `${requirements.entries.length} details missing`}</dd>
</dl>
<form method="post" action="/sandbox/connect/${token}" class="stack">
<input type="hidden" name="csrf" value="${visitSecret ?? ''}">
<button class="button" type="submit" name="outcome" value="complete">Complete onboarding</button>
<button class="button ghost" type="submit" name="outcome" value="requirement">Complete with a requirement left</button>
<button class="button ghost" type="submit" name="outcome" value="leave">Leave</button>
</form>
</section>`,
  );
}
