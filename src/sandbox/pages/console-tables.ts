/** The console's tables. On a narrow screen, each row becomes a card whose cells are labeled by column. */

import type { OperationContext } from '../operation-context.ts';
import { type Action, actions } from './console-actions.ts';
import {
  type AccountRow,
  type BalanceTransactionRow,
  type DisputeRow,
  type EventRow,
  type PaymentRow,
  type RefundRow,
  recentAccounts,
  recentBalanceTransactions,
  recentDisputes,
  recentEvents,
  recentPayments,
  recentRefunds,
  recentSessions,
  recentTransfers,
  type SessionRow,
  type TransferRow,
} from './console-rows.ts';
import { html, type Markup } from './html.ts';
import { formatCents, formatTime } from './layout.ts';

export interface Table {
  id: string;
  title: string;
  empty: string;
  headers: string[];
  rows: Markup[][];
}

export async function consoleTables(ctx: OperationContext): Promise<Table[]> {
  return [
    {
      id: 'payments',
      title: 'Payments',
      empty: 'No payments yet.',
      headers: ['Payment', 'Status', 'Amount', 'Payment method', 'Created', 'Actions'],
      rows: (await recentPayments(ctx)).map(paymentCells),
    },
    {
      id: 'refunds',
      title: 'Refunds',
      empty: 'No refunds yet.',
      headers: ['Refund', 'Status', 'Amount', 'Payment', 'Created', 'Actions'],
      rows: (await recentRefunds(ctx)).map(refundCells),
    },
    {
      id: 'disputes',
      title: 'Disputes',
      empty: 'No disputes yet.',
      headers: ['Dispute', 'Status', 'Amount', 'Payment', 'Created', 'Actions'],
      rows: (await recentDisputes(ctx)).map(disputeCells),
    },
    {
      id: 'transfers',
      title: 'Transfers',
      empty: 'No transfers yet.',
      headers: ['Transfer', 'Destination', 'Description', 'Amount', 'Created'],
      rows: (await recentTransfers(ctx)).map(transferCells),
    },
    {
      id: 'accounts',
      title: 'Connected accounts',
      empty: 'No connected accounts yet.',
      headers: ['Account', 'Status', 'Balance', 'Actions'],
      rows: (await recentAccounts(ctx)).map(accountCells),
    },
    {
      id: 'sessions',
      title: 'Checkout sessions',
      empty: 'No checkout sessions yet.',
      headers: ['Session', 'Status', 'Email', 'Amount', 'Created'],
      rows: (await recentSessions(ctx)).map(sessionCells),
    },
    {
      id: 'balance-transactions',
      title: 'Balance transactions',
      empty: 'No balance transactions yet.',
      headers: ['Type', 'Source', 'Amount', 'Fee', 'Status', 'Created'],
      rows: (await recentBalanceTransactions(ctx)).map(balanceTransactionCells),
    },
    {
      id: 'events',
      title: 'Events',
      empty: 'No events yet.',
      headers: ['Event', 'Created', 'Attempts', 'Actions'],
      rows: (await recentEvents(ctx)).map(eventCells),
    },
  ];
}

export const actionButton = (action: Action, subject: string, about: string) =>
  html`<button class="link" type="submit" form="acts" name="act" value="${action} ${subject}" aria-label="${actions[action].label}: ${about}">${actions[action].label}</button>`;

function paymentCells(row: PaymentRow): Markup[] {
  const about = `${formatCents(row.cents)} from ${row.email ?? 'an unknown buyer'}, ${shortId(row.id)}`;
  const hasNoOpenDispute = row.disputeStatus === null || row.disputeStatus === 'warning_closed';
  const canBeDisputed = row.isPaid && row.refundedCents < row.cents && hasNoOpenDispute;
  return [
    html`${idText(row.id)}${row.email ? html`<small>${row.email}</small>` : null}`,
    html`${humanize(row.status)}${row.disputeStatus ? html`<small>dispute: ${humanize(row.disputeStatus)}</small>` : null}`,
    html`${formatCents(row.cents)}${row.refundedCents > 0 ? html`<small>${formatCents(row.refundedCents)} refunded</small>` : null}`,
    html`${row.method ?? ''}`,
    html`${formatTime(row.created)}`,
    canBeDisputed
      ? buttonGroup(actionButton('dispute', row.id, about), actionButton('inquire', row.id, about))
      : noButtons,
  ];
}

function refundCells(row: RefundRow): Markup[] {
  const about = `${formatCents(row.cents)}, ${shortId(row.id)}`;
  return [
    idText(row.id),
    html`${humanize(row.status)}${row.reason ? html`<small>${humanize(row.reason)}</small>` : null}`,
    html`${formatCents(row.cents)}`,
    idText(row.payment),
    html`${formatTime(row.created)}`,
    row.status === 'failed' ? noButtons : actionButton('fail-refund', row.id, about),
  ];
}

function disputeCells(row: DisputeRow): Markup[] {
  const about = `${formatCents(row.cents)}, ${shortId(row.id)}`;
  const isInquiry = row.status === 'warning_needs_response' || row.status === 'warning_under_review';
  const isOpen = row.status === 'needs_response' || row.status === 'under_review';
  const open = buttonGroup(actionButton('win', row.id, about), actionButton('lose', row.id, about));
  const inquiry = buttonGroup(actionButton('escalate', row.id, about), actionButton('close-inquiry', row.id, about));
  return [
    html`${idText(row.id)}<small>${humanize(row.reason)}</small>`,
    html`${humanize(row.status)}`,
    html`${formatCents(row.cents)}`,
    idText(row.payment),
    html`${formatTime(row.created)}`,
    isOpen ? open : isInquiry ? inquiry : noButtons,
  ];
}

function transferCells(row: TransferRow): Markup[] {
  const reversed = row.reversedCents > 0 ? html`<small>${formatCents(row.reversedCents)} reversed</small>` : null;
  return [
    idText(row.id),
    html`${row.destination}`,
    html`${row.description}`,
    html`${formatCents(row.cents)}${reversed}`,
    html`${formatTime(row.created)}`,
  ];
}

function accountCells(row: AccountRow): Markup[] {
  const isActive = row.transfers === 'active';
  const state = row.isClosed ? 'closed' : isActive ? 'active' : row.isOnboarded ? 'restricted' : 'not onboarded';
  const toggle = actionButton(isActive ? 'restrict' : 'lift', row.id, row.name);
  return [
    html`${row.name}<small>${row.id}</small>`,
    html`${state}`,
    html`${formatCents(row.cents)}`,
    row.isClosed
      ? noButtons
      : buttonGroup(...(row.isOnboarded ? [toggle] : []), actionButton('close', row.id, row.name)),
  ];
}

const sessionCells = (row: SessionRow): Markup[] => [
  html`<a href="/sandbox/pay/${row.id}"><code>${shortId(row.id)}&hellip;</code></a>`,
  html`${row.status}, ${humanize(row.paymentStatus)}`,
  html`${row.email ?? ''}`,
  html`${formatCents(row.cents)}`,
  html`${formatTime(row.created)}`,
];

const balanceTransactionCells = (row: BalanceTransactionRow): Markup[] => [
  html`${humanize(row.type)}${row.description === row.type ? null : html`<small>${humanize(row.description)}</small>`}`,
  idText(row.source),
  html`${formatCents(row.cents)}`,
  html`${row.feeCents === 0 ? '' : formatCents(row.feeCents)}`,
  html`${row.status}`,
  html`${formatTime(row.created)}`,
];

function eventCells(row: EventRow): Markup[] {
  const attempts = row.attempts.map(({ at, answer }) => html`<li>${formatTime(at)}: ${answer}</li>`);
  const pending = row.isQueued ? 'waiting for the next attempt' : 'no subscribed endpoint';
  const delivery = row.attempts.length > 0 ? html`<ol class="attempts">${attempts}</ol>` : html`${pending}`;
  return [
    html`<code>${row.type}</code><small>${shortId(row.id)}</small>`,
    html`${formatTime(row.created)}`,
    html`${delivery}${row.isQueued && row.attempts.length > 0 ? html`<small>${pending}</small>` : null}`,
    actionButton('resend', row.id, `${row.type}, ${shortId(row.id)}`),
  ];
}

const buttonGroup = (...buttons: Markup[]) => html`<div class="actions">${buttons}</div>`;
const noButtons = html``;
const humanize = (text: string) => text.replaceAll('_', ' ');
const shortId = (id: string) => id.slice(0, 16);
const idText = (id: string) => html`<code>${shortId(id)}</code>`;
