/** Every length, count and size limit of the product. */

/** Length in code points, as the schemas and PostgreSQL count it: most emoji are one character. */
export const characterCount = (text: string): number => Array.from(text).length;

export const EMAIL_MAX = 300;
export const PASSWORD_MIN = 8;
export const PASSWORD_MAX = 300;

export const NAME_MAX = 50;
export const PLAN_NAME_MAX = 30;
/** Of a plan: active events, and paid tickets of a large event. */
export const PLAN_COUNT_MAX = 100_000;
export const PLAN_CENTS_MAX = 10_000_00;
export const ORGANIZATION_NAME_MAX = 50;
export const ORGANIZATION_BIO_MAX = 500;
export const PHONE_MAX = 30;
/** The address of an organization's page, `/o/{slug}`. */
export const SLUG_MIN = 3;
export const SLUG_MAX = 40;
/** The name of a tracking link. */
export const LINK_NAME_MAX = 60;
export const WEBSITE_MAX = 200;
export const LOGO_BYTES_MAX = 1024 * 1024;
/** Pixels of the longer edge, as stored. */
export const LOGO_EDGE_MAX = 512;
/** Coming events and series that the page of an organization lists. */
export const PAGE_EVENTS_MAX = 100;
/** Coming events, dates of series included, that the page of an organization is made from. */
export const PAGE_DATES_MAX = 2000;
/** Coming events in the calendar of an organization. */
export const CALENDAR_ENTRIES_MAX = 500;

export const TITLE_MAX = 50;
/** Of a date in a series. */
export const SUBTITLE_MAX = 50;
export const DESCRIPTION_MAX = 2000;
export const VENUE_NAME_MAX = 100;
export const STREET_MAX = 100;
export const CITY_MAX = 100;
export const POSTAL_CODE_MAX = 10;
export const PARTICIPANTS_MAX = 20;
/** Of an organization. */
export const DRAFTS_MAX = 50;

/** Of a series: added at a time, how far ahead, and coming ones. */
export const DATES_PER_CALL_MAX = 60;
export const DATE_DAYS_AHEAD_MAX = 366;
export const COMING_DATES_MAX = 200;

export const TICKET_TYPES_MAX = 20;
export const TICKET_NAME_MAX = 50;
export const TICKET_DESCRIPTION_MAX = 200;
export const TICKET_QUANTITY_MAX = 100_000;
export const TICKET_PRICE_MAX_CENTS = 50_000_00;
/** Stripe declines smaller charges, so a ticket is free or costs at least this much. */
export const TICKET_PRICE_MIN_CENTS = 50;

export const SHARED_CAPACITIES_MAX = 20;
export const CAPACITY_NAME_MAX = 50;
/** Of a shared capacity, for each ticket. */
export const CAPACITY_UNITS_MAX = 100;

export const PROMO_CODE_MIN = 3;
export const PROMO_CODE_MAX = 30;
/** Of an event, at a time. */
export const PROMO_CODES_MAX = 200;
/** As a buyer types it, with spaces. */
export const PROMO_TYPED_MAX = 100;

export const ORDER_TICKETS_MAX = 100;
/** Tickets that a member adds for guests at no charge, at a time. */
export const COMPS_PER_CALL_MAX = 500;
/** Over 24 hours and all events of an organization: each ticket may be an email to a stranger. */
export const COMPS_PER_DAY_MAX = 20_000;
/** Of an organization that no payout account identifies. */
export const UNIDENTIFIED_COMPS_PER_DAY_MAX = 50;
/** Of a file of guests. */
export const IMPORT_ROWS_MAX = 5_000;
export const IMPORT_BYTES_MAX = 1024 * 1024;
export const IMPORT_COLUMNS_MAX = 50;
/** Unpaid orders that a browser may have, over all events. */
export const OPEN_CHECKOUTS_PER_BROWSER = 10;
/** Minimum time between two Stripe lookups of the same checkout; in between, the answer is "processing". */
export const CHECKOUT_LOOKUP_INTERVAL_SECONDS = 10;
/** More than the ticket types of an event, because a ticket type may appear in several lines. */
export const CART_LINES_MAX = 50;
/** Stripe's smallest and largest single charge. */
export const ORDER_TOTAL_MIN_CENTS = 50;
export const ORDER_TOTAL_MAX_CENTS = 999_999_99;

/** The most payment pages that Stripe opens in a minute. */
export const BUYERS_PER_MINUTE_MAX = 6_000;

/** Emails to one mailbox that strangers can cause, over all their kinds. */
export const STRANGER_EMAILS_PER_HOUR = 5;
export const STRANGER_EMAILS_PER_DAY = 20;
/** The same link, sent again on request. Links live at least an hour, so a request beyond it finds one in the inbox. */
export const SAME_LINK_PER_HOUR = 3;

/** Events with all their data on the profile, and lines on a page of the list of all. */
export const EVENTS_MAX = 20;
export const PAST_VENUES_SHOWN = 12;
export const EVENT_ROWS_PER_PAGE = 6;
/** The same of one series. */
export const DATE_ROWS_PER_PAGE = 60;
export const EVENT_SEARCH_MAX = 100;

/** Every change of date or venue emails all buyers of the event. */
export const RESCHEDULES_PER_DAY_MAX = 10;
/** Of one event's page, a day. */
export const PAGE_VERSIONS_PER_DAY_MAX = 500;
/** The newest, on the page that lists them. */
export const LISTED_CHANGES_MAX = 100;

export const CODE_MAX = 10;
export const DEVICE_NAME_MAX = 30;
/** Check-in devices per event; each one polls every few seconds. */
export const CHECK_IN_DEVICES_MAX = 200;
/** Larger events get no offline list: it would take megabytes, and its short hashes would match too many made-up numbers. */
export const OFFLINE_LIST_TICKETS_MAX = 200_000;
/** Offline scans per sync request. */
export const SCANS_PER_SYNC_MAX = 100;
/** How long an attendant can undo a check-in, and the extra time allowed for network latency. */
export const UNDO_SECONDS = 10;
export const UNDO_GRACE_SECONDS = 5;

export const PHOTOS_PER_EVENT_MAX = 20;
export const PHOTO_BYTES_MAX = 10 * 1024 * 1024;
/** Per request: ten photos of the maximum size plus the multipart overhead. */
export const UPLOAD_BYTES_MAX = 110 * 1024 * 1024;
/** Guards against decompression bombs: a small file can decode into gigabytes. */
export const PHOTO_PIXELS_MAX = 40_000_000;
export const PHOTO_EDGE_MAX = 2000;
export const PHOTOS_SHOWN = 5;
export const ALT_TEXT_MAX = 250;

export const GUESTS_PER_PAGE = 100;
export const COMPS_PER_PAGE = 50;
/** Characters of a report of an event. */
export const REPORT_TEXT_MAX = 1000;
/** Characters of a message to an organizer. */
export const CONTACT_TEXT_MAX = 2000;
export const REFUND_REASON_MAX = 200;
/** What an organizer adds to the evidence for a dispute. */
export const STATEMENT_MAX = 2000;
/** Networks that report an event within an hour before operators are alerted. */
export const REPORTS_ALERT_NETWORKS = 3;
/** How long paid tickets are sold after Stripe restricts the payout account. */
export const RESTRICTED_SALES_HOURS = 72;

/** How long an operator views an organization as support. */
export const VIEWING_MINUTES = 30;
/** An action item or an unsent email that is older alerts operators. */
export const ALERT_MINUTES = 15;
/** Before the bank's due date. */
export const EVIDENCE_DUE_SOON_DAYS = 3;
/** An alert that lasts is emailed again. */
export const ALERT_AGAIN_HOURS = 24;
/** Events on a page of the audit log. */
export const AUDIT_PAGE = 100;
export const GUESTS_PER_PAGE_MAX = 500;
/** A check-in is early if it is made more than this before the start. Where the organizer sets no opening, it opens then. */
export const EARLY_CHECK_IN_HOURS = 12;
/** Where the organizer sets no closing; mirrors the opening. */
export const CLOSES_HOURS_AFTER_END = 12;
export const CLOSES_HOURS_AFTER_END_MAX = 24;
/** Of a name at the door. */
export const GUEST_SEARCH_LETTERS_MIN = 3;
export const GUEST_SEARCH_MAX = 100;
/** In longer guest lists the search matches prefixes only, so that its cost does not depend on the list's length. */
export const SUBSTRING_SEARCH_GUESTS_MAX = 5000;

export const WEBHOOK_URL_MAX = 500;
