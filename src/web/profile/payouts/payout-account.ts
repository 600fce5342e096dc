/** Opens Stripe's hosted pages. */
import { createAccountLink, createLoginLink } from '#contract/app/payouts.ts';
import { unknownError } from '#messages/pages.ts';
import { call, messageFrom } from '#web/api.ts';
import { hostedPageOf } from '#web/hosted-page.ts';
import { toast } from '#web/ui/feedback/toast.ts';

export async function openPayoutSetup() {
  try {
    location.assign(hostedPageOf((await call(createAccountLink, {})).url, location));
  } catch (error) {
    toast.error(`Error creating account link: ${messageFrom(error, unknownError)}`);
  }
}

export async function openPayoutDashboard() {
  try {
    location.assign(hostedPageOf((await call(createLoginLink, {})).url, location));
  } catch (error) {
    toast.error(`Error creating login link: ${messageFrom(error, unknownError)}`);
  }
}
