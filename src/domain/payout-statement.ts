/** What an organizer is paid for an event, line by line. All money is in whole cents. */
import { type SalesAtPrice, type TicketFeeRate, ticketFeeRate, ticketFeesAt, ticketFeesOfSales } from './fees.ts';
import { PROCESSING_FEE_CENTS } from './plan.ts';

export interface PayoutStatement {
  /** Tickets sold at a price above 0, not refunded and not disputed. */
  paidTickets: number;
  /** Sold at no price: they bring nothing, and cost nothing. */
  freeTickets: number;
  /** On hold: disputed by their buyers. */
  withheldTickets: number;
  /** Prices of the paid tickets. */
  grossCents: number;
  rate: TicketFeeRate;
  ticketFeesCents: number;
  /** 0 where it is waived, or no paid ticket is sold. */
  processingFeeCents: number;
  /** Prices of disputed tickets, already left out of the gross: paid once their dispute is won. */
  withheldCents: number;
  /** What buyers who keep their tickets got back all the same: at the card company, or from their bank. */
  deductedCents: number;
  /** Kept against what the organizer owes; at most what is due. */
  keptForDebtCents: number;
  /** May be negative: a tiny event can owe more in fees than it sold. */
  netCents: number;
}

/** What else than prices makes up a statement. */
export interface PayoutInput {
  /** Tickets on hold, as sold. */
  withheld?: readonly SalesAtPrice[];
  deductedCents?: number;
  /** What the organizer owes from other payouts. */
  debtCents?: number;
}

/** `pricesCents`: what was paid for each ticket that counts. */
export function payoutStatement(
  pricesCents: readonly number[],
  processingFeeWaived: boolean,
  facts: PayoutInput = {},
): PayoutStatement {
  const sales = pricesCents.map((priceCents) => ({ priceCents, tickets: 1 }));
  return payoutStatementOfSales(sales, processingFeeWaived, facts);
}

/** The same for so many tickets at each price: what it takes does not grow with the event. */
export function payoutStatementOfSales(
  sales: readonly SalesAtPrice[],
  processingFeeWaived: boolean,
  { withheld = [], deductedCents = 0, debtCents = 0 }: PayoutInput = {},
): PayoutStatement {
  const paid = sales.filter(({ priceCents }) => priceCents > 0);
  const paidTickets = countOf(paid);
  const rate = ticketFeeRate(paidTickets);
  return lessDebt(
    {
      paidTickets,
      freeTickets: countOf(sales) - paidTickets,
      withheldTickets: countOf(withheld),
      grossCents: centsOf(paid),
      rate,
      ticketFeesCents: ticketFeesOfSales(rate, paid),
      processingFeeCents: processingFeeWaived || paidTickets === 0 ? 0 : PROCESSING_FEE_CENTS,
      withheldCents: centsOf(withheld),
      deductedCents,
    },
    debtCents,
  );
}

const countOf = (sales: readonly SalesAtPrice[]) => sales.reduce((sum, { tickets }) => sum + tickets, 0);
const centsOf = (sales: readonly SalesAtPrice[]) =>
  sales.reduce((sum, { priceCents, tickets }) => sum + priceCents * tickets, 0);

export interface Returned {
  /** Of tickets that the first payout left out. */
  pricesCents: readonly number[];
  deductedCents: number;
  /** What was taken back from the organizer, and the ticket fees that went with it. */
  recoveredCents: number;
  recoveredFeesCents: number;
}

/**
 * What a further payout of an event brings, once disputes have ended: at the rate that the first one was billed at,
 * and without a second processing fee. A ticket that costs less than its fee brings nothing, and owes nothing.
 */
export function additionalPayoutStatement(
  { pricesCents, deductedCents, recoveredCents, recoveredFeesCents }: Returned,
  rate: TicketFeeRate,
  debtCents: number,
): PayoutStatement {
  const paid = pricesCents.filter((price) => price > 0);
  const grossCents = paid.reduce((sum, price) => sum + price, recoveredCents);
  const fees = ticketFeesAt(rate, paid) + recoveredFeesCents;
  return lessDebt(
    {
      paidTickets: paid.length,
      freeTickets: 0,
      withheldTickets: 0,
      grossCents,
      rate,
      ticketFeesCents: Math.min(fees, grossCents - deductedCents),
      processingFeeCents: 0,
      withheldCents: 0,
      deductedCents,
    },
    debtCents,
  );
}

function lessDebt(lines: Omit<PayoutStatement, 'keptForDebtCents' | 'netCents'>, debtCents: number): PayoutStatement {
  const { grossCents, ticketFeesCents, processingFeeCents, deductedCents } = lines;
  const dueCents = grossCents - ticketFeesCents - processingFeeCents - deductedCents;
  const keptForDebtCents = Math.min(Math.max(0, debtCents), Math.max(0, dueCents));
  return { ...lines, keptForDebtCents, netCents: dueCents - keptForDebtCents };
}
