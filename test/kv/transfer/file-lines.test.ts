import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {KeyEntry} from '../../../source/kv/store.ts';
import {FileLines} from '../../../source/kv/transfer/file-lines.ts';
import type {Line} from '../../../source/kv/transfer/line-list.ts';
import {compareKeys} from '../../../source/text/utf8-order.ts';
import {anyPages, createTinyPages} from '../key-index/tiny-pages.ts';

const entry: fc.Arbitrary<KeyEntry> = fc.record(
	{
		name: fc.string({unit: 'binary', minLength: 1, maxLength: 3}),
		expiration: fc.nat(),
		metadata: fc.oneof(fc.constant(null), fc.string(), fc.dictionary(fc.string(), fc.nat())),
	},
	{requiredKeys: ['name'], noNullPrototype: true},
);

test('lines are found by key and in key order, using the last line of each key', () => {
	fc.assert(
		fc.property(
			fc.array(entry, {maxLength: 60}),
			fc.string({unit: 'binary', maxLength: 2}),
			anyPages,
			fc.constantFrom(1, 300, 2_000_000),
			(entries, text, pages, runBytes) => {
				const lines = entries.map(
					(one, at): Line => ({entry: one, offset: at * 5_000_000_000, bytes: at + 1}),
				);
				const fileLines = new FileLines(pages, runBytes);
				for (const line of lines) fileLines.add(line);
				fileLines.sort();
				const lastLines = [...new Map(lines.map(line => [line.entry.name, line])).values()].sort(
					(one, other) => compareKeys(one.entry.name, other.entry.name),
				);
				expect(Array.from({length: fileLines.count}, (_, at) => fileLines.getEntry(at))).toEqual(
					lastLines.map(line => line.entry),
				);
				for (const line of lastLines) expect(fileLines.find(line.entry.name)).toEqual(line);
				expect(fileLines.find('not there')).toBeUndefined();
				expect(fileLines.findFirst(text)).toBe(
					lastLines.filter(line => compareKeys(line.entry.name, text) < 0).length,
				);
			},
		),
	);
});

test('unordered lines that exceed memory are merged from runs, in several passes', () => {
	const count = 5000;
	const lines = Array.from({length: count}, (_, at): Line => {
		const number = (at * 7919) % 4001;
		return {entry: {name: `key ${number}`, metadata: {at}}, offset: at * 5_000_000_000, bytes: at};
	});
	// About 300 runs of 16 lines, which take three merge passes.
	const fileLines = new FileLines(createTinyPages(512), 600);
	for (const line of lines) fileLines.add(line);
	fileLines.sort();
	const lastLines = [...new Map(lines.map(line => [line.entry.name, line])).values()].sort((one, other) =>
		compareKeys(one.entry.name, other.entry.name),
	);
	expect(fileLines.count).toBe(4001);
	expect(lastLines.map(({entry: {name}}) => fileLines.find(name))).toEqual(lastLines);
	expect(Array.from({length: fileLines.count}, (_, at) => fileLines.getEntry(at))).toEqual(
		lastLines.map(line => line.entry),
	);
});
