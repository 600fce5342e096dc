import { describe, expect, it } from 'vitest';
import { denialError } from './app-error.ts';

describe('the error of a denial', () => {
  it('has its code, parameters and text', () => {
    const { body } = denialError('checkout', { reason: 'sold-out', params: { name: 'Balcony' } });

    expect(body).toMatchObject({ code: 'checkout.sold-out', params: { name: 'Balcony' } });
    expect(body.msg).toContain('Balcony');
    expect(denialError('checkout', { reason: 'empty-cart' }).body.params).toEqual({});
  });

  it('does not compile without a text, or with parameters that do not fit', () => {
    const denials = [
      // @ts-expect-error no such code
      () => denialError('checkout', { reason: 'rain' }),
      // @ts-expect-error the text needs a name
      () => denialError('checkout', { reason: 'sold-out' }),
      // @ts-expect-error another parameter
      () => denialError('checkout', { reason: 'sold-out', params: { title: 'Balcony' } }),
    ];
    expect(denials).toHaveLength(3);
  });
});
