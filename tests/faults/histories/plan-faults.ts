/** External faults while histories run. */
import { callFaults, webhookFaults } from '#sandbox/faults.ts';
import { planFault } from '#tests/support/money.ts';
import type { TestApp } from '#tests/support/test-app.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Every Stripe call that the code makes. */
const CALLS = [
  { method: 'POST', path: '/v1/checkout/sessions' },
  { method: 'GET', path: '/v1/checkout/sessions/*' },
  { method: 'POST', path: '/v1/checkout/sessions/*' },
  { method: 'POST', path: '/v1/refunds' },
  { method: 'GET', path: '/v1/refunds' },
  { method: 'POST', path: '/v1/transfers' },
  { method: 'GET', path: '/v1/transfers' },
  { method: 'POST', path: '/v1/transfers/*' },
  { method: 'GET', path: '/v1/payment_intents/*' },
  { method: 'GET', path: '/v1/transfers/*' },
  { method: 'GET', path: '/v1/disputes' },
  { method: 'GET', path: '/v1/checkout/sessions' },
  { method: 'GET', path: '/v1/balance_transactions' },
  { method: 'GET', path: '/v2/core/accounts/*' },
];

/** Kept short, because a whole batch waits for each slow call. */
const SLOW_MS = 200;

export async function planFaults(app: TestApp, random: SeededRandom): Promise<string[]> {
  const planned: object[] = [];
  if (random.chance(0.5)) {
    const webhook = random.pick(webhookFaults);
    planned.push({ webhook, times: random.between(1, 12), ms: random.pick([1000, 90_000, 600_000]) });
  }
  while (random.chance(0.45)) {
    planned.push({
      match: random.pick(CALLS),
      mode: random.pick(callFaults),
      times: random.between(1, 3),
      ms: SLOW_MS,
    });
  }
  for (const fault of planned) await planFault(app, fault);
  return planned.map((fault) => JSON.stringify(fault));
}
