/** Where each thing that waits for an organizer is done. */

/** A part of the event's *Page*. */
export const addPhotosAt = (eventId: string) => `/events/${eventId}/page#photos`;

export const ADD_DATES = 'add-dates';

export const addDatesAt = (eventId: string) => `/events/${eventId}?${ADD_DATES}`;

/** A part of the event's *Money*. */
export const disputesAt = (eventId: string) => `/events/${eventId}/money#disputes`;

/** Rows of the account. */
export const payoutsAt = '/profile#payouts';
export const accountAt = '/profile#account';
export const yourDataAt = '/profile#your-data';

export const createEventAt = '/profile?create';
