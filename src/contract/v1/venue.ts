import * as z from 'zod/mini';

export const venue = z.object({
  name: z.nullable(z.string()),
  street: z.string(),
  city: z.string(),
  state: z.string(),
  postal_code: z.string(),
});
