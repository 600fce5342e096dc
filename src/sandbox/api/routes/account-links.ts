/** Links to the hosted pages of a connected account: onboarding (v2), Express dashboard (v1). */

import { newLink } from '../../hosted-links.ts';
import { findObject } from '../../objects.ts';
import { rfc3339, stamp } from '../../operation-context.ts';
import { invalidRequest, noSuch } from '../errors.ts';
import { choice, object, optional, parameters, text, url } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const onboarding = object({
  refresh_url: url,
  return_url: optional(url),
  collection_options: optional(
    object({
      fields: optional(choice('currently_due', 'eventually_due')),
      future_requirements: optional(choice('include', 'omit')),
    }),
  ),
});

function refuseClosed({ id, closed }: { id: string; closed: boolean }): void {
  if (closed) throw invalidRequest(`The account ${id} has been closed.`, { code: 'account_invalid' });
}

export const accountLinkRoutes: Route[] = [
  route(
    'POST',
    '/v2/core/account_links',
    parameters({
      account: text,
      use_case: object({ type: choice('account_onboarding'), account_onboarding: onboarding }),
    }),
    async (work, { account, use_case }) => {
      const found = await findObject(work, 'v2.core.account', account);
      if (!found) throw noSuch('account', account, 'account');
      refuseClosed(found.body);
      const { refresh_url, return_url = null } = use_case.account_onboarding;
      const link = await newLink(work, 'connect', { account, refreshUrl: refresh_url, returnUrl: return_url });
      return {
        object: 'v2.core.account_link',
        account,
        created: rfc3339(work.now),
        expires_at: rfc3339(link.expiresAt),
        livemode: false,
        url: link.url,
        use_case,
      };
    },
  ),

  route('POST', '/v1/accounts/:id/login_links', parameters({}), async (work, _given, { id = '' }) => {
    const account = await findObject(work, 'v2.core.account', id);
    if (!account) throw noSuch('account', id);
    refuseClosed(account.body);
    if (account.body.dashboard !== 'express') {
      throw invalidRequest('Cannot create a login link for an account without access to the Express Dashboard.');
    }
    if (!account.inside.isOnboarded) {
      throw invalidRequest('Cannot create a login link for an account that has not completed onboarding.');
    }
    const { url: address } = await newLink(work, 'express', { account: id, refreshUrl: null, returnUrl: null });
    return { object: 'login_link', created: stamp(work), url: address };
  }),
];
