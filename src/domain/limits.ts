/** Every length, count and size that the product enforces, each in one place. */

/** How long a text is: in code points, as the schemas and PostgreSQL count, so that most emoji are one character. */
export const characterCount = (text: string): number => Array.from(text).length;

export const EMAIL_MAX = 300;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 300;

export const NAME_MAX = 50;
export const ORGANIZATION_NAME_MAX = 50;
export const ORGANIZATION_BIO_MAX = 500;
export const PHONE_MAX = 30;

export const TITLE_MAX = 50;
export const DESCRIPTION_MAX = 2000;
export const STREET_MAX = 100;
export const CITY_MAX = 100;
export const POSTAL_CODE_MAX = 10;
export const PARTICIPANTS_MAX = 20;

export const TICKET_TYPES_MAX = 20;
export const TICKET_NAME_MAX = 50;
export const TICKET_DESCRIPTION_MAX = 200;
export const TICKET_QUANTITY_MAX = 100_000;
export const TICKET_PRICE_MAX_CENTS = 50_000_00;
/** Card networks refuse smaller charges, so a ticket is free or costs at least this. */
export const TICKET_PRICE_MIN_CENTS = 50;

export const ORDER_TICKETS_MAX = 100;
/** How often the card company is asked about one checkout. Within this time the answer is only "processing". */
export const CHECKOUT_ASKED_EVERY_SECONDS = 10;
/** More than there are ticket types; a ticket type may stand in several. */
export const CART_LINES_MAX = 50;
/** The smallest and the largest single charge that the card processor takes. */
export const ORDER_TOTAL_MIN_CENTS = 50;
export const ORDER_TOTAL_MAX_CENTS = 999_999_99;

/** Each time its date or place changes, an event with sales writes to all of its buyers. */
export const MOVES_PER_DAY_MAX = 10;

export const CODE_MAX = 10;
export const DEVICE_NAME_MAX = 30;
/** How many devices one event has at its doors; each of them asks for news every few seconds. */
export const CHECK_IN_DEVICES_MAX = 200;
/** More are not handed out as a list: it would take megabytes, and tell made-up numbers from right ones too badly. */
export const OFFLINE_LIST_TICKETS_MAX = 200_000;
/** Offline scans in one request: what waits longer comes in several. */
export const SCANS_PER_SYNC_MAX = 100;
/** How long an attendant may take a scan back, and what its way through the network may take on top. */
export const UNDO_SECONDS = 10;
export const UNDO_GRACE_SECONDS = 5;

export const PHOTOS_PER_EVENT_MAX = 20;
export const PHOTO_BYTES_MAX = 10 * 1024 * 1024;
/** Of one request: ten large photos, and the form around them. */
export const UPLOAD_BYTES_MAX = 110 * 1024 * 1024;
/** A small file can unfold into gigabytes: what counts against that is its pixels, not its bytes. */
export const PHOTO_PIXELS_MAX = 40_000_000;
export const PHOTO_EDGE_MAX = 2000;
export const PHOTOS_SHOWN = 5;

export const GUESTS_PER_PAGE = 100;
export const GUESTS_PER_PAGE_MAX = 500;
/** In a longer list the search finds how an address or a number begins, so that it costs the same in every list. */
export const GUESTS_SEARCHED_INSIDE_MAX = 5000;
