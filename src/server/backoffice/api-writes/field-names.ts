/** The fields of the screens' forms, as programs name them: a rule's answer then names what the program sent. */
import type { FormProblem } from '#contract/forms/form-problem.ts';
import { snakeCase } from '#server/backoffice/api/snake-case.ts';
import { AppError } from '#server/platform/app-error.ts';

const names: Readonly<Record<string, string>> = {
  timezone: 'time_zone',
  startDate_startTime: 'starts_at',
  endDate_endTime: 'ends_at',
  street: 'venue.street',
  city: 'venue.city',
  state: 'venue.state',
  postalCode: 'venue.postal_code',
  latitude: 'venue.latitude',
  longitude: 'venue.longitude',
  venueName: 'venue.name',
  salesStart: 'sales_start_at',
  checkInOpens: 'check_in_opens_at',
  checkInCloses: 'check_in_closes_at',
  tickets: 'ticket_types',
  ticketId: 'ticket_type_id',
  ticketName: 'name',
  ticketDescription: 'description',
  ticketPrice: 'price_cents',
  ticketQuantity: 'capacity',
  suggestedPrice: 'suggested_price_cents',
  ticketIds: 'ticket_type_ids',
  units: 'ticket_types',
};

const fieldOf = (path: string) =>
  path
    .split('.')
    .map((step) => names[step] ?? snakeCase(step))
    .join('.');

/**
 * Runs a use case of the screens.
 *
 * @param own the form's name of the list in which the request has one row; its other fields are those of the row
 */
export async function withFieldNames<Result>(
  work: () => Promise<Result>,
  { own, rename = {} }: { own?: string; rename?: Readonly<Record<string, string>> } = {},
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'form.invalid') throw error;
    const path = String(error.params['field']);
    const inRow = own === undefined ? path : path.replace(new RegExp(`^${own}\\.\\d+\\.`), '');
    throw new AppError('form.invalid', {
      ...(error.params as object as FormProblem),
      field: rename[inRow] ?? fieldOf(inRow),
    });
  }
}
