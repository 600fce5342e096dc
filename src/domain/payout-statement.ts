/** Computes what an organizer is paid for an event, line by line. All amounts are in whole cents. */
import {
  type FeeTerms,
  type SalesAtPrice,
  type TicketFeeRate,
  ticketFeeRate,
  ticketFeesAt,
  ticketFeesOfSales,
} from './fees.ts';

export interface PayoutStatement {
  /** Tickets sold at a price above 0, not refunded and not disputed. */
  paidTickets: number;
  /** Sold at $0: no revenue and no fees. */
  freeTickets: number;
  /** On hold for disputes. */
  ticketsOnHold: number;
  /** Prices of the paid tickets. */
  grossCents: number;
  rate: TicketFeeRate;
  ticketFeesCents: number;
  /** 0 if waived, or if no paid ticket is sold. */
  processingFeeCents: number;
  /** Prices of the tickets on hold. Not part of the gross; paid if the dispute is won. */
  onHoldCents: number;
  /** Partial refunds and lost disputes of buyers who keep their tickets. */
  deductedCents: number;
  /** Stripe's fees on refunds, if the event's terms leave them to the organizer. Absent: none. */
  refundCostsCents?: number;
  /** Applied to the organizer's debt; never more than the amount due. */
  debtDeductedCents: number;
  /** May be negative: the fees of a tiny event can exceed its sales. */
  netCents: number;
}

/** Sold and not refunded, those at $0 and on hold included. */
export const ticketsSoldIn = (
  statement: Pick<PayoutStatement, 'paidTickets' | 'freeTickets' | 'ticketsOnHold'>,
): number => statement.paidTickets + statement.freeTickets + statement.ticketsOnHold;

/** Their prices. */
export const grossWithHoldsOf = ({ grossCents, onHoldCents }: Pick<PayoutStatement, 'grossCents' | 'onHoldCents'>) =>
  grossCents + onHoldCents;

export interface PayoutInput {
  /** The event's, or those of the plan for an estimate before there is an event. */
  terms: FeeTerms;
  /** Tickets on hold for disputes. */
  onHold?: readonly SalesAtPrice[];
  deductedCents?: number;
  refundCostsCents?: number;
  /** The organizer's debt from other payouts. */
  debtCents?: number;
}

/** Takes one price per valid or used ticket. */
export function payoutStatement(
  pricesCents: readonly number[],
  processingFeeWaived: boolean,
  input: PayoutInput,
): PayoutStatement {
  const sales = pricesCents.map((priceCents) => ({ priceCents, tickets: 1 }));
  return payoutStatementOfSales(sales, processingFeeWaived, input);
}

/** `payoutStatement` for sales grouped by price, so that the cost does not grow with the number of tickets. */
export function payoutStatementOfSales(
  sales: readonly SalesAtPrice[],
  processingFeeWaived: boolean,
  { terms, onHold = [], deductedCents = 0, refundCostsCents = 0, debtCents = 0 }: PayoutInput,
): PayoutStatement {
  const paid = sales.filter(({ priceCents }) => priceCents > 0);
  const paidTickets = countOf(paid);
  const rate = ticketFeeRate(paidTickets, terms);
  return applyDebt(
    {
      paidTickets,
      freeTickets: countOf(sales) - paidTickets,
      ticketsOnHold: countOf(onHold),
      grossCents: centsOf(paid),
      rate,
      ticketFeesCents: ticketFeesOfSales(rate, paid),
      processingFeeCents: processingFeeWaived || paidTickets === 0 ? 0 : terms.processingCents,
      onHoldCents: centsOf(onHold),
      deductedCents,
      ...(refundCostsCents > 0 && { refundCostsCents }),
    },
    debtCents,
  );
}

const countOf = (sales: readonly SalesAtPrice[]) => sales.reduce((sum, { tickets }) => sum + tickets, 0);
const centsOf = (sales: readonly SalesAtPrice[]) =>
  sales.reduce((sum, { priceCents, tickets }) => sum + priceCents * tickets, 0);

export interface AdditionalPayoutInput {
  /** Prices of tickets that the first payout left out. */
  pricesCents: readonly number[];
  deductedCents: number;
  /** Reversed from the organizer earlier, and the ticket fees returned with it. */
  reversedCents: number;
  reversedFeesCents: number;
}

/**
 * Statement of an additional payout after disputes ended: billed at the first payout's rate, without a second processing
 * fee. Fees are capped at the amount they apply to, so the result is never negative.
 */
export function additionalPayoutStatement(
  { pricesCents, deductedCents, reversedCents, reversedFeesCents }: AdditionalPayoutInput,
  rate: TicketFeeRate,
  debtCents: number,
): PayoutStatement {
  const paid = pricesCents.filter((price) => price > 0);
  const grossCents = paid.reduce((sum, price) => sum + price, reversedCents);
  const fees = ticketFeesAt(rate, paid) + reversedFeesCents;
  return applyDebt(
    {
      paidTickets: paid.length,
      freeTickets: 0,
      ticketsOnHold: 0,
      grossCents,
      rate,
      ticketFeesCents: Math.min(fees, grossCents - deductedCents),
      processingFeeCents: 0,
      onHoldCents: 0,
      deductedCents,
    },
    debtCents,
  );
}

/** Statement of what an earlier payout held back: its fees were taken then. */
export function heldStatement(heldCents: number, rate: TicketFeeRate, debtCents: number): PayoutStatement {
  const held = { pricesCents: [], deductedCents: 0, reversedCents: heldCents, reversedFeesCents: 0 };
  return additionalPayoutStatement(held, rate, debtCents);
}

function applyDebt(
  beforeDebt: Omit<PayoutStatement, 'debtDeductedCents' | 'netCents'>,
  debtCents: number,
): PayoutStatement {
  const { grossCents, ticketFeesCents, processingFeeCents, deductedCents, refundCostsCents = 0 } = beforeDebt;
  const dueCents = grossCents - ticketFeesCents - processingFeeCents - deductedCents - refundCostsCents;
  const debtDeductedCents = Math.min(Math.max(0, debtCents), Math.max(0, dueCents));
  return { ...beforeDebt, debtDeductedCents, netCents: dueCents - debtDeductedCents };
}
