import type { FastifyInstance } from 'fastify';
import * as actionItems from '#contract/app/action-items.ts';
import * as contract from '#contract/app/admin.ts';
import type { Deps } from '#server/platform/deps.ts';
import { mount } from '#server/platform/http/mount.ts';
import { listActionItems } from './action-items.ts';
import { decideEarlyCheckIn } from './decide-early-check-in.ts';
import { listMovedEvents } from './list-moved-events.ts';
import { readMoney } from './read-money.ts';
import { readOverview } from './read-overview.ts';
import { operatorOf } from './record-operator-action.ts';
import { refundReviewedOrder } from './refund-order.ts';
import { retryActionItem } from './retry-action-item.ts';
import { settleAnotherWay } from './settle-another-way.ts';
import { writeOffReceivable } from './write-off-receivable.ts';

export function adminRoutes(app: FastifyInstance, deps: Deps): void {
  mount(app, contract.adminOverview, () => readOverview(deps));

  mount(app, contract.adminMoney, () => readMoney(deps));

  mount(app, contract.adminMovedEvents, () => listMovedEvents(deps));

  mount(app, actionItems.adminActionItems, () => listActionItems(deps));

  mount(app, actionItems.retryActionItem, (target, { admin }) =>
    retryActionItem(deps, { ...operatorOf(admin), ...target }),
  );

  mount(app, actionItems.refundReviewedOrder, (target, { admin }) =>
    refundReviewedOrder(deps, { ...operatorOf(admin), ...target }),
  );

  mount(app, actionItems.settleAnotherWay, (target, { admin }) =>
    settleAnotherWay(deps, { ...operatorOf(admin), ...target }),
  );

  mount(app, actionItems.writeOffReceivable, (target, { admin }) =>
    writeOffReceivable(deps, { ...operatorOf(admin), ...target }),
  );

  mount(app, actionItems.decideEarlyCheckIn, (decision, { admin }) =>
    decideEarlyCheckIn(deps, { ...operatorOf(admin), ...decision }),
  );
}
