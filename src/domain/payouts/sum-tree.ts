/**
 * A tree of hashes and sums. The root commits to a total; a path from a leaf to the root proves that an amount is part of it and
 * names no other organization. Everything is hashed as text, so that a shell script can verify a path.
 */
export interface SumNode {
  /** Hexadecimal. */
  hash: string;
  cents: number;
}

export interface Leaf {
  organizationId: string;
  /** Random, because neighbors could guess an organization from a hash without it. */
  nonce: string;
  cents: number;
}

/** The node next to the one reached so far, and its side. */
export interface PathStep extends SumNode {
  side: 'left' | 'right';
}

export interface Proof extends Leaf {
  /** `2026-11-27`, in UTC. */
  day: string;
  path: readonly PathStep[];
  root: string;
  totalCents: number;
}

type Hash = (text: string) => string;

const leafText = ({ organizationId, nonce, cents }: Leaf) => `owed ${organizationId} ${nonce} ${cents}`;
const pairText = (left: SumNode, right: SumNode) => `sum ${left.hash} ${left.cents} ${right.hash} ${right.cents}`;

/** What the signature signs. */
export const signedText = ({ day, root, totalCents }: Pick<Proof, 'day' | 'root' | 'totalCents'>): string =>
  `${day} ${root} ${totalCents}`;

/** From the leaves up. A node without a neighbor moves up unchanged. */
export function treeOf(leaves: readonly Leaf[], hash: Hash): SumNode[][] {
  let level = leaves.map((leaf): SumNode => ({ hash: hash(leafText(leaf)), cents: leaf.cents }));
  const levels = [level];
  while (level.length > 1) {
    level = pairsOf(level).map(([left, right]) => (right ? parentOf(left, right, hash) : left));
    levels.push(level);
  }
  return levels;
}

const pairsOf = (level: readonly SumNode[]): [left: SumNode, right: SumNode | undefined][] =>
  level.flatMap((node, at) => (at % 2 === 0 ? [[node, level[at + 1]]] : []));

const parentOf = (left: SumNode, right: SumNode, hash: Hash): SumNode => ({
  hash: hash(pairText(left, right)),
  cents: left.cents + right.cents,
});

/** Of no leaves, the hash of an empty text. */
export const rootOf = (leaves: readonly Leaf[], hash: Hash): SumNode =>
  treeOf(leaves, hash).at(-1)?.[0] ?? { hash: hash(''), cents: 0 };

/** From the leaf at this position to the root. */
export function pathIn(tree: readonly SumNode[][], position: number): PathStep[] {
  return tree.slice(0, -1).flatMap((level, height) => {
    const own = position >> height;
    const neighbor = level[own ^ 1];
    return neighbor ? [{ side: own % 2 === 0 ? ('right' as const) : ('left' as const), ...neighbor }] : [];
  });
}

/** Whether the amount is part of the total, by a hash that may be asynchronous, as the browser's is. */
export async function isPartOfTotal(proof: Proof, hash: (text: string) => string | Promise<string>): Promise<boolean> {
  let node: SumNode = { hash: await hash(leafText(proof)), cents: proof.cents };
  for (const { side, ...neighbor } of proof.path) {
    const [left, right] = side === 'left' ? [neighbor, node] : [node, neighbor];
    node = { hash: await hash(pairText(left, right)), cents: left.cents + right.cents };
  }
  const amounts = [proof.cents, ...proof.path.map(({ cents }) => cents)];
  return node.hash === proof.root && node.cents === proof.totalCents && amounts.every((cents) => cents >= 0);
}

/** The proof for programs, a fact on each line. */
export const proofLines = ({ day, organizationId, nonce, cents, path, root, totalCents }: Proof): string[] => [
  `day ${day}`,
  `owed ${organizationId} ${nonce} ${cents}`,
  ...path.map(({ side, hash, cents: sum }) => `${side} ${hash} ${sum}`),
  `total ${root} ${totalCents}`,
];
