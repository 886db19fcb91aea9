import fc from 'fast-check';
import {describe, expect, it, test} from 'vitest';
import {analyse, formatExpression} from '../../../source/firewall/expression/expressions.ts';
import {runs} from '../../support/full.ts';
import {anyExpression, anyText, broken, chooser} from './any-expression.ts';
import {mended, mistaken} from './mistakes.ts';

const seed = fc.integer({min: 0, max: 0xffff_ffff});
const good = seed.map(start => anyExpression(chooser(start)));
const anything = fc.oneof(
	fc.string({unit: 'binary'}),
	fc.string({unit: 'grapheme-ascii', maxLength: 200}),
	seed.map(start => anyText(chooser(start))),
);

/** A tree without its places in the text: what it means. */
const meaning = (text: string): unknown =>
	JSON.parse(
		JSON.stringify(analyse(text).tree ?? null, (key, value) => {
			if (key === 'start' || key === 'end' || key.endsWith('Span')) return undefined;
			return typeof value === 'bigint' ? String(value) : value;
		}),
	);

const fits = (text: string): boolean => Buffer.byteLength(text) <= 4096;

describe('any text', () => {
	it('has tokens without gaps, and problems inside its bounds', () => {
		fc.assert(
			fc.property(anything, text => {
				const {tokens, errors, warnings, tree} = analyse(text);
				expect(tokens.map(({start, end}) => text.slice(start, end)).join('')).toBe(text);
				for (const {span, correction} of [...errors, ...warnings])
					for (const {start, end} of [span, ...(correction ? [correction.span] : [])]) {
						expect(start).toBeGreaterThanOrEqual(0);
						expect(end).toBeGreaterThanOrEqual(start);
						expect(end).toBeLessThanOrEqual(text.length);
					}
				expect(tree !== undefined || errors.length > 0).toBe(true);
			}),
			{numRuns: runs(3000)},
		);
	});

	it('has at most one canonical form, with the same mistakes', () => {
		fc.assert(
			fc.property(anything, text => {
				const form = formatExpression(text);
				if (form === undefined) return;
				expect(formatExpression(form)).toBe(form);
				expect(analyse(form).errors.map(({engineMessage}) => engineMessage)).toEqual(
					analyse(text).errors.map(({engineMessage}) => engineMessage),
				);
			}),
			{numRuns: runs(3000)},
		);
	});
});

describe('a well-typed expression', () => {
	it('has no errors, and means the same in its canonical form', () => {
		fc.assert(
			fc.property(good, text => {
				fc.pre(fits(text));
				expect(analyse(text, {plan: 'enterprise'}).errors).toEqual([]);
				const form = formatExpression(text) ?? '';
				expect(formatExpression(form)).toBe(form);
				expect(meaning(form)).toEqual(meaning(text));
			}),
			{numRuns: runs(2000)},
		);
	});

	it('becomes well-typed again after an error by applying corrections', () => {
		const mistakes: readonly ((text: string) => string)[] = [
			text => text.replace(/ and /g, ' AND '),
			text => text.replace(/ eq /g, ' EQ '),
			text => text.replace(/ == /g, ' = '),
			text => text.replace(/ /, '\t'),
			text => text.replace(/(?<=[ (])"a"(?=[ )]|$)/, "'a'"),
			text => `(${text}`,
			text => `${text})`,
			text => `${text} and`,
			text => `or ${text}`,
			text => `${text} and ssl == true`,
			text => `ip.src == 10.0.0.0/8 or ${text}`,
			text => `htp.host eq "a" and (${text})`,
			text => `http.host in {"a", "b"} xor ${text}`,
			text => `${text} xor http.host eq example.com`,
		];
		fc.assert(
			fc.property(good, fc.constantFrom(...mistakes), (text, mistake) => {
				let current = mistake(text);
				fc.pre(fits(current) && fits(text));
				for (let left = analyse(current).errors; left.length > 0; left = analyse(current).errors) {
					const correction = left[0]?.correction;
					expect(correction, current).toBeDefined();
					if (!correction) return;
					current =
						current.slice(0, correction.span.start) + correction.text + current.slice(correction.span.end);
					expect(analyse(current).errors.length).toBeLessThan(left.length);
				}
			}),
			{numRuns: runs(1000)},
		);
	});
});

describe('an expression with a common mistake', () => {
	const choose = chooser(7);
	const texts: string[] = [];
	while (texts.length < runs(4000)) {
		const text = mistaken(choose, anyExpression(choose, 1));
		if (fits(text) && analyse(text).errors.length > 0) texts.push(text);
	}

	it('becomes valid by repeatedly applying the first correction in 97 of 100 cases, and never loops', () => {
		const ended = texts.map(mended);
		expect(ended.filter(({isValid}) => isValid).length / texts.length).toBeGreaterThanOrEqual(0.97);
		expect(ended.filter(({steps}) => steps === 40)).toEqual([]);
	});
});

describe('a broken expression', () => {
	test.each([
		['raw.http.request.uri["x"][7] eq "a" and ssl', 'raw.http.request.uri eq "a" and ssl'],
		['http.request.headers["x"][0][1][*] eq "a"', 'http.request.headers["x"][0] eq "a"'],
		['ip.src.asnum in {1"3..0x10 4}', 'ip.src.asnum in {1 3..0x10 4}'],
		['ip.src in {10.0.0.0"  192.0.2.1} or ssl', 'ip.src in {10.0.0.0  192.0.2.1} or ssl'],
		['ip.src.asnum in {1 2"}', 'ip.src.asnum in {1 2}'],
		[
			'http.host ~ "^/a[0-9\\" xor any(http.request.body.multipart.values[*] eq "b")',
			'http.host ~ "^/a[0-9\\"]" xor any(http.request.body.multipart.values[*] eq "b")',
		],
	])('%s has one mistake, and its correction leaves none', (text, mended) => {
		const {errors} = analyse(text);
		expect(errors).toHaveLength(1);
		const {span, text: written} = errors[0]?.correction ?? {span: {start: 0, end: 0}, text: ''};
		expect(text.slice(0, span.start) + written + text.slice(span.end)).toBe(mended);
		expect(analyse(mended).errors).toEqual([]);
	});

	it('no longer has a mistake once its correction is applied', () => {
		const changed = seed.map(start => {
			const choose = chooser(start);
			return broken(choose, anyExpression(choose, 1));
		});
		fc.assert(
			fc.property(changed, text => {
				const {errors} = analyse(text);
				const [error] = errors;
				if (errors.length !== 1 || !error?.correction) return;
				const {span, text: written} = error.correction;
				const mended = text.slice(0, span.start) + written + text.slice(span.end);
				const again = analyse(mended).errors.filter(
					other => other.sentence === error.sentence && other.span.start === error.span.start,
				);
				expect(again, mended).toEqual([]);
			}),
			{numRuns: runs(2000)},
		);
	});
});
