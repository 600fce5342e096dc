/** Account links (v2, onboarding) and login links (v1, Express dashboard). */

import { createLink } from '#sandbox/accounts/hosted-links.ts';
import { findObject } from '../../objects.ts';
import { rfc3339, timestamp } from '../../operation-context.ts';
import { invalidRequest, resourceMissing } from '../errors.ts';
import { object, oneOf, optional, parameters, text, url } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const onboarding = object({
  refresh_url: url,
  return_url: optional(url),
  collection_options: optional(
    object({
      fields: optional(oneOf('currently_due', 'eventually_due')),
      future_requirements: optional(oneOf('include', 'omit')),
    }),
  ),
});

function requireOpen({ id, closed }: { id: string; closed: boolean }): void {
  if (closed) throw invalidRequest(`The account ${id} has been closed.`, { code: 'account_invalid' });
}

export const accountLinkRoutes: Route[] = [
  route(
    'POST',
    '/v2/core/account_links',
    parameters({
      account: text,
      use_case: object({ type: oneOf('account_onboarding'), account_onboarding: onboarding }),
    }),
    async (ctx, { account, use_case }) => {
      const found = await findObject(ctx, 'v2.core.account', account);
      if (!found) throw resourceMissing('account', account, 'account');
      requireOpen(found.body);
      const { refresh_url, return_url = null } = use_case.account_onboarding;
      const link = await createLink(ctx, 'connect', { account, refreshUrl: refresh_url, returnUrl: return_url });
      return {
        object: 'v2.core.account_link',
        account,
        created: rfc3339(ctx.now),
        expires_at: rfc3339(link.expiresAt),
        livemode: false,
        url: link.url,
        use_case,
      };
    },
  ),

  route('POST', '/v1/accounts/:id/login_links', parameters({}), async (ctx, _params, { id = '' }) => {
    const account = await findObject(ctx, 'v2.core.account', id);
    if (!account) throw resourceMissing('account', id);
    requireOpen(account.body);
    if (account.body.dashboard !== 'express') {
      throw invalidRequest('Cannot create a login link for an account without access to the Express Dashboard.');
    }
    if (!account.inside.isOnboarded) {
      throw invalidRequest('Cannot create a login link for an account that has not completed onboarding.');
    }
    const { url: loginUrl } = await createLink(ctx, 'express', { account: id, refreshUrl: null, returnUrl: null });
    return { object: 'login_link', created: timestamp(ctx), url: loginUrl };
  }),
];
