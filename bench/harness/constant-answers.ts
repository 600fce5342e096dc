/** Answers of the same application that cost it no thought: what HTTP, guards, validation and headers leave to be had. */
import type { FastifyInstance } from 'fastify';
import { checkGuest } from '#contract/admission.ts';
import { createCheckoutSession } from '#contract/checkout.ts';
import { endpoint } from '#contract/endpoint.ts';
import { mount } from '#server/platform/http/mount.ts';

export const CONSTANT_CHECKOUT = '/api/constant/checkout';
export const CONSTANT_CHECK = '/api/constant/check-guest';

const page = { id: 'cs_test_constant', url: 'http://127.0.0.1/sandbox/pay/cs_test_constant' };

/** Takes what the real calls take and parses it as they do. The check asks for no grant: that is the real one's work. */
export async function constantAnswers(app: FastifyInstance): Promise<void> {
  mount(app, endpoint({ ...createCheckoutSession, path: CONSTANT_CHECKOUT }), async () => page);
  mount(app, endpoint({ ...checkGuest, path: CONSTANT_CHECK, access: 'public' }), async () => ({
    msg: 'Checked in',
    result: 'admitted' as const,
  }));
}
