/** The console's tables. On a narrow screen each row becomes a small card, its cells named by their column. */

import type { Work } from '../operation-context.ts';
import { type Act, acts } from './console-actions.ts';
import {
  type AccountRow,
  type DisputeRow,
  type MovementRow,
  type NoticeRow,
  type PaymentRow,
  type RefundRow,
  recentAccounts,
  recentDisputes,
  recentMovements,
  recentNotices,
  recentPayments,
  recentRefunds,
  recentSales,
  recentTransfers,
  type SaleRow,
  type TransferRow,
} from './console-rows.ts';
import { html, type Markup } from './html.ts';
import { day, money } from './layout.ts';

export interface Table {
  id: string;
  title: string;
  none: string;
  heads: string[];
  rows: Markup[][];
}

export async function consoleTables(work: Work): Promise<Table[]> {
  return [
    {
      id: 'payments',
      title: 'Payments',
      none: 'Nobody has paid yet.',
      heads: ['Payment', 'State', 'Amount', 'Paid with', 'When', 'Next'],
      rows: (await recentPayments(work)).map(paymentCells),
    },
    {
      id: 'refunds',
      title: 'Refunds',
      none: 'No money has been given back yet.',
      heads: ['Refund', 'State', 'Amount', 'Of payment', 'When', 'Next'],
      rows: (await recentRefunds(work)).map(refundCells),
    },
    {
      id: 'disputes',
      title: 'Disputes',
      none: 'Nobody has disputed a payment yet.',
      heads: ['Dispute', 'State', 'Amount', 'Of payment', 'When', 'Next'],
      rows: (await recentDisputes(work)).map(disputeCells),
    },
    {
      id: 'transfers',
      title: 'Transfers',
      none: 'No organizer has been paid yet.',
      heads: ['Transfer', 'To', 'For', 'Amount', 'When'],
      rows: (await recentTransfers(work)).map(transferCells),
    },
    {
      id: 'accounts',
      title: 'Payout accounts',
      none: 'No organizer has connected an account yet.',
      heads: ['Account', 'State', 'Balance', 'Next'],
      rows: (await recentAccounts(work)).map(accountCells),
    },
    {
      id: 'sessions',
      title: 'Checkout sessions',
      none: 'Nobody has gone to checkout yet.',
      heads: ['Session', 'State', 'E-mail', 'Amount', 'Opened'],
      rows: (await recentSales(work)).map(saleCells),
    },
    {
      id: 'money',
      title: 'Money',
      none: 'Nothing has moved yet.',
      heads: ['Kind', 'For', 'Amount', 'Fee', 'State', 'When'],
      rows: (await recentMovements(work)).map(movementCells),
    },
    {
      id: 'events',
      title: 'Events',
      none: 'Nothing has happened yet.',
      heads: ['Event', 'When', 'Attempts', 'Again'],
      rows: (await recentNotices(work)).map(noticeCells),
    },
  ];
}

export const actButton = (act: Act, subject: string, about: string) =>
  html`<button class="link" type="submit" form="acts" name="act" value="${act} ${subject}" aria-label="${acts[act].words}: ${about}">${acts[act].words}</button>`;

function paymentCells(row: PaymentRow): Markup[] {
  const about = `${money(row.cents)} of ${row.email ?? 'an unknown buyer'}, ${shortId(row.id)}`;
  const isQuiet = row.disputeStatus === null || row.disputeStatus === 'warning_closed';
  const canBeDisputed = row.isPaid && row.refundedCents < row.cents && isQuiet;
  return [
    html`${idText(row.id)}${row.email ? html`<small>${row.email}</small>` : null}`,
    html`${words(row.status)}${row.disputeStatus ? html`<small>dispute: ${words(row.disputeStatus)}</small>` : null}`,
    html`${money(row.cents)}${row.refundedCents > 0 ? html`<small>${money(row.refundedCents)} given back</small>` : null}`,
    html`${row.method ?? ''}`,
    html`${day(row.created)}`,
    canBeDisputed ? nextSteps(actButton('dispute', row.id, about), actButton('inquire', row.id, about)) : nothing,
  ];
}

function refundCells(row: RefundRow): Markup[] {
  const about = `${money(row.cents)}, ${shortId(row.id)}`;
  return [
    idText(row.id),
    html`${words(row.status)}${row.why ? html`<small>${words(row.why)}</small>` : null}`,
    html`${money(row.cents)}`,
    idText(row.payment),
    html`${day(row.created)}`,
    row.status === 'failed' ? nothing : actButton('fail-refund', row.id, about),
  ];
}

function disputeCells(row: DisputeRow): Markup[] {
  const about = `${money(row.cents)}, ${shortId(row.id)}`;
  const isInquiry = row.status === 'warning_needs_response' || row.status === 'warning_under_review';
  const isOpen = row.status === 'needs_response' || row.status === 'under_review';
  const open = nextSteps(actButton('win', row.id, about), actButton('lose', row.id, about));
  const inquiry = nextSteps(actButton('escalate', row.id, about), actButton('drop-inquiry', row.id, about));
  return [
    html`${idText(row.id)}<small>${words(row.reason)}</small>`,
    html`${words(row.status)}`,
    html`${money(row.cents)}`,
    idText(row.payment),
    html`${day(row.created)}`,
    isOpen ? open : isInquiry ? inquiry : nothing,
  ];
}

function transferCells(row: TransferRow): Markup[] {
  const reversed = row.reversedCents > 0 ? html`<small>${money(row.reversedCents)} taken back</small>` : null;
  return [
    idText(row.id),
    html`${row.destination}`,
    html`${row.words}`,
    html`${money(row.cents)}${reversed}`,
    html`${day(row.created)}`,
  ];
}

function accountCells(row: AccountRow): Markup[] {
  const isActive = row.transfers === 'active';
  const state = row.isClosed ? 'closed' : isActive ? 'active' : row.isOnboarded ? 'restricted' : 'not onboarded yet';
  const turn = actButton(isActive ? 'restrict' : 'lift', row.id, row.name);
  return [
    html`${row.name}<small>${row.id}</small>`,
    html`${state}`,
    html`${money(row.cents)}`,
    row.isClosed ? nothing : nextSteps(...(row.isOnboarded ? [turn] : []), actButton('close', row.id, row.name)),
  ];
}

const saleCells = (row: SaleRow): Markup[] => [
  html`<a href="/sandbox/pay/${row.id}"><code>${shortId(row.id)}&hellip;</code></a>`,
  html`${row.status}, ${words(row.paymentStatus)}`,
  html`${row.email ?? ''}`,
  html`${money(row.cents)}`,
  html`${day(row.created)}`,
];

const movementCells = (row: MovementRow): Markup[] => [
  html`${words(row.type)}${row.words === row.type ? null : html`<small>${words(row.words)}</small>`}`,
  idText(row.source),
  html`${money(row.cents)}`,
  html`${row.feeCents === 0 ? '' : money(row.feeCents)}`,
  html`${row.status}`,
  html`${day(row.created)}`,
];

function noticeCells(row: NoticeRow): Markup[] {
  const attempts = row.attempts.map(({ at, answer }) => html`<li>${day(at)}: ${answer}</li>`);
  const open = row.isQueued ? 'waiting for the next attempt' : 'nobody listens to it';
  const said = row.attempts.length > 0 ? html`<ol class="attempts">${attempts}</ol>` : html`${open}`;
  return [
    html`<code>${row.type}</code><small>${shortId(row.id)}</small>`,
    html`${day(row.created)}`,
    html`${said}${row.isQueued && row.attempts.length > 0 ? html`<small>${open}</small>` : null}`,
    actButton('resend', row.id, `${row.type}, ${shortId(row.id)}`),
  ];
}

const nextSteps = (...buttons: Markup[]) => html`<div class="acts">${buttons}</div>`;
const nothing = html``;
const words = (text: string) => text.replaceAll('_', ' ');
const shortId = (id: string) => id.slice(0, 16);
const idText = (id: string) => html`<code>${shortId(id)}</code>`;
