/** /v1/files */

import { newId } from '#sandbox/ids.ts';
import { insertObject } from '#sandbox/objects.ts';
import { timestamp } from '#sandbox/operation-context.ts';
import type { File } from '#sandbox/shapes/file.ts';
import { findOwnObject } from '../../objects.ts';
import { invalidRequest, resourceMissing } from '../errors.ts';
import { isRawObject } from '../form-body.ts';
import { oneOf, type ParamReader, parameters, text } from '../parameters.ts';
import { type Route, route } from '../route.ts';

const BASE = '/v1/files';
const EVIDENCE_BYTES_MAX = 5_000_000;

/** As the body parser leaves it. */
const upload: ParamReader<{ name: string; data: string }> = (raw, name) => {
  if (!isRawObject(raw)) throw invalidRequest('Invalid file: must be an uploaded file', { param: name });
  return { name: text(raw['name'], `${name}[name]`), data: text(raw['data'], `${name}[data]`) };
};

export const fileRoutes: Route[] = [
  route(
    'POST',
    BASE,
    parameters({ purpose: oneOf('dispute_evidence'), file: upload }),
    async (ctx, { purpose, file: { name: filename, data } }) => {
      const size = Buffer.from(data, 'base64').length;
      if (size > EVIDENCE_BYTES_MAX) throw invalidRequest('The file is too large.', { param: 'file' });
      const id = newId('file');
      const type = filename.split('.').at(-1) ?? '';
      const url = `https://files.stripe.com/v1/files/${id}/contents`;
      const unset = { expires_at: null, links: null, title: null };
      const file: File = { id, object: 'file', created: timestamp(ctx), filename, purpose, size, type, url, ...unset };
      await insertObject<'file'>(ctx, file, { data });
      return file;
    },
  ),

  route('GET', `${BASE}/:id`, parameters({}), async (ctx, _params, { id = '' }) => {
    const file = await findOwnObject(ctx, 'file', id);
    if (!file) throw resourceMissing('file', id);
    return file.body;
  }),
];
