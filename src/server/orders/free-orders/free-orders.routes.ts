import type { FastifyInstance } from 'fastify';
import * as contract from '#contract/app/sales/free-orders.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { confirmFreeOrder } from './confirm-free-order.ts';
import { provedAddress } from './proved-address.ts';
import { sendOrderCode } from './send-order-code.ts';

export function freeOrderRoutes(app: FastifyInstance, deps: Deps) {
  mount(app, contract.sendOrderCode, (typed, { ip, cookies }) =>
    sendOrderCode(deps, typed, { ip, proved: provedAddress(deps, cookies) }),
  );

  mount(app, contract.confirmFreeOrder, (shown, { cookies }) =>
    confirmFreeOrder(deps, shown, provedAddress(deps, cookies)),
  );
}
