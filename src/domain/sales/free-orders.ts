/** How a free order proves its buyer's address. */

/** Codes that an order's buyer can have emailed. */
export const ORDER_CODES_MAX = 3;
/** A code ends with the last of these. */
export const WRONG_CODES_MAX = 5;
/** Before the email can be requested again. */
export const CODE_AGAIN_SECONDS = 30;
/** In which a browser that proved an address gets further free tickets for it without a code. */
export const PROVED_ADDRESS_HOURS = 24;
