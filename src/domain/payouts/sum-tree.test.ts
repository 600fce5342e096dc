import { hash as digest } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPartOfTotal, type Leaf, type Proof, pathIn, rootOf, treeOf } from './sum-tree.ts';

const hash = (text: string) => digest('sha256', text, 'hex');

const leaves = fc.array(
  fc.record({ organizationId: fc.uuid(), nonce: fc.string({ maxLength: 8 }), cents: fc.nat(10_000_000) }),
  { minLength: 1, maxLength: 40 },
);

function proofFor(all: readonly Leaf[], at: number): Proof {
  const leaf = all[at];
  if (!leaf) throw new Error('no such leaf');
  const { hash: root, cents: totalCents } = rootOf(all, hash);
  return { ...leaf, day: '2026-11-27', path: pathIn(treeOf(all, hash), at), root, totalCents };
}

describe('a tree of sums', () => {
  it('proves each amount with a path as long as the tree is high', async () => {
    await fc.assert(
      fc.asyncProperty(leaves, async (all) => {
        const total = all.reduce((sum, { cents }) => sum + cents, 0);
        for (const at of all.keys()) {
          const proof = proofFor(all, at);
          expect(proof.totalCents).toBe(total);
          expect(proof.path.length).toBeLessThanOrEqual(Math.ceil(Math.log2(all.length)));
          expect(await isPartOfTotal(proof, hash)).toBe(true);
        }
      }),
      { numRuns: 30 },
    );
  });

  it.each<[what: string, change: (proof: Proof) => Proof]>([
    ['a larger amount', (proof) => ({ ...proof, cents: proof.cents + 1 })],
    ['another organization', (proof) => ({ ...proof, organizationId: 'other' })],
    ['a smaller total', (proof) => ({ ...proof, totalCents: proof.totalCents - 1 })],
    ['another root', (proof) => ({ ...proof, root: hash('x') })],
    ['a neighbor with less', (proof) => ({ ...proof, path: proof.path.map((step) => ({ ...step, cents: 0 })) })],
    ['a path without its last step', (proof) => ({ ...proof, path: proof.path.slice(0, -1) })],
    [
      'the neighbor on the other side',
      (proof) => ({ ...proof, path: proof.path.map((step) => ({ ...step, side: 'left' as const })) }),
    ],
  ])('rejects %s', async (_what, change) => {
    const all = [1, 2, 3, 4, 5].map((at) => ({ organizationId: `o${at}`, nonce: `n${at}`, cents: at * 100 }));
    const proof = proofFor(all, 0);

    expect(await isPartOfTotal(proof, hash)).toBe(true);
    expect(await isPartOfTotal(change(proof), hash)).toBe(false);
  });

  it('rejects a negative neighbor, which would hide an amount', async () => {
    const all = [
      { organizationId: 'own', nonce: 'a', cents: 500 },
      { organizationId: 'made up', nonce: 'b', cents: -400 },
    ];

    expect(proofFor(all, 0).totalCents).toBe(100);
    expect(await isPartOfTotal(proofFor(all, 0), hash)).toBe(false);
  });

  it('of nothing has a root and no cents', () => {
    expect(rootOf([], hash)).toEqual({ hash: hash(''), cents: 0 });
  });
});
