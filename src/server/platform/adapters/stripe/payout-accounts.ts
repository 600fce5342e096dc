/** Stripe's connected accounts: Accounts v2, Express dashboard, recipient of transfers only. */
import Stripe from 'stripe';
import { onboardingRefreshPath, onboardingReturnPath } from '#contract/app/payouts.ts';
import type { PayoutAccounts } from '#server/platform/ports/payout-accounts.ts';
import { expectAnswer, translated } from './stripe-answers.ts';
import { reverseTransfer, sendTransfer } from './transfers.ts';

/** A page waits for this read, and a failure is harmless. */
const READ_OPTIONS = { timeout: 4_000, maxNetworkRetries: 0 };

export function stripePayoutAccounts(stripe: Stripe, { publicUrl }: { publicUrl: string }): PayoutAccounts {
  return {
    open: (organizer) => translated(() => openAccount(stripe, organizer)),

    async onboardingLink(account) {
      const link = await translated(() =>
        stripe.v2.core.accountLinks.create({
          account,
          use_case: {
            type: 'account_onboarding',
            account_onboarding: {
              refresh_url: publicUrl + onboardingRefreshPath,
              return_url: publicUrl + onboardingReturnPath,
            },
          },
        }),
      );
      return { url: expectAnswer(link, 'v2.core.account_link', ['url']).url };
    },

    async dashboardLink(accountId) {
      try {
        const link = await stripe.accounts.createLoginLink(accountId);
        return { url: expectAnswer(link, 'login_link', ['url']).url };
      } catch (error) {
        // Stripe has no error code for an account that is not onboarded yet, only a 400.
        if (error instanceof Stripe.errors.StripeInvalidRequestError && error.statusCode === 400) return null;
        return translated(() => Promise.reject(error));
      }
    },

    async status(accountId) {
      const account = await translated(() =>
        // Without `include`, these fields are absent, which looks like an account that is not onboarded.
        stripe.v2.core.accounts.retrieve(
          accountId,
          { include: ['configuration.recipient', 'requirements'] },
          READ_OPTIONS,
        ),
      );
      expectAnswer(account, 'v2.core.account', ['id']);
      const transfers = account.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers;
      if (account.closed) return 'closed';
      return transfers?.status === 'active' ? 'active' : 'restricted';
    },

    async holder(accountId) {
      const accounts = await translated(() =>
        stripe.accounts.listExternalAccounts(accountId, { object: 'bank_account', limit: 1 }, READ_OPTIONS),
      );
      const [bank] = expectAnswer(accounts, 'list', ['data']).data;
      if (bank?.object !== 'bank_account') return { name: null, bankLast4: null };
      return { name: bank.account_holder_name, bankLast4: bank.last4 };
    },

    transfer: (payout) => sendTransfer(stripe, payout),

    reverse: (reversal) => reverseTransfer(stripe, reversal),
  };
}

/** Sends neither tax ID nor date of birth: Stripe's onboarding asks for what it needs. */
async function openAccount(
  stripe: Stripe,
  { organizationId, email, organizationName, organizationType }: Parameters<PayoutAccounts['open']>[0],
) {
  const account = await stripe.v2.core.accounts.create(
    {
      contact_email: email,
      display_name: organizationName,
      dashboard: 'express',
      identity: { country: 'us', entity_type: organizationType },
      defaults: {
        currency: 'usd',
        responsibilities: { fees_collector: 'application', losses_collector: 'application' },
      },
      configuration: {
        recipient: { capabilities: { stripe_balance: { stripe_transfers: { requested: true } } } },
      },
      metadata: { organization_id: organizationId },
      include: ['configuration.recipient', 'requirements', 'defaults', 'identity'],
    },
    { idempotencyKey: `acct:${organizationId}` },
  );
  return { accountId: expectAnswer(account, 'v2.core.account', ['id']).id };
}
