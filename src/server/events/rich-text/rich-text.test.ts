import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { RichPart } from '#contract/rich-text.ts';
import { DESCRIPTION_MAX } from '#domain/limits.ts';
import { plainTextOf, readRichText } from './read-rich-text.ts';

/** The elements as HTML, or null for a text that is shown as typed. */
function html(text: string): string | null {
  const rich = readRichText(text);
  return rich && renderToStaticMarkup(rich.map(element));
}

function element(part: RichPart, key: number): React.ReactNode {
  if (typeof part === 'string') return part;
  const { is, parts, ...attributes } = part;
  return createElement(is, { key, ...attributes }, parts.map(element));
}

describe('a text with marks', () => {
  it.each([
    ['**Bold** and *italics*', '<p><strong>Bold</strong> and <em>italics</em></p>'],
    ['__Bold__ and _italics_', '<p><strong>Bold</strong> and <em>italics</em></p>'],
    ['***Both*** at once', '<p><em><strong>Both</strong></em> at once</p>'],
    ['*One **two*** three', '<p><em>One <strong>two</strong></em> three</p>'],
    ['*over\ntwo lines*', '<p><em>over\ntwo lines</em></p>'],
    [
      'See [the lineup](https://brass.example/2026).',
      '<p>See <a href="https://brass.example/2026">the lineup</a>.</p>',
    ],
    ['[**Bold** link](http://brass.example)', '<p><a href="http://brass.example/"><strong>Bold</strong> link</a></p>'],
    ['[Write](mailto:band@brass.example)', '<p><a href="mailto:band@brass.example">Write</a></p>'],
    [
      '[*a* "title"](https://brass.example "Title")',
      '<p><a href="https://brass.example/"><em>a</em> &quot;title&quot;</a></p>',
    ],
    ['- Doors\n- Show', '<ul><li>Doors</li><li>Show</li></ul>'],
    ['* Doors\n\n* Show', '<ul><li>Doors</li><li>Show</li></ul>'],
    ['1. Doors\n2. Show', '<ol><li>Doors</li><li>Show</li></ol>'],
    ['7. Doors\n8. Show', '<ol start="7"><li>Doors</li><li>Show</li></ol>'],
    ['- Doors\n  at *8*\n- Show', '<ul><li>Doors\nat <em>8</em></li><li>Show</li></ul>'],
    [
      'Lineup:\n- A\n- B\nDoors at 8\n\nBring ID',
      '<p>Lineup:</p><ul><li>A</li><li>B</li></ul><p>Doors at 8</p><p>Bring ID</p>',
    ],
    ['**A**\n\nB\nC', '<p><strong>A</strong></p><p>B\nC</p>'],
    ['**A** \\*not\\*', '<p><strong>A</strong> *not*</p>'],
    // A picture becomes a link to it.
    ['![Poster](https://brass.example/p.png)', '<p><a href="https://brass.example/p.png">Poster</a></p>'],
  ])('shows %j [EVT-19]', (text, shown) => {
    expect(html(text)).toBe(shown);
  });

  it.each([
    [
      '3. Third\n2. Second\n1. First',
      '<ol start="3"><li>Third</li></ol><ol start="2"><li>Second</li></ol><ol><li>First</li></ol>',
    ],
    ['1. A\n1. B', '<ol><li>A</li></ol><ol><li>B</li></ol>'],
  ])('keeps the numbers of %j [EVT-19]', (text, shown) => {
    expect(html(text)).toBe(shown);
  });
});

describe('a text from before there were marks', () => {
  it.each([
    'Six horns in a cellar.',
    'Line one\nLine two\n\n\nLine five',
    '5 * 3 and 2*3*4',
    'snake_case_name and 2_000 of my_band_',
    '*terms apply, *see the site',
    '# 1 in town\n====\n---\n***\n-- --',
    '> quoted\n    indented\n```\ncode\n```\n`code`',
    '<b>bold</b> &amp; <script>alert(1)</script>',
    'https://brass.example and <https://brass.example>',
    'Price: $24* [limited]\n1) one\n2) two\n+ plus\n-minus\n1.5 hours',
    '[x]: https://brass.example\n[x] [y][x]',
    '| a | b |\n|---|---|\n~~gone~~ ^up^ ==marked==',
  ])('%j looks the same [EVT-19]', (text) => {
    expect(readRichText(text)).toBeNull();
    expect(plainTextOf(text)).toBe(text);
  });
});

describe('a link', () => {
  it.each([
    'javascript:alert(1)',
    'JAVASCRIPT:alert(1)',
    'java\tscript:alert(1)',
    'java&#115;cript:alert(1)',
    'data:text/html,<script>alert(1)</script>',
    'vbscript:x',
    'file:///etc/passwd',
    'tel:911',
    '//evil.example',
    '/payment/x',
    'https://paypal.example@evil.example',
    'https://u:p@evil.example',
    'mailto:a@b.example?bcc=everyone@c.example',
    'https://',
    '',
  ])('does not lead to %j [EVT-19]', (address) => {
    for (const text of [`[here](${address})`, `[here](<${address}>)`, `![here](${address})`])
      expect(JSON.stringify(readRichText(text))).not.toContain('href');
  });

  it.each([
    ['[paypal.com](https://evil.example)', 'https://evil.example/'],
    ['[https://paypal.com/login](https://evil.example)', 'https://evil.example/'],
    ['[**www.paypal.com**](https://paypal.com.evil.example)', 'https://paypal.com.evil.example/'],
    ['[band@good.example](mailto:band@evil.example)', 'band@evil.example'],
    ['[ ](https://evil.example)', 'https://evil.example/'],
    ['[](https://evil.example)', 'https://evil.example/'],
    ['[müller.example](https://müller.example)', 'https://xn--mller-kva.example/'],
  ])('in %j shows where it leads [EVT-19]', (text, shown) => {
    expect(html(text)).toMatch(new RegExp(`>${shown}</a></p>$`));
  });

  it.each([
    '[www.brass.example](https://brass.example/2026)',
    '[Tickets at brass.example!](https://www.brass.example)',
  ])('keeps the text of %j [EVT-19]', (text) => {
    expect(html(text)).toContain(text.slice(1, text.indexOf(']')));
  });
});

describe('its plain form', () => {
  it.each([
    ['**Bold** and *italics*', 'Bold and italics'],
    ['See [the lineup](https://brass.example/2026).', 'See the lineup (https://brass.example/2026).'],
    ['[brass.example](https://brass.example)', 'brass.example (https://brass.example/)'],
    ['[https://brass.example](https://brass.example)', 'https://brass.example'],
    ['[Write](mailto:band@brass.example)', 'Write (band@brass.example)'],
    ['Lineup:\n- A\n- *B*\n\n4. C\n5. D', 'Lineup:\n\n• A\n• B\n\n4. C\n5. D'],
    ['5 \\* 3', '5 * 3'],
  ])('of %j is %j [EVT-19]', (text, plain) => {
    expect(plainTextOf(text)).toBe(plain);
  });
});

/** The same on every run. */
function randomOf(seed: number) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const SCRAPS = [
  ...'*_[]()<>!\\`#-+.&"\'\n\t :/@=|~^'.split(''),
  '**',
  '__',
  '](',
  '![',
  '- ',
  '1. ',
  '2. ',
  '\n\n',
  '  ',
  'a',
  'word',
  '😀',
  '\u202e',
  '\u0000',
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '&lt;',
  '&#x6a;',
  'javascript:',
  'data:text/html,',
  'https://a.example',
  'http://b.example/?q=<x>',
  'mailto:c@d.example',
  '[x](https://a.example "t")',
  '](javascript:alert(1))',
];

const ALLOWED =
  /^(?:[^<>]|<(?:p|ul|li|strong|em|ol(?: start="\d+")?|a href="(?:https?:\/\/|mailto:)[^"<>]*")>|<\/(?:p|ul|ol|li|strong|em|a)>)*$/;
const DEPTH_MAX = 5;
const depthOf = (part: RichPart): number =>
  typeof part === 'string' ? 0 : 1 + Math.max(0, ...part.parts.map((inner) => depthOf(inner)));
/** Letters and digits, which no mark takes away, but those of links. */
const lettersOf = (text: string) => text.replace(/[^a-z]/gi, '').length;

describe('any input', () => {
  it('makes only these elements, to a small depth, and loses no words [EVT-19]', () => {
    const random = randomOf(20_261_128);
    const pick = () => SCRAPS[Math.floor(random() * SCRAPS.length)] ?? '';
    let marked = 0;
    for (let round = 0; round < 5_000; round++) {
      const text = Array.from({ length: 1 + Math.floor(random() * 60) }, pick)
        .join('')
        .slice(0, DESCRIPTION_MAX);
      const rich = readRichText(text);
      if (!rich) continue;
      marked++;
      expect(html(text)).toMatch(ALLOWED);
      expect(Math.max(...rich.map(depthOf))).toBeLessThanOrEqual(DEPTH_MAX);
      // Its words, and the addresses of links behind them.
      if (!text.includes('](')) expect(lettersOf(plainTextOf(text))).toBe(lettersOf(text));
    }
    expect(marked).toBeGreaterThan(1_000);
  });

  it.each([
    ['[', ''],
    ['[](', ''],
    ['![', ''],
    ['![](', ''],
    ['*a ', ''],
    ['**a', ''],
    ['*a _b ', ''],
    ['*_', ''],
    ['_', 'a'],
    ['*', 'a'],
    ['- ', 'a'],
    ['[a](<', ''],
    ['[a](https://a.example ', ''],
    ['\\', ''],
    ['((((', ''],
    ['[a](', '(((('],
    ['- a\n', ''],
    ['1. a\n', ''],
    ['*a\n', ''],
    ['a.', ''],
    ['[a.', '](https://a.example)'],
  ])('of %j over and over is read, too [EVT-19]', (scrap, end) => {
    const text = `**x** ${scrap.repeat(DESCRIPTION_MAX / scrap.length)}${end}`.slice(0, DESCRIPTION_MAX);
    expect(html(text)).toMatch(ALLOWED);
  });
});
