/** The console's tables. On a narrow screen each row becomes a small card, its cells named by their column. */

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
      empty: 'Nobody has paid yet.',
      headers: ['Payment', 'State', 'Amount', 'Paid with', 'When', 'Next'],
      rows: (await recentPayments(ctx)).map(paymentCells),
    },
    {
      id: 'refunds',
      title: 'Refunds',
      empty: 'No money has been given back yet.',
      headers: ['Refund', 'State', 'Amount', 'Of payment', 'When', 'Next'],
      rows: (await recentRefunds(ctx)).map(refundCells),
    },
    {
      id: 'disputes',
      title: 'Disputes',
      empty: 'Nobody has disputed a payment yet.',
      headers: ['Dispute', 'State', 'Amount', 'Of payment', 'When', 'Next'],
      rows: (await recentDisputes(ctx)).map(disputeCells),
    },
    {
      id: 'transfers',
      title: 'Transfers',
      empty: 'No organizer has been paid yet.',
      headers: ['Transfer', 'To', 'For', 'Amount', 'When'],
      rows: (await recentTransfers(ctx)).map(transferCells),
    },
    {
      id: 'accounts',
      title: 'Payout accounts',
      empty: 'No organizer has connected an account yet.',
      headers: ['Account', 'State', 'Balance', 'Next'],
      rows: (await recentAccounts(ctx)).map(accountCells),
    },
    {
      id: 'sessions',
      title: 'Checkout sessions',
      empty: 'Nobody has gone to checkout yet.',
      headers: ['Session', 'State', 'E-mail', 'Amount', 'Opened'],
      rows: (await recentSessions(ctx)).map(sessionCells),
    },
    {
      id: 'money',
      title: 'Money',
      empty: 'Nothing has moved yet.',
      headers: ['Kind', 'For', 'Amount', 'Fee', 'State', 'When'],
      rows: (await recentBalanceTransactions(ctx)).map(balanceTransactionCells),
    },
    {
      id: 'events',
      title: 'Events',
      empty: 'Nothing has happened yet.',
      headers: ['Event', 'When', 'Attempts', 'Again'],
      rows: (await recentEvents(ctx)).map(eventCells),
    },
  ];
}

export const actionButton = (act: Action, subject: string, about: string) =>
  html`<button class="link" type="submit" form="acts" name="act" value="${act} ${subject}" aria-label="${actions[act].label}: ${about}">${actions[act].label}</button>`;

function paymentCells(row: PaymentRow): Markup[] {
  const about = `${formatCents(row.cents)} of ${row.email ?? 'an unknown buyer'}, ${shortId(row.id)}`;
  const isQuiet = row.disputeStatus === null || row.disputeStatus === 'warning_closed';
  const canBeDisputed = row.isPaid && row.refundedCents < row.cents && isQuiet;
  return [
    html`${idText(row.id)}${row.email ? html`<small>${row.email}</small>` : null}`,
    html`${humanize(row.status)}${row.disputeStatus ? html`<small>dispute: ${humanize(row.disputeStatus)}</small>` : null}`,
    html`${formatCents(row.cents)}${row.refundedCents > 0 ? html`<small>${formatCents(row.refundedCents)} given back</small>` : null}`,
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
    html`${humanize(row.status)}${row.why ? html`<small>${humanize(row.why)}</small>` : null}`,
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
  const inquiry = buttonGroup(actionButton('escalate', row.id, about), actionButton('drop-inquiry', row.id, about));
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
  const reversed = row.reversedCents > 0 ? html`<small>${formatCents(row.reversedCents)} taken back</small>` : null;
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
  const state = row.isClosed ? 'closed' : isActive ? 'active' : row.isOnboarded ? 'restricted' : 'not onboarded yet';
  const turn = actionButton(isActive ? 'restrict' : 'lift', row.id, row.name);
  return [
    html`${row.name}<small>${row.id}</small>`,
    html`${state}`,
    html`${formatCents(row.cents)}`,
    row.isClosed ? noButtons : buttonGroup(...(row.isOnboarded ? [turn] : []), actionButton('close', row.id, row.name)),
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
  const open = row.isQueued ? 'waiting for the next attempt' : 'nobody listens to it';
  const said = row.attempts.length > 0 ? html`<ol class="attempts">${attempts}</ol>` : html`${open}`;
  return [
    html`<code>${row.type}</code><small>${shortId(row.id)}</small>`,
    html`${formatTime(row.created)}`,
    html`${said}${row.isQueued && row.attempts.length > 0 ? html`<small>${open}</small>` : null}`,
    actionButton('resend', row.id, `${row.type}, ${shortId(row.id)}`),
  ];
}

const buttonGroup = (...buttons: Markup[]) => html`<div class="acts">${buttons}</div>`;
const noButtons = html``;
const humanize = (text: string) => text.replaceAll('_', ' ');
const shortId = (id: string) => id.slice(0, 16);
const idText = (id: string) => html`<code>${shortId(id)}</code>`;
