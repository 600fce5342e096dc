/** Constant answers of the same app: the upper bound with HTTP, guards, validation and headers. */
import type { FastifyInstance } from 'fastify';
import { checkGuest } from '#contract/app/check-in.ts';
import { createCheckoutSession } from '#contract/app/checkout.ts';
import { endpoint } from '#contract/endpoint.ts';
import { mount } from '#server/platform/http/mount.ts';

export const CONSTANT_CHECKOUT = '/api/constant/checkout';
export const CONSTANT_CHECK = '/api/constant/check-guest';

const page = { id: 'cs_test_constant', url: 'http://127.0.0.1/sandbox/pay/cs_test_constant' };

/**
 * Accepts and parses the same input as the real endpoints. The check-in needs no grant here: verifying it is part of
 * what is measured.
 */
export async function constantAnswers(app: FastifyInstance): Promise<void> {
  mount(app, endpoint({ ...createCheckoutSession, path: CONSTANT_CHECKOUT }), async () => page);
  mount(app, endpoint({ ...checkGuest, path: CONSTANT_CHECK, access: 'public' }), async () => ({
    msg: 'Checked in',
    result: 'admitted' as const,
  }));
}
