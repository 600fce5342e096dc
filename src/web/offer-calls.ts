/** The call for the plans, in a chunk of its own: a page from the server has them embedded. */
import { offer } from '#contract/app/plans.ts';
import { call } from '#web/api.ts';

export const readOffer = () => call(offer, {});
