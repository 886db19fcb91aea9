import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {formatEntryProblem, importFormat, keysFormat, writesFormat} from '../../../source/kv/bulk/entries.ts';
import type {Element} from '../../../source/kv/bulk/splitter.ts';

const now = 1_800_000_000;

const element = (text: string, isValidUtf8 = true): Element => ({
	text,
	bytes: Buffer.byteLength(text),
	offset: 0,
	number: 7341,
	line: 7342,
	isValidUtf8,
});

const parseWrite = (json: unknown) => writesFormat.parse(element(JSON.stringify(json)), now);
const parseKey = (json: unknown) => keysFormat.parse(element(JSON.stringify(json)), now);

function problemOf(parsed: ReturnType<typeof parseWrite> | ReturnType<typeof parseKey>): string {
	return 'problem' in parsed ? formatEntryProblem(parsed.problem) : expect.unreachable('it was taken');
}

describe('an entry to be written', () => {
	test.each([
		[{key: 'k', value: ''}],
		[{key: 'k', value: 'v', metadata: {a: [1]}, expiration: now + 60}],
		[{key: 'k', value: 'v', expiration_ttl: 60}],
		[{key: 'имя é', value: 'AP8=', base64: true}],
		[{key: 'k'.repeat(512), value: 'x'.repeat(26_214_400)}],
		[{key: 'k', value: `${'A'.repeat(34_952_532)}AA==`, base64: true}],
		[{key: 'k', value: 'v', metadata: {a: 'x'.repeat(1024 - 8)}}],
	])('is accepted unchanged', json => {
		expect(parseWrite(json)).toMatchObject({
			number: 7341,
			key: json.key,
			content: json,
			unknownProperties: [],
		});
	});

	test('omits what does not need to be sent', () => {
		const parsed = parseWrite({
			key: 'k',
			value: 'v',
			base64: false,
			expiration: 1,
			expiration_ttl: 60,
			foo: 1,
			bar: 2,
		});
		expect(parsed).toMatchObject({unknownProperties: ['foo', 'bar']});
		expect('content' in parsed && parsed.content).toEqual({key: 'k', value: 'v', expiration_ttl: 60});
	});

	test('takes no more bytes in a request than its stated size', () => {
		const entries = fc.record(
			{
				key: fc.string({minLength: 1, maxLength: 20, unit: 'binary'}),
				value: fc.string({maxLength: 40, unit: 'binary'}),
				metadata: fc.dictionary(fc.string(), fc.oneof(fc.double({noNaN: true}), fc.string()), {maxKeys: 4}),
				expiration: fc.integer({min: now + 60, max: now * 2}),
			},
			{requiredKeys: ['key', 'value']},
		);
		fc.assert(
			fc.property(entries, fc.boolean(), (json, usesExponents) => {
				// A number with an exponent is shorter in the file than in the request.
				const text = JSON.stringify(json).replace(/:(\d+)000000\b/g, usesExponents ? ':$1e6' : '$&');
				const parsed = writesFormat.parse(element(text), now);
				if ('problem' in parsed) return;
				expect(Buffer.byteLength(JSON.stringify(parsed.content))).toBeLessThanOrEqual(parsed.bytes);
			}),
		);
	});

	test.each<[unknown, string]>([
		[
			null,
			'The entry is not an object. An entry is an object such as {"key":"k","value":"v"}; this is null.',
		],
		['text', 'this is a string'],
		[[], 'this is an array'],
		[{}, 'The entry has no "key".'],
		[{key: 1, value: 'v'}, 'The property "key" is not a string. A key must be a string; this is a number.'],
		[{key: 'k'}, 'The entry has no "value".'],
		[{key: 'k', value: {a: 1}}, 'The property "value" is not a string. Write other JSON as a string'],
		[{key: '', value: 'v'}, 'The key is empty.'],
		[{key: '.', value: 'v'}, 'The key "." is not allowed.'],
		[{key: 'k'.repeat(513), value: 'v'}, 'A key has at most 512 bytes in UTF-8; this one has 513.'],
		[{key: 'é'.repeat(257), value: 'v'}, 'A key has at most 512 bytes in UTF-8; this one has 514.'],
		[{key: 'k', value: 'x'.repeat(26_214_401)}, 'A value has at most 26214400 bytes; this one has 26214401.'],
		[{key: 'k', value: 'é'.repeat(13_107_201)}, 'this one has 26214402.'],
		[{key: 'k', value: `${'A'.repeat(34_952_532)}AAA=`, base64: true}, 'this one has 26214401.'],
		[{key: 'k', value: 'v', base64: 'yes'}, 'The property "base64" is not a boolean.'],
		[{key: 'k', value: 'A', base64: true}, 'must be a multiple of 4; this has 1 character.'],
		[{key: 'k', value: 'AB_=', base64: true}, 'character 3 is "_".'],
		[{key: 'k', value: 'A===', base64: true}, 'character 2 is "=".'],
		[{key: 'k', value: 'AAAA\n', base64: true}, 'character 5 is "\\n".'],
		[{key: 'k', value: '\ud800'}, 'The value is not valid Unicode.'],
		[{key: '\udc00', value: 'v'}, 'The key is not valid Unicode.'],
		[{key: 'k', value: 'v', metadata: 'text'}, 'The metadata is not a JSON object.'],
		[{key: 'k', value: 'v', metadata: null}, 'The metadata is not a JSON object.'],
		[
			{key: 'k', value: 'v', metadata: {a: 'x'.repeat(1017)}},
			'has at most 1024 bytes as JSON; this has 1025.',
		],
		[{key: 'k', value: 'v', expiration_ttl: 59}, 'A ttl must be at least 60 seconds; this one is 59.'],
		[{key: 'k', value: 'v', expiration_ttl: 60.5}, 'The ttl is not a whole number.'],
		[{key: 'k', value: 'v', expiration_ttl: '60'}, 'The property "expiration_ttl" is not a number.'],
		[{key: 'k', value: 'v', expiration: now + 59}, `this one is ${now + 59}.`],
		[{key: 'k', value: 'v', expiration: '1'}, 'The property "expiration" is not a number.'],
	])('that breaks a rule is reported with the figure: %#', (json, expected) => {
		const text = problemOf(parseWrite(json));
		expect(text).toContain(expected);
		expect(text).toMatch(/^entry 7341 \(line 7342/);
	});

	test('that is not JSON is reported without quoting it', () => {
		for (const text of [
			'{"key":"k","value":"secret" "a"}',
			'{"value":secret}',
			'{"value":"secret',
			'"\u0001secret"',
		]) {
			const problem = problemOf(writesFormat.parse(element(text), now));
			expect(problem).toContain('The entry is not valid JSON.');
			expect(problem).not.toContain('secret');
			expect(problem).toMatch(/\.$/);
		}
	});

	test('that is not UTF-8 is refused, not changed', () => {
		const parsed = writesFormat.parse(element('{"key":"k","value":"\ufffd"}', false), now);
		expect(problemOf(parsed)).toContain('The entry is not valid UTF-8.');
	});

	test('may contain the replacement character itself', () => {
		expect(parseWrite({key: 'k', value: '\ufffd'})).toMatchObject({content: {value: '\ufffd'}});
	});
});

describe('an entry that names a key', () => {
	test.each<[unknown]>([
		['a'],
		[{name: 'a', expiration: 1}],
		[{key: 'a', value: 'v'}],
		[{name: 'a', key: 'b'}],
	])('%j names "a"', json => {
		expect(parseKey(json)).toMatchObject({content: 'a', unknownProperties: []});
	});

	test.each<[unknown, string]>([
		[12_354, 'this is a number'],
		[null, 'this is null'],
		[{title: 'a'}, 'this is an object with "title"'],
		[{}, 'this is an object without properties'],
		[{name: 7}, 'The entry does not name a key.'],
		['..', 'The key ".." is not allowed.'],
		['k'.repeat(600), 'this one has 600.'],
	])('%j is a problem', (json, expected) => {
		expect(problemOf(parseKey(json))).toContain(expected);
	});
});

describe('an entry from an export', () => {
	const parseImport = (json: unknown) => importFormat.parse(element(JSON.stringify(json)), now);

	test.each([
		['text'],
		[0],
		[false],
		[[1, 'a']],
		[{a: 1}],
	])('keeps the metadata %j, as a Worker wrote it', metadata => {
		expect(parseImport({key: 'k', value: 'v', metadata})).toMatchObject({content: {metadata}});
	});

	test('is refused with metadata that no store can hold', () => {
		expect(problemOf(parseImport({key: 'k', value: 'v', metadata: null}))).toContain('The metadata is null.');
		expect(problemOf(parseImport({key: 'k', value: 'v', metadata: 'x'.repeat(1023)}))).toContain(
			'this has 1025.',
		);
	});

	test('that has expired is distinguished from an invalid one', () => {
		const expiredEntry = parseImport({key: 'k', value: 'v', expiration: now - 1, metadata: 'm'});
		expect(expiredEntry).toMatchObject({problem: {isOnlyExpired: true}});
		expect(parseImport({key: '', value: 'v', expiration: now - 1})).not.toMatchObject({
			problem: {isOnlyExpired: true},
		});
	});
});
