import {expect, test} from 'vitest';
import {MetadataTally} from '../../../source/kv/stats/metadata-fields.ts';

test('an endless variety of field names is counted, but not stored', () => {
	const tally = new MetadataTally();
	for (let at = 0; at < 2000; at++) tally.add({every: at, [`user-${at}`]: true});
	const {fields, otherFields, none} = tally.counts;
	expect(fields).toHaveLength(500);
	expect(fields[0]).toMatchObject({name: 'every', keys: 2000, kinds: [{kind: 'number', keys: 2000}]});
	expect({otherFields, none}).toEqual({otherFields: 2000 - 499, none: 0});
});

test('a field may have any name and value, and bytes are those of compact JSON', () => {
	const tally = new MetadataTally();
	tally.add(JSON.parse('{"__proto__":{"ä":1},"constructor":[null]}'));
	tally.add(null);
	tally.add([1]);
	tally.add(undefined);
	expect(tally.counts).toEqual({
		none: 1,
		kinds: [
			{kind: 'array', keys: 1},
			{kind: 'null', keys: 1},
			{kind: 'object', keys: 1},
		],
		bytes: 43 + 4 + 3,
		largest: 43,
		fields: [
			{name: '__proto__', keys: 1, kinds: [{kind: 'object', keys: 1}], bytes: 8, largest: 8},
			{name: 'constructor', keys: 1, kinds: [{kind: 'array', keys: 1}], bytes: 6, largest: 6},
		],
		otherFields: 0,
	});
});
