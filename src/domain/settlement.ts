/**
 * When the money of an event stops moving back to buyers and may move on to the organizer.
 * One figure serves both, so that no dollar is ever refundable and payable at once.
 */

export const SETTLEMENT_HOLD_HOURS = 24;
